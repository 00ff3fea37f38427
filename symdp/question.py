"""The numbers a user asks about: exact, complete and allowed, or an error that says what to mend."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sympy import Expr, Integer, Symbol

from symdp.diffusion.process import Diffusion
from symdp.epsilon.inputs import MAX_STEPS
from symdp.errors import InputError, Undefined
from symdp.region import Interval
from symdp.rules.conditions import ALPHA, DELTA, TIME, starts
from symdp.text import Relation, exact, to_text
from symdp.text.constants import sign
from symdp.text.names import nearest

MAX_DIGITS = 100_000
"""The most digits that can be asked for."""

_ALLOWED = {">": (1,), ">=": (0, 1), "==": (0,), "!=": (-1, 1)}
_VECTORS = (tuple, list)

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Question:
    """Where a bound is to be evaluated: parameters, time, order, and a distance or two starts.

    ``alpha`` is None where the order plays no part; ``fixed`` are parameter values the process already has built in.
    """

    process: Diffusion
    parameters: Mapping[Symbol, Expr]
    time: Expr
    alpha: Expr | None
    sensitivity: Expr | None = None
    starts: tuple[tuple[Expr, ...], tuple[Expr, ...]] | None = None
    fixed: Mapping[Symbol, Expr] = field(default_factory=dict)

    def assignment(self, *, swapped: bool = False, alpha: Expr | None = None) -> dict[Symbol, Expr]:
        """The value of every symbol of a result; ``swapped`` exchanges the starts, ``alpha`` replaces the order."""
        values = {**self.parameters, TIME: self.time}
        order = self.alpha if alpha is None else alpha
        if order is not None:
            values[ALPHA] = order
        if self.sensitivity is not None:
            values[DELTA] = self.sensitivity
        if self.starts is not None:
            first, second = reversed(self.starts) if swapped else self.starts
            x, xp = starts(self.process)
            values |= dict(zip((*x, *xp), (*first, *second), strict=True))  # type: ignore[arg-type]
        return values

    def on(self, process: Diffusion) -> Question:
        """The same question about a process with the parameter values built in."""
        return replace(self, process=process, parameters={})

    @property
    def coincide(self) -> bool:
        """Whether the two laws compared are the same one: distance zero."""
        if self.starts is not None:
            return self.starts[0] == self.starts[1]
        return self.sensitivity == 0

    def asked(self) -> dict[str, str]:
        """The question as text, in the form ``--at`` takes."""
        texts = {"alpha": to_text(self.alpha)} if self.alpha is not None else {}
        texts["t"] = to_text(self.time)
        if self.sensitivity is not None:
            texts["Delta"] = to_text(self.sensitivity)
        for name, start in zip(("x", "xp"), self.starts or (), strict=False):
            entries = ", ".join(to_text(e) for e in start)
            texts[name] = entries if len(start) == 1 else f"({entries})"
        return texts | {s.name: to_text(value) for s, value in (*self.fixed.items(), *self.parameters.items())}


def ask(
    process: Diffusion,
    values: Values,
    *,
    assuming: Iterable[str | Relation] = (),
    fixed: Mapping[Symbol, Expr] | None = None,
    need_alpha: bool = True,
    place: str | None = None,
) -> Question:
    """The question that ``values`` poses about ``process``, checked.

    ``values``: ``alpha``, ``t``, every parameter, and either ``Delta`` or the starts ``x`` and ``xp``; numbers as
    :func:`symdp.text.exact` takes them, starts in R^d as sequences. ``fixed``: values the process already has built in.
    Raises :class:`InputError`, naming the value and the remedy.
    """
    fixed = fixed or {}
    names = [s.name for s in process.params.symbols]
    _check_names(process, values, [*names, *(s.name for s in fixed)], place)
    wanted = [*(["alpha"] if need_alpha else []), "t", *names]
    _check_complete(values, wanted, place)
    scalars = {name: _number(value, _at(place, name)) for name, value in values.items() if name not in ("x", "xp")}
    for s, value in fixed.items():
        if scalars.get(s.name, value) != value:
            raise InputError(
                f"the bound was derived at {s} = {to_text(value)}", place=_at(place, s.name), remedy="derive it anew"
            )
    alpha = scalars.get("alpha")
    if alpha is not None:
        _demand(Relation(alpha - 1, ">"), f"alpha = {to_text(alpha)}", _at(place, "alpha"), "a Renyi order is above 1")
    _demand(Relation(scalars["t"], ">"), f"t = {to_text(scalars['t'])}", _at(place, "t"), "a time is above 0")
    if process.times.contains(scalars["t"]) is not True:
        what, times = _short(to_text(scalars["t"])), process.times.describe("t")
        raise InputError(f"t = {what} is outside the times {times}", place=_at(place, "t"), remedy="ask within them")
    parameters = {s: scalars[s.name] for s in process.params.symbols}
    check_parameters(process, parameters, assuming, place)
    if "Delta" in values:
        size = scalars["Delta"]
        _demand(Relation(size, ">="), f"Delta = {to_text(size)}", _at(place, "Delta"), "a sensitivity is at least 0")
        return Question(process, parameters, scalars["t"], alpha, size, fixed=fixed)
    pair = _start(process, values, "x", parameters, place), _start(process, values, "xp", parameters, place)
    return Question(process, parameters, scalars["t"], alpha, None, pair, fixed)


def check_digits(digits: object, place: str = "digits") -> int:
    """``digits`` as an int between 1 and ``MAX_DIGITS``; else :class:`InputError`."""
    number = _integer(digits, place)
    if not 1 <= number <= MAX_DIGITS:
        raise InputError(
            f"{_short(number)} digits cannot be asked for", place=place, remedy=f"ask for 1 to {MAX_DIGITS}"
        )
    return number


def check_steps(steps: object, place: str = "steps") -> int:
    """``steps`` as an int between 1 and ``MAX_STEPS``; else :class:`InputError`."""
    number = _integer(steps, place)
    if not 1 <= number <= MAX_STEPS:
        raise InputError(f"{_short(number)} steps cannot be composed", place=place, remedy=f"give 1 to {MAX_STEPS}")
    return number


def check_delta(delta: object, place: str = "delta") -> Expr:
    """``delta`` as an exact number ``>= 0``; else :class:`InputError`. From 1 on everything is (0, delta)-private."""
    value = _number(delta, place)
    _demand(Relation(value, ">="), f"delta = {to_text(value)}", place, "give a number >= 0")
    return value


def parameter_values(process: Diffusion, values: Values, place: str | None = None) -> dict[Symbol, Expr] | None:
    """The values of all parameters, or None if one of them has none."""
    if any(s.name not in values for s in process.params.symbols):
        return None
    return {s: _number(values[s.name], _at(place, s.name)) for s in process.params.symbols}


# --- the checks -----------------------------------------------------------------------------------------------------


def _at(place: str | None, name: str) -> str:
    return f"{place}, {name}" if place else name


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 24 else f"{text[:20]}..."


def _number(value: object, place: str) -> Expr:
    if isinstance(value, _VECTORS):
        raise InputError(f"one number expected, {len(value)} given", place=place, remedy="only starts have components")
    return exact(value, place=place)


def _integer(value: object, place: str) -> int:
    number = _number(value, place)
    if not isinstance(number, Integer):
        raise InputError(f"{_short(to_text(number))} is not an integer", place=place, remedy="give a whole number")
    return int(number)


def _demand(relation: Relation, what: str, place: str, remedy: str) -> None:
    """Raise unless a relation between constants is decided to hold."""
    known = sign(relation.expr)
    if known is None:
        raise InputError(
            f"whether {_short(what)} is allowed is not decided", place=place, remedy=f"{remedy}; give a simpler number"
        )
    if known not in _ALLOWED[relation.op]:
        raise InputError(f"{_short(what)} is not allowed", place=place, remedy=remedy)


def _check_names(process: Diffusion, values: Values, parameters: Sequence[str], place: str | None) -> None:
    known = ["alpha", "t", "Delta", "x", "xp", *parameters]
    for name in values:
        if name in known:
            continue
        if name == "delta":
            remedy = "the sensitivity is Delta, and delta goes with --delta (in Python: bound.epsilon(delta, ...))"
        elif name in {s.name for s in process.state} or name.rstrip("0123456789") in ("x", "xp"):
            entries = "" if process.dimension == 1 else "(" + ", ".join(["..."] * process.dimension) + ")"
            remedy = (
                f"the two starts are called x and xp{': x=' + entries if entries else ', whatever the state is called'}"
            )
        elif guess := nearest(name, known):
            remedy = f"did you mean {guess}?"
        else:
            remedy = f"known names: {', '.join(known)}"
        raise InputError(f"unknown name '{_short(name)}'", place=place, remedy=remedy)


def _check_complete(values: Values, wanted: Sequence[str], place: str | None) -> None:
    if "Delta" in values and ("x" in values or "xp" in values):
        raise InputError("both Delta and starts are given", place=place, remedy="give either Delta, or x and xp")
    missing = [name for name in wanted if name not in values]
    remedy = [f"{name}=..." for name in missing]
    if "Delta" not in values:
        absent = [name for name in ("x", "xp") if name not in values]
        if len(absent) == 1:
            missing, remedy = missing + absent, [*remedy, f"{absent[0]}=..."]
        elif absent:
            missing, remedy = [*missing, "Delta"], [*remedy, "Delta=... (or two starts, x=... and xp=...)"]
    if missing:
        raise InputError(f"no value for {', '.join(missing)}", place=place, remedy=f"give {', '.join(remedy)}")


def check_parameters(
    process: Diffusion,
    parameters: Mapping[Symbol, Expr],
    assuming: Iterable[str | Relation] = (),
    place: str | None = None,
) -> None:
    """Raise :class:`InputError` unless parameter values lie in the declared region and all assumed holds there."""
    for s, value in parameters.items():
        interval = process.params.interval(s)
        inside = interval.contains(value)
        if inside is not True:
            verb = "is outside" if inside is False else "is not decided to lie in"
            positive = interval == Interval.positive()
            remedy = f"parameters are positive unless declared, for example --param '{s} real'" if positive else None
            where = interval.describe(s.name)
            raise InputError(f"{s} = {_short(to_text(value))} {verb} {where}", place=_at(place, s.name), remedy=remedy)
    _check_relations(process.params.constraints, parameters, place, "declared")
    _check_relations([r for r in assuming if isinstance(r, Relation)], parameters, place, "assumed")
    defined = [r for r in process.conditions if r.free_symbols <= set(parameters)]
    _check_relations(defined, parameters, place, "needed for the coefficients to be defined")


def _check_relations(relations: Iterable[Relation], values: Mapping[Symbol, Expr], place: str | None, how: str) -> None:
    for relation in relations:
        try:
            known = sign(relation.subs({s: v for s, v in values.items() if s in relation.free_symbols}).expr)
        except Undefined:
            known = None
        if known not in _ALLOWED[relation.op]:
            point = ", ".join(f"{s} = {_short(to_text(v))}" for s, v in values.items() if s in relation.free_symbols)
            verb = "is false" if known is not None else "is not decided"
            raise InputError(
                f"{relation}, which is {how}, {verb} at {point}", place=place, remedy="give values where it holds"
            )


def _start(
    process: Diffusion, values: Values, name: str, parameters: Mapping[Symbol, Expr], place: str | None
) -> tuple[Expr, ...]:
    """One start, of the right length, in the open domain, where the coefficients are defined."""
    given, where = values[name], _at(place, name)
    if hasattr(given, "tolist"):  # a numpy array or number
        given = given.tolist()
    entries = tuple(given) if isinstance(given, _VECTORS) else (given,)
    d = process.dimension
    if len(entries) != d:
        shape = "a number" if d == 1 else f"{d} components: {name}=(" + ", ".join(["..."] * d) + ")"
        raise InputError(
            f"{len(entries)} component{'s' * (len(entries) != 1)} given", place=where, remedy=f"a start is {shape}"
        )
    start = tuple(_number(e, where) for e in entries)
    for s, value in zip(process.state, start, strict=True):
        interval = process.domain.interval(s)
        opened = Interval(interval.lower, interval.upper, False, False)
        if opened.contains(value) is not True:
            raise InputError(
                f"{_short(to_text(value))} is outside the domain",
                place=where,
                remedy=f"a start lies inside {opened.describe(s.name)}",
            )
    point = {**parameters, **dict(zip(process.state, start, strict=True))}
    for condition in process.conditions:
        if TIME in condition.free_symbols:
            continue  # decided for all times together when the bound is derived
        try:
            known = sign(condition.subs({s: point[s] for s in condition.free_symbols}).expr)
        except Undefined:
            known = None
        if known not in _ALLOWED[condition.op]:
            at = ", ".join(f"{s} = {_short(to_text(point[s]))}" for s in sorted(condition.free_symbols, key=str))
            raise InputError(
                f"the coefficients are undefined or complex at {at}", place=where, remedy=f"{condition} must hold"
            )
    return start
