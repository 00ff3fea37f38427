"""``symdp rules``, ``symdp replay`` and ``symdp cite``: the rules of inference, proofs checked from them, sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from symdp.console import Outcome
from symdp.errors import InputError

if TYPE_CHECKING:
    from symdp.render.text import Line
    from symdp.theorem import Theorem


@click.command(short_help="List the rules of inference.")
@click.option("--cite", is_flag=True, help="Print BibTeX entries of everything the rules cite.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def rules(cite: bool, as_json: bool) -> Outcome:
    """List the rules of inference: id, title, what follows, tightness and source."""
    import symdp.rules  # noqa: F401  (registers them)
    from symdp.citations import bibtex
    from symdp.rule import rules as registered

    known = [registered()[id] for id in sorted(registered())]
    entries = bibtex(c.key for rule in known for c in rule.citations)
    if as_json:
        import json

        listed = [
            {
                "id": r.id,
                "title": r.title,
                "statement": r.statement,
                "tightness": r.tightness,
                "citations": [str(c) for c in r.citations],
            }
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
        lines += [
            ("", f"  {rule.title}"),
            ("", f"  {rule.statement}"),
            *(("", f"  cites  {c}") for c in rule.citations),
        ]
    return Outcome(lines)


@click.command(short_help="Check the proof in a JSON file again.")
@click.argument("file", metavar="FILE.json")
def replay(file: str) -> Outcome:
    """Check the proof in FILE.json, as `symdp derive --json` prints it ('-': standard input), from its rules up."""
    lines: list[Line] = []
    for name, theorem in _theorems(file).items():
        count = sum(1 for _ in theorem.walk())
        lines.append(("good", f"{name}: {theorem.status}, {count} rule{'s' * (count != 1)} replayed"))
        lines.append(("", f"  {theorem.conclusion.statement()}"))
        lines += [("open", f"  you assumed  {item}") for item in theorem.assumptions]
    return Outcome(lines)


@click.command(short_help="Print BibTeX of what a proof rests on.")
@click.argument("file", metavar="[FILE.json]", required=False)
def cite(file: str | None) -> Outcome:
    """BibTeX entries of everything the rules cite, or of what the proof in FILE.json rests on ('-': standard input)."""
    import symdp.rules  # noqa: F401  (registers them)
    from symdp.citations import bibtex
    from symdp.rule import rules as registered

    if file is None:
        return Outcome(bibtex(c.key for rule in registered().values() for c in rule.citations))
    return Outcome(bibtex(c.key for theorem in _theorems(file).values() for c in theorem.citations))


def _theorems(file: str) -> dict[str, Theorem]:
    """The theorems of a file that a command has printed, replayed."""
    import json

    from symdp.files import read_text

    remedy = "give a file that derive --json wrote"
    text = read_text(file, remedy=remedy)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file} is not JSON: {error}", remedy=remedy) from None
    import symdp.rules  # noqa: F401  (registers them)
    from symdp.render.json import replayed

    return replayed(data)
