"""``symdp check --mutants``: each formula changed a little, and what becomes of that."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from symdp.claims.mutation import mutate
from symdp.claims.run import Progress, spread
from symdp.console import BAD_INPUT, REFUSED, Outcome
from symdp.render.mutants import mutant_data, mutant_report, share

ENOUGH = 0.95
"""The share of mutants that must be refuted, of those that are not shown to be true."""


def judge_mutants(files: list[Path], seed: int, jobs: int | None, as_json: bool, progress: Progress) -> Outcome:
    """The fates of the mutants of these files, with the exit code."""
    judged = spread(partial(mutate, seed=seed), files, jobs=jobs, progress=progress)
    broken = [file.error for file in judged if file.error]
    code, error = (BAD_INPUT, broken[0]) if broken else (0, "")
    if not broken and share(judged) < ENOUGH:
        code, error = REFUSED, "too many mutants are open"
    if as_json:
        import json

        return Outcome(json.dumps(mutant_data(judged, seed), indent=2, ensure_ascii=False) + "\n", code, error)
    return Outcome(mutant_report(judged, seed), code, error)
