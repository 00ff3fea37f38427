"""Small sigma: the density ratio is constant up to terms like ``e^(-1/(12 s^2))``, and two-sided bounds meet.

No integral is computed: each value lies between two elementary expressions, and when sigma is small they agree to
hundreds of digits. Notation: ``g(x) = (1-q) + q e^((2x-1)w)``, ``u = q/(1-q) e^((2x-1)w)``,
``Q(t) = erfc(t/sqrt2)/2``; g increases.

* **B**, ``p = 1-alpha < 0``, any ``c``: ``g >= 1-q`` gives ``B <= (1-q)^p``; restricting to ``x < c``,
  ``B >= g(c)^p (1 - Q(c/s))``.
* **A**, any c: ``g >= q e^((2x-1)w)`` and ``E_{mu0}[e^(alpha (2x-1) w)] = e^((alpha^2-alpha)w)`` give
  ``A >= H = q^alpha e^((alpha^2-alpha)w)``. Above c ``g <= q e^((2x-1)w) (1 + 1/u(c))``, below it ``g <= g(c)``:
  ``A <= H (1 + 1/u(c))^alpha + g(c)^alpha``. With ``c = (alpha+1)/4`` both corrections are about
  ``e^(-(alpha-1)w/2)``.
* **Replace-one**, ``E[g^alpha g(-.)^(1-alpha)]``: ``g(-x) >= 1-q`` everywhere and ``<= (1-q)(1 + u(-c))`` above c, so
  the value is at most ``(1-q)^(1-alpha)`` times the bound of A, and at least
  ``H (1-q)^(1-alpha) (1 + u(-c))^(1-alpha) (1 - Q((alpha-c)/s))``.
* **Order 1.** ``K(q) = E_{mu0}[-log g] = KL(mu0||mu)``. ``K <= -log(1-q)``; if ``g(c) <= 1``,
  ``K >= -log g(c) (1 - Q(c/s)) - E[(log g)^+]``, and since ``g <= max(1, e^((2x-1)w))`` the last is at most
  ``E[2xw; x > 1/2] = e^(-w/4)/(s sqrt(2 pi))``. Reflecting ``x -> 1-x``, ``E_{mu1}[log g] = w - K(1-q)``:
  ``KL(mu||mu0) = q (w - K(1-q)) - (1-q) K(q)``, and with ``g(-x)`` decreasing, ``-E_{mu1}[log g(-.)]`` is between
  ``K(q)`` and ``-log(1-q)``: replace-one gives ``q (w - K(1-q) + [K(q), -log(1-q)])``.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from symdp.mechanisms.sampled_gaussian.lattice import ball

# u(c) and Q(c/s) are both about e^(-w/6) there
_CUT = arb(53) / 128


def log_moment(kind: str, q: Fraction, sigma: Fraction, alpha: Fraction) -> arb:
    """A ball around the log moment of a ``kind`` (forward, reverse or replace-one), ``alpha > 1``."""
    s, order = ball(sigma), ball(alpha)
    if kind == "reverse":
        return _reverse_below(q, s, order).union((1 - order) * ball(1 - q).log())
    w = ball(1 / (2 * sigma**2))
    cut = ball((alpha + 1) / 4)
    odds = ball(q / (1 - q)) * ((2 * cut - 1) * w).exp()
    hump = order * ball(q).log() + (order * order - order) * w
    top = order * (ball(1 - q) * (1 + odds)).log()
    above = (order * (1 / odds).log1p()).exp() + (top - hump).exp()
    if kind == "forward":
        return hump + arb(0).union(above.log())
    mirrored = ball(q / (1 - q)) * ((-2 * cut - 1) * w).exp()
    below = (1 - order) * mirrored.log1p() + (-_gauss_tail((order - cut) / s)).log1p()
    return hump + (1 - order) * ball(1 - q).log() + below.union(above.log())


def kullback_leibler(kind: str, q: Fraction, sigma: Fraction) -> arb:
    """A ball around the divergence of order 1."""
    if kind == "reverse":
        return _entropy(q, sigma)
    w, rate = ball(1 / (2 * sigma**2)), ball(q)
    if kind == "forward":
        return rate * (w - _entropy(1 - q, sigma)) - (1 - rate) * _entropy(q, sigma)
    return rate * (w - _entropy(1 - q, sigma) + _entropy(q, sigma).union(-ball(1 - q).log()))


def _reverse_below(q: Fraction, s: arb, order: arb) -> arb:
    return (1 - order) * _level(q, s) + (-_gauss_tail(_CUT / s)).log1p()


def _level(q: Fraction, s: arb) -> arb:
    """``log g(c)``."""
    odds = ball(q / (1 - q)) * ((2 * _CUT - 1) / (2 * s * s)).exp()
    return ball(1 - q).log() + odds.log1p()


def _entropy(q: Fraction, sigma: Fraction) -> arb:
    """A ball around K(q)."""
    s = ball(sigma)
    level = _level(q, s)
    below = -level * (1 - _gauss_tail(_CUT / s)) - (-(1 / (s * s)) / 8).exp() / (s * (2 * arb.pi()).sqrt())
    if not level < 0:
        below = arb(0)
    return below.max(arb(0)).union(-ball(1 - q).log())


def _gauss_tail(t: arb) -> arb:
    return (t / arb(2).sqrt()).erfc() / 2
