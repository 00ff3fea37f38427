"""``symdp docs``: the documentation as a site."""

from __future__ import annotations

import click

from symdp.console import Outcome


@click.command(short_help="Build the documentation as a site.")
@click.argument("folder", metavar="FOLDER")
def docs(folder: str) -> Outcome:
    """Build the documentation into FOLDER: guide, tutorials, catalogue, rules, commands, reference.

    Needs pip install 'symdp[docs]'. Open FOLDER/index.html; nothing is loaded from a network.
    """
    from symdp.docs import build

    return Outcome(f"{build(folder)}\n")
