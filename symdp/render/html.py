"""A bound as HTML that needs nothing else: the report with verdicts in colour for notebooks, and a page with proofs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from symdp.judgments import HeatFlow
from symdp.render.json import bound_data
from symdp.render.latex import expression
from symdp.render.text import Line, report

if TYPE_CHECKING:
    from symdp.bound import Bound

_STYLES = {"": "", "head": "font-weight:bold", "good": "color:#1a7f37", "open": "color:#9a6700", "bad": "color:#cf222e"}


def page(bound: Bound) -> str:
    """The report of a bound as an HTML fragment."""
    return _coloured(report(bound_data(bound, theorems=False)))


def _coloured(report: Iterable[Line]) -> str:
    lines = []
    for style, text in report:
        shown = escape(text)
        lines.append(f'<span style="{_STYLES[style]}">{shown}</span>' if style else shown)
    return '<pre style="white-space:pre-wrap">' + "\n".join(lines) + "</pre>"


def bound_page(bound: Bound, data: Mapping[str, Any]) -> str:
    """A whole page: bound, guarantee and kappa as formulas, values if ``data`` has some, hypotheses, proofs.

    Raises InputError if the converter to MathML is missing.
    """
    from symdp.render.pages import document, formula, mathml, proof_tree, rows

    sign = "=" if bound.tightness == "exact" else r"\le"
    direction = r"R_\alpha(P_t(x) \,\|\, P_t(x'))"
    flow = bound.found.derivation.flow
    kappa = flow.conclusion.kappa if flow is not None and isinstance(flow.conclusion, HeatFlow) else None
    body = [f"<h1>{escape(bound.process.equation())}</h1>"]
    body.append(
        rows(
            [
                ("Bound", mathml(f"{direction} {sign} {expression(bound.divergence)}", display=True)),
                ("", escape(f"{bound.tightness}, {bound.status}; for {bound.region}")),
                ("Rényi DP", "" if bound.rdp is None else formula(bound.rdp, display=True)),
                ("κ", "" if kappa is None else formula(kappa, display=True)),
                ("Assumed", escape("; ".join(bound.assumptions))),
                ("Citations", escape("; ".join(bound.citations))),
            ]
        )
    )
    body += ["<h2>Report</h2>", _coloured(report(data)), "<h2>Proofs</h2>"]
    body += [proof_tree(theorem) for theorem in bound.found.theorems.values()]
    return document(bound.process.equation(), "\n".join(body))
