"""Small sigma: the density ratio is constant up to terms like ``e^(-1/(12 s^2))``, and two-sided bounds meet.

No integral is computed: each value lies between two elementary expressions, and when sigma is small they agree to
hundreds of digits. Notation: ``g(x) = (1-q) + q e^((2x-1)w)``, ``u = q/(1-q) e^((2x-1)w)``,
``Q(t) = erfc(t/sqrt2)/2``; g increases.

* **B**, ``p = 1-alpha < 0``, any ``c``: ``g >= 1-q`` gives ``B <= (1-q)^p``; restricting to ``x < c``,
  ``B >= g(c)^p (1 - Q(c/s))``.
* **A**, ``c < 1/2 < d``. Below c, ``(1-q)^alpha <= g^alpha <= g(c)^alpha``. Above d,
  ``q e^((2x-1)w) <= g <= q e^((2x-1)w) (1 + 1/u(d))``, and
  ``mu0 e^(alpha (2x-1) w) = e^((alpha^2-alpha)w) N(alpha, s^2)``: with ``H = q^alpha e^((alpha^2-alpha)w)`` the part
  above d is between ``H (1 - Q((alpha-d)/s))`` and ``H (1 + 1/u(d))^alpha``. Between, ``g^alpha <= 2^alpha
  ((1-q)^alpha + q^alpha e^(alpha (2x-1) w))``: at most ``2^alpha ((1-q)^alpha Q(c/s) + H Q((alpha-d)/s))``.
* **Replace-one**, ``E[g^alpha g(-.)^(1-alpha)]``: ``g(-x) >= 1-q``, so the value is at most ``(1-q)^(1-alpha)`` times
  the bound of A; and ``g(-x)`` is at most ``(1-q)(1 + u(c))`` for ``-c < x < c`` and ``(1-q)(1 + u(-d))`` above d.
* **Order 1.** ``K(q) = E_{mu0}[-log g] = KL(mu0||mu)``. ``K <= -log(1-q)``; if ``g(c) <= 1``,
  ``K >= -log g(c) (1 - Q(c/s)) - E[(log g)^+]``, and since ``g <= max(1, e^((2x-1)w))`` the last is at most
  ``E[2xw; x > 1/2] = e^(-w/4)/(s sqrt(2 pi))``. Reflecting ``x -> 1-x``, ``E_{mu1}[log g] = w - K(1-q)``:
  ``KL(mu||mu0) = q (w - K(1-q)) - (1-q) K(q)``, and with ``g(-x)`` decreasing, ``-E_{mu1}[log g(-.)]`` is between
  ``K(q)`` and ``-log(1-q)``: replace-one gives ``q (w - K(1-q) + [K(q), -log(1-q)])``.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from symdp.ball import arb_of

# c, and 1 - d: u(c) and Q(c/s) are both about e^(-w/6)
_CUT = arb(53) / 128


def log_moment(kind: str, q: Fraction, sigma: Fraction, alpha: Fraction) -> arb:
    """A ball around the log moment of a ``kind`` (forward, reverse or replace-one), ``alpha > 1``."""
    s, order, stay = arb_of(sigma), arb_of(alpha), arb_of(1 - q)
    if kind == "reverse":
        return ((1 - order) * _level(q, s) + (-_gauss_tail(_CUT / s)).log1p()).union((1 - order) * stay.log())
    w = arb_of(1 / (2 * sigma**2))
    low, high = _odds(q, s, _CUT), _odds(q, s, 1 - _CUT)
    left, right = stay**order, (order * arb_of(q).log() + (order * order - order) * w).exp()
    left_tail, right_tail = _gauss_tail(_CUT / s), _gauss_tail((order - 1 + _CUT) / s)
    above = left * ((order * low.log1p()).exp() + 2**order * left_tail)
    above += right * ((order * (1 / high).log1p()).exp() + 2**order * right_tail)
    if kind == "forward":
        return (left * (1 - left_tail) + right * (1 - right_tail)).union(above).log()
    left *= (1 - 2 * left_tail) * ((1 - order) * low.log1p()).exp()
    right *= (1 - right_tail) * ((1 - order) * _odds(q, s, _CUT - 1).log1p()).exp()
    return (left + right).union(above).log() + (1 - order) * stay.log()


def kullback_leibler(kind: str, q: Fraction, sigma: Fraction) -> arb:
    """A ball around the divergence of order 1."""
    if kind == "reverse":
        return _entropy(q, sigma)
    w, rate = arb_of(1 / (2 * sigma**2)), arb_of(q)
    if kind == "forward":
        return rate * (w - _entropy(1 - q, sigma)) - arb_of(1 - q) * _entropy(q, sigma)
    return rate * (w - _entropy(1 - q, sigma) + _entropy(q, sigma).union(-arb_of(1 - q).log()))


def _odds(q: Fraction, s: arb, x: arb) -> arb:
    """``u(x)``."""
    return arb_of(q / (1 - q)) * ((2 * x - 1) / (2 * s * s)).exp()


def _level(q: Fraction, s: arb) -> arb:
    """``log g(c)``."""
    return arb_of(1 - q).log() + _odds(q, s, _CUT).log1p()


def _entropy(q: Fraction, sigma: Fraction) -> arb:
    """A ball around K(q)."""
    s = arb_of(sigma)
    level = _level(q, s)
    below = -level * (1 - _gauss_tail(_CUT / s)) - (-(1 / (s * s)) / 8).exp() / (s * (2 * arb.pi()).sqrt())
    if not level < 0:
        below = arb(0)
    return below.max(arb(0)).union(-arb_of(1 - q).log())


def _gauss_tail(t: arb) -> arb:
    return (t / arb(2).sqrt()).erfc() / 2
