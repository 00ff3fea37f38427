"""``symdp prove``: what it prints, its exit codes, one line for whatever is wrong; its proofs are replayed."""

import json

import pytest

from symdp.prover.facts import chains, kernels, mechanisms
from tests.commands import command, one_line

GOOD = """
[mechanism.M]
dp = {epsilon = "log(3)", delta = "1/100"}
[kernel.K]
doeblin = "1/4"
[chain.C]
start = "M"
steps = ["K"]
[query]
of = "C"
ask = "delta"
epsilon = "log(3/2)"
"""


@pytest.fixture
def file(tmp_path):
    def write(content, name="facts.toml"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_text(call, file):
    shown = call("prove", file(GOOD))
    assert (shown.code, shown.err) == (0, "")
    assert "Query" in shown.out and "least delta of K after M at epsilon = log(3/2)" in shown.out
    assert "61/640" in shown.out and "you assumed" in shown.out and "given: K is 1/4-Doeblin" in shown.out


@pytest.mark.parametrize("alpha", ['"inf"', '"oo"', "inf", "+inf"])
def test_order_infinity(call, file, alpha):
    text = f'[mechanism.M]\ndp = {{epsilon = 0.5}}\n[query]\nof = "M"\nask = "rdp"\nalpha = {alpha}\n'
    result = call("prove", file(text), "--json")
    data = json.loads(result.out)
    assert (data["answer"], data["alpha"], data["ask"]) == ("1/2", "oo", "rdp")
    assert call("replay", file(result.out, "proof.json")).code == 0


def test_order_one(call, file):
    text = '[mechanism.M]\nlaplace = {scale = 1}\n[query]\nof = "M"\nask = "rdp"\nalpha = 1\n'
    data = json.loads(call("prove", file(text), "--json", "--digits", "20").out)
    assert data["answer"] == "exp(-1)" and data["rule_chain"][-1] == "rdp-at-one"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (GOOD.replace('"1/4"', '"5/4"'), "kernel.K.doeblin: 5/4 is out of range"),
        (GOOD.replace('"1/4"', "nan"), "kernel.K.doeblin"),
        (GOOD.replace('"1/4"', "1" * 4500), "a number has too many digits"),
        (GOOD.replace('"1/4"', '"' + "1" * 4500 + '"'), "kernel.K.doeblin"),
        (GOOD.replace("doeblin", "doblin"), "kernel.K.doblin: unknown key; did you mean doeblin?"),
        (GOOD + "epsilon = 1\n", "is not TOML"),
        (GOOD + "[kernel.M]\ndobrushin = 1\n", "kernel.M: this name is already taken"),
        (GOOD.replace('start = "M"', 'start = "C"'), "chain.C: the chain is made of itself"),
        (GOOD.encode() + b"# \xff\n", "is not UTF-8 text"),
        ("x = " + "[" * 3000, "is not TOML"),
        ("", "there is no query"),
        (b"\x00", "is not TOML"),
    ],
)
def test_whatever_is_wrong_is_one_line(call, file, content, said):
    result = call("prove", file(content))
    assert result.code == 1 and said in one_line(result)


def test_files_that_cannot_be_read(call, tmp_path):
    for path in (tmp_path, tmp_path / "none.toml"):
        result = call("prove", path)
        assert result.code == 1 and "cannot read" in one_line(result)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            GOOD.replace('doeblin = "1/4"', "laplace = {scale = 1}").replace('"delta"\nepsilon = "log(3/2)"', '"gdp"'),
            "gdp",
        ),
        ('[mechanism.M]\ngdp = 1\n[query]\nof = "M"\nask = "rdp"\nalpha = "oo"\n', "ApproxDP"),
        (
            '[mechanism.M]\ngdp = 1\n[mechanism.N]\ndp = {epsilon = 1, delta = 0.1}\n[chain.C]\ncompose = ["M", "N"]\n'
            '[query]\nof = "C"\nask = "gdp"\n',
            "M has GaussianDP",
        ),
    ],
)
def test_no_answer_says_what_is_missing(call, file, text, said):
    result = call("prove", file(text))
    line = one_line(result)
    assert result.code == 2 and line.startswith("refused: no rule leads from the facts") and said in line


def test_an_edited_proof_is_no_proof(call, file):
    data = json.loads(call("prove", file(GOOD), "--json").out)
    edited = json.dumps(data).replace('"1/4"', '"1/5"')
    assert edited != json.dumps(data)
    result = call("replay", file(edited, "proof.json"))
    assert result.code == 1 and one_line(result)


def test_help_names_every_key():
    shown = command("prove", "--help", text=True)
    keys = [*mechanisms._MECHANISMS, *kernels._KERNELS, *chains._KINDS, "steps", "times", "orders", "relation", "alpha"]
    assert shown.returncode == 0 and [key for key in keys if key not in shown.stdout] == []
    assert "--digits" in shown.stdout and "--all" in shown.stdout and "--json" in shown.stdout
