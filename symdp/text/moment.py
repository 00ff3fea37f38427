"""The moment of the sampled Gaussian mechanism as a function of the grammar.

    sampled_moment(p, q, s) = E_{x ~ N(0, s^2)} [((1-q) + q exp((2x-1)/(2 s^2)))^p],

the p-th moment of the density of ``(1-q) N(0, s^2) + q N(1, s^2)`` with respect to ``N(0, s^2)``. Its logarithm at
``p = alpha`` is ``alpha - 1`` times the Rényi divergence of the mixture from ``N(0, s^2)``, and at ``p = 1 - alpha``
that in the other order. Defined for every real p, ``0 <= q <= 1`` and ``s > 0``; positive.
"""

from __future__ import annotations

from typing import Any

import sympy as sp


class sampled_moment(sp.Function):  # type: ignore[misc]
    """``E[((1-q) + q exp((2x-1)/(2 s^2)))^p]``, x normal with mean 0 and standard deviation s."""

    nargs = 3

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        p, q, s = map(printer._print, self.args)
        raised = f"^{{{exp}}}" if exp else ""
        return rf"\mathcal{{M}}_{{{p}}}{raised}\left({q}, {s}\right)"

    def _eval_is_extended_real(self) -> bool:
        return True

    def _eval_is_positive(self) -> bool:
        return True
