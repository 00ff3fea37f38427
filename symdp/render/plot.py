"""Pictures of a bound: its value, kappa or Lambda over one of the quantities it depends on, bound against truth.

Every point is an end of an enclosure: a bound is drawn by its upper end, rounded up to a double.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symdp.ball import Enclosure
from symdp.errors import InputError, Refused, SymdpError
from symdp.files import replace_file
from symdp.rationals import rational, show
from symdp.render.truth import truth_at, truth_values

if TYPE_CHECKING:
    from symdp.bound import Bound

DIGITS = 15
MOST_POINTS = 2000
FORMATS = ("png", "svg", "pdf")
LABELS = {
    "bound": "Rényi divergence",
    "kappa": "κ",
    "Lambda": "Λ",
}
Value = Callable[[Mapping[str, Any]], Enclosure]


@dataclass(frozen=True)
class Range:
    """The quantity on the horizontal axis and its ends; ``logarithmic``: evenly spaced in its logarithm."""

    name: str
    lower: Fraction
    upper: Fraction
    logarithmic: bool = False

    def values(self, count: int) -> list[Fraction]:
        """``count`` exact values from ``lower`` to ``upper``."""
        steps = [Fraction(k, count - 1) for k in range(count)]
        if not self.logarithmic:
            return [self.lower + (self.upper - self.lower) * step for step in steps]
        ratio = math.log(self.upper / self.lower)
        inner = [self.lower * Fraction(math.exp(ratio * float(step))) for step in steps[1:-1]]
        return [self.lower, *inner, self.upper]


@dataclass(frozen=True)
class Curve:
    """Points to be joined, and what they are called; there is a gap where nothing is proved."""

    label: str
    points: tuple[tuple[float, float], ...]


def read_range(text: str, place: str = "--over") -> Range:
    """``"t=1/10:4"`` or ``"t=1/100:10:log"``. Raises InputError naming what is wrong."""
    remedy = "write for example t=1/10:4 or t=1/100:10:log"
    name, equals, rest = (part.strip() for part in text.partition("="))
    ends = [part.strip() for part in rest.split(":")]
    if not equals or not name.isidentifier() or len(ends) not in (2, 3) or (len(ends) == 3 and ends[2] != "log"):
        raise InputError(f"{show(text)} is no range", place=place, remedy=remedy)
    lower, upper = (rational(end, place) for end in ends[:2])
    if not lower < upper:
        raise InputError(f"{show(text)}: the range is empty", place=place, remedy=remedy)
    if len(ends) == 3 and lower <= 0:
        raise InputError("a logarithmic range starts above 0", place=place, remedy=remedy)
    return Range(name, lower, upper, len(ends) == 3)


def curve(label: str, value: Value, over: Range, given: Mapping[str, Any], count: int) -> Curve:
    """The upper ends of a value over a range.

    Raises InputError for values that are not allowed, and Refused, with the reason of the first point, where no point
    has a value.
    """
    if over.name in given:
        raise InputError(f"{over.name} is given in --at too", place="--over", remedy="leave it out of --at")
    points: list[tuple[float, float]] = []
    reason: SymdpError | None = None
    for x in over.values(count):
        try:
            y = value({**given, over.name: x}).upper_float()
        except InputError:
            raise
        except SymdpError as error:
            reason, y = reason or error, math.nan
        points.append((float(x), y))
    if all(math.isnan(y) for _, y in points):
        raise Refused(f"no value on the whole range: {reason}", ())
    return Curve(label, tuple(points))


def curves(
    bound: Bound, what: str, over: Range, given: Mapping[str, Any], count: int = 200, *, truth: bool = False
) -> list[Curve]:
    """The curve of ``what`` ("bound", "kappa" or "Lambda"), and for a bound that is the least of several each of them.

    ``given``: the other values, as :meth:`Bound.evaluate` takes them; kappa and Lambda need two starts and no order.
    ``truth``: with a bound of two starts, also the divergence itself. Raises Refused where that is not known.
    """
    if what not in LABELS:
        raise InputError(f"{show(what)} cannot be drawn", place="what", remedy=f"one of {', '.join(LABELS)}")
    if not 2 <= count <= MOST_POINTS:
        raise InputError(f"{count} points cannot be drawn", place="points", remedy=f"2 to {MOST_POINTS}")
    found = bound.found

    def flow(at: Mapping[str, Any]) -> Enclosure:
        return found.heat_flow(bound.ask(at, need_alpha=False), what, DIGITS)

    def value(at: Mapping[str, Any]) -> Enclosure:
        number: Enclosure = found.value(bound.ask(at), DIGITS)
        return number

    def along(route: str, at: Mapping[str, Any]) -> Enclosure:
        values = found.routes(bound.ask(at), DIGITS)
        if route not in values:
            raise Refused(f"no bound by {route}", ())
        return values[route]

    def true(at: Mapping[str, Any]) -> Enclosure:
        question = bound.ask(at)
        return truth_values(truth_at(question, found.assuming), question, DIGITS)[0]

    if what != "bound":
        return [curve(LABELS[what], flow, over, given, count)]
    kind = "exact" if bound.tightness == "exact" else "upper bound"
    lines = [curve(f"{LABELS[what]}, {kind}", value, over, given, count)]
    for route in found.derivation.routes:
        with suppress(Refused):
            lines.append(curve(route.name, partial(along, route.name), over, given, count))
    return [*lines, curve("truth", true, over, given, count)] if truth else lines


@dataclass(frozen=True)
class Picture:
    """A picture as a file's ``content``; notebooks show it. ``form``: "png", "svg" or "pdf"."""

    content: bytes
    form: str

    def save(self, file: str | Path) -> None:
        """Write the file at once. Raises OSError."""
        replace_file(Path(file), self.content)

    def __repr__(self) -> str:
        return f"<Picture {self.form}>"

    def _repr_png_(self) -> bytes | None:
        return self.content if self.form == "png" else None

    def _repr_svg_(self) -> str | None:
        return self.content.decode("utf-8") if self.form == "svg" else None


def picture(lines: Sequence[Curve], over: Range, title: str, form: str, *, logarithmic: bool = False) -> Picture:
    """The curves as a PNG, SVG or PDF picture. The same curves give the same bytes.

    Raises InputError if matplotlib is not installed.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("matplotlib is not installed", remedy="pip install 'symdp[plot]'") from None
    with rc_context({"svg.hashsalt": "symdp", "svg.fonttype": "path"}):
        figure = Figure(figsize=(6.4, 4.0), layout="constrained")
        axes = figure.add_subplot()
        for number, line in enumerate(lines):
            style = "-" if number == 0 else "--"
            axes.plot(*_columns(line.points), style, label=line.label, linewidth=2 if number == 0 else 1.4)
        if over.logarithmic:
            axes.set_xscale("log")
        if logarithmic:
            axes.set_yscale("log")
        axes.set_xlabel(over.name)
        axes.set_title(title, fontsize="medium")
        axes.grid(alpha=0.3)
        axes.legend()
        file = BytesIO()
        dated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(form)
        figure.savefig(file, format=form, dpi=150, metadata=dated)
    return Picture(file.getvalue(), form)


def _columns(points: Iterable[tuple[float, float]]) -> tuple[list[float], list[float]]:
    pairs = list(points)
    return [x for x, _ in pairs], [y for _, y in pairs]
