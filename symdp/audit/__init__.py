"""Audits of other people's accountants: their numbers, from their own interpreter, against proved ones.

``audit("dp_accounting", python="/path/to/python")`` runs the peer over a grid in another process and returns a
``Report``. The peers are ``worker.PEERS``, and any ``MODULE:FUNCTION``: ``f(q, sigma, orders) -> rdp`` with orders a
list of doubles, or ``f(q, sigma, steps, delta) -> epsilon``. ``worker`` is what runs there, ``process`` keeps it within
its time, ``grid`` says where it is asked, ``judge`` compares, ``pasted`` writes test cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from symdp.audit.grid import KINDS, Call, read_grid, standard
from symdp.audit.judge import judge
from symdp.audit.process import Answer, Peer
from symdp.audit.report import Report, Row
from symdp.audit.truth import DIGITS, truth_of
from symdp.ball import Enclosure
from symdp.errors import InputError, Undetermined

__all__ = ["KINDS", "Report", "audit", "read_grid", "standard"]

Progress = Callable[[int, int], None]


def audit(
    peer: str,
    grid: Sequence[Call] | None = None,
    kind: str = "rdp",
    *,
    python: str | None = None,
    timeout: float = 5.0,
    tolerance: Fraction = Fraction(0),
    excess: Fraction | None = Fraction(1, 100),
    progress: Progress = lambda done, total: None,
) -> Report:
    """Ask a peer for every input of a grid and judge what it says.

    ``kind`` "rdp": the Rényi divergence of one sampled Gaussian, add/remove neighbours, sensitivity 1, against the
    enclosure of the larger direction at exactly the doubles that the peer is given. ``kind`` "epsilon": the least
    epsilon of so many steps, against a proved lower bound of it and the guarantee of the Rényi curve.

    ``python`` is the interpreter the peer runs in (this one if None), ``timeout`` the seconds that one call may take,
    ``tolerance`` how far below the truth a value may be and ``excess`` how far above, as parts of it (excess None: any
    upper bound will do). A call about several orders that fails is repeated order by order. Raises InputError for an
    unknown peer and for one that the interpreter cannot import.
    """
    if kind not in KINDS:
        raise InputError(f"no kind is called {kind}", place="kind", remedy=f"give {' or '.join(KINDS)}")
    asked = standard(kind) if grid is None else list(grid)
    total = sum(len(call.points) for call in asked)
    answers: dict[tuple[float, ...], Answer] = {}
    progress(0, total)
    with Peer(peer, kind, python, timeout) as other:
        for point, answer in _answers(other, asked):
            answers[point] = answer
            progress(len(answers), total)
        version, interpreter = other.version, other.interpreter
    rows = [_row(kind, point, answers[point], tolerance, excess) for call in asked for point in call.points]
    return Report(
        peer,
        version,
        other.python,
        interpreter,
        kind,
        timeout,
        tolerance,
        excess,
        tuple(rows),
        lambda point: truth_of(kind, point, DIGITS),
    )


def _answers(peer: Peer, asked: Sequence[Call]) -> Iterator[tuple[tuple[float, ...], Answer]]:
    """An answer of one value, or a failure, for every input.

    Orders at which the peer has hung or died are asked last, one by one: the others are heard before it is given up.
    """
    stubborn: set[float] = set()
    last: list[tuple[float, ...]] = []
    for call in asked:
        if not call.orders:
            yield call.head, peer.ask(call.head)
            continue
        orders = [order for order in call.orders if order not in stubborn]
        last += [(*call.head, order) for order in call.orders if order in stubborn]
        together = peer.ask([*call.head, orders]) if orders else Answer()
        for index, order in enumerate(orders):
            answer = together
            if not together.failure:
                answer = Answer((together.values[index],))
            elif len(orders) > 1 and together.failure != "not asked":
                answer = peer.ask([*call.head, [order]])
            if answer.failure in ("hang", "died"):
                stubborn.add(order)
            yield (*call.head, order), answer
    for *head, order in last:
        yield (*head, order), peer.ask([*head, [order]])


def _row(kind: str, point: tuple[float, ...], answer: Answer, tolerance: Fraction, excess: Fraction | None) -> Row:
    if answer.failure:
        return Row(point, None, answer.failure, answer.remark, None, None, False)
    (value,) = answer.values
    try:
        truth: Enclosure = truth_of(kind, point)
    except Undetermined as error:
        return Row(point, value, "undetermined", str(error), None, None, False)
    found = judge(value, truth, tolerance, excess)
    return Row(point, value, found.kind, "", truth, found.error, found.below)
