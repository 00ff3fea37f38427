"""From lines to circles: arcs, whole turns, products of circles; what is refused, and mutants."""

import pytest
from sympy import Rational, pi

import symdp.rules  # noqa: F401
from symdp.derivation import derive
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.judgments import Divergence, HeatFlow, InvariantDensity
from symdp.judgments.privacy import RenyiDP
from symdp.rule import get_rule, rules
from symdp.text import parse, symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import given, value
from tests.rules.test_circle import MP, UNIT, divergence, mutated
from tests.rules.test_mutants import without

GAP = symbol("d1")
LINE = derive(UNIT.unrolled)
SEEN = apply("unrolled", process=UNIT)


def wrapped(rule="wrapped-divergence", **changed):
    given_ = {"form": parse("alpha*d1**2/(4*t)"), "gaps": (GAP,), "coordinates": UNIT.state, "lengths": (2 * pi,)}
    return apply(rule, SEEN, changed.pop("line", LINE.divergence), **{**given_, **changed})


def test_arcs():
    found = wrapped()
    assert found.status == "proved" and found.tightness == "upper"
    assert replay(found) == found and from_json(to_json(found)) == found
    for x, xp, arc in (
        ("1", "0", MP.mpf(1)),
        ("5", "0", 2 * MP.pi - 5),
        ("-5", "14", 19 - 6 * MP.pi),
        ("3", "3", 0),
        (2 * MP.pi, "0", 0),
        (MP.pi + 1, "1", MP.pi),
        ("100", "1/2", abs(MP.mpf("99.5") - 32 * MP.pi)),
    ):
        told = value(found.conclusion.value, t="1", alpha="4", x=x, xp=xp)
        assert abs(told - arc**2) < 1e-18


def test_the_wrapped_bound_and_its_mutants():
    """``wrapped-divergence`` and ``wrapped-rdp`` against wrapped normal laws."""

    def low(value_of):
        return [
            (s, angle)
            for s in ("1/20", "1/4", "1/2")
            for angle in ("1/100", "1", "2", "3", "157/50")
            for alpha in ("3/2", "4")
            if value_of(s, angle, alpha)
            < divergence(MP.mpf(Rational(s).p) / Rational(s).q, *map(_number, (angle, alpha)))
        ]

    pairs = get_rule("wrapped-divergence")
    params = {"form": parse("alpha*d1**2/(4*t)"), "gaps": (GAP,), "coordinates": UNIT.state, "lengths": (2 * pi,)}

    def of_pairs(rule, **changed):
        fact = rule.conclude((SEEN.conclusion, LINE.divergence.conclusion), {**params, **changed})
        return low(lambda s, angle, alpha: value(fact.value, t=s, alpha=alpha, x=angle, xp="0"))

    assert of_pairs(pairs) == []
    assert of_pairs(mutated(pairs, "value", lambda e: e * Rational(9, 10)))
    # by hypothesis: the length of the circle, the form of the bound
    short = wrapped(rule=without("wrapped-divergence", "turn"), lengths=(pi,))
    assert short.status == "proved" and of_pairs(pairs, lengths=(pi,))
    less = wrapped(rule=without("wrapped-divergence", "form"), form=parse("alpha*d1**2/(5*t)"))
    assert less.status == "proved" and of_pairs(pairs, form=parse("alpha*d1**2/(5*t)"))

    neighbours = get_rule("wrapped-rdp")

    def of_neighbours(rule):
        fact = rule.conclude((SEEN.conclusion, LINE.privacy.conclusion), {})
        return low(lambda s, angle, alpha: value(fact.value, t=s, alpha=alpha, Delta=angle))

    assert of_neighbours(neighbours) == []
    assert of_neighbours(mutated(neighbours, "value", lambda e: e * Rational(9, 10)))
    assert of_neighbours(mutated(neighbours, "value", lambda e: e.subs(pi, pi / 2)))


def _number(text):
    return MP.mpf(Rational(text).p) / Rational(text).q


def test_an_odd_form_is_refused_and_its_mutant_refuted():
    """``wrapped-divergence`` needs an even form: of an odd one the shorter arc may be the wrong representative."""
    odd = Divergence(UNIT.unrolled, parse("alpha*(x-xp)**2/(4*t) + x - xp"), LINE.divergence.conclusion.region)
    params = {"line": given(odd), "form": parse("alpha*d1**2/(4*t) + d1")}
    with pytest.raises(Refused, match="even in d1"):
        wrapped(**params)
    found = wrapped(rule=without("wrapped-divergence", "even"), **params)
    # the premise at the representatives 0 and 1 says alpha/4 - 1, the mutant alpha/4 + 1, at 1 - 2 pi and 0 another
    assert value(found.conclusion.value, t="1", alpha="2", x="0", xp="1") > value(
        odd.value, t="1", alpha="2", x="0", xp="1"
    )


@pytest.mark.parametrize(
    ("changed", "failed"),
    [
        ({"lengths": (pi,)}, "turn"),
        ({"lengths": (2 * pi, pi)}, "form known"),
        ({"gaps": (symbol("x"),)}, "form known"),
        ({"gaps": (symbol("t"),)}, "form known"),
        ({"form": parse("alpha*d1**2/(5*t)")}, "form"),
        ({"form": parse("alpha*(x-xp)**2/(4*t)")}, "form known"),
        ({"line": derive(Diffusion("0", "1")).divergence}, "line"),
        ({"line": derive(UNIT).divergence}, "line"),
    ],
)
def test_what_is_no_bound_of_the_line_is_refused(changed, failed):
    with pytest.raises(Refused, match=failed):
        wrapped(**changed)


def test_no_explosion_and_a_mutant_that_is_refuted():
    """``wrapped-conservative`` without its line: of a process that explodes it would say that it does not."""
    calm = apply("conservative-1d", process=UNIT.unrolled)
    assert apply("wrapped-conservative", SEEN, calm).status == "proved"
    wild = Diffusion("x**3", "1", None, "x mod 1")
    seen = apply(without("unrolled", "periodic"), process=wild)
    with pytest.raises(Refused, match="line"):
        apply("wrapped-conservative", seen, calm)
    assert apply(without("wrapped-conservative", "line"), seen, calm).status == "proved"
    with pytest.raises(Refused, match="ends"):
        apply("conservative-1d", process=wild.unrolled)


def test_a_torus():
    torus = derive(Diffusion("0,0", "1,0;0,1", None, "x1 mod 2*pi, x2 mod 1")).routes[0]
    assert torus.name == "line"
    told = value(torus.divergence.conclusion.value, t="1", alpha="2", x1="6", xp1="0", x2="1/4", xp2="0")
    assert abs(told - ((2 * MP.pi - 6) ** 2 + MP.mpf(1) / 16)) < 1e-18
    far = MP.sqrt(4 * MP.pi**2 + 1) / 2
    assert abs(value(torus.privacy.conclusion.value, t="1", alpha="2", Delta="50") - far**2) < 1e-18
    cylinder = derive(Diffusion("0,0", "1,0;0,1", None, "x1 mod 2*pi, x2>=0"))
    assert value(cylinder.privacy.conclusion.value, t="1", alpha="2", Delta="50") == 2500


def test_rules_about_lines_are_refused_on_circles():
    """Whatever a rule is about, it says so if it is made for circles: else the first hypothesis fails."""
    facts = (
        Divergence(UNIT, parse("0"), LINE.divergence.conclusion.region),
        HeatFlow(UNIT, parse("0"), parse("0"), LINE.divergence.conclusion.region),
        InvariantDensity(UNIT, parse("1"), True),
    )
    for rule in rules().values():
        if rule.circles or "mutant" in rule.id or not rule.conclude.__module__.startswith("symdp."):
            continue
        first = next(iter(rule.hypotheses((), {"process": UNIT})))
        assert (first.name, first.args) == ("lines", (False,))
        for fact in facts:
            assert next(iter(rule.hypotheses((fact,), {}))).name == "lines"
    for rule, params in (
        ("conservative-1d", {}),
        ("harnack-space", {"bound": parse("0")}),
        ("harnack-rdp", {"bound": parse("0")}),
    ):
        with pytest.raises(Refused, match="lines"):
            apply(rule, process=UNIT, **params)


def test_a_clock_does_not_lead_from_a_circle_to_a_line():
    timed = Diffusion("0", "sqrt(2*t)", None)
    for base, process in ((UNIT, timed), (UNIT.unrolled, Diffusion("0", "sqrt(2*t)", None, "x mod 2*pi"))):
        params = {"process": process, "rate": symbol("t"), "clock": parse("t**2/2")}
        with pytest.raises(Refused, match="one space"):
            apply("time-change", derive(base).divergence, **params)
        guarantee = derive(base).privacy
        assert isinstance(guarantee.conclusion, RenyiDP)
        with pytest.raises(Refused, match="one space"):
            apply("time-change-rdp", guarantee, **params)
