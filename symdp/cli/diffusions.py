"""The diffusion that a command is about: typed as text or named, and the values it is asked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from symdp.cli.options import option
from symdp.errors import InputError

if TYPE_CHECKING:
    from symdp.diffusion.process import Diffusion


class Catalogued(click.Command):
    """A command whose help ends with the names of the catalogue."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The names, one a line."""
        from symdp.diffusion.catalogue import CATALOGUE

        with formatter.section("Catalogue"):
            formatter.write_dl([(e.name, f"drift {e.drift}, diffusion {e.diffusion}") for e in CATALOGUE.values()])


_OPTIONS = (
    click.argument("name", nargs=-1, metavar="[NAME]"),
    option("--drift", "Drift u, components by commas: '-theta*x'.", "U"),
    option("--diffusion", "Diffusion matrix v, rows by semicolons: 's, 0; 0, s'.", "V"),
    option("--state", "Names of the coordinates [x; in R^d x1,x2,...].", "NAMES"),
    option("--domain", "Domain: 'x>0', '0<x<1'; a closed end reflects; 'x mod 2*pi' is a circle.", "RELATIONS"),
    option(
        "--param", "Declare a parameter that is not just positive: 'c real', '0<q<1'. Repeatable.", "TEXT", repeat=True
    ),
    option(
        "--let", "Define a function of the time t for U and V: 'beta(t)=1/10+t/2'. Repeatable.", "TEXT", repeat=True
    ),
    option(
        "--assume", "Assume a relation, '4*a>=sigma**2', or a hypothesis by its name. Repeatable.", "TEXT", repeat=True
    ),
    option(
        "--at", "Values: 'alpha=8,t=1/2,Delta=1,theta=1', or two starts 'x=1,xp=0'. Repeatable.", "VALUES", repeat=True
    ),
)


def about_a_diffusion(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the NAME and the options that ``read_process`` and ``read_values`` read."""
    for decorate in reversed(_OPTIONS):
        command = decorate(command)
    return command


def read_process(name: tuple[str, ...], param: tuple[str, ...], options: Mapping[str, Any]) -> Diffusion:
    """The diffusion that the options describe, or the one of the catalogue."""
    given = {key: options[key] for key in ("drift", "diffusion", "state", "domain") if options[key] is not None}
    if len(name) > 1:
        raise InputError(
            f"{len(name)} names are given: {' '.join(name)}", remedy="give one, and quote values with spaces"
        )
    if name and given:
        raise InputError(
            f"both a name and --{next(iter(given))} are given", remedy="give a catalogue name, or the coefficients"
        )
    if not name and (missing := [key for key in ("drift", "diffusion") if key not in given]):
        raise InputError(
            f"no --{' and no --'.join(missing)}",
            remedy="give --drift and --diffusion, or a catalogue name such as ornstein-uhlenbeck",
        )
    from symdp.diffusion.catalogue import lookup

    entry = lookup(name[0]) if name else None
    if entry is not None:
        return entry.build(param, options["let"])
    from symdp.diffusion.process import Diffusion

    texts = given["drift"], given["diffusion"], given.get("state"), given.get("domain")
    return Diffusion(*texts, param, let=options["let"])


def read_values(texts: Sequence[str]) -> dict[str, Any]:
    """The values of all ``--at``."""
    if not texts:
        return {}
    from symdp.text import parse_values

    values: dict[str, Any] = {}
    for text in texts:
        for key, value in parse_values(text, place="--at").items():
            if key in values:
                raise InputError(f"'{key}' is given twice", place="--at", remedy="give it once")
            values[key] = value
    return values
