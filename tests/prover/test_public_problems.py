"""Known problems through facts files: the answers to 20 digits, what they rest on, and what is refused."""

import json

import pytest
from sympy import Integer, Rational, log

from symdp import Kernel, Mechanism, Query, Region, prove
from symdp.judgments import ApproxDP, Doeblin, PureDP, UltraMixing
from symdp.prover import NoAnswer

LOG3 = 'dp = {epsilon = "log(3)", delta = "1/100"}'
PROBLEMS = {
    "P01": (
        '[mechanism.M]\ndp = {epsilon = "log(3)"}\n[kernel.K]\nultra_mixing = "1/2"\n'
        '[chain.C]\nstart = "M"\nsteps = ["K"]\n'
        '[query]\nof = "C"\nask = "epsilon"\ndelta = 0\n',
        "log(7/5)",
        "0.33647223662121293050",
    ),
    "P02": (
        f'[mechanism.M]\n{LOG3}\n[kernel.K]\ndoeblin = 0.25\n[chain.C]\nstart = "M"\nsteps = ["K"]\n'
        '[query]\nof = "C"\nask = "delta"\nepsilon = "log(3/2)"\n',
        "61/640",
        "0.0953125",
    ),
    "two kernels": (
        f'[mechanism.M]\n{LOG3}\n[kernel.K]\ndoeblin = "1/4"\n[kernel.K2]\nultra_mixing = "1/2"\n'
        '[chain.C]\nstart = "M"\nsteps = ["K", "K2"]\n[query]\nof = "C"\nask = "delta"\nepsilon = "log(21/20)"\n',
        "2341/96000",
        "0.024385416666666666667",
    ),
    "P05": (
        "[mechanism.M]\ngaussian = {sigma = 1, sensitivity = 1}\n"
        '[kernel.K]\ngaussian = {sigma = 2, lipschitz = "1/2"}\n'
        '[chain.C]\nstart = "M"\nsteps = ["K"]\n[query]\nof = "C"\nask = "rdp"\nalpha = 10\n',
        "5/17",
        "0.29411764705882352941",
    ),
    "P06": (
        "[mechanism.M]\nlaplace = {scale = 1, sensitivity = 1}\n[kernel.K]\nlaplace = {scale = 1}\n"
        '[chain.C]\nstart = "M"\nsteps = ["K"]\n[query]\nof = "C"\nask = "rdp"\nalpha = 4\n',
        None,
        "0.64185306035743501416",
    ),
    "P08": (
        "[chain.C]\nnoisy_sgd = {lipschitz_constant = 1, smoothness = 1, strong_convexity = 0.5, "
        'step_size = "4/3", sigma = 1, n = 10, index = 6}\n[query]\nof = "C"\nask = "rdp"\n',
        "2*alpha/7381",
        "0.00027096599376778214334",
    ),
    "P10": (
        '[mechanism.M]\ndiffusion = {name = "ornstein-uhlenbeck", t = 1, sensitivity = 1, radius = 2, dimension = 3, '
        'rdp = "alpha/2"}\n[query]\nof = "M"\nask = "error"\n',
        "12/7",
        "1.7142857142857142857",
    ),
    "P11": (
        '[mechanism.M]\nsgm = {q = "1/100", sigma = 4}\n[query]\nof = "M"\nask = "rdp"\nalpha = 8\n',
        None,
        "0.000025899123012404280654",
    ),
    "P11b": (
        '[mechanism.M]\nsgm = {q = "1/100", sigma = 4}\n[chain.C]\ncompose = ["M"]\ntimes = 1000\n'
        f'[query]\nof = "C"\nask = "epsilon"\ndelta = 1e-5\norders = {list(range(2, 200))}\n',
        None,
        "0.30116115855491639514",
    ),
}


def solve(call, tmp_path, text, *more):
    file = tmp_path / "facts.toml"
    file.write_text(text)
    return call("prove", str(file), *more)


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_public_problem(call, tmp_path, name):
    text, exact, digits = PROBLEMS[name]
    result = solve(call, tmp_path, text, "--json", "--digits", "22")
    assert (result.code, result.err) == (0, "")
    data = json.loads(result.out)
    low, high = float(data["value"]["lower"]), float(data["value"]["upper"])
    assert low <= float(digits) * (1 + 1e-15) and high >= float(digits) * (1 - 1e-15)
    assert data["value"]["upper"].rstrip("0").startswith(digits[:18].rstrip("0")) or data["answer"] == exact
    assert exact is None or data["answer"] == exact
    assert all(float(other["value"]["upper"]) >= low for other in data["runners_up"])
    assert data["schema"] == 1 and data["rule_chain"] and data["tightness"] in ("exact", "upper")
    proof = tmp_path / "proof.json"
    proof.write_text(result.out)
    assert call("replay", str(proof)).code == 0
    smaller = {"lower": "0", "upper": "0.00000001"}
    for key, value in (("answer", "0"), ("value", smaller), ("rule_chain", []), ("statement", "M is (0, 0)-DP")):
        proof.write_text(json.dumps(data | {key: value}))
        assert call("replay", str(proof)).code == 1, key


def test_what_was_taken_for_granted_is_listed(call, tmp_path):
    shown = solve(call, tmp_path, PROBLEMS["P02"][0]).out
    assert "you assumed         given: M is (log(3), 1/100)-DP" in shown
    assert "61/640" in shown and "Runner-up" in shown and "dp-after-doeblin" in shown


def test_from_python():
    M, K, K2 = Mechanism("M"), Kernel("K"), Kernel("K2")
    facts = [
        ApproxDP(M, log(3), Rational(1, 100), Region()),
        Doeblin(K, Rational(1, 4), Region()),
        UltraMixing(K2, Rational(1, 2), Region()),
    ]
    for subject in (K2 @ (K @ M), (K2 @ K) @ M):
        best = prove(facts, Query(subject, "delta", epsilon=log(Rational(21, 20)))).best
        assert (best.bound, best.theorem.status, best.theorem.tightness) == (
            Rational(2341, 96000),
            "conditional",
            "exact",
        )


def test_no_answer_says_what_is_missing(call, tmp_path):
    with pytest.raises(NoAnswer, match="N"):
        prove(
            [PureDP(Mechanism("M"), log(3), Region())], Query(Kernel("K") @ Mechanism("N"), "epsilon", delta=Integer(0))
        )
    text = '[mechanism.M]\ngdp = 1\n[query]\nof = "M"\nask = "delta"\nepsilon = 1\n'
    assert solve(call, tmp_path, text).code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[mechanism.M]\ndp = {epsilon = -1}\n", "mechanism.M.dp.epsilon"),
        ("[mechanism.M]\ndp = {epsilon = 1, delta = 2}\n", "mechanism.M.dp.delta"),
        ("[mechanism.M]\nlaplas = {scale = 1}\n", "mechanism.M.laplas"),
        ("[kernel.K]\ndoeblin = 1.5\n", "kernel.K.doeblin"),
        ('[kernel.K]\nmatrix = [["3/4", "1/2"], ["1/2", "1/2"]]\n', "row 0"),
        ('[kernel.K]\nmatrix = [["3/4", "1/4"], ["1/4", "3/4"]]\ndobrushin = "1/4"\n', "kernel.K.dobrushin"),
        ('[chain.C]\nstart = "M"\nsteps = ["K"]\n', "chain.C.start"),
        ('[chain.C]\ncompose = ["C"]\n', "chain.C"),
        ("[chain.C]\niteration = {lipschitz = [1, 1], sigma = [1], sensitivity = 1}\n", "chain.C.iteration"),
        ("[mechanism.M]\ngdp = 1\n", "query"),
        ("nonsense", "is not TOML"),
    ],
)
def test_a_bad_file_is_one_line_that_names_the_key(call, tmp_path, text, said):
    result = solve(call, tmp_path, text)
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("symdp: ") and result.err.count("\n") == 1 and said in result.err


def test_a_file_that_is_not_there(call):
    result = call("prove", "/nowhere/facts.toml")
    assert result.code == 1 and "cannot read" in result.err
