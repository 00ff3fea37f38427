"""Rényi curves as events and mechanisms of other libraries, which are imported on first use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from symdp.bridges.curve import RenyiCurve, upward
from symdp.errors import InputError

_AUTODP = {"add/remove": "add_remove", "replace-one": "replace_one"}


def dp_accounting_event(curve: RenyiCurve) -> Any:
    """A ``DpEvent`` of dp_accounting that stands for one release, for the accountant of ``rdp_accountant``.

    It may be composed and nested in composed events, as any other. Raises InputError if dp_accounting is missing.
    """
    return _dp_accounting()[0](_checked(curve))


def rdp_accountant(orders: Iterable[float] | None = None, neighboring_relation: Any = None) -> Any:
    """An ``RdpAccountant`` of dp_accounting that also takes the events of ``dp_accounting_event``.

    Arguments as in ``dp_accounting.rdp.RdpAccountant``. It adds our curves up rounded upward; what it makes of its own
    events, and the conversion to epsilon, is dp_accounting's. It refuses a curve for other neighbours than its own; one
    for pairs at a distance is taken for any. Raises InputError if dp_accounting is missing.
    """
    accountant = _dp_accounting()[1]
    asked = None if orders is None else list(orders)
    return accountant(asked) if neighboring_relation is None else accountant(asked, neighboring_relation)


@cache
def _dp_accounting() -> tuple[Any, Any]:
    """The event and the accountant, as subclasses of dp_accounting's."""
    try:
        import dp_accounting
        from dp_accounting.rdp import RdpAccountant
    except ImportError as error:
        raise _missing("dp-accounting", error) from None

    @dataclass(frozen=True)
    class RenyiCurveDpEvent(dp_accounting.DpEvent):  # type: ignore[misc]
        """One release with a proved Rényi curve."""

        curve: RenyiCurve

    class CurveAccountant(RdpAccountant):  # type: ignore[misc]
        """An RdpAccountant that knows Rényi curves."""

        def _maybe_compose(self, event: Any, count: int, do_compose: bool) -> Any:
            if not isinstance(event, RenyiCurveDpEvent):
                return super()._maybe_compose(event, count, do_compose)
            kinds = dp_accounting.NeighboringRelation
            wanted = {"add/remove": kinds.ADD_OR_REMOVE_ONE, "replace-one": kinds.REPLACE_ONE}
            if wanted.get(event.curve.relation, self.neighboring_relation) is not self.neighboring_relation:
                message = f"the curve is for {event.curve.relation} neighbours"
                return self.CompositionErrorDetails(invalid_event=event, error_message=message)
            if do_compose:
                more = event.curve(self._orders, count)
                with np.errstate(over="ignore"):
                    self._rdp: Any = upward(self._rdp + more, (self._rdp == 0) | (more == 0))
            return None

    return RenyiCurveDpEvent, CurveAccountant


def autodp_mechanism(curve: RenyiCurve, name: str | None = None, neighboring: str | None = None) -> Any:
    """A ``Mechanism`` of autodp with the curve as its Rényi divergence, from which autodp derives the rest.

    ``neighboring`` in autodp's words; by default those of the curve, ``add_remove`` for one that is about pairs at a
    distance. Raises InputError if autodp is missing, or if ``neighboring`` contradicts the curve.
    """
    try:
        from autodp.autodp_core import Mechanism
    except ImportError as error:
        raise _missing("autodp", error) from None
    own = _AUTODP.get(_checked(curve).relation)
    if own is not None and neighboring not in (None, own):
        raise InputError(
            f"the curve is for {curve.relation} neighbours", place="neighboring", remedy="leave it out or mend it"
        )
    mechanism = Mechanism()
    mechanism.name = name or curve.name
    mechanism.params = {}
    mechanism.neighboring = neighboring or own or "add_remove"
    mechanism.propagate_updates(lambda alpha: _scalar(curve(alpha)), "RDP")
    return mechanism


def _scalar(values: Any) -> Any:
    return float(values) if np.ndim(values) == 0 else values


def _checked(curve: Any) -> RenyiCurve:
    if isinstance(curve, RenyiCurve):
        return curve
    raise InputError(
        f"a RenyiCurve expected, got {type(curve).__name__}",
        place="curve",
        remedy="write rdp_curve(bound, ...) or sampled_gaussian_curve(q, sigma)",
    )


def _missing(name: str, error: ImportError) -> InputError:
    return InputError(f"{name} cannot be imported ({error})", place="bridges", remedy=f"pip install {name}")
