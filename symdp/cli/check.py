"""``symdp check``: the verdicts on papers' results, computed anew and held against those recorded."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from symdp.cli.options import option, whole
from symdp.console import BAD_INPUT, REFUSED, Outcome
from symdp.errors import InputError

if TYPE_CHECKING:
    from symdp.claims.run import Progress

SCHEMA = 1


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@option("--jobs", "Files judged at a time [one a processor].", "N")
@option("--seed", "Seed of the falsifiers; each file adds its name [0].", "N")
@click.option("--record", is_flag=True, help="Write the verdicts and the index beside the derivations.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check(paths: tuple[str, ...], record: bool, as_json: bool, **given: str | None) -> Outcome:
    """Judge papers' results: each is derived, compared with what is printed, and attacked.

    PATHs are derivation files or folders of them; by default all. Exit code 0: every verdict is the recorded one;
    1: one has changed or a file cannot be judged; 2: one is unknown.

    \b
    symdp check
    symdp check derivations/balle2019 --json
    """
    from symdp.claims import root, write_index, write_verdicts
    from symdp.claims.records import read_verdicts
    from symdp.claims.run import changed, derivation_files, judge_all
    from symdp.render.claims import claim_data, report

    seed = 0 if given["seed"] is None else whole(given["seed"], "--seed")
    jobs = None if given["jobs"] is None else whole(given["jobs"], "--jobs")
    if jobs is not None and not 1 <= jobs <= 256:
        raise InputError(f"{given['jobs']} files at a time", place="--jobs", remedy="give 1 to 256")
    if not 0 <= seed < 2**32:
        raise InputError("the seed is out of range", place="--seed", remedy="give 0 to 4294967295")
    if record and seed:
        raise InputError("--record is for the seed 0", remedy="leave out --seed")
    folder = root()
    with _progress() as progress:
        judged = judge_all(derivation_files(paths, folder), seed=seed, jobs=jobs, progress=progress)
    recorded = {} if record and not paths else read_verdicts(folder)
    broken = [file for file in judged if file.error]
    if record and not broken:
        new = {verdict.id: verdict for file in judged for verdict in file.verdicts}
        recorded = (recorded | new) if paths else new
        write_verdicts(recorded.values(), folder)
        write_index(recorded.values(), folder)
    rows = [
        (verdict, changed(verdict, recorded), file.seconds / len(file.verdicts))
        for file in judged
        for verdict in file.verdicts
    ]
    unknown = [verdict.id for verdict, _, _ in rows if verdict.verdict == "unknown"]
    other = [verdict.id for verdict, differing, _ in rows if differing]
    code, error = 0, ""
    if broken:
        code, error = BAD_INPUT, broken[0].error
    elif other:
        code, error = BAD_INPUT, f"not as recorded: {', '.join(other)}; symdp check --record records anew"
    elif unknown:
        code, error = REFUSED, f"unknown: {', '.join(unknown)}"
    if as_json:
        import json

        data: dict[str, Any] = {"schema": SCHEMA, "seed": seed, "claims": [claim_data(*row) for row in rows]}
        data["errors"] = [file.error for file in broken]
        return Outcome(json.dumps(data, indent=2, ensure_ascii=False) + "\n", code, error)
    return Outcome(report(rows, seed), code, error)


@contextmanager
def _progress() -> Iterator[Progress]:
    """A bar on a terminal, nothing elsewhere."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("judging", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
