"""The command line: reads options, calls the library, prints. Everything heavy is imported inside a command.

Exit codes: 0 proved or conditional, 2 refused, 1 bad input (usage errors included), 130 interrupted.
"""

from __future__ import annotations

from collections.abc import Sequence

import click

from symdp import __version__
from symdp.cli.audit import audit
from symdp.cli.calibrate import calibrate
from symdp.cli.check import check
from symdp.cli.derive import derive
from symdp.cli.docs import docs
from symdp.cli.plot import plot
from symdp.cli.proofs import cite, replay, rules
from symdp.cli.prove import prove
from symdp.cli.renyi import renyi
from symdp.cli.sgm import sgm
from symdp.cli.table import table
from symdp.console import Outcome, run


@click.group(
    invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120}
)
@click.version_option(__version__, "--version", prog_name="symdp", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> Outcome | None:
    """Derive differential-privacy bounds of diffusions, every hypothesis decided and every digit proved."""
    if context.invoked_subcommand is None:
        return Outcome(context.get_help() + "\n")
    return None


for command in (derive, renyi, plot, sgm, prove, calibrate, table, check, audit, rules, replay, cite, docs):
    cli.add_command(command)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; every error is one line on stderr that begins with ``symdp:``."""
    return run(cli, argv)
