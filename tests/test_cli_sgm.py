"""``symdp sgm`` and ``symdp calibrate sgm``: what they print, where, and what an interruption leaves."""

import json
import signal
import subprocess
import sys
import time
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdp.ball import Enclosure
from symdp.cli.orders import MOST_ORDERS, read_orders
from symdp.epsilon import sampled_gaussian_epsilon
from symdp.errors import InputError
from symdp.mechanisms.sampled_gaussian import evaluate, renyi
from symdp.render.sampled_gaussian import exact_text
from tests.commands import CALIBRATE, SGM, command, one_line


def data(call, *args):
    result = call(*args, "--json")
    assert (result.code, result.err) == (0, "")
    return json.loads(result.out)


def ends(pair):
    assert set(pair) == {"lower", "upper"} and all(isinstance(text, str) for text in pair.values())
    return Fraction(pair["lower"]), Fraction(pair["upper"])


# --- closed forms -----------------------------------------------------------------------------------------------------


def test_closed_forms_are_bounds_or_name_what_they_need(call):
    found = data(call, *SGM, "--alpha", "32.5,2,1,inf", "--closed-forms", "--digits", "20")
    high, low, one, infinite = (row["closed_forms"] for row in found)
    assert one == infinite == {}
    assert high["sampled-gaussian-theorem-11"] == {"refused": "order, condition (4): alpha <= s^2 L/2 - 2 log s"}
    below, above = ends(low["sampled-gaussian-theorem-11"])
    assert below <= Fraction("0.000025") <= above < Fraction("0.00002500000000000000001")
    assert ends(high["sampled-gaussian-bun"])[1] >= 6 * Fraction("32.5") / 160000
    for row in found[:2]:
        for form in row["closed_forms"].values():
            if "refused" not in form:
                assert ends(form)[0] >= ends(row["renyi"])[0]
    shown = call("sgm", "--q", "0.3", "--sigma", "2", "--alpha", "10", "--closed-forms")
    assert "theorem-11: refused, for it needs: the sampling rate is at most 1/5" in shown.out


@pytest.mark.parametrize("extra", [["--delta", "1e-5"], ["--alpha", "2", "--relation", "replace-one"]])
def test_closed_forms_need_orders_and_add_remove_neighbours(call, extra):
    result = call("sgm", "--q", "0.01", "--sigma", "4", "--closed-forms", *extra)
    assert one_line(result) == "--closed-forms: needs --alpha and add-remove neighbours"
    assert result.code == 1


# --- values -----------------------------------------------------------------------------------------------------------


def test_the_json_of_one_order(call):
    found = data(call, *SGM, "--alpha", "32.5")
    assert list(found) == [
        *("schema", "q", "sigma", "sensitivity", "relation", "digits", "alpha"),
        *("forward", "reverse", "renyi", "log_moment", "method", "nodes"),
    ]
    assert (found["schema"], found["q"], found["sigma"], found["alpha"]) == (1, "0.01", "4", "32.5")
    assert (found["relation"], found["sensitivity"], found["digits"]) == ("add-remove", "1", 50)
    assert found["renyi"] == found["forward"]
    for direction in ("forward", "reverse"):
        value = evaluate("0.01", 4, "32.5", 50, direction=direction)
        assert found[direction] == value.renyi.to_json(50)
        low, high = ends(found[direction])
        assert 0 < high - low <= 2 * Fraction(10) ** (-53)
    assert (found["method"], found["nodes"]) == ("trapezoid", evaluate("0.01", 4, "32.5", 50).nodes)
    low, high = ends(found["log_moment"])
    assert low <= Fraction("31.5") * ends(found["renyi"])[1] and high >= Fraction("31.5") * ends(found["renyi"])[0]


@pytest.mark.parametrize(
    ("args", "name", "value"),
    [
        (["--q", "0.01", "--sigma", "2.5", "--alpha", "1.5", "--steps", "50"], "composed", "6.50070897188e-4"),
        (["--q", "0.4", "--sigma", "12", "--alpha", "59.5"], "log_moment", "2.14789952851772"),
        (["--q", "0.1", "--sigma", "1", "--alpha", "1.1"], "renyi", "0.00809856846807384"),
        (["--q", "0.1", "--sigma", "1", "--alpha", "1.1", "--double"], "renyi", "0.00809856846807384"),
    ],
)
def test_named_values(call, args, name, value):
    low, high = ends(data(call, "sgm", *args)[name])
    unit = Fraction(10) ** Decimal(value).as_tuple().exponent
    assert abs(low - Fraction(value)) < unit and abs(high - Fraction(value)) < unit


def test_the_directions_differ_at_the_twentieth_digit(call):
    found = data(call, "sgm", "--q", "1e-12", "--sigma", "1e4", "--alpha", "1.0000001", "--digits", "40")
    forward, reverse = found["forward"]["lower"], found["reverse"]["lower"]
    digits = [text.partition("e")[0].replace(".", "").lstrip("0") for text in (forward, reverse)]
    same = next(i for i, (a, b) in enumerate(zip(*digits, strict=False)) if a != b)
    assert same == 20  # after the point: 5.00000052500000258328... and 5.00000052500000258323...
    assert ends(found["reverse"])[1] < ends(found["forward"])[0]


def test_text_is_exact_and_double_rounds(call):
    exact = data(call, "sgm", "--q", "1/3", "--sigma", "0.7", "--alpha", "2.1", "--digits", "30")
    assert (exact["q"], exact["alpha"]) == ("1/3", "2.1")
    assert exact["renyi"] == renyi(Fraction(1, 3), Fraction(7, 10), Fraction(21, 10), 30).to_json(30)
    rounded = data(call, "sgm", "--q", "1/3", "--sigma", "0.7", "--alpha", "2.1", "--digits", "30", "--double")
    assert rounded["renyi"] == renyi(1 / 3, 0.7, 2.1, 30).to_json(30)
    assert Fraction(rounded["q"]) == Fraction(1 / 3) and Fraction(rounded["sigma"]) == Fraction(0.7)
    with_delta = data(call, *SGM, "--delta", "1e-5", "--sensitivity", "0.3", "--digits", "20", "--double")
    assert Fraction(with_delta["delta"]) == Fraction(1e-5)
    same = sampled_gaussian_epsilon(0.01, 4, 1e-5, 1, 20, sensitivity=0.3)
    assert with_delta["epsilon"] == same.epsilon.to_json(20)


def test_the_ends_of_the_orders(call):
    first, last = data(call, *SGM, "--alpha", "1,inf", "--steps", "7", "--digits", "20")
    assert first["renyi"] == renyi("0.01", 4, 1, 20).to_json(20)
    assert first["log_moment"] == {"lower": "0", "upper": "0"}
    assert last["alpha"] == "inf" and last["forward"] == last["composed"] == {"lower": "inf", "upper": "inf"}
    assert last["reverse"]["lower"].startswith("0.0100503358535")
    assert (last["method"], last["nodes"]) == ("exact", 0)


def test_replace_one_is_symmetric(call):
    found = data(call, *SGM, "--alpha", "3", "--relation", "replace-one", "--sensitivity", "2")
    assert found["forward"] == found["reverse"] == found["renyi"]
    assert found["renyi"] == renyi("0.01", 2, 3, relation="replace-one").to_json(50)
    text = call(*SGM, "--alpha", "3", "--relation", "replace-one").out
    assert "both, by symmetry" in text and "replace-one neighbours" in text


@pytest.mark.parametrize("method", ["integer", "series", "trapezoid"])
def test_a_forced_method(call, method):
    found = data(call, *SGM, "--alpha", "9", "--method", method)
    assert found["method"] == method
    other = renyi("0.01", 4, 9, 50)
    assert Enclosure.from_json(found["renyi"]).overlaps(other)
    assert found["reverse"] == renyi("0.01", 4, 9, 50, "reverse").to_json(50)


# --- epsilon ----------------------------------------------------------------------------------------------------------


def test_epsilon(call):
    args = ["--steps", "1000", "--delta", "1e-5", "--digits", "30"]
    alone = data(call, *SGM, *args)
    assert list(alone) == [
        *("schema", "q", "sigma", "sensitivity", "relation", "digits", "steps", "delta", "epsilon", "order")
    ]
    truth = sampled_gaussian_epsilon("0.01", 4, "1e-5", 1000, 30)
    assert alone["epsilon"] == truth.epsilon.to_json(30) and Fraction(alone["order"]) == truth.order
    assert (alone["delta"], alone["steps"]) == ("0.00001", 1000)
    many = data(call, *SGM, "--alpha", "2,3.5", *args)
    assert [row["alpha"] for row in many] == ["2", "3.5"]
    for row in many:
        assert {key: row[key] for key in ("epsilon", "order", "delta", "steps")} == {
            key: alone[key] for key in ("epsilon", "order", "delta", "steps")
        }
        one, composed = ends(row["renyi"]), ends(row["composed"])
        assert composed[0] >= 1000 * one[0] and composed[1] <= 1000 * one[1]
    text = call(*SGM, *args).out
    assert f"[{alone['epsilon']['lower']}, {alone['epsilon']['upper']}], 0.00001)-DP, 1000 steps" in text


def test_ends_of_delta(call):
    for delta, shown in (("0", "inf"), ("1", "0"), ("2", "0")):
        found = data(call, *SGM, "--delta", delta)
        assert found["epsilon"] == {"lower": shown, "upper": shown} and found["order"] is None
    assert "(0, 2)-DP, 1 step\n" in call(*SGM, "--delta", "2").out


def test_digits_that_take_too_much_work_are_refused(call):
    result = call("sgm", "--q", "0.01", "--sigma", "0.2", "--alpha", "1000000.5", "--digits", "10000")
    assert result.code == 2 and one_line(result).startswith("refused: ")


# --- text -------------------------------------------------------------------------------------------------------------


def test_the_report_of_one_order(call):
    result = call(*SGM, "--alpha", "32.5", "--steps", "1000", "--digits", "10")
    assert (result.code, result.err) == (0, "") and "\x1b" not in result.out
    for part in (
        "q = 0.01, sigma = 4, sensitivity 1, add-remove neighbours",
        "At alpha = 32.5 (10 digits, rounded outward)",
        "R_alpha(mu || mu0) = [0.0001069444165, 0.0001069444166]",
        "R_alpha(mu0 || mu) = [0.0001025801277, 0.0001025801278]",
        "forward, the larger; trapezoid, ",
        "1000 R_alpha = [0.1069444165, 0.1069444166], 1000 steps",
    ):
        assert part in result.out, part


def test_the_table_of_several_orders(call):
    result = call(*SGM, "--alpha", "2:4", "--digits", "6")
    lines = result.out.splitlines()
    assert lines[1].startswith("3 orders (6 digits") and lines[2].split() == ["alpha", "renyi", "reverse", "method"]
    assert [line.split()[0] for line in lines[3:]] == ["2", "3", "4"]
    assert lines[3].endswith("integer, 1 node") and lines[4].endswith("integer, 2 nodes")


# --- orders -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("1.5,2,8", ["3/2", 2, 8]),
        ("2:5", [2, 3, 4, 5]),
        ("2:3:0.25", [2, "9/4", "5/2", "11/4", 3]),
        ("2:3:2/3", [2, "8/3"]),
        ("3/2:3", ["3/2", "5/2"]),
        ("4:4", [4]),
        (" 7 , 2 : 3 , inf", [7, 2, 3, None]),
    ],
)
def test_lists_and_ranges(text, orders):
    found, many = read_orders(text, double=False)
    assert many and found == [None if order is None else Fraction(order) for order in orders]


def test_one_order_is_no_list(call):
    assert read_orders("2", double=False) == ([2], False)
    assert isinstance(data(call, *SGM, "--alpha", "2,"[:1]), dict)
    assert isinstance(data(call, *SGM, "--alpha", "2:2"), list)
    assert read_orders("0.1:0.1".replace("0.", "1."), double=True) == ([Fraction(1.1)], True)
    tenths, _ = read_orders("1.1:1.5:0.1", double=True)
    assert all(order == Fraction(float(order)) for order in tenths) and len(tenths) == 4  # 5 steps overshoot 1.5


def test_the_number_of_orders_is_capped():
    assert len(read_orders(f"1:{MOST_ORDERS}", double=False)[0]) == MOST_ORDERS
    for text in (f"1:{MOST_ORDERS + 1}", f"2,1:{MOST_ORDERS}", "1:2:1e-300", ",".join(["2"] * (MOST_ORDERS + 1))):
        with pytest.raises(InputError, match="more than 10000 orders"):
            read_orders(text, double=False)


@given(st.fractions())
def test_exact_text(number):
    assert Fraction(exact_text(number)) == number


def test_exact_text_of_long_numbers():
    assert exact_text(None) == "inf"
    assert exact_text(Fraction(0.1)) == f"{Decimal.from_float(0.1):f}"
    assert exact_text(1 + Fraction(1, 2**300)) == f"{2**300 + 1}/{2**300}"
    assert exact_text(Fraction(-1, 80)) == "-0.0125"


# --- calibration ------------------------------------------------------------------------------------------------------


def test_calibration(call):
    found = data(call, *CALIBRATE, "--steps", "1000", "--digits", "6")
    assert list(found) == [
        *("schema", "mechanism", "q", "sensitivity", "relation", "steps", "delta", "target", "digits"),
        *("sigma", "epsilon", "order", "optimal", "smaller"),
    ]
    assert (found["schema"], found["mechanism"], found["target"], found["optimal"]) == (1, "sgm", "1", True)
    assert (found["sigma"], found["smaller"]["sigma"]) == ("1.51306", "1.51305")
    assert ends(found["epsilon"])[1] <= 1 < ends(found["smaller"]["epsilon"])[0]
    again = sampled_gaussian_epsilon("0.01", found["sigma"], "1e-5", 1000, 20)
    assert again.epsilon.overlaps(Enclosure.from_json(found["epsilon"])) and Fraction(found["order"]) > 1
    # what it found goes back into sgm
    back = data(call, "sgm", "--q", "0.01", "--sigma", found["sigma"], "--delta", "1e-5", "--steps", "1000")
    assert ends(back["epsilon"])[1] <= 1
    text = call(*CALIBRATE, "--steps", "1000", "--digits", "6").out
    assert "1.51306, the least of 6 digits" in text and "1.51305 gives [1.00000" in text


def test_calibration_of_doubles_and_replace_one(call):
    options = ["--relation", "replace-one", "--sensitivity", "0.1", "--double", "--digits", "4"]
    found = data(call, *CALIBRATE, *options)
    assert Fraction(found["q"]) == Fraction(0.01) and Fraction(found["delta"]) == Fraction(1e-5)
    epsilon = sampled_gaussian_epsilon(0.01, found["sigma"], 1e-5, 1, 20, relation="replace-one", sensitivity=0.1)
    assert epsilon.epsilon.upper <= 1


def test_calibrate_alone_prints_its_help(call):
    result = call("calibrate")
    assert result.code == 0 and "sgm" in result.out and result.err == ""


# --- as a user runs it ------------------------------------------------------------------------------------------------


def test_sympy_is_not_loaded():
    code = (
        "import sys; from symdp.cli import main\n"
        "args = ['--q', '0.01', '--sigma', '4', '--delta', '1e-5']\n"
        "assert main(['sgm', *args, '--alpha', '2:4,2.5', '--json']) == 0 == main(['sgm', *args, '--alpha', '2'])\n"
        "assert main(['calibrate', 'sgm', '--q', '0.1', '--epsilon', '1', '--delta', '1e-5']) == 0\n"
        "heavy = {'sympy', 'z3', 'numpy', 'rich'} & set(sys.modules); assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)


def test_a_file_appears_when_it_is_complete(call, tmp_path):
    file = tmp_path / "values.json"
    file.write_text("before")
    result = call(*SGM, "--alpha", "2", "--json", "--output", file)
    assert (result.code, result.out, result.err) == (0, "", "")
    assert json.loads(file.read_text())["alpha"] == "2"
    assert call(*SGM, "--alpha", "2", "--output", file).code == 0 and file.read_text().startswith("Sampled Gaussian")
    assert call(*SGM, "--alpha", "0", "--output", file).code == 1 and file.read_text().startswith("Sampled Gaussian")
    assert call(*CALIBRATE, "--digits", "3", "--json", "--output", file).code == 0
    assert json.loads(file.read_text())["mechanism"] == "sgm"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("where", ["stdout", "file"])
def test_an_interrupted_run_leaves_nothing(tmp_path, where):
    long = [*SGM, "--alpha", "1.5:9000", "--digits", "2000", "--json"]
    file = tmp_path / "values.json"
    output = ["--output", str(file)] if where == "file" else []
    with (tmp_path / "stdout").open("wb") as stdout:
        process = subprocess.Popen(
            [sys.executable, "-m", "symdp", *long, *output], stdout=stdout, stderr=subprocess.PIPE
        )
        time.sleep(1.5)  # well into the run, which takes minutes
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and err == b"symdp: interrupted\n"
    assert (tmp_path / "stdout").read_bytes() == b""
    assert list(tmp_path.iterdir()) == [tmp_path / "stdout"]


def test_exit_codes_of_the_process():
    assert command(*SGM, "--alpha", "2").returncode == 0
    usage = command("sgm", "--nope")
    assert usage.returncode == 1 and usage.stdout == b"" and usage.stderr.count(b"\n") == 1
