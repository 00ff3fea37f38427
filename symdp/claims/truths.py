"""The truths that a file's falsifier compares its formulas with, at points of the range that they are made for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from symdp.ball import Enclosure
from symdp.claims.falsify import Attack, contradiction, disagreement, recorded, recording, true_at
from symdp.claims.items import Approximate, Claim, Counterexample, Item, claim_of
from symdp.claims.numbers import enclosed
from symdp.claims.samples import Point, drawn, listed, region_of
from symdp.errors import SymdpError, Undefined
from symdp.text import parse

_ATTACKED, _RUNS = 12, 25


class Attacks:
    """What the falsifier of a file compares with a truth of its own, found when it is first asked for."""

    def __init__(self, item: Item, rng: Random) -> None:
        self._item, self._rng = item, rng
        self._seed = rng.getrandbits(32)
        self._found: dict[str, list[Attack]] | None = None
        self._base: dict[str, Counterexample] | None = None
        self._runs = 0
        self._truths: dict[int, list[tuple[Point, Any]]] = {}

    def of(self, key: str) -> list[Attack]:
        """The comparisons for one formula, or for it repaired."""
        if self._found is None:
            self._found = {}
            for found in recorded(self._item.falsify, Random(self._seed)):
                claim = self._item.claims.get(found.id.removesuffix(":repaired"))
                if claim is not None and claim.text == found.text:  # else it is about another formula, made of this one
                    self._found.setdefault(found.id, []).append(found)
        return self._found.get(f"{key}:repaired", []) or self._found.get(key, [])

    def against(self, key: str, claim: Claim) -> Counterexample | None:
        """What the falsifier finds, beside its comparisons, when the formula is read in place of the claimed one, the
        first ``_RUNS`` times it is asked; it may be about another formula of the same claim. An approximation is no
        witness.
        """
        if self._base is None:
            self._base = self._answers()
        if self._runs == _RUNS:
            return None
        self._runs += 1
        table = self._item.claims
        old = table[key]
        table[key] = replace(old, text=claim.text)  # type: ignore[index]
        try:
            answers = self._answers()
        finally:
            table[key] = old  # type: ignore[index]
        for other, found in answers.items():
            due = other.endswith(":repaired") or not old.repair
            if due and other not in self._base and claim_of(other) == claim_of(key):
                return found
        return None

    def _answers(self) -> dict[str, Counterexample]:
        """The counterexamples of one run, always with the same draws."""
        try:
            with recording():
                answer = self._item.falsify(Random(self._seed))
        except Counterexample as counter:
            return {counter.id: counter} if _witness(counter) else {}
        except Exception:  # a changed formula may be no number where the falsifier tries it
            return {}
        entries = answer.items() if isinstance(answer, dict) else ()
        return {key: entry for key, entry in entries if _witness(entry)}

    def truths(self, known: Attack) -> list[tuple[Point, Any]]:
        """Points of its range with the truth there."""
        if id(known) not in self._truths:
            self._truths[id(known)] = list(truths_at(known, known.where, self._rng))
        return self._truths[id(known)]


def _witness(entry: object) -> bool:
    return isinstance(entry, Counterexample) and bool(entry.point) and not isinstance(entry, Approximate)


def truths_at(known: Attack, where: str, rng: Random) -> Iterator[tuple[Point, Any]]:
    """The truth at some points, an enclosure where it can be certified and 40 digits else.

    Outside of the range that it is for it may be no number, and is left out.
    """
    try:
        points = drawn(region_of(where), rng, _ATTACKED)
    except SymdpError:
        return
    for point in points:
        certified = enclosed(known.truth, point)
        if certified is not None:
            yield point, certified
            continue
        try:
            value = true_at(known.truth, point)
            if value - value == 0 and abs(value) >= 0:
                yield point, value
        except (SymdpError, TypeError, ValueError, ArithmeticError):
            continue


def disagreeing(claim: Claim, known: Attack, truths: list[tuple[Point, Any]]) -> tuple[str, str, str] | None:
    """How a formula is refuted by one of these truths that is certified: "refuted", why, and the point."""
    expr = parse(claim.text, place="mutant")
    for point, true in truths:
        if not isinstance(true, Enclosure):
            continue
        try:
            if wrong := contradiction(expr, point, true, known.tight):
                return "refuted", wrong, listed(point)
        except Undefined:
            return "refuted", "the formula is not defined", listed(point)
        except (SymdpError, TypeError, KeyError):
            continue
    return None


def doubtful(claim: Claim, known: Attack, truths: list[tuple[Point, Any]]) -> str:
    """How a formula disagrees with one of these truths that is not certified; "" if it does not."""
    expr = parse(claim.text, place="mutant")
    for point, true in truths:
        try:
            if not isinstance(true, Enclosure) and (wrong := disagreement(expr, point, true, known.tight)):
                return f"not certified: {wrong} at {listed(point)}"
        except (SymdpError, TypeError, KeyError):
            continue
    return ""
