"""Bounds ``log|f(x)| <= a + m*log(x) + sum(b[j]*x**j)`` that hold for every x from a start >= 1 on."""

from __future__ import annotations

from dataclasses import dataclass, field

from flint import arb


class NoBound(Exception):
    """No bound of the tail is proved."""


@dataclass(frozen=True)
class Bound:
    """``constant + log_factor*log(x) + sum(powers[j]*x**j)``, an upper bound for ``x >= start``; exact ``arb``."""

    constant: arb = field(default_factory=lambda: arb(0))
    log_factor: arb = field(default_factory=lambda: arb(0))
    powers: dict[int, arb] = field(default_factory=dict)

    @property
    def decays(self) -> bool:
        """Whether a power of x has a negative coefficient."""
        return any(b < 0 for b in self.powers.values())

    def plus(self, other: Bound) -> Bound:
        """The bound of a product."""
        powers = dict(self.powers)
        for j, b in other.powers.items():
            powers[j] = powers[j] + b if j in powers else b
        return Bound(self.constant + other.constant, self.log_factor + other.log_factor, powers)

    def times(self, factor: arb) -> Bound:
        """The bound of a power with the exponent ``factor >= 0``."""
        return Bound(factor * self.constant, factor * self.log_factor, {j: factor * b for j, b in self.powers.items()})

    def highest(self, other: Bound) -> Bound:
        """A bound above both: term by term, as ``log(x)`` and ``x**j`` are not negative for ``x >= 1``."""
        zero = arb(0)
        keys = set(self.powers) | set(other.powers)
        powers = {j: self.powers.get(j, zero).max(other.powers.get(j, zero)) for j in keys}
        return Bound(self.constant.max(other.constant), self.log_factor.max(other.log_factor), powers)


def upper(x: arb) -> arb:
    """The upper end of a ball; NoBound if there is none."""
    if not x.is_finite():
        raise NoBound("a bound overflows")
    return x.upper()
