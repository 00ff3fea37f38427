"""The plain lemmas behind the closed form of the sampled Gaussian mechanism, each proved by rules.

The functions return theorems whose conclusion is an ``Inequality``; the relations that rules ask for are written down
there. The symbols are alpha (order), q (sampling rate), s (noise), u, v, x, y > 0 (densities), r (their ratio), w > -1.
"""

from __future__ import annotations

from functools import cache

from sympy import Expr, Integer, Rational, erfc, exp, log, sqrt

import symdp.rules  # noqa: F401  (registers the rules)
from symdp.region import Region
from symdp.rules.conditions import ALPHA
from symdp.rules.sampled_moments import domination, quadratic, steepness
from symdp.text import Relation, identifiers, parse, parse_relations, symbol
from symdp.theorem import Theorem, apply

Q, S, U, V, X, Y = map(symbol, ("q", "s", "u", "v", "x", "y"))
#: ``log r0``, and the conditions of Mironov, Talwar and Zhang's Theorem 11 as they are printed there.
LOG_RATIO = "log(1 + 1/(q*(alpha-1)))"
FOURTH = f"alpha <= s**2*{LOG_RATIO}/2 - 2*log(s)"
FIFTH = f"alpha <= (s**2*{LOG_RATIO}**2/2 - log(5) - 2*log(s))/({LOG_RATIO} + log(q*alpha) + 1/(2*s**2))"
CLOSED_FORM = f"0 < q <= 1/5, s >= 4, alpha > 1, {FOURTH}, {FIFTH}"
#: What is to be shown of logarithms: that the bound of the tail by Gaussian tails is below what is claimed.
LOGARITHMS = (
    "log(9/5) + 2*log(q) + log(alpha) + log(alpha-1) - 2*log(s) - alpha*(log(alpha) - log(alpha-1))"
    " + s**2*L**2/2 + L/2 + 1/(8*s**2) >= 0"
)


def _relation(text: str | Relation) -> Relation:
    return parse_relations(text, place="lemma")[-1] if isinstance(text, str) else text


def _where(text: str, free: str = "") -> Region:
    """The region of these relations; ``free``: further coordinates, any real numbers."""
    relations = parse_relations(text, place="lemma") if text else ()
    return Region.from_relations(relations, map(symbol, dict.fromkeys((*identifiers(text), *free.split()))))


def _decided(relation: str | Relation, where: Region) -> Theorem:
    return apply("inequality", relation=_relation(relation), region=where)


def _put(fact: Theorem, where: Region, *lemmas: Theorem, **values: str | Expr) -> Theorem:
    """Substitution of expressions for symbols, by name."""
    mapping = tuple((symbol(k), parse(v) if isinstance(v, str) else v) for k, v in values.items())
    return apply("substitution", fact, *lemmas, mapping=mapping, region=where)


def _sum(relation: str | Relation, where: Region, *terms: tuple[Expr, Theorem], exact: bool = True) -> Theorem:
    """The weighted sum of facts; where it is not ``exact`` there remains something of a sign."""
    weights, facts = zip(*terms, strict=True)
    claim = _relation(relation)
    return apply("combination", *facts, weights=weights, relation=claim, region=where, exact=exact)


def _cases(split: str, where: Region, first: Theorem, second: Theorem) -> Theorem:
    return apply("cases", first, second, split=_relation(split), region=where)


def _rising(function: str, where: Region) -> Theorem:
    """``function(y) >= function(x)`` for y >= x; the function is written in y."""
    f = parse(function)
    slope = _decided(Relation(f.diff(Y), ">="), where)
    return apply("increasing", slope, function=f, variable=Y, lower=X, upper=Y)


@cache
def rising_logarithm() -> Theorem:
    """``log(y) >= log(x)`` for y >= x > 0."""
    return _rising("log(y)", _where("y > 0"))


@cache
def rising_exponential() -> Theorem:
    """``exp(y) >= exp(x)`` for y >= x."""
    return _rising("exp(y)", _where("", "y"))


@cache
def bernoulli_quadratic() -> Theorem:
    """``(1+w)^alpha <= 1 + alpha w + alpha (alpha-1) w^2`` for alpha >= 1, w > -1, w (alpha-1) <= 1."""
    claim = "1 + alpha*w + alpha*(alpha-1)*w**2 >= (1+w)**alpha"
    where = _where("alpha > 2, w > 0, w*(alpha-1) <= 1")
    square = parse("(1+w)**2")
    power = _decided("exp(n*w) >= (1+w)**n", _where("n >= 0, w >= 0"))
    third = "1 + (alpha-2)*w + 3/4*((alpha-2)*w)**2"  # exp((alpha-2) w) is less, and (1+w)^(alpha-2) less than that
    large = _sum(
        claim,
        where,
        (square, _put(_exponential(), where, y="(alpha-2)*w")),
        (square, _put(power, where, n="alpha-2")),
        (Integer(1), _decided(f"1 + alpha*w + alpha*(alpha-1)*w**2 >= (1+w)**2*({third})", where)),
    )
    positive = _where("alpha >= 1, w > 0, w*(alpha-1) <= 1")
    small = _decided(claim, _where("alpha >= 1, alpha <= 2, w > 0, w*(alpha-1) <= 1"))
    negative = _decided(claim, _where("alpha >= 1, w > -1, w <= 0"))
    whole = _where("alpha >= 1, w > -1, w*(alpha-1) <= 1")
    return _cases("w <= 0", whole, negative, _cases("alpha <= 2", positive, small, large))


def _exponential() -> Theorem:
    """``exp(y) <= 1 + y + 3 y^2/4`` on [0, 1], for ``(1 + y + y^2/2 + y^3/4) exp(-y)`` increases there from 1."""
    where = _where("0 <= y <= 1")
    rising = _put(_rising("(1 + y + y**2/2 + y**3/4)*exp(-y)", where), where, x="0")
    return _sum("1 + y + 3/4*y**2 >= exp(y)", where, (exp(Y), rising), exact=False)


@cache
def pointwise_domination() -> Theorem:
    """``u (P/u)^alpha + v (Q/v)^alpha >= P (u/P)^alpha + Q (v/Q)^alpha`` for u, v > 0, 0 <= q <= 1, alpha > 1.

    P = (1-q) u + q v, Q = (1-q) v + q u. With ``Q = y v`` and ``u = w P`` the difference of the sides is
    ``q (u-v) (phi(y) - phi(w))`` for u > v, where y >= w > 1 and ``phi(y) = sinh((alpha - 1/2) log y)/sinh(log(y)/2)``
    increases in log y.
    """
    claim = domination()
    where = _where("u > 0, v > 0, u > v, 0 < q <= 1, alpha > 1")
    upper, lower = parse("((1-q)*v + q*u)/v"), parse("u/((1-q)*u + q*v)")
    phi = _rising("sinh(c*y)/sinh(y/2)", _where("c > 1/2, y > 0"))
    logs = _put(rising_logarithm(), where, x=lower, y=upper)
    grown = _put(phi, where, logs, c="alpha - 1/2", x=log(lower), y=log(upper))
    apart = _sum(claim, where, (Q * (U - V), grown))
    ordered = _where("u > 0, v > 0, u >= v, 0 <= q <= 1, alpha > 1")
    unmixed = _equal(claim, _where("u > 0, v > 0, u > v, q == 0, alpha > 1"), q="0")
    equal = _equal(claim, _where("u > 0, v > 0, u >= v, u <= v, 0 <= q <= 1, alpha > 1"), u="v")
    apart = _cases("q > 0", _where("u > 0, v > 0, u > v, 0 <= q <= 1, alpha > 1"), apart, unmixed)
    half = _cases("u > v", ordered, apart, equal)
    other = _put(half, _where("u > 0, v > 0, v >= u, 0 <= q <= 1, alpha > 1"), u="v", v="u")
    return _cases("u >= v", _where("u > 0, v > 0, 0 <= q <= 1, alpha > 1"), half, other)


def _equal(claim: Relation, where: Region, **values: str) -> Theorem:
    """The claim where symbols have known values."""
    mapping = tuple((symbol(k), parse(v)) for k, v in values.items())
    fact = _decided(claim.subs(dict(mapping)), where)
    return apply("replacement", fact, mapping=mapping, relation=claim, region=where)


@cache
def quadratic_bound() -> Theorem:
    """``x ((1-q) + q y/x)^alpha + y ((1-q) + q x/y)^alpha <= x + y + q^2 alpha (alpha-1) (x^2/y + y^2/x - x - y)``
    for x, y > 0, 0 < q <= 1, alpha > 1 and x/y, y/x <= 1 + 1/(q (alpha-1)).
    """
    where = _where("x > 0, y > 0, 0 < q <= 1, alpha > 1, x/y <= 1 + 1/(q*(alpha-1)), y/x <= 1 + 1/(q*(alpha-1))")
    first, second = (_put(bernoulli_quadratic(), where, w=w) for w in ("q*(y/x - 1)", "q*(x/y - 1)"))
    return _sum(quadratic(), where, (X, first), (Y, second))


@cache
def tail_step() -> Theorem:
    """``(1-q) + q r <= alpha/((alpha-1) r0) r`` for r >= r0 = 1 + 1/(q (alpha-1)), 0 < q <= 1, alpha > 1."""
    where = _where("0 < q <= 1, alpha > 1, r >= 1 + 1/(q*(alpha-1))")
    return _decided(steepness(), where)


@cache
def gaussian_tail() -> Theorem:
    """``erfc(x) <= exp(-x^2)`` for x >= 0."""
    return _decided("erfc(x) <= exp(-x**2)", _where("x >= 0"))


@cache
def tail_below() -> Theorem:
    """``(alpha/((alpha-1) r0))^alpha e^((alpha^2-alpha)/(2 s^2)) erfc((z0-alpha)/(sqrt(2) s))/2
    <= 9/10 q^2 alpha (alpha-1)/s^2`` for 0 < q <= 1/5, s >= 4, alpha > 1 and the conditions ``FOURTH`` and ``FIFTH``.

    ``r0 = 1 + 1/(q (alpha-1))``, ``L = log r0``, ``z0 = 1/2 + s^2 L``. The Gaussian tail bounds the logarithm of the
    left side by ``alpha log(alpha/(alpha-1)) - s^2 L^2/2 - L/2 - 1/(8 s^2) - log 2``; the rest is about logarithms.
    """
    ell, where = symbol("L"), _where(f"q > 0, s > 0, alpha > 1, 1/2 + s**2*L >= alpha, {LOGARITHMS}")
    distance = (Rational(1, 2) + S**2 * ell - ALPHA) / (sqrt(2) * S)
    slope, growth = ALPHA / ((ALPHA - 1) * exp(ell)), (ALPHA**2 - ALPHA) / (2 * S**2)
    moment, claimed = slope**ALPHA * exp(growth) / 2, Rational(9, 10) * Q**2 * ALPHA * (ALPHA - 1) / S**2
    erfc_below = _put(gaussian_tail(), where, x=distance)
    left = ALPHA * log(slope) + growth - distance**2 - log(2)
    right = parse("log(9/10) + 2*log(q) + log(alpha) + log(alpha-1) - 2*log(s)")
    logs = _sum(Relation(right - left, ">="), where, (Integer(1), _decided(LOGARITHMS, where)))
    grown = _put(rising_exponential(), where, logs, x=left, y=right)
    claim = Relation(claimed - moment * erfc(distance), ">=")
    abstract = _sum(claim, where, (Integer(1), grown), (moment, erfc_below))
    return _put(abstract, _where(CLOSED_FORM), _logarithms(), L=LOG_RATIO)


def _logarithms() -> Theorem:
    """``LOGARITHMS`` at L = log r0, by cases; a = alpha, and la, lb, lq, ls are the logarithms of a, a - 1, q, s."""
    claim = LOGARITHMS
    for text, atom in (("log(alpha)", "la"), ("log(alpha-1)", "lb"), ("log(q)", "lq"), ("log(s)", "ls")):
        claim = claim.replace(text, atom)
    fourth, fifth = "alpha <= s**2*L/2 - 2*ls", "alpha <= (s**2*L**2/2 - log(5) - 2*ls)/(L + lq + la + 1/(2*s**2))"
    common = "s > 0, L + lq + lb >= 0"
    atoms = {"L": LOG_RATIO, "la": "log(alpha)", "lb": "log(alpha-1)", "lq": "log(q)", "ls": "log(s)"}
    box = "0 < q <= 1/5, s >= 4, alpha > 1"

    low = f"1 < alpha <= 2, L >= 7/4, ls >= 11/8, 0 <= la <= 7/10, lq <= 0, lb <= 0, {common}, {fourth}"
    first = _put(_decided(claim, _where(low)), _where(f"{box}, alpha <= 2, {FOURTH}"), **atoms)

    rare = f"alpha >= 2, L >= 11/8, ls >= 11/8, 0 <= la - lb <= 1/(alpha-1), {common}, {fourth}"
    where = _where(f"{box}, alpha > 2, q*(alpha-1) < 1/3, {FOURTH}")
    logs = _put(rising_logarithm(), where, x="4", y="1 + 1/(q*(alpha-1))")
    large = _sum(f"{LOG_RATIO} >= 11/8", where, (Integer(1), logs), exact=False)
    second = _put(_decided(claim, _where(rare)), where, large, **atoms)

    frequent = f"alpha >= 2, L >= 0, la >= lb, lq + lb >= -log(3), L + lq + la >= 0, {common}, {fifth}"
    where = _where(f"{box}, alpha > 2, q*(alpha-1) >= 1/3, {FIFTH}")
    logs = _put(rising_logarithm(), where, x="1/3", y="q*(alpha-1)")
    large = _sum("log(q) + log(alpha-1) >= -log(3)", where, (Integer(1), logs))
    third = _put(_decided(claim, _where(frequent, "ls")), where, large, **atoms)

    later = _cases("q*(alpha-1) < 1/3", _where(f"{CLOSED_FORM}, alpha > 2"), second, third)
    return _cases("alpha <= 2", _where(CLOSED_FORM), first, later)
