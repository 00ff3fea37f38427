"""A diffusion ``dX = u dt + v dW`` as the user states it: drift, diffusion matrix, state, domain and parameters, all
exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sympy import Add, Expr, Matrix, Pow, Symbol, oo, sqrt

from symdp import codec
from symdp.decide import is_zero
from symdp.errors import InputError
from symdp.region import Interval, Region
from symdp.text import (
    Parsed,
    Relation,
    adopt,
    identifiers,
    parse_matrix,
    parse_relations,
    parse_vector,
    symbol,
    to_text,
)
from symdp.text.names import FUNCTIONS_OF_SEVERAL

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


@codec.register
@dataclass(frozen=True, init=False, repr=False)
class Diffusion:
    """The Ito diffusion ``dX = u(X) dt + v(X) dW`` in R^d, driven by m Brownian motions.

    ``drift``: d components; ``diffusion``: d rows of m entries; as text (components by commas, rows by semicolons) or
    as sympy
    expressions over :func:`symdp.text.symbol`. ``state``: the names of the coordinates (default ``x``, in R^d ``x1,
    x2, ...``).
    ``domain``: relations such as ``"x>0"``; a closed end (``x>=0``) reflects, an open one must be unattainable.
    ``params``: declarations such as ``"c real, 0<q<1"``; a parameter that is not declared is positive.

    Raises :class:`InputError` for shapes that do not match, unknown or reserved names, an empty domain and a
    diffusion that is
    identically zero.
    """

    drift: tuple[Expr, ...]
    diffusion: tuple[tuple[Expr, ...], ...]
    state: tuple[Symbol, ...]
    domain: Region
    params: Region
    conditions: tuple[Relation, ...]

    def __init__(
        self,
        drift: Vector,
        diffusion: Vector | Sequence[Sequence[Coefficient]],
        state: str | Sequence[str | Symbol] | None = None,
        domain: str | Region | None = None,
        params: str | Iterable[str] | Mapping[str, str] | Region = (),
        conditions: Sequence[Relation] = (),
    ) -> None:
        u = _vector(drift, "drift")
        v = _matrix(diffusion, len(u), "diffusion")
        names = _state(state, len(u), [*u, *(e for row in v for e in row)])
        _check_shapes(u, v)
        coordinates = tuple(symbol(name) for name in names)
        region = _domain(domain, coordinates)
        parsed = [*u, *(e for row in v for e in row)]
        free = sorted({s.name for p in parsed for s in _symbols(p)} - set(names))
        declared = params if isinstance(params, Region) else _declared(params)
        _check_names(names, free, [s.name for s in declared.symbols], len(u))
        intervals = {symbol(name): Interval.positive() for name in free}
        intervals |= {s: declared.interval(s) for s in declared.symbols}
        values: dict[str, object] = {
            "drift": tuple(p.expr for p in u),
            "diffusion": tuple(tuple(p.expr for p in row) for row in v),
            "state": coordinates,
            "domain": region,
            "params": Region.make(intervals, constraints=declared.constraints),
            "conditions": tuple(dict.fromkeys([*conditions, *(c for p in parsed for c in p.conditions)])),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        if all(is_zero(e, self.interior) for row in self.diffusion for e in row):
            raise InputError(
                "the diffusion is identically zero", place="diffusion", remedy="without noise there is no privacy bound"
            )

    def __repr__(self) -> str:
        return f"Diffusion({self.equation()!r})"

    @property
    def dimension(self) -> int:
        """The number d of coordinates."""
        return len(self.state)

    @property
    def u(self) -> Matrix:
        """The drift as a column."""
        return Matrix(list(self.drift))

    @property
    def noise(self) -> Matrix:
        """``v v^T``, d by d."""
        v = Matrix([list(row) for row in self.diffusion])
        return v * v.T

    @property
    def v(self) -> Expr:
        """The scalar diffusion coefficient of a one-dimensional process; several Brownian motions add up to one."""
        (row,) = self.diffusion
        return row[0] if len(row) == 1 else sqrt(Add(*[e**2 for e in row]))

    @property
    def region(self) -> Region:
        """Domain times parameters."""
        return self.params.extend({s: self.domain.interval(s) for s in self.state})

    @property
    def interior(self) -> Region:
        """The domain without its ends, times the parameters."""
        opened = {s: Interval(d.lower, d.upper, False, False) for s in self.state for d in [self.domain.interval(s)]}
        return self.params.extend(opened)

    @property
    def whole_space(self) -> bool:
        """Whether the domain is R^d."""
        return all(self.domain.interval(s) == Interval.real() for s in self.state)

    def at(self, values: Mapping[Symbol, Expr]) -> Diffusion:
        """The same diffusion with the parameters in ``values`` put in."""
        mapping = {s: value for s, value in values.items() if s in self.params.symbols}
        intervals = {s: self.params.interval(s) for s in self.params.symbols if s not in mapping}
        return Diffusion(
            tuple(e.xreplace(mapping) for e in self.drift),
            tuple(tuple(e.xreplace(mapping) for e in row) for row in self.diffusion),
            self.state,
            self.domain,
            Region.make(intervals, constraints=[c.subs(mapping) for c in self.params.constraints]),
            [r for r in (c.subs(mapping) for c in self.conditions) if r.truth() is not True],
        )

    def equation(self) -> str:
        """``dX = ... dt + ... dW`` as one line."""
        u = ", ".join(to_text(e) for e in self.drift)
        v = "; ".join(", ".join(to_text(e) for e in row) for row in self.diffusion)
        head = f"d{self.state[0].name}" if self.dimension == 1 else "d(" + ", ".join(s.name for s in self.state) + ")"
        wrap = (lambda s: f"({s})") if self.dimension > 1 else (lambda s: s)
        return f"{head} = {wrap(u)} dt + {wrap(v)} dW"


def _symbols(parsed: Parsed) -> set[Symbol]:
    """Every name of the text as typed, also one that cancelled: ``0*y`` still mentions y."""
    return set(parsed.expr.free_symbols).union(*(c.expr.free_symbols for c in parsed.conditions), set())


LARGEST_EXPONENT = 24
"""The largest power of a sum or of a function that a coefficient may hold: derivatives of larger ones do not end."""
LARGEST_COEFFICIENT = 1500
"""The most operations of a coefficient."""


def _parsed(value: Coefficient | Parsed, place: str) -> Parsed:
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


def _vector(value: Vector, place: str) -> tuple[Parsed, ...]:
    if isinstance(value, str):
        return tuple(_parsed(p, place) for p in parse_vector(value, place=place))
    if hasattr(value, "tolist") and not isinstance(value, Expr):
        value = value.tolist()
    if isinstance(value, (list, tuple, Matrix)):
        return tuple(p for item in value for p in _vector(item, place))
    return (_parsed(value, place),)


def _matrix(value: Vector | Sequence[Sequence[Coefficient]], rows: int, place: str) -> tuple[tuple[Parsed, ...], ...]:
    if isinstance(value, str):
        return tuple(tuple(_parsed(e, place) for e in row) for row in parse_matrix(value, place=place))
    if hasattr(value, "tolist") and not isinstance(value, Expr):
        value = value.tolist()  # type: ignore[union-attr]
    if isinstance(value, (list, tuple)) and value and all(isinstance(row, (list, tuple)) for row in value):
        return tuple(_vector(row, place) for row in value)  # type: ignore[arg-type]
    flat = _vector(value, place)  # type: ignore[arg-type]
    return tuple((p,) for p in flat) if rows > 1 and len(flat) == rows else (flat,)


def _state(state: str | Sequence[str | Symbol] | None, dimension: int, parsed: list[Parsed]) -> tuple[str, ...]:
    used = {s.name for p in parsed for s in _symbols(p)}
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


def _check_shapes(u: tuple[Parsed, ...], v: tuple[tuple[Parsed, ...], ...]) -> None:
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


def _domain(domain: str | Region | None, coordinates: tuple[Symbol, ...]) -> Region:
    if isinstance(domain, Region):
        return domain
    relations = parse_relations(domain, place="--domain", names=[s.name for s in coordinates]) if domain else ()
    region = Region.from_relations(relations, coordinates)
    if region.constraints:
        raise InputError(
            f"'{region.constraints[0]}' is not an end of one coordinate",
            place="--domain",
            remedy="a domain is an interval in each coordinate, such as x>0 or 0<x<1, with constant ends",
        )
    return region


def _declared(params: str | Iterable[str] | Mapping[str, str]) -> Region:
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
    mentioned = sorted({s for r in relations for s in r.free_symbols}, key=lambda s: s.name)
    intervals = {s: Interval.real() if s in own else Interval.positive() for s in mentioned}
    return Region.make({**intervals, **words}, constraints=relations)


def _check_names(state: tuple[str, ...], free: list[str], declared: list[str], dimension: int) -> None:
    outputs = {f"{base}{i + 1}" for base in ("x", "xp") for i in range(dimension)} if dimension > 1 else set()
    if "t" in free:
        raise InputError(
            "'t' is the time, and time-dependent coefficients are not built yet",
            place="drift or diffusion",
            remedy="name the parameter otherwise, or use coefficients that do not depend on time",
        )
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
