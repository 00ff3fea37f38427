"""Mutants of a file's claims, made and judged."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from symdp.claims.items import Item, load
from symdp.claims.judging import Fate, Judge
from symdp.claims.mutants import mutants
from symdp.claims.truths import Attacks
from symdp.claims.verdict import seed_of
from symdp.decide.effort import LIGHT, granted
from symdp.errors import Refused, SymdpError

MOST = 10


@dataclass(frozen=True)
class Mutated:
    """One file: the fates of its mutants, the formulas of which none was made and why, or what went wrong."""

    name: str
    fates: tuple[Fate, ...]
    left_out: tuple[tuple[str, str], ...]
    error: str
    seconds: float


def mutate(path: Path, seed: int = 0, most: int = MOST) -> Mutated:
    """Make up to ``most`` mutants of each formula of a file and judge them; errors are told, not raised."""
    started = time.monotonic()
    name = f"{path.parent.name}/{path.stem}"
    fates: list[Fate] = []
    left_out: list[tuple[str, str]] = []
    error = ""
    try:
        item = load(path)
        rng = Random(seed_of(name, seed))
        theorems, attacks = _theorems(item), Attacks(item, rng)
        with granted(LIGHT):
            for key, claim in item.claims.items():
                judge = Judge(item, key, claim.repaired if claim.repair else claim, theorems, attacks, rng)
                if judge.silent:
                    left_out.append((key, judge.silent))
                    continue
                made = mutants(key, judge.claim, rng, most)
                fates += [judge.fate(mutant) for mutant in made if judge.changes(mutant)]
    except SymdpError as problem:
        error = str(problem)
    except Exception as problem:  # a file is a program: whatever it raises is about it
        error = f"{name}: {type(problem).__name__}: {problem}"
    return Mutated(name, tuple(fates), tuple(left_out), error, time.monotonic() - started)


def _theorems(item: Item) -> dict[str, Any]:
    try:
        found = item.derive()
    except Refused:
        return {}
    if isinstance(found, dict):
        return dict(found)
    return {key: found for key, claim in item.claims.items() if claim.compared}
