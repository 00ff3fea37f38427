"""A bound in a notebook: the text report with verdicts in colour, as HTML that needs nothing else."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from symdp.render.json import bound_data
from symdp.render.text import report

if TYPE_CHECKING:
    from symdp.bound import Bound

_STYLES = {"": "", "head": "font-weight:bold", "good": "color:#1a7f37", "open": "color:#9a6700", "bad": "color:#cf222e"}


def page(bound: Bound) -> str:
    """The report of a bound as an HTML fragment."""
    lines = []
    for style, text in report(bound_data(bound, theorems=False)):
        shown = escape(text)
        lines.append(f'<span style="{_STYLES[style]}">{shown}</span>' if style else shown)
    return '<pre style="white-space:pre-wrap">' + "\n".join(lines) + "</pre>"
