"""Bad input of ``symdp sgm`` and ``symdp calibrate sgm``: one line that names the option, and exit code 1."""

import json
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symdp.cli import main
from tests.commands import CALIBRATE, SGM, one_line

A = [*SGM, "--alpha"]
BAD = [
    (["sgm"], "no --alpha and no --delta"),
    (["sgm", "--q", "0.01", "--alpha", "2"], "no --sigma; give --sigma"),
    (["sgm", "--sigma", "1", "--alpha", "2"], "no --q; give --q"),
    (SGM, "no --alpha and no --delta; give orders"),
    (["sgm", "--q", "1.5", "--sigma", "1", "--alpha", "2"], "--q: the sampling rate is 3/2; give a number from 0 to 1"),
    (["sgm", "--q=-0.1", "--sigma", "1", "--alpha", "2"], "--q: the sampling rate is -1/10"),
    (["sgm", "--q", "nan", "--sigma", "1", "--alpha", "2"], "--q"),
    (["sgm", "--q", "", "--sigma", "1", "--alpha", "2"], "--q"),
    (["sgm", "--q", "0.1", "--sigma", "0", "--alpha", "2"], "--sigma: 0 is not positive; give a number > 0"),
    (["sgm", "--q", "0.1", "--sigma", "-1", "--alpha", "2"], "--sigma: -1 is not positive"),
    (["sgm", "--q", "0.1", "--sigma", "inf", "--alpha", "2"], "--sigma"),
    (["sgm", "--q", "0.1", "--sigma", "1e999", "--alpha", "2"], "--sigma"),
    (["sgm", "--q", "0.1", "--sigma", "1e399", "--alpha", "2", "--double"], "--sigma: the number is too large for"),
    (["sgm", "--q", "0.1", "--sigma", "1e-399", "--alpha", "2", "--double"], "--sigma: 0 is not positive"),
    (["sgm", "--q", "sqrt(2)/2", "--sigma", "1", "--alpha", "2"], "--q: sqrt(2)/2 is not a rational number"),
    ([*A, "0.5"], "--alpha: the order is 0.5, below 1; give a number >= 1, or inf"),
    ([*A, "-1"], "--alpha: the order is -1, below 1"),
    ([*A, "nan"], "--alpha"),
    ([*A, ""], "--alpha: an order is missing"),
    ([*A, "2,,3"], "--alpha: an order is missing"),
    ([*A, "2,"], "--alpha: an order is missing"),
    ([*A, "1e13"], "--alpha: the order is above 1000000000000"),
    ([*A, "5:2"], "--alpha: the range 5:2 is empty"),
    ([*A, "2:5:0"], "--alpha: the step of a range is not positive"),
    ([*A, "2:5:-1"], "--alpha: the step of a range is not positive"),
    ([*A, "2:5:1:1"], "--alpha: '2:5:1:1' is not a range"),
    ([*A, "2:"], "--alpha: '2:' is not a range"),
    ([*A, "2:inf"], "--alpha: a range has no infinite end"),
    ([*A, "1:20000"], "--alpha: more than 10000 orders"),
    ([*A, "0:3"], "--alpha: the order is 0, below 1"),
    ([*A, "2", "--digits", "0"], "--digits: 0 digits cannot be had; give 1 to 10000"),
    ([*A, "2", "--digits", "10001"], "--digits: 10001 digits cannot be had"),
    ([*A, "2", "--digits", "1.5"], "--digits: 1.5 is not a whole number"),
    ([*A, "2", "--digits", "many"], "--digits"),
    ([*A, "2", "--digits", "5000", "--delta", "1e-5"], "--digits: epsilon is computed to at most 4000 digits"),
    ([*A, "2", "--relation", "swap"], "--relation: swap is not known; give one of add-remove, replace-one"),
    ([*A, "2", "--sensitivity", "0"], "--sensitivity: 0 is not positive"),
    ([*A, "2", "--delta", "-1e-5"], "--delta: delta is negative; give a number >= 0"),
    ([*A, "2", "--delta", "nan"], "--delta"),
    ([*A, "2", "--steps", "0"], "--steps: a whole number from 1 to 1000000000000 expected"),
    ([*A, "2", "--steps", "1.5"], "--steps: 1.5 is not a whole number"),
    ([*A, "2", "--method", "guess"], "--method: guess is not known; give one of integer, trapezoid, series, plateau"),
    ([*A, "2.5", "--method", "integer"], "--method: integer does not cover this direction, relation or order"),
    ([*A, "2", "--alpha", "3"], "--alpha is given 2 times; give it once"),
    ([*A, "2", "--q", "0.1"], "--q is given 2 times"),
    ([*A, "--json"], "--alpha has no value"),
    ([*A, "2", "extra"], "extra"),
    ([*A, "2", "--nope"], "--nope"),
    ([*A, "2", "--output", "/no/such/place/x.json"], "cannot write"),
    *(([*A, "2", "--output", place], ": Is a directory") for place in ("/", ".", "")),
    (["calibrate", "nope"], "nope"),
    (["calibrate", "sgm"], "no --q; give --q"),
    (CALIBRATE[:-2], "no --delta; give --delta"),
    ([*CALIBRATE, "--steps", "0"], "--steps: a whole number from 1"),
    ([*CALIBRATE, "--digits", "0"], "--digits: a whole number from 1"),
    ([*CALIBRATE, "--q", "1"], "--q is given 2 times"),
    (
        ["calibrate", "sgm", "--q", "0", "--epsilon", "1", "--delta", "1e-5"],
        "--q: nothing is sampled: every sigma does",
    ),
    (["calibrate", "sgm", "--q", "1", "--epsilon", "1", "--delta", "1"], "--delta: every sigma does from delta = 1 on"),
    (["calibrate", "sgm", "--q", "1", "--epsilon", "1", "--delta", "0"], "--delta: no sigma gives a finite epsilon"),
    (["calibrate", "sgm", "--q", "1", "--epsilon", "-1", "--delta", "0.1"], "--epsilon: epsilon is negative"),
]


@pytest.mark.parametrize(("args", "message"), BAD, ids=[str(i) for i in range(len(BAD))])
def test_bad_input_is_one_line(call, args, message):
    result = call(*args)
    assert result.code == 1
    assert message in one_line(result)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["--q", "--sigma", "--alpha", "--sensitivity", "--delta", "--steps", "--digits"]),
    st.text(alphabet="019.-+eE/:,;()*x\"'\x00\n\x1b\té∞ infa", max_size=6),
)
def test_no_text_brings_a_traceback(name, text):
    options = {"--q": "0.1", "--sigma": "2", "--alpha": "2", "--digits": "5", name: text}
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(["sgm", *(f"{key}={value}" for key, value in options.items()), "--json"])
    if code == 0:
        assert err.getvalue() == "" and json.loads(out.getvalue())
    else:
        assert code in (1, 2) and out.getvalue() == ""
        assert err.getvalue().startswith("symdp: ") and err.getvalue().count("\n") == 1
        assert err.getvalue().strip().isprintable() and "internal error" not in err.getvalue()
