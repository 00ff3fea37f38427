"""``symdp table``: reference values over a grid, as a file; resumed where it was interrupted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from symdp.cli.options import once, option, required, whole
from symdp.console import REFUSED, Outcome

if TYPE_CHECKING:
    from symdp.tables.make import Progress


@click.group(invoke_without_command=True, short_help="Write a table of proved values over a grid.")
@click.pass_context
def table(context: click.Context) -> Outcome | None:
    """Write a table of proved values over a grid: .csv, .json or .parquet, with lower, upper, exact inputs and method.

    A grid is 'name=values; name=values', the last name running fastest. Values are separated by commas: numbers, words,
    and ranges first:last (steps of 1), first:last:step, first:last:lin40, first:last:log40 (40 points, both ends).

    The table appears when it is complete. After Ctrl-C or a kill the same command goes on where it was, from
    FILE.unfinished, and writes the same bytes. Rows without a value say why in their note; then the exit code is 2.

    \b
    symdp table sgm --grid 'q=1e-8,0.01; sigma=0.5:20:log40; alpha=1.1:64:0.1' --output sgm.csv --jobs 2
    symdp table diffusion ornstein-uhlenbeck --grid 'theta=1; rho=1; t=0.1:2:0.1; Delta=1; alpha=2:64' -o ou.json
    symdp table prove facts.toml --grid 'epsilon=0:2:0.1; kernel.K.doeblin=0.1,0.2' -o delta.csv
    """
    return Outcome(context.get_help() + "\n") if context.invoked_subcommand is None else None


def _about_a_table(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of every table."""
    options = (
        option("--grid", "The grid: 'q=0.01; sigma=1:4; alpha=2:64'.", "GRID"),
        option("--digits", "Significant digits to prove [50].", "N"),
        click.option(
            "-o", "--output", multiple=True, callback=once, metavar="FILE", help="The table: .csv, .json or .parquet."
        ),
        option("--jobs", "Processes of this machine [1]. More than one needs symdp[table].", "N"),
        option("--scheduler", "Address of a Dask scheduler, whose workers compute. Needs symdp[cluster].", "ADDRESS"),
        click.option("--double", is_flag=True, help="Round every number of the grid to the nearest double first."),
    )
    for decorate in reversed(options):
        command = decorate(command)
    return command


@table.command("sgm")
@_about_a_table
def sampled_gaussian(double: bool, **given: str | None) -> Outcome:
    """Rényi divergences of the sampled Gaussian mechanism, as `symdp sgm` computes them.

    Names: q, sigma and alpha (>= 1, or inf); direction (forward, the larger, or reverse) [forward]; relation
    (add-remove or replace-one) [add-remove]; sensitivity [1].

    \b
    symdp table sgm --grid 'q=0.01; sigma=0.5:20:log40; alpha=1.1:64:0.1; direction=forward,reverse' -o sgm.parquet
    """
    return _made("sgm", {}, double, given)


@table.command("diffusion")
@click.argument("name", nargs=-1, metavar="[NAME]")
@option("--drift", "Drift u, components by commas: '-theta*x'.", "U")
@option("--diffusion", "Diffusion matrix v, rows by semicolons: 's, 0; 0, s'.", "V")
@option("--state", "Names of the coordinates [x; in R^d x1,x2,...].", "NAMES")
@option("--domain", "Domain: 'x>0', '0<x<1'; a closed end reflects; 'x mod 2*pi' is a circle.", "RELATIONS")
@option("--param", "Declare a parameter that is not just positive: 'c real'. Repeatable.", "TEXT", repeat=True)
@option("--let", "Define a function of the time t: 'beta(t)=1/10+t/2'. Repeatable.", "TEXT", repeat=True)
@option("--assume", "Assume a relation, or a hypothesis by its name. Repeatable.", "TEXT", repeat=True)
@click.option("--truth", is_flag=True, help="The divergence itself of two starts, as `symdp renyi`, not a bound.")
@_about_a_table
def of_diffusion(name: tuple[str, ...], double: bool, truth: bool, **options: Any) -> Outcome:
    """Bounds of a diffusion, NAMEd or typed, as `symdp derive` gives them at values; lower and upper enclose the bound.

    Names: alpha, t, every parameter, and Delta or two starts x and xp, '(1,0)' in R^d. The method says whether the
    bound is exact, and by which rule.

    \b
    symdp table diffusion benes --grid 'k=1; t=0.1:2:0.1; x=1; xp=0; alpha=2:16' -o benes.csv
    symdp table diffusion --drift=-x --diffusion 1 --domain 'x>=0' --truth --grid 'alpha=2:8; t=1; x=1; xp=2' -o t.csv
    """
    from symdp.cli.diffusions import read_process

    process = {key: options.pop(key) for key in ("drift", "diffusion", "state", "domain")}
    param, let, assume = (options.pop(key) for key in ("param", "let", "assume"))
    read_process(name, param, process | {"let": let})  # what is wrong with it, in the words of the options
    source = process | {"name": name[0] if name else None, "param": param, "let": let, "assume": assume, "truth": truth}
    return _made("diffusion", source, double, options)


@table.command("prove")
@click.argument("file", metavar="FILE.toml")
@_about_a_table
def of_facts(file: str, double: bool, **given: str | None) -> Outcome:
    """The best bound that a file of facts implies, as `symdp prove` finds it, over numbers in the file.

    Names: epsilon, delta and alpha of the query, and paths such as kernel.K.doeblin or mechanism.M.dp.epsilon.

    \b
    symdp table prove facts.toml --grid 'epsilon=0:2:0.1' -o delta.csv
    """
    from symdp.prover.facts import parse_file

    return _made("prove", {"facts": parse_file(file)}, double, given)


def _made(kind: str, source: dict[str, Any], double: bool, given: dict[str, str | None]) -> Outcome:
    output, grid = required(given, "output"), required(given, "grid")
    digits = whole(given["digits"] or "50", "--digits")
    jobs = whole(given["jobs"] or "1", "--jobs")
    from symdp.tables import Plan, make_table

    plan = Plan(kind, grid, digits, double, source)
    with _progress() as progress:
        made = make_table(plan, output, jobs=jobs, scheduler=given["scheduler"], progress=progress)
    resumed = f", {made.resumed} of them from the run before" if made.resumed else ""
    said = f"{made.rows} rows in {made.path}{resumed}\n"
    if made.refused:
        return Outcome(said, REFUSED, f"refused: {made.refused} of {made.rows} rows have no value: {made.reason}")
    return Outcome(said)


@contextmanager
def _progress() -> Iterator[Progress]:
    """A bar with the time left on a terminal, nothing elsewhere."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, total, resumed: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task: Any = None

        def show(done: int, total: int, resumed: int) -> None:
            nonlocal task
            if task is None:  # rows of the run before say nothing about the speed of this one
                task = bar.add_task("rows", total=total, completed=resumed)
            bar.update(task, completed=done)

        yield show
