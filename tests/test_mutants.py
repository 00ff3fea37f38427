"""Mutants of claims: those that are false are refuted at a point, those that are true are not."""

import json
from random import Random

import pytest

from symdp.claims import Claim, load, root
from symdp.claims.mutants import CHANGES, mutants
from symdp.claims.mutation import mutate
from symdp.claims.samples import drawn, region_of
from symdp.render.mutants import mutant_data, mutant_report, share
from symdp.text import parse, parse_values
from tests.test_claim_files import ONE, place


def made(text, where="", most=99):
    return mutants("K", Claim(text, where=where), Random(3), most)


def texts(text, change):
    return {mutant.claim.text for mutant in made(text) if mutant.change == change}


def test_what_is_changed():
    assert texts("a - b**2", "sign") == {"a + b**2"}
    assert texts("exp(-a)", "sign") == {"exp(a)"}
    assert texts("a >= b", "sign") == {"a <= b"}
    assert texts("a**2*b**n", "exponent") == {"a**3*b**n", "a**1*b**n", "a**2*b**(n+1)", "a**2*b**(n-1)"}
    assert texts("(x+1)**(a/2)", "exponent") == {"(x+1)**((a/2)+1)", "(x+1)**((a/2)-1)"}
    assert texts("3*a", "factor") == {"2*(3*a)", "(3*a)/2"}
    assert texts("a >= 1", "factor") == {"2*(a) >= 1", "(a)/2 >= 1", "a >= 2", "a >= (1/2)"}
    assert texts("a/b", "swapped") == {"b/a"}
    assert texts("sampled_moment(alpha, q, 1)", "swapped") == {
        "sampled_moment(q, alpha, 1)",
    }
    assert texts("a, b; c, 3*d", "factor") == {"a, b; c, 6*d", "a, b; c, (3/2)*d"}
    dropped = [mutant for mutant in made("a", "a>0, max(a, 1)<=2") if mutant.dropped]
    assert [(m.dropped, m.claim.where) for m in sorted(dropped, key=lambda m: m.dropped)] == [
        ("a>0", "max(a, 1)<=2"),
        ("max(a, 1)<=2", "a>0"),
    ]
    assert [mutant.claim.where for mutant in made("a", "a>0") if mutant.dropped] == ["a**2>=0"], "any number"


def test_a_text_that_reads_the_same_is_no_mutant():
    assert texts("a + b", "swapped") == set()
    assert texts("0 <= a", "factor") == {"2*(0) <= a"} - {"2*(0) <= a"}


def test_of_many_there_are_some_of_each_kind():
    some = made("alpha*d**2/(4*t) - 1", "alpha>1, t>0", most=10)
    assert len(some) == 10
    assert {mutant.change for mutant in some} == set(CHANGES)
    assert some == made("alpha*d**2/(4*t) - 1", "alpha>1, t>0", most=10)


def fates(path, **options):
    judged = mutate(path, **options)
    assert judged.error == ""
    return judged, {fate.mutant: fate for fate in judged.fates}


def test_of_a_tight_claim_every_other_formula_is_refuted(tmp_path):
    judged, found = fates(place(tmp_path), most=40)
    assert {fate.outcome for fate in judged.fates} == {"refuted"}
    assert {"2*(alpha*d**2/(4*t))", "alpha*d**1/(4*t)", "alpha*t**2/(4*d)"} <= set(found)
    for fate in judged.fates:
        check_witness(fate, "alpha*d**2/(4*t)")


def check_witness(fate, truth):
    """The witness is exact, and there the formula is undefined or another one than the truth."""
    values = parse_values(fate.witness)
    assert all(value.is_Rational for value in values.values())
    if "not defined" not in fate.reason:
        assert parse(fate.mutant).subs(values) != parse(truth).subs(values)


UPPER = {
    ONE: '{"T-1": Claim("alpha*d**2/(3*t)", where="alpha>1, alpha<=10, t>0, d>=0, d<5")}',
    "**tight**": "**upper**",
    "0.16666666666666666667": "0.22222222222222222222",
}


def test_of_an_upper_bound_a_larger_one_is_true_and_a_smaller_one_refuted(tmp_path):
    _, found = fates(place(tmp_path, swap=UPPER), most=40)
    for text, outcome in {
        "2*(alpha*d**2/(3*t))": "true",
        "(alpha*d**2/(3*t))/2": "refuted",
        "alpha*d**1/(3*t)": "refuted",
        "d*alpha**2/(3*t)": "refuted",
        "alpha*d**2/(3*t) without d<5": "true",
    }.items():
        assert found[text].outcome == outcome, text
        assert bool(found[text].witness) == (outcome == "refuted")


RELATION = '''
    r"""A square is large.

    Setting: a number $x$.
    Claim: $x^2 \\ge 2x - 1$ for $x \\ge 1/2$, and $\\log x \\ge 0$ for $x \\ge 1$
    Bound: **tight**
    Citation: balle2019, Example 4
    Assumed: nothing
    """

    from symdp.claims import Claim
    from symdp.region import Region
    from symdp.text import parse_relations, symbol
    from symdp.theorem import apply

    CLAIMS = {
        "T-2:square": Claim("x**2 >= 2*x - 1", where="x>=1/2"),
        "T-2:log": Claim("log(x) >= 0", where="x>=1"),
        "T-2:sum": Claim("x + y >= 2", where="x>=1, y>=1"),
    }


    def derive():
        def decided(key):
            relations = parse_relations(CLAIMS[key].where, place="where")
            region = Region.from_relations(relations, sorted({s for r in relations for s in r.free_symbols}, key=str))
            return apply("inequality", relation=parse_relations(CLAIMS[key].text, place="claim")[-1], region=region)

        return {key: decided(key) for key in CLAIMS}


    def falsify(rng):
        return 1


    def reference_points():
        return []
'''


def test_relations_are_judged_by_themselves(tmp_path):
    judged, found = fates(place(tmp_path, RELATION), most=40)
    for text, outcome in {
        "x**2 <= 2*x - 1": "refuted",
        "x**2 >= 2*x + 1": "refuted",
        "x**3 >= 2*x - 1": "refuted",
        "x**2 >= 2*x - 2": "true",
        "x**2 >= 4*x - 1": "refuted",
        "2*(x**2) >= 2*x - 1": "true",
        "x**2 >= 2*x - 1 without x>=1/2": "true",
        "log(x) <= 0": "refuted",
        "log(x) >= 0 without x>=1": "refuted",
        "x + y >= 2 without y>=1": "refuted",
        "x - y >= 2": "refuted",
        "x + y >= 1": "true",
    }.items():
        if text in found:
            assert found[text].outcome == outcome, text
    assert {"x**3 >= 2*x - 1", "x**2 >= 2*x - 1 without x>=1/2", "log(x) >= 0 without x>=1"} <= set(found)
    assert {fate.outcome for fate in judged.fates} == {"refuted", "true"}
    assert share([judged]) == 1


LOOSE = """base = exact()
    relation = parse_relations("alpha*d**2/(2*t) >= alpha*d**2/(4*t)", place="step")[-1]
    larger = apply("inequality", relation=relation, region=base.region)
    return apply("weaker-rdp", base, larger, value=parse("alpha*d**2/(2*t)"))"""


def loose(tmp_path):
    """A file whose theorem says twice what is true."""
    imports = "attack\nfrom symdp.text import parse, parse_relations\nfrom symdp.theorem import apply"
    attack = 'attack("T-1", CLAIMS["T-1"], "alpha>1, t>0, d>0, d<9", truth, rng, tight=False)'
    changes = {
        "from tests.toy import exact": f"from symdp.claims import {imports}\nfrom tests.toy import exact",
        "return exact()": LOOSE,
        'return sum(1 for _ in points("1<alpha<=10, t>0", rng, 5))': f"return {attack}",
        "def falsify": "def truth(mp, alpha, d, t):\n    return alpha*d**2/(4*t)\n\n\ndef falsify",
        ONE: '{"T-1": Claim("alpha*d**2/(2*t)", where="alpha>1, alpha<=10, t>0, d>=0")}',
        "**tight**": "**upper**",
        "0.16666666666666666667": "0.33333333333333333333",
    }
    return place(tmp_path, swap=changes)


def test_where_the_theorem_is_only_a_bound_the_falsifier_speaks(tmp_path):
    """It refutes nothing; the falsifier's truth does."""
    judged, found = fates(loose(tmp_path), most=40)
    assert found["2*(alpha*d**2/(2*t))"].outcome == "true"
    assert found["(alpha*d**2/(2*t))/2"].outcome == "open", "it is true, and nobody can tell"
    assert found["alpha*d**1/(2*t)"].outcome == found["d*alpha**2/(2*t)"].outcome == "refuted"
    assert "nothing contradicts it" in found["(alpha*d**2/(2*t))/2"].reason
    assert share([judged]) < 1


def test_what_cannot_be_judged_is_left_out(tmp_path):
    wrong = {ONE: '{"T-1": Claim("alpha*d**2/(5*t)")}', "0.16666666666666666667": "0.13333333333333333333"}
    assert mutate(place(tmp_path, swap=wrong)).left_out == (("T-1", "it is not true as it stands"),)
    silent = {ONE: '{"T-1": Claim("f >= g", kind="statement")}', "return exact()": "return {}"}
    assert mutate(place(tmp_path, swap=silent)).left_out == (("T-1", "nothing to compare it with at a point"),)
    broken = mutate(place(tmp_path, swap={"return exact()": "return 1/0"}))
    assert "ZeroDivisionError" in broken.error


def test_fates_depend_on_the_seed_alone(tmp_path):
    path = place(tmp_path, swap=UPPER)
    assert mutate(path, seed=5).fates == mutate(path, seed=5).fates
    assert load(path).claims["T-1"].text == "alpha*d**2/(3*t)"


def test_points_lie_in_the_region():
    region = region_of("x>0, y>=x, y<7")
    points = drawn(region, Random(1), 12)
    assert len(points) > 12
    assert all(region.contains(point) is True for point in points)


def test_from_the_command_line(call, tmp_path):
    path = place(tmp_path)
    result = call("check", "--mutants", path, "--json", "--jobs", 1)
    assert result.code == 0
    data = json.loads(result.out)
    assert data["made"] == data["refuted"] == len(data["mutants"]) > 5
    assert data["share"] == 1
    result = call("check", "--mutants", path, "--jobs", 1, "--seed", 3)
    assert "refuted with a witness" in result.out and "seed 3" in result.out
    for flags in (("--record",), ("--claim", "alpha"), ("--html", tmp_path / "pages")):
        result = call("check", "--mutants", *flags)
        assert result.code == 1 and "does not go with --mutants" in result.err


def test_too_many_open_ones_are_an_error(call, tmp_path):
    result = call("check", "--mutants", loose(tmp_path), "--jobs", 1)
    assert result.code == 2 and "too many mutants are open" in result.err
    assert "open: T-1: (alpha*d**2/(2*t))/2" in result.out


CHEAP = (
    "balle2019/iterated-laplace-no-pure-gain",
    "balle2019/lipschitz-kernel",
    "balle2019/mixing-as-local-privacy",
    "balle2019/transport-operator",
    "beyond/morse-potential",
    "beyond/reflected-half-line",
    "mironov2019/involution",
    "mironov2019/moment-sum",
    "mironov2019/pointwise-domination",
)


def test_of_a_sample_of_files_nearly_all_that_is_false_is_refuted():
    judged = [mutate(root() / f"{name}.py", most=6) for name in CHEAP]
    assert [file.error for file in judged if file.error] == []
    assert share(judged) >= 0.95
    for fate in (fate for file in judged for fate in file.fates):
        assert bool(fate.witness) == (fate.outcome == "refuted"), fate


@pytest.mark.parametrize("paper", ["mironov2019/likelihood-ratio-moments", "balle2019/ornstein-uhlenbeck-mechanism"])
def test_false_mutants_of_papers_are_refuted(paper):
    judged = mutate(root() / f"{paper}.py")
    assert share([judged]) >= 0.95
    assert len(judged.fates) > 15
    assert mutant_data([judged], 0)["errors"] == [] and mutant_report([judged], 0)
