"""A diffusion ``dX = u dt + v dW`` as the user states it: drift, diffusion matrix, state, domain and parameters, all
exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from sympy import Add, Expr, Integer, Matrix, Symbol, sqrt

from symdp import codec
from symdp.decide import Proved, decide, is_zero
from symdp.diffusion.periods import Periods, read_periods, split_periods
from symdp.diffusion.stated import (
    TIME,
    Coefficient,
    Schedules,
    Vector,
    check_names,
    check_schedules,
    check_shapes,
    mentioned,
    read_domain,
    read_matrix,
    read_parameters,
    read_schedules,
    read_state,
    read_vector,
)
from symdp.errors import InputError
from symdp.region import Interval, Region
from symdp.text import Relation, symbol, to_text


@lru_cache(maxsize=256)
def _turned(noise: Expr, region: Region) -> Expr:
    """``-noise`` where that is proved to be positive."""
    opposite = -noise
    return opposite if isinstance(decide(Relation(opposite, ">"), region), Proved) else noise


@codec.register
@dataclass(frozen=True, init=False, repr=False)
class Diffusion:
    """The Ito diffusion ``dX = u(t, X) dt + v(t, X) dW`` in R^d, driven by m Brownian motions.

    ``drift``: d components; ``diffusion``: d rows of m entries; as text (components by commas, rows by semicolons) or
    as sympy expressions over :func:`symdp.text.symbol`. ``state``: the names of the coordinates (default ``x``, in R^d
    ``x1, x2, ...``). ``domain``: relations such as ``"x>0"``; a closed end (``x>=0``) reflects, an open one must be
    unattainable; ``"x mod 2*pi"`` makes the coordinate run round a circle of that length (``periods`` for
    coordinates and lengths that are sympy's already). ``params``: declarations such as ``"c real, 0<q<1"``; a
    parameter that is not declared is positive.

    ``t`` in a coefficient is the time, which starts at 0; ``t<=1`` in ``domain`` ends it. ``let``: named functions of
    the time for texts to call, ``{"beta(t)": "1/10+t/2"}`` or ``"beta(t)=1/10+t/2"``, one or several.

    Raises :class:`InputError` for shapes that do not match, unknown or reserved names, an empty domain, a schedule
    that is not used and a diffusion that is identically zero.
    """

    drift: tuple[Expr, ...]
    diffusion: tuple[tuple[Expr, ...], ...]
    state: tuple[Symbol, ...]
    domain: Region
    params: Region
    conditions: tuple[Relation, ...]
    periods: Periods = field(metadata=codec.OPTIONAL)
    """The coordinates that are seen modulo a length; ``domain`` holds all real numbers for them: the angles."""
    homogeneous: bool = field(init=False, compare=False)
    """Whether no coefficient, as it was typed, depends on the time."""

    def __init__(
        self,
        drift: Vector,
        diffusion: Vector | Sequence[Sequence[Coefficient]],
        state: str | Sequence[str | Symbol] | None = None,
        domain: str | Region | None = None,
        params: str | Iterable[str] | Mapping[str, str] | Region = (),
        conditions: Sequence[Relation] = (),
        periods: Periods = (),
        *,
        let: Schedules = (),
    ) -> None:
        let = let if isinstance(let, (str, Mapping)) else tuple(let)
        schedules = read_schedules(let)
        u = read_vector(drift, "drift", schedules)
        v = read_matrix(diffusion, len(u), "diffusion", schedules)
        parsed = [*u, *(e for row in v for e in row)]
        names = read_state(state, len(u), parsed)
        check_shapes(u, v)
        check_schedules(let, schedules, (drift, diffusion), names)
        coordinates = tuple(symbol(name) for name in names)
        relations, lengths = split_periods(domain, coordinates) if isinstance(domain, str) else (domain, {})
        rounds = read_periods(periods, lengths, coordinates)
        parsed += lengths.values()
        free = sorted(
            {s.name for p in parsed for s in mentioned(p)}.union(s.name for _, e in rounds for s in e.free_symbols)
            - {*names, TIME.name}
        )
        declared = params if isinstance(params, Region) else read_parameters(params)
        check_names(names, free, [s.name for s in declared.symbols], len(u))
        intervals = {symbol(name): Interval.positive() for name in free}
        intervals |= {s: declared.interval(s) for s in declared.symbols}
        conditions = tuple(dict.fromkeys([*conditions, *(c for p in parsed for c in p.conditions)]))
        in_time = any(TIME in e.free_symbols for e in (*(p.expr for p in parsed), *(c.expr for c in conditions)))
        values: dict[str, object] = {
            "drift": tuple(p.expr for p in u),
            "diffusion": tuple(tuple(p.expr for p in row) for row in v),
            "state": coordinates,
            "domain": read_domain(relations, coordinates, in_time=in_time),
            "params": Region.make(intervals, constraints=declared.constraints),
            "conditions": conditions,
            "periods": rounds,
            "homogeneous": not in_time,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        for s, _ in rounds:
            if self.domain.interval(s) != Interval.real():
                remedy = "give it a period or ends, not both"
                raise InputError(f"'{s}' runs round a circle and has an end", place="--domain", remedy=remedy)
        if all(is_zero(e, self.interior) for row in self.diffusion for e in row):
            raise InputError(
                "the diffusion is identically zero", place="diffusion", remedy="without noise there is no privacy bound"
            )

    def __repr__(self) -> str:
        rounds = [f"{s} mod {to_text(length)}" for s, length in self.periods]
        return f"Diffusion({', '.join(map(repr, [self.equation(), *rounds]))})"

    @property
    def dimension(self) -> int:
        """The number d of coordinates."""
        return len(self.state)

    @property
    def times(self) -> Interval:
        """The times after the start, which is at 0."""
        return self.domain.interval(TIME) if TIME in self.domain.symbols else Interval.positive()

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
        """The scalar diffusion coefficient of a one-dimensional process; several Brownian motions add up to one.

        ``-W`` is a Brownian motion too: where the noise as it was typed is seen to be negative, this is minus it.
        """
        (row,) = self.diffusion
        return _turned(row[0], self.interior) if len(row) == 1 else sqrt(Add(*[e**2 for e in row]))

    @property
    def region(self) -> Region:
        """Domain times parameters and, where coefficients depend on the time, times."""
        return self._with_times({s: self.domain.interval(s) for s in self.state})

    @property
    def interior(self) -> Region:
        """The domain without its ends, times the parameters and, where coefficients depend on them, the times."""
        opened = {s: Interval(d.lower, d.upper, False, False) for s in self.state for d in [self.domain.interval(s)]}
        return self._with_times(opened)

    def _with_times(self, box: dict[Symbol, Interval]) -> Region:
        return self.params.extend(box if self.homogeneous else box | {TIME: self.times})

    @property
    def whole_space(self) -> bool:
        """Whether the domain is R^d."""
        return not self.periods and all(self.domain.interval(s) == Interval.real() for s in self.state)

    @property
    def unrolled(self) -> Diffusion:
        """The same coefficients with every coordinate on a line, where they need no parameter that only a period has:
        this process is what is seen of that one.
        """
        entries = (*self.drift, *(e for row in self.diffusion for e in row), *(c.expr for c in self.conditions))
        params = self._params_of(entries)
        return Diffusion(self.drift, self.diffusion, self.state, self.domain, params, self.conditions)

    def coordinate(self, i: int) -> Diffusion:
        """The i-th coordinate, counted from 0, with its own coefficients as one-dimensional ones: where they depend on
        no other coordinate, it is a diffusion by itself.
        """
        s, row = self.state[i], tuple(e for e in self.diffusion[i] if e != 0) or (Integer(0),)
        others = {*self.state} - {s}
        periods = tuple((t, length) for t, length in self.periods if t == s)
        conditions = [c for c in self.conditions if not c.free_symbols & others]
        entries = (self.drift[i], *row, *(c.expr for c in conditions), *(length for _, length in periods))
        domain = Region(tuple((t, d) for t, d in self.domain.intervals if t not in others))
        return Diffusion((self.drift[i],), (row,), (s,), domain, self._params_of(entries), conditions, periods)

    def _params_of(self, entries: Iterable[Expr]) -> Region:
        """What is declared of the parameters in some expressions."""
        used = {s for e in entries for s in e.free_symbols}
        kept = {s: self.params.interval(s) for s in self.params.symbols if s in used}
        return Region.make(kept, [c for c in self.params.constraints if c.free_symbols <= used])

    @property
    def space(self) -> str:
        """The domain as text that ``domain`` takes; "" for R^d."""
        rounds = [f"{s} mod {to_text(length)}" for s, length in self.periods]
        return ", ".join([*rounds, *filter(None, [self.domain.to_text()])])

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
            tuple((s, length.xreplace(mapping)) for s, length in self.periods),
        )

    def equation(self) -> str:
        """``dX = ... dt + ... dW`` as one line."""
        u = ", ".join(to_text(e) for e in self.drift)
        v = "; ".join(", ".join(to_text(e) for e in row) for row in self.diffusion)
        head = f"d{self.state[0].name}" if self.dimension == 1 else "d(" + ", ".join(s.name for s in self.state) + ")"
        several = self.dimension > 1
        u = f"({u})" if several or self.drift[0].is_Add else u
        v = f"({v})" if several or len(self.diffusion[0]) > 1 or v.startswith("-") or self.diffusion[0][0].is_Add else v
        return f"{head} = {u} dt + {v} dW"
