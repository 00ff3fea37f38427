"""The least of several bounds: a rule, and what derivations make of it."""

from dataclasses import replace

import pytest
from sympy import Integer, Rational

import symdp
from symdp import Diffusion, Refused, parse, to_text
from symdp.derivation import routes
from symdp.derivation.record import Derivation, Route
from symdp.enclosure import enclose
from symdp.rules.conditions import ALPHA, TIME
from symdp.text import symbol
from symdp.text.extrema import Max
from symdp.theorem import apply

X, XP = symbol("x"), symbol("xp")
OU = Diffusion("-x", "sqrt(2)")
BM = Diffusion("0", "sqrt(2)")


def bound(rate, process=OU):
    """A bound of the curvature below the true one: a weaker theorem."""
    return apply("harnack-space", process=process, bound=parse(rate))


def weaker(rate, process=OU):
    return apply("harnack-rdp", process=process, bound=parse(rate))


def test_the_least_is_between_the_truth_and_each():
    """Equality with the exact divergence where the curvature is the true one: a witness."""
    least = apply("least-divergence", bound("1"), bound("1/2"), bound("-1"))
    truth = symdp.derive(OU)
    assert least.tightness == "upper"
    for alpha, t, x, xp in ((2, Rational(1, 3), 1, 0), (9, 4, Rational(1, 2), -2)):
        values = {ALPHA: Integer(alpha), TIME: Integer(1) * t, X: Integer(1) * x, XP: Integer(xp)}
        value = enclose(least.conclusion.value, values, 30)
        exact = truth.evaluate(alpha=alpha, t=t, x=x, xp=xp, digits=30)
        assert value.lower <= exact.upper and exact.lower <= value.upper
        assert all(value.lower <= enclose(bound(k).conclusion.value, values, 30).upper for k in ("1", "1/2", "-1"))


def test_guarantees():
    least = apply("least-rdp", weaker("1"), weaker("1/2"))
    exact = symdp.derive(OU).evaluate(alpha=3, t=1, Delta=2, digits=30)
    value = enclose(least.conclusion.value, {ALPHA: Integer(3), TIME: Integer(1), symbol("Delta"): Integer(2)}, 30)
    assert value.lower <= exact.upper and exact.lower <= value.upper


@pytest.mark.parametrize(
    ("rule", "premises"),
    [
        ("least-divergence", lambda: [bound("1"), bound("0", BM)]),
        ("least-divergence", lambda: [bound("1")]),
        ("least-rdp", lambda: [weaker("1"), weaker("0", BM)]),
        ("least-rdp", lambda: [weaker("1")]),
    ],
)
def test_refused(rule, premises):
    with pytest.raises(Refused):
        apply(rule, *premises())


@pytest.mark.parametrize(("rule", "made"), [("least-divergence", bound), ("least-rdp", weaker)])
def test_a_mutated_rule_is_caught(rule, made):
    """The least of bounds of different processes is none: Brownian motion forgets slower than its neighbour."""
    original = symdp.rule.rules()[rule]
    careless = replace(original, conditions=lambda premises, params: iter(()))
    conclusion = careless.conclude((made("0", BM).conclusion, made("1").conclusion), {})
    values = {ALPHA: Integer(2), TIME: Integer(3), X: Integer(1), XP: Integer(0), symbol("Delta"): Integer(1)}
    told = enclose(conclusion.value, values, 20)
    assert told.upper < symdp.derive(BM).evaluate(alpha=2, t=3, x=1, xp=0, digits=20).lower
    greatest = Max(*conclusion.value.args)
    assert enclose(greatest, values, 20).lower > told.upper


# --- derivations ------------------------------------------------------------------------------------------------------


def route(rate, privacy=True):
    return lambda process, assuming, refusal: Derivation(
        process, None, bound(rate), privacy=weaker(rate) if privacy else None, notes=(f"rate {rate}",)
    )


def nothing(process, assuming, refusal):
    raise Refused("nothing is known", refusal.hypotheses)


REFUSAL = Refused("no kernel", ())


def test_a_route_that_is_never_better_is_left_out():
    found = routes.best_of({"half": route("1/2"), "one": route("1"), "none": nothing}, OU, (), REFUSAL)
    assert found.divergence.conclusion == bound("1").conclusion
    assert found.privacy.conclusion == weaker("1").conclusion
    assert [r.name for r in found.routes] == ["half", "one"] and found.notes == ("rate 1",)


def test_crossing_routes_are_both_kept(monkeypatch):
    """Which is the least depends on the time: the values say which won."""
    monkeypatch.setattr(routes, "_below", lambda left, right: False)
    monkeypatch.setattr(routes, "from_divergence", lambda divergence, assuming: (None, "not looked for"))
    both = routes.best_of({"half": route("1/2"), "one": route("1", privacy=False)}, OU, (), REFUSAL)
    assert "min(" in to_text(both.divergence.conclusion.value)
    assert both.privacy.conclusion == weaker("1/2").conclusion
    assert both.routes == (
        Route("half", bound("1/2"), weaker("1/2")),
        Route("one", bound("1"), None),
    )
    monkeypatch.setattr(symdp.found, "search", lambda process, assuming: both)
    found = symdp.derive(OU)
    values = found.values(alpha=2, t=1, x=1, xp=0, digits=20)
    assert list(values["routes"]) == ["one", "half"]
    assert (
        values["routes"]["one"].lower <= values["value"].upper
        and values["value"].lower <= values["routes"]["one"].upper
    )
    assert list(found.values(alpha=2, t=1, Delta=1, digits=20)["routes"]) == ["half"]
    assert "Route" in str(found) and "half: " in str(found)
    data = found.to_json(alpha=2, t=1, x=1, xp=0, digits=20)
    assert [r["route"] for r in data["routes"]] == ["half", "one"] and set(data["route_values"]) == {"half", "one"}


def test_a_route_that_cannot_tell_hides_no_other():
    def lost(process, assuming, refusal):
        raise symdp.Undetermined("the digits are not proved")

    found = routes.best_of({"lost": lost, "one": route("1")}, OU, (), REFUSAL)
    assert found.divergence.conclusion == bound("1").conclusion
    with pytest.raises(Refused, match="lost: the digits are not proved"):
        routes.best_of({"lost": lost, "none": nothing}, OU, (), REFUSAL)


def test_nothing_is_found():
    with pytest.raises(Refused, match="nothing is known"):
        routes.best_of({"a": nothing, "b": nothing}, OU, (), REFUSAL)
