"""What a user states about a diffusion, read: coefficients, names of coordinates, domain, parameters, schedules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from sympy import Expr, Matrix, Pow, Symbol, oo

from symdp.errors import InputError
from symdp.region import Interval, Region
from symdp.text import (
    Definitions,
    Parsed,
    Relation,
    adopt,
    define,
    identifiers,
    parse_matrix,
    parse_relations,
    parse_vector,
    symbol,
    to_text,
)
from symdp.text.definitions import Definition
from symdp.text.names import FUNCTIONS_OF_SEVERAL

TIME = symbol("t")
"""The time, in coefficients as in results."""

RESERVED = ("alpha", "t", "Delta", "delta", "x", "xp")
"""Names that ``--at`` and the results use themselves; a parameter may not have them."""

NO_NUMBERS = ("nan", "inf", "infinity", "oo", "zoo")
"""Names that are parameters only when they are declared: typed as a coefficient they are meant as a number."""

_WORDS = {
    "real": Interval.real(),
    "positive": Interval.positive(),
    "nonnegative": Interval.nonnegative(),
    "negative": Interval.open(-oo, 0),
}

Coefficient: TypeAlias = "str | Expr | int"
Vector: TypeAlias = "str | Expr | int | Sequence[str | Expr | int]"


def mentioned(parsed: Parsed) -> set[Symbol]:
    """Every name of the text as typed, also one that cancelled: ``0*y`` still mentions y."""
    return set(parsed.expr.free_symbols).union(*(c.expr.free_symbols for c in parsed.conditions), set())


LARGEST_EXPONENT = 24
"""The largest power of a sum or of a function that a coefficient may hold: derivatives of larger ones do not end."""
LARGEST_COEFFICIENT = 1500
"""The most operations of a coefficient."""


def _parsed(value: Coefficient | Parsed, place: str) -> Parsed:
    """A coefficient that derivatives can be taken of in reasonable time."""
    parsed = value if isinstance(value, Parsed) else adopt(value, place=place)
    for power in parsed.expr.atoms(Pow):
        if power.exp.is_Integer and abs(power.exp) > LARGEST_EXPONENT and not power.base.is_Atom:
            raise InputError(
                f"the exponent {power.exp} of {to_text(power.base)} is too large",
                place=place,
                remedy=f"at most {LARGEST_EXPONENT} is derived from",
            )
    if parsed.expr.has(*FUNCTIONS_OF_SEVERAL.values()):
        names = ", ".join(name for name, kind in FUNCTIONS_OF_SEVERAL.items() if parsed.expr.has(kind))
        raise InputError(f"{names}: no function of a coefficient", place=place, remedy="it is for bounds; use another")
    if parsed.expr.count_ops() > LARGEST_COEFFICIENT:
        raise InputError("the coefficient is too long", place=place, remedy=f"at most {LARGEST_COEFFICIENT} operations")
    return parsed


def read_vector(value: Vector, place: str, schedules: Definitions) -> tuple[Parsed, ...]:
    """The components that a text, a sequence or one expression states; ``schedules`` are what texts may call."""
    if isinstance(value, str):
        return tuple(_parsed(p, place) for p in parse_vector(value, place=place, definitions=schedules))
    if hasattr(value, "tolist") and not isinstance(value, Expr):
        value = value.tolist()
    if isinstance(value, (list, tuple, Matrix)):
        return tuple(p for item in value for p in read_vector(item, place, schedules))
    return (_parsed(value, place),)


def read_matrix(
    value: Vector | Sequence[Sequence[Coefficient]], rows: int, place: str, schedules: Definitions
) -> tuple[tuple[Parsed, ...], ...]:
    """The rows that a text or sequences state; a vector is a column where there are as many rows, else one row."""
    if isinstance(value, str):
        read = parse_matrix(value, place=place, definitions=schedules)
        return tuple(tuple(_parsed(e, place) for e in row) for row in read)
    if hasattr(value, "tolist") and not isinstance(value, Expr):
        value = value.tolist()  # type: ignore[union-attr]
    if isinstance(value, (list, tuple)) and value and all(isinstance(row, (list, tuple)) for row in value):
        return tuple(read_vector(row, place, schedules) for row in value)  # type: ignore[arg-type]
    flat = read_vector(value, place, schedules)  # type: ignore[arg-type]
    return tuple((p,) for p in flat) if rows > 1 and len(flat) == rows else (flat,)


def read_state(state: str | Sequence[str | Symbol] | None, dimension: int, parsed: list[Parsed]) -> tuple[str, ...]:
    """The names of the coordinates, given or by default."""
    used = {s.name for p in parsed for s in mentioned(p)}
    if state is None:
        names = ("x",) if dimension == 1 else tuple(f"x{i + 1}" for i in range(dimension))
        lookalike = sorted(u for u in used if u.lower() in names and u not in names)
        if lookalike and not used.intersection(names):
            raise InputError(
                f"the state is called {', '.join(names)} but the coefficients use '{lookalike[0]}'",
                place="--state",
                remedy=f"name the state with --state {','.join(lookalike)}",
            )
        return names
    items = state.split(",") if isinstance(state, str) else [s.name if isinstance(s, Symbol) else s for s in state]
    names = tuple(item.strip() for item in items)
    for name in names:
        if identifiers(name) != (name,):
            raise InputError(f"'{name}' is not a name", place="--state", remedy="use letters, digits and _")
    if len(set(names)) != len(names):
        raise InputError("a coordinate is named twice", place="--state", remedy="give each coordinate its own name")
    if len(names) != dimension:
        raise InputError(
            f"{len(names)} coordinates named but the drift has {dimension} components",
            place="--state",
            remedy="name one coordinate for each component",
        )
    return names


def check_shapes(u: tuple[Parsed, ...], v: tuple[tuple[Parsed, ...], ...]) -> None:
    """Raise unless the diffusion has a row for each component of the drift, all of one length."""
    if len({len(row) for row in v}) != 1:
        raise InputError(
            "the rows of the diffusion differ in length",
            place="diffusion",
            remedy="separate rows by ; and entries by ,",
        )
    if len(v) != len(u):
        raise InputError(
            f"components of the drift: {len(u)}, rows of the diffusion: {len(v)}",
            place="diffusion",
            remedy="give one row for each component, rows by ;, for example 's,0;0,s'",
        )


def read_domain(domain: str | Region | None, coordinates: tuple[Symbol, ...], *, in_time: bool) -> Region:
    """An interval for each coordinate and, where coefficients depend on the time, perhaps an end of the times."""
    if isinstance(domain, Region):
        return _intervals(domain)
    names = [s.name for s in coordinates]
    if domain and not in_time and TIME.name in identifiers(domain) and TIME.name not in names:
        raise InputError(
            "'t' is the time, and no coefficient depends on it", place="--domain", remedy="bound the state only"
        )
    known = [*names, TIME.name] if in_time else names
    relations = parse_relations(domain, place="--domain", names=known) if domain else ()
    box = {s: Interval.real() for s in coordinates} | ({TIME: Interval.positive()} if in_time else {})
    region = _intervals(Region(tuple(box.items())).intersect(relations))
    if in_time and region.interval(TIME).lower != 0:
        raise InputError("the times do not begin at 0", place="--domain", remedy="a start is at time 0: write t<1")
    kept = [(s, i) for s, i in region.intervals if s != TIME or i != Interval.positive()]
    return Region(tuple(kept))


def _intervals(region: Region) -> Region:
    """The region, if it is a product of intervals: what is proved of a process rests on its ends alone."""
    if region.constraints:
        raise InputError(
            f"'{region.constraints[0]}' is not an end of one coordinate",
            place="--domain",
            remedy="a domain is an interval in each coordinate, such as x>0 or 0<x<1, with constant ends",
        )
    return region


def read_parameters(params: str | Iterable[str] | Mapping[str, str]) -> Region:
    """``"c real, 0<q<1"``, or ``{"c": "real", "q": "0<q<1"}``."""
    if isinstance(params, Mapping):
        params = [text if identifiers(text) != (text.strip(),) else f"{name} {text}" for name, text in params.items()]
    texts = [params] if isinstance(params, str) else list(params)
    relations: list[Relation] = []
    words: dict[Symbol, Interval] = {}
    for piece in (piece.strip() for text in texts for piece in text.split(",")):
        parts = piece.split()
        if len(parts) == 2 and parts[1] in _WORDS and identifiers(parts[0]) == (parts[0],):
            if symbol(parts[0]) in words:
                raise InputError(
                    f"'{parts[0]}' is declared twice", place="--param", remedy="declare each parameter once"
                )
            words[symbol(parts[0])] = _WORDS[parts[1]]
        elif any(op in piece for op in "<>"):
            relations += parse_relations(piece, place="--param")
        else:
            raise InputError(
                f"'{piece}' declares nothing",
                place="--param",
                remedy=f"write 'c real' ({', '.join(_WORDS)}) or a range such as 'c>1' or '0<c<1'",
            )
    # a range of its own replaces "positive"; a relation that couples parameters only narrows it
    own = {s for r in relations if len(r.free_symbols) == 1 for s in r.free_symbols}
    used = sorted({s for r in relations for s in r.free_symbols}, key=lambda s: s.name)
    intervals = {s: Interval.real() if s in own else Interval.positive() for s in used}
    return Region.make({**intervals, **words}, constraints=relations)


def check_names(state: tuple[str, ...], free: list[str], declared: list[str], dimension: int) -> None:
    """Raise for a name that is taken, declared in vain, or meant as a number."""
    outputs = {f"{base}{i + 1}" for base in ("x", "xp") for i in range(dimension)} if dimension > 1 else set()
    for name in sorted(set(free) - set(declared)):
        if name.lower() in NO_NUMBERS:
            remedy = f"a parameter of that name needs --param '{name}>0'"
            raise InputError(f"'{name}' is no number here", place="drift or diffusion", remedy=remedy)
    for name in [*free, *declared]:
        if name in RESERVED or name in outputs:
            raise InputError(
                f"'{name}' is a reserved name", place="parameters", remedy="give the parameter another name"
            )
        if name in state:
            raise InputError(
                f"'{name}' is the state, not a parameter", place="--param", remedy="declare parameters only"
            )
    for name in state:
        if name in RESERVED and name != "x":
            raise InputError(f"'{name}' is a reserved name", place="--state", remedy="give the state another name")
    if unused := sorted(set(declared) - set(free)):
        raise InputError(
            f"'{unused[0]}' is declared but not used",
            place="--param",
            remedy=f"the parameters are {', '.join(free) or 'none'}",
        )


Schedules: TypeAlias = "str | Iterable[str] | Mapping[str, str]"


def read_schedules(let: Schedules) -> Definitions:
    """Functions of the time: ``"beta(t)=1/10+t/2"``, several such texts, or ``{"beta(t)": "1/10+t/2"}``."""
    if isinstance(let, Mapping):
        let = [f"{head}={body}" for head, body in let.items()]
    known: dict[str, Definition] = {}
    for text in [let] if isinstance(let, str) else let:
        name, definition = define(text, known, place="--let")
        known[name] = definition
    return known


def check_schedules(let: Schedules, known: Definitions, texts: object, state: Sequence[str]) -> None:
    """Raise for a schedule that nothing calls, or that is a function of the state."""
    bodies = list(let.values()) if isinstance(let, Mapping) else [let] if isinstance(let, str) else list(let)
    called = {word for text in _texts(texts) for word in identifiers(text)}
    for k, (name, definition) in enumerate(known.items()):
        for s in sorted(s.name for s in mentioned(definition.meaning)):
            if s in state and s != TIME.name:
                remedy = "a schedule holds t, parameters and numbers; write the state into the coefficients"
                raise InputError(f"'{s}' is the state, and {name} a function of the time", place="--let", remedy=remedy)
        later = {word for body in bodies[k + 1 :] for word in identifiers(body.split("=", 1)[-1])}
        if name not in called | later:
            remedy = f"write {name}(t) in a coefficient, or leave it out"
            raise InputError(f"'{name}' is defined but not used", place="--let", remedy=remedy)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)
