"""Pages on papers' results: one for each claim, and an index by paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from itertools import groupby
from pathlib import Path

from symdp.claims.comparison import is_relation
from symdp.claims.items import Item
from symdp.claims.run import Judged
from symdp.claims.verdict import PROVED, ClaimVerdict
from symdp.errors import InputError, Refused, SymdpError
from symdp.files import replace_file
from symdp.render.claims import words
from symdp.render.latex import relation
from symdp.render.pages import document, formula, mathml, proof_tree, prose, rows, table
from symdp.text import parse, parse_matrix, parse_relations
from symdp.theorem import Theorem

Theorems = Mapping[str, Theorem | Refused | None]


def file_name(id: str) -> str:
    """The page of a claim: its id in characters that every file system takes; different ids have different names."""
    return re.sub(r"[^A-Za-z0-9-]", lambda match: f"_{ord(match[0]):x}", id) + ".html"


def claim_page(item: Item, verdict: ClaimVerdict, theorems: Theorems) -> str:
    """A claim: statement, verdict, formulas, what it rests on, reference values, proofs."""
    keys = item.formulas(verdict.id)
    style = (
        "good"
        if verdict.verdict in (*PROVED, "consistent", "holds")
        else "bad"
        if verdict.verdict == "refuted"
        else "open"
    )
    head = f'<p><a href="index.html">All claims</a></p><h1>{escape(verdict.id)}: {escape(item.title.rstrip("."))}</h1>'
    told = rows(
        [
            ("Claim", prose(verdict.statement)),
            ("Verdict", f'<strong class="{style}">{escape(words(verdict))}</strong>'),
            ("How", escape(verdict.reason)),
            ("Witness", _code(verdict.witness)),
            ("Sharper", _code(verdict.sharper)),
            ("Hypotheses not needed", _code(verdict.needless)),
            ("Assumed", _code(", ".join(verdict.assumptions))),
            ("Attacked", f"{verdict.instances} instances, seed {verdict.seed}"),
            ("Setting", prose(item.parts["Setting"])),
            ("Bound", prose(item.parts["Bound"])),
            ("Citation", escape(verdict.citation)),
            ("Source", f"<code>derivations/{escape(item.name)}.py</code>"),
        ]
    )
    body = [head, told, "<h2>Formulas as printed</h2>", _formulas(item, keys)]
    points = [point for point in item.reference_points() if point[0] in keys]
    if points:
        body += [
            "<h2>Reference values</h2>",
            table(("formula", "at", "value"), ((_code(key), _code(at), _code(digits)) for key, at, digits in points)),
        ]
    body.append("<h2>Proofs</h2>")
    shown: set[int] = set()
    for key in (*keys, *(f"{key}:sharper" for key in keys)):
        theorem = theorems.get(key)
        if isinstance(theorem, Theorem) and id(theorem) not in shown:
            shown.add(id(theorem))
            body.append(proof_tree(theorem))
        elif isinstance(theorem, Refused):
            body.append(f"<p>No theorem for {_code(key)}: {escape(str(theorem))}</p>")
    if not shown:
        body.append("<p>No theorem is compared: the falsifier alone speaks.</p>")
    return document(f"{verdict.id}: {words(verdict)}", "\n".join(body))


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>" if text else ""


def _formulas(item: Item, keys: Iterable[str]) -> str:
    lines = []
    for key in keys:
        claim = item.claims[key]
        lines.append(
            (
                _code(key),
                _shown(claim.text, relations=is_relation(claim)),
                _shown(claim.where, relations=True),
                _code(claim.text),
            )
        )
    return table(("formula", "", "where", "as text"), lines)


def _shown(text: str, *, relations: bool) -> str:
    """A formula of our grammar as MathML; as text where it is none, as of a statement in words."""
    if not text:
        return ""
    try:
        if relations:
            return ", ".join(mathml(relation(item)) for item in parse_relations(text))
        if ";" in text or "," in text:
            return _code("; ".join(", ".join(str(entry.expr) for entry in row) for row in parse_matrix(text)))
        return formula(parse(text), display=True)
    except SymdpError:
        return _code(text)


def index_page(verdicts: Iterable[ClaimVerdict]) -> str:
    """The index by paper."""
    body = ["<h1>Papers' results, judged</h1>"]
    ordered = sorted(verdicts, key=lambda row: (row.file.split("/")[0], row.id))
    body.append(f"<p>{len(ordered)} claims.</p>")
    for paper, group in groupby(ordered, key=lambda row: row.file.split("/")[0]):
        body.append(f"<h2>{escape(paper)}</h2>")
        lines = []
        for row in group:
            good = row.verdict in (*PROVED, "consistent", "holds")
            style = "good" if good else "bad" if row.verdict == "refuted" else "open"
            link = f'<a href="{file_name(row.id)}">{escape(row.id)}</a>'
            lines.append((link, prose(row.statement), f'<span class="{style}">{escape(words(row))}</span>'))
        body.append(table(("claim", "statement", "verdict"), lines))
    return document("Papers' results, judged", "\n".join(body))


def write_pages(folder: str, judged: Iterable[Judged]) -> Path:
    """Write the pages that were made, and the index of their claims, into a folder; each file at once.

    Returns the index's path. Raises InputError if the folder is a file.
    """
    place = Path(folder)
    if place.exists() and not place.is_dir():
        raise InputError(f"{folder} is no folder", place="--html", remedy="name a folder")
    place.mkdir(parents=True, exist_ok=True)
    verdicts = []
    for file in judged:
        verdicts += [verdict for verdict in file.verdicts if verdict.id in file.pages]
        for id, page in file.pages.items():
            replace_file(place / file_name(id), page)
    replace_file(place / "index.html", index_page(verdicts))
    return place / "index.html"
