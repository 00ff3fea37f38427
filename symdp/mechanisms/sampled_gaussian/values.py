"""One value with the digits asked for proved: exact cases first, then the cheapest method at a rising precision."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath
from flint import arb

from symdp.ball import Enclosure, arb_of, bits_for, from_arb, working_precision
from symdp.errors import InputError, Undetermined
from symdp.mechanisms.sampled_gaussian import inputs, integer, plateau, reference, series, trapezoid
from symdp.mechanisms.sampled_gaussian.choose import METHODS, ROUNDS, Problem, costs, deeper, kind_of, log_size

_SMALL_SIGMA = Fraction(1, 12)  # the plateau bounds are worth a try below


@dataclass(frozen=True, slots=True)
class Value:
    """A Rényi divergence and its log moment ``(alpha-1) R``, how they were found, and from how many nodes or terms."""

    renyi: Enclosure
    log_moment: Enclosure
    method: str
    nodes: int


def evaluate(
    q: Any,
    sigma: Any,
    alpha: Any,
    digits: int = 50,
    *,
    direction: str = "forward",
    relation: str = "add-remove",
    sensitivity: Any = 1,
    method: str | None = None,
) -> Value:
    """The divergence of order ``alpha`` with ``digits`` proved digits; see ``renyi`` for the arguments.

    Raises InputError for bad arguments and for a method that does not cover them, Undetermined if the work would be
    beyond bounds.
    """
    point = inputs.point(q, sigma, alpha, sensitivity)
    wanted = inputs.digits_asked(digits)
    kind = kind_of(direction, relation)
    if method is not None:
        inputs.choice(method, METHODS, "method")
    exact = _exact(kind, point, wanted)
    if exact is not None:
        return exact
    assert point.alpha is not None
    problem = Problem(kind, point.q, point.sigma, point.alpha)
    if method is not None and not problem.allows(method):
        raise InputError(
            f"{method} does not cover this direction, relation or order", place="method", remedy="leave the method out"
        )
    return _search(problem, wanted, method)


def renyi(
    q: Any,
    sigma: Any,
    alpha: Any,
    digits: int = 50,
    direction: str = "forward",
    relation: str = "add-remove",
    sensitivity: Any = 1,
    method: str | None = None,
    engine: str = "arb",
) -> Any:
    """The Rényi divergence of the sampled Gaussian mechanism, enclosed with ``digits`` proved digits.

    ``q`` is the sampling rate, ``sigma`` the standard deviation of the noise, ``alpha`` the order (>= 1, or "inf"),
    all exact: a float is the double it is, text a decimal or a fraction. With ``s = sigma/sensitivity``,
    ``mu0 = N(0, s^2)`` and ``mu = (1-q) mu0 + q N(1, s^2)``, forward is ``R(mu||mu0) = log A/(alpha-1)``, reverse
    ``R(mu0||mu) = log B/(alpha-1)``, and both is the larger: forward, since A >= B (Mironov, Talwar and Zhang 2019,
    Corollary 7). ``sensitivity`` bounds the norm of one record's contribution.

    replace-one: a record at u against one at u', ``|u|, |u'| <= 1``, nothing when it is not sampled. The value is
    that of ``mu`` against its mirror image, the worst pair in any dimension: for a set S with ``mu0(S) = m`` and
    ``c >= 0``, ``P(S) - c P'(S) = (1-q)(1-c) m + q (N_u(S) - c N_u'(S))``, where by Neyman and Pearson ``N_u(S)`` is
    at most and ``N_u'(S)`` at least its value for a half-space of the same m orthogonal to u, u'; for opposite unit
    vectors one half-space attains both. So that pair has the largest hockey-stick divergence for every c, and with it
    every f-divergence.

    ``method`` forces "integer", "series" (both forward only), "trapezoid" or "plateau". ``engine="mpmath"`` gives an
    mpf from independent code, without proof. Returns an ``Enclosure`` otherwise. Raises InputError, Undetermined.
    """
    if inputs.choice(engine, ("arb", "mpmath"), "engine") == "mpmath":
        point = inputs.point(q, sigma, alpha, sensitivity)
        return reference.renyi(kind_of(direction, relation), point, inputs.digits_asked(digits))
    return evaluate(
        q, sigma, alpha, digits, direction=direction, relation=relation, sensitivity=sensitivity, method=method
    ).renyi


def log_moment(
    q: Any,
    sigma: Any,
    alpha: Any,
    digits: int = 50,
    direction: str = "forward",
    relation: str = "add-remove",
    sensitivity: Any = 1,
    method: str | None = None,
) -> Enclosure:
    """``log A`` (or ``log B``), that is ``(alpha-1) R``, with ``digits`` proved digits; arguments as for ``renyi``."""
    return evaluate(
        q, sigma, alpha, digits, direction=direction, relation=relation, sensitivity=sensitivity, method=method
    ).log_moment


def _exact(kind: str, point: inputs.Point, digits: int) -> Value | None:
    """The values that need no integral."""
    bits = bits_for(digits) + 16
    zero, infinity = Enclosure(0, 0), Enclosure(mpmath.inf, mpmath.inf)
    if point.q == 0:
        return Value(zero, zero, "exact", 0)
    if point.alpha is None:
        if kind != "reverse" or point.q == 1:
            return Value(infinity, infinity, "exact", 0)
        with working_precision(bits + 8):
            return Value(from_arb(-arb_of(-point.q).log1p()), infinity, "exact", 0)
    if point.q == 1:
        value = point.alpha * point.gaussian_rate(kind)
        moment = (point.alpha - 1) * value
        return Value(Enclosure.from_fraction(value, bits), Enclosure.from_fraction(moment, bits), "exact", 0)
    return None


def _search(problem: Problem, digits: int, method: str | None) -> Value:
    bits = bits_for(digits) + 1
    need = bits * math.log(2)
    if method == "plateau" or (method is None and problem.sigma < _SMALL_SIGMA):
        found = _plateau(problem, bits)
        if found is not None:
            return found
        if method == "plateau":
            raise Undetermined(f"the plateau bounds do not prove {digits} digits here: sigma is not small enough")
    depth = max(need - log_size(problem) + 1, 4.0)
    spent = 0.0
    for _ in range(ROUNDS):
        chosen = method or _cheapest(problem, need, depth)
        spent += costs(problem, need if chosen == "integer" else depth)[chosen]
        if spent > trapezoid.MOST_WORK:
            raise Undetermined(
                f"{digits} digits would take about {spent / 1e6:.0f} s of {chosen}: ask for fewer digits"
            )
        moment, value, nodes = _compute(problem, chosen, need if chosen == "integer" else depth)
        got = value.rel_accuracy_bits()
        if got >= bits:
            return Value(from_arb(value), from_arb(moment), chosen, nodes)
        depth = deeper(depth, bits, got)
    raise Undetermined(f"{digits} digits were not proved in {ROUNDS} rounds")


def _cheapest(problem: Problem, need: float, depth: float) -> str:
    if problem.allows("integer") and problem.alpha <= 64:
        return "integer"
    found = costs(problem, depth)
    if "integer" in found:
        found["integer"] = costs(problem, need)["integer"]
    return min(found, key=found.__getitem__)


def _plateau(problem: Problem, bits: int) -> Value | None:
    size = 2 * math.log2(float(problem.alpha)) + 2 * abs(math.log2(float(problem.sigma)))
    with working_precision(bits + math.ceil(size + max(0.0, -log_size(problem) / math.log(2))) + 64):
        if problem.alpha == 1:
            value = plateau.kullback_leibler(problem.kind, problem.q, problem.sigma)
            moment = arb(0)
        else:
            moment = plateau.log_moment(problem.kind, problem.q, problem.sigma, problem.alpha)
            value = moment / arb_of(problem.alpha - 1)
        if not value.is_finite() or value.rel_accuracy_bits() < bits:
            return None
        return Value(from_arb(value), from_arb(moment), "plateau", 0)


def _compute(problem: Problem, method: str, depth: float) -> tuple[arb, arb, int]:
    """Balls around the log moment and the divergence, and the nodes or terms they took."""
    bits = math.ceil(depth / math.log(2)) + 64
    if problem.alpha == 1:
        found = trapezoid.moments(problem.integrand, depth, weighted=True, pair=problem.kind == "replace-one")
        with working_precision(bits):
            return arb(0), -found.weighted if problem.kind == "reverse" else found.weighted, found.nodes
    if method == "integer":
        whole = int(problem.alpha)
        excess, nodes = integer.excess(problem.q, problem.sigma, whole, bits - 48), whole - 1
        with working_precision(bits):
            moment = excess.log1p()
    elif method == "series":
        moment = series.moment(problem.q, problem.sigma, problem.alpha, depth)
        nodes = series.terms(problem.alpha, depth)
    else:
        found = trapezoid.moments(problem.integrand, depth)
        moment, nodes = found.plain, found.nodes
    size = math.ceil(2 * math.log2(2 + float(problem.alpha) / float(problem.sigma)))
    with working_precision(bits + size):
        if method != "integer":
            moment = moment.log()
        return moment, moment / arb_of(problem.alpha - 1), nodes
