"""Pages of HTML that need nothing else: no network, no script, formulas as MathML, proofs as trees that fold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from importlib.util import find_spec

from sympy import Expr

from symdp.errors import InputError
from symdp.evidence import Evidence
from symdp.render.latex import expression
from symdp.theorem import Theorem

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --open: #9a6700; --bad: #cf222e; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
td, th { border-bottom: 1px solid var(--line); padding: .35rem .6rem; text-align: left; vertical-align: top; }
code, pre { font: .85em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap; }
details { margin: .3rem 0 .3rem 1rem; border-left: 2px solid var(--line); padding-left: .7rem; }
summary { cursor: pointer; } .note { opacity: .75; font-size: .9em; }
math { font-size: 1.08em; } .wide { overflow-x: auto; }
.good { color: var(--good); } .open { color: var(--open); } .bad { color: var(--bad); }
"""
_VERDICTS = {"proved": "good", "certified": "good", "assumed": "open", "unknown": "open", "refuted": "bad"}


def document(title: str, body: str) -> str:
    """A whole page. ``title`` is text, ``body`` HTML."""
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head>{head}<style>{_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n'
    )


def require_converter() -> None:
    """Raises InputError if the converter to MathML is missing: before anything long is begun."""
    if find_spec("latex2mathml") is None:
        raise InputError("latex2mathml is not installed", remedy="pip install 'symdp[html]'")


def mathml(latex: str, *, display: bool = False) -> str:
    """A formula as MathML; where it is not understood, its text. Raises InputError if the converter is missing."""
    require_converter()
    from latex2mathml.converter import convert

    try:
        return str(convert(latex, display="block" if display else "inline"))
    except Exception:  # its errors have no base class of their own
        return f"<code>{escape(latex)}</code>"


def formula(expr: Expr, *, display: bool = False) -> str:
    """An expression as MathML."""
    return mathml(expression(expr), display=display)


def prose(text: str) -> str:
    """Text with formulas between dollars and words between stars or backquotes."""
    pieces = re.split(r"\$([^$]+)\$", text)
    shown = [mathml(piece) if place % 2 else _marked(piece) for place, piece in enumerate(pieces)]
    return "".join(shown)


def _marked(text: str) -> str:
    text = re.sub(r"\*\*?([^*]+)\*\*?", r"<em>\1</em>", escape(text))
    return re.sub(r"`+([^`]+)`+", r"<code>\1</code>", text)


def rows(pairs: Iterable[tuple[str, str]]) -> str:
    """A table of names and HTML; pairs whose HTML is empty are left out."""
    lines = (f"<tr><th>{escape(name)}</th><td>{html}</td></tr>" for name, html in pairs if html)
    return f"<table>{''.join(lines)}</table>"


def evidence_list(items: Iterable[Evidence]) -> str:
    """Hypotheses with their verdicts and reasons."""
    lines = []
    for item in items:
        under = f", assuming {', '.join(map(str, item.under))}" if item.under else ""
        said = escape(item.statement if item.statement != item.name else item.name)
        verdict = f'<span class="{_VERDICTS[item.verdict]}">{item.verdict}</span>'
        lines.append(f'<li>{verdict} {said} <span class="note">({escape(item.reason + under)})</span></li>')
    return f"<ul>{''.join(lines)}</ul>" if lines else ""


def proof_tree(theorem: Theorem) -> str:
    """A theorem with its rule, hypotheses and premises; what was shown once is only named again."""
    seen: dict[int, int] = {}

    def node(part: Theorem, depth: int) -> str:
        if id(part) in seen:
            return (
                f"<details><summary>{escape(part.rule.title)} (shown above, step {seen[id(part)]})</summary></details>"
            )
        seen[id(part)] = len(seen) + 1
        sources = "; ".join(str(citation) for citation in part.rule.citations)
        head = f"<strong>{seen[id(part)]}. {escape(part.rule.title)}</strong>"
        inside = [f"<p><code>{escape(part.conclusion.statement())}</code></p>", evidence_list(part.evidence)]
        inside.append(f'<p class="note">rule {escape(part.rule.id)}, {part.rule.tightness}; {escape(sources)}</p>')
        inside += [node(premise, depth + 1) for premise in part.premises]
        return f"<details{' open' if depth == 0 else ''}><summary>{head}</summary>{''.join(inside)}</details>"

    return node(theorem, 0)


def table(head: Iterable[str], lines: Iterable[Iterable[str]]) -> str:
    """A table of HTML cells under names."""
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in line) + "</tr>" for line in lines)
    return f'<div class="wide"><table><tr>{top}</tr>{body}</table></div>'


def values(given: Mapping[str, str]) -> str:
    """Names and texts as code."""
    return f"<code>{escape(', '.join(f'{name} = {text}' for name, text in given.items()))}</code>"
