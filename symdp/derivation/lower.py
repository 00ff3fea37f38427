"""What the divergence of two starts is at least: the truth where it is known, else that of a part, else a tube's.

A coordinate whose drift and noise depend on nothing else is a diffusion by itself, and what is seen of the whole; those
that do not share any noise are independent, and their divergences add up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flint import arb
from sympy import Expr, Symbol

from symdp.ball import from_arb
from symdp.decide import is_zero
from symdp.derivation.truth import Truth, find_truth
from symdp.derivation.tube import Tube, tube
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused, SymdpError
from symdp.rules.conditions import starts
from symdp.text import symbol

Values = Mapping[Symbol, Expr]
Least = Callable[[Values], Any]
_DIGITS = 8


def least_divergence(process: Diffusion) -> Least:
    """A function from exact values of alpha, t, the starts and the parameters to a number (mpf) that the divergence in
    this order is proved not to be below.

    The function raises a :class:`SymdpError` where it has no answer. Raises :class:`Refused` where nothing is known.
    """
    for route in (_known, _parts, _tubes):
        try:
            return route(process)
        except Refused:
            continue
    raise Refused("no lower bound of the divergence is known")


def _known(process: Diffusion) -> Least:
    truth: Truth = find_truth(process)
    return lambda values: truth.value(values, _DIGITS).lower


def _parts(process: Diffusion) -> Least:
    """The coordinates that are diffusions by themselves."""
    if process.dimension == 1 or not process.homogeneous:
        raise Refused("there is one coordinate, or the coefficients depend on the time")
    noise, state = process.noise, set(process.state)
    alone = [
        i
        for i, s in enumerate(process.state)
        if (process.drift[i].free_symbols | noise[i, i].free_symbols) & state <= {s} and noise[i, i] != 0
    ]
    if not all(is_zero(noise[i, j], process.interior) for i in alone for j in alone if i < j):
        raise Refused("coordinates share noise")
    found = []
    for i in alone:
        try:
            found.append((i, _known(process.coordinate(i))))
        except SymdpError:
            continue
    if not found:
        raise Refused("no coordinate is a known diffusion by itself")
    first, second = starts(process)

    def least(values: Values) -> Any:
        x, xp = symbol("x"), symbol("xp")
        shares = [part({**values, x: values[first[i]], xp: values[second[i]]}) for i, part in found]  # type: ignore[index]
        return from_arb(sum(map(arb, shares), arb(0))).lower

    return least


def _tubes(process: Diffusion) -> Least:
    """Tubes, one for each choice of the parameters."""
    if not process.homogeneous or not process.whole_space:
        raise Refused("a tube is laid in R^d, for coefficients that do not depend on the time")
    made: dict[tuple[Expr, ...], Tube | Refused] = {}

    def least(values: Values) -> Any:
        chosen = tuple(values[s] for s in process.params.symbols)
        if chosen not in made:
            try:
                made[chosen] = tube(process.at(values))
            except Refused as refusal:
                made[chosen] = refusal
        ready = made[chosen]
        if isinstance(ready, Refused):
            raise ready
        return ready.least(values)

    return least
