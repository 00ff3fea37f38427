"""The command line: reads options, calls the library, prints. Everything heavy is imported inside a command.

Exit codes: 0 proved or conditional, 2 refused, 1 bad input (usage errors included), 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from symdp import __version__
from symdp.console import REFUSED, Outcome, run
from symdp.errors import InputError, Refused, SymdpError, Undetermined

if TYPE_CHECKING:
    from symdp.diffusion.process import Diffusion
    from symdp.render.text import Line


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def once(_: click.Context, option: click.Parameter, values: tuple[str, ...]) -> str | None:
    """An option that may be given once; its value must not be the next option."""
    if len(values) > 1:
        raise InputError(f"--{option.name} is given {len(values)} times", remedy="give it once")
    return several(_, option, values)[0] if values else None


def several(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """An option that may be repeated; a value must not be the next option, which click would swallow."""
    known = {name for parameter in context.command.params for name in parameter.opts if name.startswith("--")}
    for value in values:
        if value.split("=", 1)[0] in known:
            raise InputError(f"--{option.name} has no value", remedy=f"write --{option.name} before its value")
    return values


def _option(name: str, help: str, metavar: str, *, repeat: bool = False) -> Decorator:
    return click.option(name, multiple=True, callback=several if repeat else once, help=help, metavar=metavar)


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


class _Catalogued(click.Command):
    """A command whose help ends with the names of the catalogue."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The names, one a line."""
        from symdp.diffusion.catalogue import CATALOGUE

        with formatter.section("Catalogue"):
            formatter.write_dl([(e.name, f"drift {e.drift}, diffusion {e.diffusion}") for e in CATALOGUE.values()])


@cli.command(cls=_Catalogued)
@click.argument("name", nargs=-1, metavar="[NAME]")
@_option("--drift", "Drift u, components by commas: '-theta*x'.", "U")
@_option("--diffusion", "Diffusion matrix v, rows by semicolons: 's, 0; 0, s'.", "V")
@_option("--state", "Names of the coordinates [x; in R^d x1,x2,...].", "NAMES")
@_option("--domain", "Domain: 'x>0', '0<x<1'; a closed end reflects.", "RELATIONS")
@_option(
    "--param", "Declare a parameter that is not just positive: 'c real', '0<q<1'. Repeatable.", "TEXT", repeat=True
)
@_option(
    "--assume", "Assume a relation, '4*a>=sigma**2', or a hypothesis by its name. Repeatable.", "TEXT", repeat=True
)
@_option(
    "--at", "Values: 'alpha=8,t=1/2,Delta=1,theta=1', or two starts 'x=1,xp=0'. Repeatable.", "VALUES", repeat=True
)
@_option("--digits", "Significant digits to prove [50].", "N")
@_option("--delta", "Also give epsilon for this delta.", "NUMBER")
@_option("--steps", "Steps of the composition that --delta is about [1].", "N")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with the proof that `symdp replay` checks.")
@click.option("--latex", "as_latex", is_flag=True, help="Print LaTeX.")
def derive(name: tuple[str, ...], param: tuple[str, ...], assume: tuple[str, ...], **options: Any) -> Outcome:
    """Derive the bound of dX = u dt + v dW, typed as text or NAMEd from the catalogue.

    \b
    symdp derive --drift=-theta*x --diffusion 'sqrt(2)*rho' --at alpha=8,t=1/2,Delta=1,theta=1,rho=1
    symdp derive ornstein-uhlenbeck --json
    """
    if options["as_json"] and options["as_latex"]:
        raise InputError("--json and --latex are both given", remedy="give one")
    form = "json" if options["as_json"] else "latex" if options["as_latex"] else "text"
    process = _process(name, param, options)
    values = _values(options["at"])
    digits, delta, steps = _numbers(options, values)
    from symdp.bound import derive as derive_bound
    from symdp.found import read_assumptions
    from symdp.question import ask

    if values:  # bad values come before a refusal
        ask(process, values, assuming=read_assumptions(process, assume), need_alpha=delta is None, place="--at")
    try:
        bound = derive_bound(process, assume, at=values)
    except Refused as refusal:
        return _refused(process, refusal, form)
    question = bound.ask(values, need_alpha=delta is None, place="--at") if values else None
    if form == "latex" and question is None:
        return Outcome(bound.latex())
    from symdp.render.json import bound_data, value_data

    answer: dict[str, Any] = {}
    problem: SymdpError | None = None
    if question is not None:
        try:
            answer = bound.answer(question, digits=digits, delta=delta, steps=steps)
        except (Refused, Undetermined) as error:
            problem = error
    if form == "latex" and problem is None:
        return Outcome(bound.latex())
    data = bound_data(bound, theorems=form == "json")
    if question is not None:
        data |= value_data(question, answer, digits)
    if problem is not None:
        data |= {"status": "refused", "reason": str(problem)}
    return _shown(data, form)


def _process(name: tuple[str, ...], param: tuple[str, ...], options: Mapping[str, Any]) -> Diffusion:
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
    from symdp.diffusion.process import Diffusion
    from symdp.text import identifiers

    if entry is None:
        return Diffusion(given["drift"], given["diffusion"], given.get("state"), given.get("domain"), param)
    mine = {word for text in param for word in identifiers(text)}
    declared = [f"{key} {text}" for key, text in entry.params.items() if key not in mine]
    return Diffusion(entry.drift, entry.diffusion, None, entry.domain or None, [*declared, *param])


def _values(texts: Sequence[str]) -> dict[str, Any]:
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


def _numbers(options: Mapping[str, Any], values: Mapping[str, Any]) -> tuple[int, Any, int]:
    """``--digits``, ``--delta`` and ``--steps``, checked before anything is derived."""
    from symdp.question import check_delta, check_digits, check_steps

    digits = check_digits("50" if options["digits"] is None else options["digits"], "--digits")
    steps = check_steps("1" if options["steps"] is None else options["steps"], "--steps")
    if options["delta"] is None:
        if options["steps"] is not None:
            raise InputError("--steps is given without --delta", remedy="give --delta, for example --delta 1e-5")
        return digits, None, steps
    if not values:
        raise InputError("--delta is given without --at", remedy="give values, for example --at t=1,Delta=1")
    from symdp.rationals import MAX_DIGITS

    if digits > MAX_DIGITS:
        raise InputError(
            f"epsilon is computed to at most {MAX_DIGITS} digits", place="--digits", remedy="ask for fewer with --delta"
        )
    return digits, check_delta(options["delta"], "--delta"), steps


def _refused(process: Diffusion, refusal: Refused, form: str) -> Outcome:
    from symdp.render.json import refusal_data

    return _shown(refusal_data(process, str(refusal), refusal.hypotheses), form)


def _shown(data: dict[str, Any], form: str) -> Outcome:
    """JSON, or text; a refusal also goes to stderr."""
    code, error = (REFUSED, f"refused: {data['reason']}") if data["status"] == "refused" else (0, "")
    if form == "json":
        import json

        return Outcome(json.dumps(data, indent=2) + "\n", code, error)
    from symdp.render.text import report

    return Outcome("" if form == "latex" else report(data), code, error)


@cli.command()
@click.option("--cite", is_flag=True, help="Print BibTeX entries of everything the rules cite.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def rules(cite: bool, as_json: bool) -> Outcome:
    """List the rules of inference: id, title, tightness and source."""
    import symdp.rules  # noqa: F401  (registers them)
    from symdp.citations import bibtex
    from symdp.rule import rules as registered

    known = [registered()[id] for id in sorted(registered())]
    entries = bibtex(c.key for rule in known for c in rule.citations)
    if as_json:
        import json

        listed = [
            {"id": r.id, "title": r.title, "tightness": r.tightness, "citations": [str(c) for c in r.citations]}
            for r in known
        ]
        return Outcome(
            json.dumps({"schema": 1, "rules": listed, **({"bibtex": entries} if cite else {})}, indent=2) + "\n"
        )
    if cite:
        return Outcome(entries)
    lines: list[Line] = []
    for rule in known:
        lines.append(("head", f"{rule.id}  ({rule.tightness})"))
        lines += [("", f"  {rule.title}"), *(("", f"  cites  {c}") for c in rule.citations)]
    return Outcome(lines)


@cli.command()
@click.argument("file", metavar="FILE.json")
def replay(file: str) -> Outcome:
    """Check the proof in FILE.json, as `symdp derive --json` prints it ('-': standard input), from its rules up."""
    import json
    from pathlib import Path

    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
        data = json.loads(text)
    except OSError as error:
        raise InputError(
            f"cannot read {file}: {error.strerror or error}", remedy="give a file that derive --json wrote"
        ) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file} is not JSON: {error}", remedy="give a file that derive --json wrote") from None
    import symdp.rules  # noqa: F401  (registers them)
    from symdp.render.json import replayed

    lines: list[Line] = []
    for name, theorem in replayed(data).items():
        count = sum(1 for _ in theorem.walk())
        lines.append(("good", f"{name}: {theorem.status}, {count} rule{'s' * (count != 1)} replayed"))
        lines.append(("", f"  {theorem.conclusion.statement()}"))
        lines += [("open", f"  you assumed  {item}") for item in theorem.assumptions]
    return Outcome(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; every error is one line on stderr that begins with ``symdp:``."""
    return run(cli, argv)
