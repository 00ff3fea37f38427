"""Orders on the command line: a list of numbers and ranges, ``1.5,2:64,inf``."""

from __future__ import annotations

from fractions import Fraction

from symdp.cli.options import exact_number
from symdp.errors import InputError

MOST_ORDERS = 10_000
_PLACE = "--alpha"


def read_orders(text: str, *, double: bool) -> tuple[list[Fraction | None], bool]:
    """The orders (None: infinity) in the order given, and whether the text is a list or a range.

    Ranges are ``first:last`` in steps of 1 or ``first:last:step``; a last order that is met belongs to them.
    """
    orders: list[Fraction | None] = []
    parts = text.split(",")
    for part in parts:
        if ":" in part:
            orders += _range(part, double=double, room=MOST_ORDERS - len(orders))
        else:
            orders.append(_order(part, double=double))
        if len(orders) > MOST_ORDERS:
            raise _too_many()
    return orders, len(parts) > 1 or ":" in text


def _order(text: str, *, double: bool) -> Fraction | None:
    from symdp.mechanisms.sampled_gaussian import inputs

    if not text.strip():
        raise InputError("an order is missing", place=_PLACE, remedy="write 1.5,2,8 or 2:64")
    order = inputs.order(text, _PLACE)
    return order if order is None or not double else Fraction(float(order))


def _range(text: str, *, double: bool, room: int) -> list[Fraction | None]:
    parts = text.split(":")
    if len(parts) > 3 or not all(part.strip() for part in parts):
        raise InputError(f"'{text}' is not a range", place=_PLACE, remedy="write first:last or first:last:step")
    first, last = (_order(part, double=double) for part in parts[:2])
    if first is None or last is None:
        raise InputError("a range has no infinite end", place=_PLACE, remedy="write 2:64,inf")
    step = exact_number(parts[2], _PLACE, double=double) if len(parts) == 3 else Fraction(1)
    if step <= 0:
        raise InputError("the step of a range is not positive", place=_PLACE, remedy="give a step > 0")
    if last < first:
        raise InputError(f"the range {text} is empty", place=_PLACE, remedy="write the smaller order first")
    count = (last - first) // step + 1
    if count > room:
        raise _too_many()
    orders = (first + number * step for number in range(count))
    return [Fraction(float(order)) if double else order for order in orders]


def _too_many() -> InputError:
    return InputError(f"more than {MOST_ORDERS} orders", place=_PLACE, remedy="give fewer, or a larger step")
