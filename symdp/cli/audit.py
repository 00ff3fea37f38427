"""``symdp audit``: somebody's accountant against proved values."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import click

from symdp.cli.options import exact_number, option
from symdp.cli.progress import progress_bar
from symdp.console import REFUSED, Outcome
from symdp.errors import InputError

_MOST_SECONDS = 3600


@click.command(short_help="Hold an accountant against proved values.")
@click.argument("peer")
@option("--grid", "Where to ask: 'standard', or a CSV file with columns q,sigma,alpha or q,sigma,steps,delta.", "GRID")
@option("--kind", "What PEER returns: rdp or epsilon [rdp].", "NAME")
@option("--python", "The interpreter that can import PEER [this one].", "PATH")
@option("--timeout", "Seconds that one call may take [5].", "SECONDS")
@option("--tolerance", "How far below the truth a value may be, as a part of it [0].", "NUMBER")
@option("--excess", "How far above the truth, as a part of it; 'inf' for any upper bound [0.01].", "NUMBER")
@option("--html", "Also write a page of HTML, which appears only when it is complete.", "FILE")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def audit(peer: str, as_json: bool, **given: str | None) -> Outcome:
    """Hold somebody's accountant of the sampled Gaussian against proved values.

    PEER is dp_accounting, opacus, autodp or MODULE:FUNCTION: f(q, sigma, orders) -> as many divergences as orders, a
    list of floats; with --kind epsilon f(q, sigma, steps, delta) -> epsilon. Add/remove neighbours, sensitivity 1. It
    runs in a process of its own, in any interpreter; modules of the current directory are found. What hangs is killed
    and started again.

    \b
    symdp audit dp_accounting
    symdp audit autodp --python ~/autodp/bin/python --html autodp.html
    symdp audit mine:rdp --grid points.csv --tolerance 1e-12 --excess inf
    symdp audit opacus --kind epsilon --json

    Counted are values below the truth (unsafe), negative, infinite and undefined ones, those above the truth by more
    than --excess, exceptions, hangs, deaths and wrong shapes; the worst come with the true digits and a test to paste.
    Epsilons are held against a proved lower bound and against the guarantee of the Rényi curve. Exit code 0: nothing
    wrong was found; 2: something was; 1: bad input.
    """
    from symdp.audit import KINDS, read_grid
    from symdp.audit import audit as run
    from symdp.audit.process import check_name
    from symdp.mechanisms.sampled_gaussian.inputs import choice
    from symdp.render.audit import audit_data, page, report_lines, summary

    check_name(peer)
    kind = choice(given["kind"] or "rdp", KINDS, "--kind")
    timeout = exact_number(given["timeout"] or "5", "--timeout", double=False)
    if not 0 < timeout <= _MOST_SECONDS:
        raise InputError("the limit is out of range", place="--timeout", remedy=f"above 0 and at most {_MOST_SECONDS}")
    tolerance, excess = _part(given["tolerance"] or "0", "--tolerance"), given["excess"] or "0.01"
    if given["html"] is not None and not Path(given["html"]).absolute().parent.is_dir():
        raise InputError("the folder does not exist", place="--html", remedy="give a file in a folder that does")
    grid = None if given["grid"] in (None, "standard") else read_grid(given["grid"] or "", kind)
    with progress_bar(f"asking {peer}") as progress:
        found = run(
            peer,
            grid,
            kind,
            python=given["python"],
            timeout=float(timeout),
            tolerance=tolerance,
            excess=None if excess == "inf" else _part(excess, "--excess"),
            progress=progress,
        )
    data = audit_data(found)
    if given["html"] is not None:
        from symdp.files import replace_file

        replace_file(Path(given["html"]), page(data))
    error = summary(data) or ("" if data["compared"] else "no value could be compared")
    code = REFUSED if error else 0
    if as_json:
        import json

        return Outcome(json.dumps(data, indent=2, ensure_ascii=False) + "\n", code, error)
    return Outcome(report_lines(data), code, error)


def _part(text: str, place: str) -> Fraction:
    part = exact_number(text, place, double=False)
    if part < 0:
        raise InputError("the number is negative", place=place, remedy="give a number >= 0")
    return part
