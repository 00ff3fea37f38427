"""Removable singularities: the value of an expression by continuity, where the expression itself is 0/0.

Used only after plain evaluation met a division by an exact zero. Near the point the vanishing expression is made the
coordinate: one symbol s is replaced by ``L + eps``, where ``s = L(the other symbols)`` is the set on which it vanishes.
A sub-expression around the singularity whose Laurent series in eps has no negative powers has a limit there, its
constant coefficient. The other symbols stay symbolic, and a coefficient counts as zero only if it is zero identically,
so the sub-expression is continuous in all symbols together and its value there is the limit from every side.

A square root of the vanishing expression is admitted when the sub-expression is even in it (``eps**2`` is then the
coordinate). Everything else is refused: nothing is guessed from one direction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy
from flint import fmpq
from sympy import Dummy, Expr, S, Symbol

from symdp.ball import working_precision
from symdp.enclosure import real
from symdp.enclosure.expansion import Expansion
from symdp.enclosure.locus import Locus, loci
from symdp.enclosure.series import Algebra, Refusal, Series, Short
from symdp.enclosure.tape import compile_tape
from symdp.enclosure.zero import affordable, is_exact_zero
from symdp.errors import Undefined

_TERMS = (3, 5, 9, 17, 33)
_TEST_BITS = (128, 1024, 8192)

Point = Mapping[Symbol, Expr]


class _At:
    """Decides whether a coefficient vanishes identically, or what sign it has at the point."""

    def __init__(self, point: Point) -> None:
        self.point = point
        self.signs: dict[Expr, int] = {}
        self.regular: set[Expr] = set()

    def sign(self, coefficient: Expr) -> int:
        if coefficient not in self.signs:
            self.signs[coefficient] = self._sign(coefficient)
        return self.signs[coefficient]

    def check(self, part: Expr) -> None:
        """Refusal if a part that is not expanded has no value at the point."""
        if part not in self.regular and not part.is_Rational:
            next(self._values(part))
        self.regular.add(part)

    def _values(self, part: Expr) -> Iterator[Any]:
        tape, unsure = compile_tape(part, self.point), True
        for bits in _TEST_BITS:
            with working_precision(bits):
                try:
                    value = real.run(tape)
                except real.Unsure:
                    continue
                except (real.Singular, Undefined) as error:
                    raise Refusal(f"another part of the expression is singular here: {error}") from None
            unsure = False
            yield value
        if unsure:
            raise Refusal(f"it is not decided whether {real.text(part)} has a value here")

    def _sign(self, coefficient: Expr) -> int:
        if coefficient == 0:
            return 0
        for value in self._values(coefficient):
            if value > 0 or value < 0:
                return 1 if value > 0 else -1
            if is_exact_zero(coefficient):
                return 0
            if isinstance(value, fmpq) or value.is_zero():
                break
        raise Refusal(f"{real.text(coefficient)} vanishes here but not near here, so the limit depends on the way")


def extensions(expr: Expr, singular: real.Singular, point: Point) -> Iterator[tuple[Expr, dict[Symbol, Expr]]]:
    """Ways to write ``expr`` with one removable part replaced by a new symbol, and the point with its value there.

    The smallest part comes first. What is around it has to be continuous in the new symbol as a variable of its own, so
    nothing is lost when the part varies together with the rest. Raises Undefined for a pole and, after the last way,
    Refusal.
    """
    reason = "nothing can be moved there"
    for locus in loci(singular.zero, point):
        parts = list(_parts(expr, singular.node, set(locus.moved)))
        for squared in (0, 1, -1):
            for part, outcome in _along(parts, locus, squared, point):
                if isinstance(outcome, str):
                    # that the root is of a negative number on the other side is no news
                    reason = outcome if not squared or "negative" not in outcome else reason
                    continue
                if not affordable(outcome, point):
                    reason = "the limit is too large to be written out"
                    continue
                value = Dummy("limit", real=True)
                inside = part.whole.func(value, *part.rest) if part.rest else value
                yield expr.xreplace({part.whole: inside}), {**point, value: outcome.xreplace(dict(point))}
    raise Refusal(f"no limit is proved for {real.text(singular.node)}: {reason}")


def _along(parts: list[_Part], locus: Locus, squared: int, point: Point) -> Iterator[tuple[_Part, Expr | str]]:
    """Each part with its limit, or with the reason for a refusal; Undefined for a pole of the last (the whole)."""
    base = [locus.limit, S.One] if not squared else [locus.limit, S.Zero, S(squared)]
    ground = _At({symbol: value for symbol, value in point.items() if symbol not in locus.moved})
    walks: list[Expansion] = []
    for terms in _TERMS:
        algebra = Algebra(ground, terms, squared=bool(squared))
        walks.append(Expansion(algebra, locus.symbol, algebra.make(0, base, True)))
    for part in parts:
        moved = part.expr.xreplace(locus.moved)
        try:
            series = _expanded(moved, walks)
            if any(ground.sign(series[k]) != 0 for k in range(series.start, 0)):
                if part is parts[-1]:
                    raise Undefined("division by zero: a pole")
                continue
            if squared and not _even(moved, locus, squared):
                raise Refusal(f"{real.text(part.expr)} is not even in the square root that vanishes")
            yield part, series[0]
        except Refusal as error:
            yield part, str(error)


def _expanded(moved: Expr, walks: list[Expansion]) -> Series:
    """The series with as many terms as its constant coefficient needs."""
    for walk in walks:
        try:
            series = walk(moved)
            series[0]
        except Short:
            continue
        return series
    raise Refusal(f"{_TERMS[-1]} terms of the expansion do not decide it")


def _even(moved: Expr, locus: Locus, squared: int) -> bool:
    """Whether ``moved`` is unchanged when the square root that vanishes changes its sign, proved as an identity."""
    delta, free = Dummy("delta", positive=True), Dummy("delta", real=True)
    near = moved.xreplace({locus.symbol: locus.limit + squared * delta**2})
    near = near.xreplace({p: sympy.expand(p.base) ** p.exp for p in near.atoms(sympy.Pow) if not p.exp.is_Integer})
    near = near.xreplace({delta: free})
    return is_exact_zero(near - near.xreplace({free: -free}))


@dataclass(frozen=True, slots=True)
class _Part:
    """The terms or factors of ``whole`` that move (``expr``) and the others (``rest``)."""

    expr: Expr
    whole: Expr
    rest: tuple[Expr, ...] = ()


def _parts(expr: Expr, node: Expr, moved: set[Symbol]) -> Iterator[_Part]:
    """The sub-expressions around ``node``, from itself up to ``expr``."""
    for holder in dict.fromkeys(p for p in sympy.postorder_traversal(expr) if isinstance(p, Expr) and p.has(node)):
        if holder.is_Add or holder.is_Mul:
            active = [child for child in holder.args if child.free_symbols & moved]
            if 1 < len(active) < len(holder.args):
                rest = tuple(child for child in holder.args if child not in active)
                yield _Part(holder.func(*active), holder, rest)
        yield _Part(holder, holder)
