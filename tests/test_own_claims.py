"""A user's own formula held against what is proved."""

import json

import pytest

import symdp
from symdp import Diffusion, InputError, Refused, parse
from symdp.claims.own import judge_formula
from symdp.claims.settings import symbolic
from symdp.enclosure import enclose

OU = symdp.derive(Diffusion("-theta*x", "sqrt(2)*rho"))
WELL = symdp.derive(Diffusion("x-x**3", "sqrt(2)"))
LAPLACE = "log((alpha*exp((alpha-1)*Delta/lambda_1) + (alpha-1)*exp(-alpha*Delta/lambda_1))/(2*alpha-1))/(alpha-1)"
PRIVACY = "alpha*theta*Delta**2/(2*rho**2*(exp(2*theta*t)-1))"


@pytest.mark.parametrize(
    ("formula", "verdict", "factor"),
    [
        (PRIVACY, "equal", "1"),
        (f"2*({PRIVACY})", "looser", "2"),
        (f"sqrt(3)*({PRIVACY})", "looser", "sqrt(3)"),
        ("alpha*Delta**2/(4*t*rho**2)", "looser", None),
        (f"({PRIVACY})/2", "refuted", ""),
        ("alpha*theta*Delta**2/(2*rho**2*exp(2*theta*t))", "refuted", ""),
    ],
)
def test_against_an_exact_theorem(formula, verdict, factor):
    found = judge_formula(formula, OU.privacy)
    assert found.verdict == verdict and found.holds == (verdict in ("equal", "looser"))
    assert factor is None or found.factor == factor
    if factor is None:
        low, high = (float(text) for text in found.factor.split(" at ")[0].split(" to "))
        assert 1 <= low < high
    assert bool(found.witness) == (verdict == "refuted")


def test_a_witness_is_one():
    """By another road: the exact divergence at the point, from the two normal laws."""
    found = judge_formula(f"({PRIVACY})*99/100", OU.privacy)
    at = dict(piece.split(" = ") for piece in found.witness.split(", "))
    claimed = enclose(parse(f"({PRIVACY})*99/100"), {symdp.symbol(k): parse(v) for k, v in at.items()}, 30)
    truth = OU.evaluate(at, digits=30)
    assert claimed.upper < truth.lower


def test_below_an_upper_bound_is_no_refutation_without_a_truth():
    formula = "alpha*(x-xp)**2/(4*t)"
    assert judge_formula(formula, WELL.theorem).verdict == "sharper"
    told = judge_formula(
        formula, WELL.theorem, truth=lambda point: WELL.evaluate({str(s): v for s, v in point.items()})
    )
    assert told.verdict == "refuted", "a truth above the formula refutes it"

    def nothing(point):
        raise Refused("no truth", ())

    assert judge_formula(formula, WELL.theorem, truth=nothing).verdict == "sharper"


def test_where_and_what_is_defined():
    assert judge_formula(f"({PRIVACY})*t", OU.privacy).verdict == "refuted"
    narrowed = judge_formula(f"({PRIVACY})*t", OU.privacy, where="t>=1")
    assert narrowed.verdict == "looser" and "t >= 1" in narrowed.region
    assert judge_formula("log(alpha-2)", OU.privacy).verdict == "unknown"
    assert judge_formula(f"({PRIVACY})*(1+k)", OU.privacy, where="k>=0").verdict == "looser"


@pytest.mark.parametrize(
    ("formula", "extra", "said"),
    [
        ("alpha*beta", {}, "beta: unknown here"),
        ("alpha*(", {}, "--claim"),
        ("alpha", {"where": "t<-1"}, "empty"),
        ("alpha", {"field": "mu"}, "called mu"),
    ],
)
def test_bad_formulas(formula, extra, said):
    with pytest.raises(InputError, match=said):
        judge_formula(formula, OU.privacy, **extra)


@pytest.mark.parametrize(
    ("rule", "where", "given", "field", "formula"),
    [
        ("dp-after-dobrushin", "", "", "delta", "gamma*delta"),
        ("dp-after-ultra-mixing", "", "", "epsilon", "log(1+gamma*(exp(epsilon)-1))"),
        ("iteration-rate", "L<1", "", None, "alpha*Delta**2*L**(r+1)/(2*r*sigma**2)"),
        ("group-dp", "", "size=3", "delta", "delta*(1+exp(epsilon)+exp(2*epsilon))"),
        ("dp-of-rdp-mironov", "", "delta=delta", "epsilon", "epsilon + log(1/delta)/(alpha-1)"),
        ("sampled-gaussian", "", "", None, "log(sampled_moment(alpha, q, s))/(alpha-1)"),
        ("laplace-rdp", "", "", None, LAPLACE),
    ],
)  # fmt: skip
def test_rules_in_symbols(rule, where, given, field, formula):
    theorem = symbolic(rule, where, given)
    assert judge_formula(formula, theorem, where=where, field=field).verdict == "equal"


@pytest.mark.parametrize(
    ("rule", "given", "said"),
    [
        ("dp-after-dobruschin", "", "did you mean dp-after-dobrushin"),
        ("linear-kernel", "", "no form in symbols"),
        ("group-dp", "", "not given"),
        ("group-dp", "size", "gives nothing"),
        ("group-dp", "size=3,colour=2", "colour"),
    ],
)
def test_rules_that_cannot_be_held_against(rule, given, said):
    with pytest.raises(InputError, match=said):
        symbolic(rule, "", given)


def test_a_rule_that_does_not_apply_is_refused():
    with pytest.raises(Refused, match="L != 1"):
        symbolic("iteration-rate")


# --- the command line -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "code", "verdict"),
    [
        (("--claim", PRIVACY, "--against", "ornstein-uhlenbeck"), 0, "equal"),
        (("--claim", "alpha*(x-xp)**2/(2*t)", "--drift", "-x", "--diffusion", "sqrt(2)"), 0, "looser"),
        (("--claim", r"\gamma\delta", "--latex", "--against", "dp-after-dobrushin", "--field", "delta"), 0, "equal"),
        (("--claim", "2*q**2*alpha/s**2", "--against", "sampled-gaussian"), 2, "refuted"),
        (("--claim", "delta*gamma/2", "--against", "dp-after-dobrushin", "--field", "delta"), 2, "sharper"),
    ],
)
def test_command(call, args, code, verdict):
    result = call("check", *args)
    assert result.code == code and result.out.split()[:2] == ["Verdict", verdict]
    assert result.err.count("\n") == (code != 0)
    data = json.loads(call("check", *args, "--json").out)
    assert data["verdict"] == verdict and data["schema"] == 1 and (data["witness"] is None) == (code == 0)


def test_a_truth_refutes_what_lies_below_an_upper_bound(call):
    """Reflected Brownian motion: the unreflected form is a bound, half of it is not."""
    wall = ("--drift", "0", "--diffusion", "sqrt(2)", "--domain", "x>=0")
    assert call("check", "--claim", "alpha*(x-xp)**2/(4*t)", *wall).code == 0
    result = call("check", "--claim", "alpha*(x-xp)**2/(8*t)", *wall)
    assert result.code == 2 and result.out.split()[:2] == ["Verdict", "refuted"] and "truth" in result.err


def test_against_a_file_of_facts(call, tmp_path):
    file = tmp_path / "facts.toml"
    file.write_text(
        '[mechanism.M]\ndp = {epsilon = "log(3)", delta = "1/100"}\n[kernel.K]\ndoeblin = "1/4"\n'
        '[chain.C]\nstart = "M"\nsteps = ["K"]\n[query]\nof = "C"\nask = "delta"\nepsilon = "log(3/2)"\n'
    )
    assert call("check", "--claim", "61/640", "--against", file).code == 0
    assert call("check", "--claim", "61/641", "--against", file).code == 2
    assert "looser by the factor 2" in call("check", "--claim", "61/320", "--against", file).out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--claim", "alpha"), "--against"),
        (("--claim", "alpha", "--against", "ornstein-uhlenbeck", "--drift", "-x"), "--against"),
        (("--against", "ornstein-uhlenbeck"), "without --claim"),
        (("--latex",), "without --claim"),
        (("--claim", "alpha", "--against", "nobody"), "no rule is called"),
        (("--claim", "alpha", "--against", "nowhere.toml"), "cannot read nowhere.toml"),
        (("derivations", "--claim", "alpha", "--against", "brownian-motion"), "leave out PATH"),
        (("--claim", r"\sum x", "--latex", "--against", "brownian-motion"), "--claim, column 1"),
    ],
)
def test_bad_input(call, args, said):
    result = call("check", *args)
    assert result.code == 1 and result.err.count("\n") == 1 and said in result.err
