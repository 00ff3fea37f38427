"""What the rules about noisy maps share: hypotheses on their constants, powers and geometric sums by cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sympy import Expr, Integer, Rational, cosh, log, sinh

from symdp.decide import Proved, Refuted, Verdict, is_zero
from symdp.evidence import Condition, register_decider
from symdp.judgments.iteration import NORMS
from symdp.region import Region
from symdp.rules.conditions import holds
from symdp.text import Relation, to_text

_LONG = 600  # digits; a longer number is no longer one that people write, and the text layer would not read it


def one_law(law: str, noises: Iterable[tuple[str, str, str]]) -> Condition:
    """Every noise, given as (name, law, norm), has this law, and is measured in the norm that goes with it."""
    return Condition("one law", f"every noise is {law}, measured in {NORMS[law]}", "one law", (law, tuple(noises)))


def _decide_law(law: str, noises: tuple[tuple[str, str, str], ...], *, assuming: tuple[Relation, ...]) -> Verdict:
    for name, other, norm in noises:
        if (other, norm) != (law, NORMS[law]):
            found = f"{name} has {other} noise measured in {norm}"
            reason = f"{found}, and couplings here need {law} noise in {NORMS[law]}: norms do not mix"
            return Refuted({}, {"engine": "structure", "reason": reason})
    return Proved({"engine": "structure"})


register_decider("one law", _decide_law)


def each(name: str, entries: Iterable[Expr], op: str, region: Region) -> Iterator[Condition]:
    """Every entry is positive (``>``) or not negative (``>=``)."""
    for entry in dict.fromkeys(entries):
        yield holds(f"{name} {to_text(entry)} {op} 0", Relation(entry, op), region)


def whole(name: str, number: Expr, region: Region, least: int = 1) -> Condition:
    """A whole number, at least ``least``; a symbol stands for the whole numbers of its range."""
    if number.free_symbols:
        return holds(name, Relation(number - least, ">="), region, f"{name}: at least {least}")
    fine = bool(number.is_Integer and number >= least)
    return Condition(name, f"{name}: a whole number, at least {least}", "fact", (fine,))


def kind(ratio: Expr, region: Region) -> str:
    """Which formula a geometric sum has: "one" and "zero" if the ratio is proved to be that, else "other"."""
    if is_zero(ratio - 1, region):
        return "one"
    return "zero" if is_zero(ratio, region) else "other"


def ratio(name: str, value: Expr, count: Expr, region: Region) -> Iterator[Condition]:
    """What powers and geometric sums of a ratio need: not negative; 1 and, for a symbolic exponent, 0 apart."""
    yield holds(f"{name} >= 0", Relation(value, ">="), region)
    if kind(value, region) == "other":
        yield holds(f"{name} != 1", Relation(value - 1, "!="), region, f"{name} is not 1, which is a case apart")
        if count.free_symbols:
            yield holds(f"{name} > 0", Relation(value, ">"), region, f"{name} is not 0, which is a case apart")


def power(base: Expr, exponent: Expr, region: Region) -> Expr:
    """``base**exponent``; ``0**0`` is 1, a symbolic exponent positive. Through cosh and sinh if it is a long number."""
    base = {"one": Integer(1), "zero": Integer(0)}.get(kind(base, region), base)
    if base == 0:
        return Integer(1 if exponent == 0 else 0)
    square = base**2
    if isinstance(square, Rational) and isinstance(exponent, Rational) and square != 1:
        digits = abs(float(exponent)) * (len(str(square.p)) + len(str(square.q))) / 2
        if digits > _LONG:
            angle = exponent * log(base if square > 1 else 1 / base)
            grown = cosh(angle) + sinh(angle)  # nothing cancels in it
            return grown if square > 1 else 1 / grown
    return base**exponent


def geometric(base: Expr, count: Expr, region: Region, step: int = 1) -> Expr:
    """``sum over j < count of base^(step j)`` for a count of 1 or more, by cases: 1, 0 and the rest."""
    case = kind(base, region)
    if case == "one":
        return count
    if case == "zero":
        return Integer(1)
    return (1 - power(base, step * count, region)) / (1 - base**step)


def number(value: Any) -> float | None:
    """An expression as a float for a search, None if it is not a number."""
    try:
        return float(value)
    except (TypeError, OverflowError):
        return None
