"""Laws that are compared, and what moves one of them: the terms of a proof by coupling."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr

from symdp import codec
from symdp.judgments.base import Judgment, name_of, where
from symdp.region import Region
from symdp.text import to_text


@codec.register
@dataclass(frozen=True)
class LawDivergence(Judgment):
    """``R_alpha(first||second) <= value`` for two laws, in this order; at alpha = 1 the Kullback-Leibler divergence."""

    first: object
    second: object
    value: Expr
    region: Region

    def _line(self) -> str:
        pair = f"{name_of(self.first)}||{name_of(self.second)}"
        return f"R_alpha({pair}) <= {to_text(self.value)}{where(self.region)}"


@codec.register
@dataclass(frozen=True)
class Transport(Judgment):
    """Some coupling of omega with mu, H its transport (``H(x)`` is the law of y given x, so that ``omega H = mu``),
    has ``R_alpha((H K)(x)||K(x)) <= value`` at every x that both omega and nu charge.

    A supremum over the support of nu alone is such a value too.
    """

    kernel: object
    omega: object
    mu: object
    nu: object
    value: Expr
    region: Region

    def _line(self) -> str:
        omega, mu, nu, kernel = map(name_of, (self.omega, self.mu, self.nu, self.kernel))
        moved = f"R_alpha((H {kernel})(x)||{kernel}(x)) <= {to_text(self.value)}"
        coupled = f"the transport H of a coupling of {omega} with {mu}"
        return f"{moved} for x in the support of {nu} and of {omega}, H {coupled}{where(self.region)}"
