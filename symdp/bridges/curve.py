"""A proved Rényi curve as a function of orders in float64 that is never below it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from symdp.errors import InputError, Refused, Undefined, Undetermined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from symdp.bound import Bound
    from symdp.theorem import Theorem

    Floats = NDArray[np.float64]

#: The orders that dp_accounting takes by default.
ORDERS = (*(1 + x / 10 for x in range(1, 100)), *map(float, range(11, 64)), 128.0, 256.0, 512.0, 1024.0)
_DIGITS = 20


@dataclass(frozen=True, eq=False)
class RenyiCurve:
    """``curve(orders)`` are doubles at least the proved Rényi divergence at each order, both orders of every pair of
    neighbours; ``inf`` where nothing is proved.

    ``relation`` says who the neighbours are: "add/remove", "replace-one", or the words of the theorem, such as all
    starts at a distance. ``assumptions`` is what was taken for granted.
    """

    name: str
    relation: str
    assumptions: tuple[str, ...]
    values: Callable[[Floats], Floats]

    def __call__(self, orders: Any, steps: int = 1) -> Floats:
        """The curve of ``steps`` releases at an order or an array of orders, in its shape, rounded up.

        Orders below 1, where no divergence is promised, give inf; nan is an InputError, as is a count below 0.
        """
        try:
            asked = np.asarray(orders, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError("numbers expected", place="orders", remedy="give a number or a list of them") from None
        if np.isnan(asked).any():
            raise InputError("an order is nan", place="orders", remedy="give numbers of at least 1")
        flat = asked.ravel()
        found = np.full(flat.shape, np.inf)
        good = flat >= 1
        if good.any():
            found[good] = self.values(flat[good])
        return times(found, steps).reshape(asked.shape)

    def arrays(self, orders: Iterable[Any] = ORDERS, steps: int = 1) -> tuple[Floats, Floats]:
        """``(orders, rdp)`` as float64 arrays."""
        asked = np.array(list(orders), dtype=np.float64)
        return asked, self(asked, steps)


def times(values: Floats, steps: int) -> Floats:
    """``steps`` times the values, rounded up. No release costs nothing, also where the value is infinite."""
    if isinstance(steps, bool) or not isinstance(steps, int | np.integer) or not 0 <= steps <= 2**53:
        raise InputError(f"{steps} releases", place="steps", remedy="give a whole number from 0 to 2**53")
    if steps == 0:
        return np.zeros_like(values)
    with np.errstate(over="ignore"):  # infinity is above what no double holds
        return values.copy() if steps == 1 else upward(values * float(steps), values == 0)


def upward(values: Floats, exact: Any) -> Floats:
    """The next doubles, which are at least what was rounded to nearest; as they are where that was ``exact``."""
    return np.where(exact, values, np.nextafter(values, np.inf))


def sampled_gaussian_curve(q: Any, sigma: Any, sensitivity: Any = 1, relation: str = "add-remove") -> RenyiCurve:
    """The curve of the sampled Gaussian mechanism; arguments as those of ``renyi_upper``. Raises InputError."""
    from symdp.mechanisms.sampled_gaussian import inputs, renyi_upper

    inputs.point(q, sigma, 2, sensitivity)
    inputs.choice(relation, inputs.RELATIONS, "relation")
    said = {"add-remove": "add/remove"}.get(relation, relation)
    name = f"the sampled Gaussian mechanism (q = {q}, sigma = {sigma}, sensitivity {sensitivity})"
    return RenyiCurve(name, said, (), lambda orders: renyi_upper(q, sigma, orders, sensitivity, relation))


def rdp_curve(source: Bound | Theorem, values: Mapping[str, Any] | None = None, /, **named: Any) -> RenyiCurve:
    """The curve of a ``Bound``, or of a theorem that concludes Rényi, Gaussian or concentrated differential privacy.

    ``values``: every parameter, without alpha, as for ``Bound.evaluate`` with ``Delta``. Where the theorem does not
    reach an order the curve is inf. Raises InputError for values that are missing or not allowed, and for a source
    that says nothing about neighbours.
    """
    from symdp.bound import Bound
    from symdp.theorem import Theorem

    both = sorted(set(values or {}) & set(named))
    if both:
        raise InputError(f"{', '.join(both)} given twice", place="values", remedy="give each value once")
    given = {**(values or {}), **named}
    if "alpha" in given:
        raise InputError("alpha is what the curve is a function of", place="alpha", remedy="leave alpha out")
    if isinstance(source, Bound):
        return _of_bound(source, given)
    if isinstance(source, Theorem):
        return _of_theorem(source, given)
    raise InputError(
        f"a Bound or a Theorem expected, got {type(source).__name__}", place="source", remedy="give symdp.derive(...)"
    )


def _of_bound(bound: Bound, given: dict[str, Any]) -> RenyiCurve:
    from symdp.judgments import RenyiDP

    conclusion = bound.privacy.conclusion if bound.privacy is not None else None
    if not isinstance(conclusion, RenyiDP):
        reason = bound.found.derivation.missing
        raise InputError(
            f"no bound in Delta: {reason}", place="source", remedy="give a bound for all pairs at a distance"
        )
    if "Delta" not in given:
        raise InputError("no value of Delta", place="Delta", remedy="give the distance of neighbouring starts")
    bound.ask(given, need_alpha=False)

    def one(order: float) -> float:
        try:
            return float(bound.evaluate(given | {"alpha": order}, digits=_DIGITS).upper_float())
        except (Refused, Undefined, Undetermined):  # nothing is proved at this order
            return math.inf

    return RenyiCurve(conclusion.statement(), conclusion.relation, bound.assumptions, _each(one))


def _of_theorem(theorem: Theorem, given: dict[str, Any]) -> RenyiCurve:
    from symdp.enclosure import enclose
    from symdp.judgments import GaussianDP, RenyiDP
    from symdp.judgments.privacy import ZCDP
    from symdp.rules.conditions import ALPHA
    from symdp.text import exact, symbol

    fact = theorem.conclusion
    if isinstance(fact, RenyiDP):
        value = fact.value
    elif isinstance(fact, GaussianDP):  # two Gaussians at distance mu are the worst pair
        value = fact.mu**2 / 2 * ALPHA
    elif isinstance(fact, ZCDP):
        value = fact.rho * ALPHA
    else:
        raise InputError(
            f"it concludes {type(fact).__name__}, which is no Rényi curve",
            place="source",
            remedy="give a theorem about RenyiDP, GaussianDP or ZCDP",
        )
    region = theorem.region
    needed = [relation for item in theorem.hypotheses for relation in item.under]
    if region is not None and needed:
        region = region.intersect(needed)
    free = value.free_symbols | set(region.symbols if region is not None else ())
    names = sorted(s.name for s in free if s != ALPHA)
    if missing := [name for name in names if name not in given]:
        raise InputError(f"no value of {', '.join(missing)}", place="values", remedy="give every parameter")
    if unknown := sorted(set(given) - set(names)):
        known = f"it speaks of {', '.join(names)}" if names else "it has no parameters"
        raise InputError(f"{', '.join(unknown)} is not in the theorem", place="values", remedy=known)
    at = {symbol(name): exact(number, place=name) for name, number in given.items()}

    def one(order: float) -> float:
        point = at | {ALPHA: exact(order)}
        if region is not None and region.contains({s: point[s] for s in region.symbols}) is not True:
            return math.inf
        return float(enclose(value, point, _DIGITS).upper_float())

    return RenyiCurve(fact.statement(), fact.relation, theorem.assumptions, _each(one))


def _each(one: Callable[[float], float]) -> Callable[[Floats], Floats]:
    """Order by order, each once; above 1 and finite, since that is where theorems speak."""
    known: dict[float, float] = {}

    def values(orders: Floats) -> Floats:
        for order in map(float, orders):
            if order not in known:
                known[order] = max(0.0, one(order)) if 1 < order < math.inf else math.inf
        return np.array([known[float(order)] for order in orders], dtype=np.float64)

    return values
