"""Every file judged, several at a time, and what became of the verdicts that were recorded."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import TypeVar

from symdp.claims.items import ClaimError, load
from symdp.claims.kept import Kept
from symdp.claims.verdict import ClaimVerdict, examine, seed_of
from symdp.errors import SymdpError

Progress = Callable[[int, int], None]
Result = TypeVar("Result")


@dataclass(frozen=True)
class Judged:
    """One file: its verdicts, or why it could not be judged, and the seconds it took; ``pages``: HTML by claim.

    ``kept``: the verdicts are those of an earlier run of the same file by the same program.
    """

    name: str
    verdicts: tuple[ClaimVerdict, ...]
    error: str
    seconds: float
    pages: Mapping[str, str] = field(default_factory=dict)
    kept: bool = False


def derivation_files(paths: Iterable[str | Path], folder: Path) -> list[Path]:
    """The derivation files among ``paths`` and in the folders among them, by name; all in ``folder`` if there are none.

    Raises ClaimError for a path that is neither, and for a folder that holds none.
    """
    found: list[Path] = []
    for path in [Path(path) for path in paths] or [folder]:
        if path.is_file() and path.suffix == ".py":
            found.append(path)
        elif path.is_dir():
            inner = [p for pattern in ("*.py", "*/*.py") for p in path.glob(pattern) if not p.name.startswith("_")]
            if not inner:
                raise ClaimError(f"{path} holds no derivation")
            found += inner
        else:
            raise ClaimError(f"{path} is neither a derivation nor a folder of derivations")
    return sorted(dict.fromkeys(p.resolve() for p in found), key=lambda p: (p.parent.name, p.name))


def judge(path: Path, seed: int = 0, pages: bool = False, kept: Kept | None = None) -> Judged:
    """One file, from its text; errors in it are told, not raised. ``seed``: of the whole run; ``pages``: make them;
    ``kept``: where the verdicts are kept.
    """
    started = time.monotonic()
    name = f"{path.parent.name}/{path.stem}"
    verdicts: tuple[ClaimVerdict, ...] = ()
    made, error = {}, ""
    try:
        item = load(path)
        verdicts, theorems = examine(item, seed_of(name, seed))
        if pages:
            from symdp.render.claim_pages import claim_page

            made = {verdict.id: claim_page(item, verdict, theorems) for verdict in verdicts}
        elif kept:
            kept.keep(path, seed, verdicts)
    except SymdpError as problem:
        error = str(problem)
    except Exception as problem:  # a file is a program: whatever it raises is about it
        error = f"{name}: {type(problem).__name__}: {problem}"
    return Judged(name, () if error else verdicts, error, time.monotonic() - started, made)


def spread(
    task: Callable[[Path], Result],
    paths: Iterable[Path],
    *,
    jobs: int | None = None,
    progress: Progress = lambda done, total: None,
) -> list[Result]:
    """The task done for every path, ``jobs`` at a time (by default one a processor), in the order of ``paths``."""
    due = list(paths)
    workers = min(
        jobs or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, len(due)
    )
    results: dict[Path, Result] = {}
    if workers <= 1:
        for path in due:
            results[path] = task(path)
            progress(len(results), len(due))
    else:
        others = set(active_children())
        pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
        try:
            pending = {pool.submit(task, path): path for path in due}
            for future in as_completed(pending):
                results[pending[future]] = future.result()
                progress(len(results), len(due))
        except BaseException:  # an interrupt above all: what is under way, and what waits, is not waited for
            for worker in set(active_children()) - others:
                worker.kill()
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return [results[path] for path in due]


def judge_all(
    paths: Iterable[Path],
    *,
    seed: int = 0,
    jobs: int | None = None,
    pages: bool = False,
    cache: str | Path | None = None,
    progress: Progress = lambda done, total: None,
) -> list[Judged]:
    """Every file, ``jobs`` at a time (by default one a processor), in the order of ``paths``.

    ``cache``: a folder of verdicts of earlier runs, see ``kept``; none is taken for a page.

    Raises ClaimError for a claim that stands in two files.
    """
    kept = Kept(cache) if cache is not None and not pages else None
    every = list(paths)
    known = {path: found for path in every if kept and (found := kept.verdicts(path, seed))}
    task, due = partial(judge, seed=seed, pages=pages, kept=kept), [path for path in every if path not in known]
    new = iter(spread(task, due, jobs=jobs, progress=progress))
    judged = [
        Judged(f"{path.parent.name}/{path.stem}", known[path], "", 0.0, kept=True) if path in known else next(new)
        for path in every
    ]
    owner: dict[str, str] = {}
    for file in judged:
        for verdict in file.verdicts:
            if owner.setdefault(verdict.id, file.name) != file.name:
                raise ClaimError(f"the claim {verdict.id} stands in {owner[verdict.id]} and in {file.name}")
    return judged


def changed(verdict: ClaimVerdict, recorded: Mapping[str, ClaimVerdict]) -> str:
    """What is recorded of a claim instead, if it is something else; "" if nothing has changed."""
    old = recorded.get(verdict.id)
    if old is None:
        return "nothing"
    names = ("verdict", "repair", "sharper", "needless", "assumptions")
    differing = [
        f"{name} {getattr(old, name) or 'none'}" for name in names if getattr(old, name) != getattr(verdict, name)
    ]
    return ", ".join(differing)
