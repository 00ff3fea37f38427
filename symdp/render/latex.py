"""LaTeX that compiles in a plain article, without any package."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sympy import Expr, Symbol, latex

from symdp.diffusion.process import Diffusion
from symdp.region import Interval, Region
from symdp.text import Relation, parse
from symdp.text.control import MEANING_LATEX, ControlFunction
from symdp.text.printer import relation_sides

if TYPE_CHECKING:
    from symdp.bound import Bound

_GREEK = re.compile(
    "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|upsilon|phi|chi|psi|omega|"
    "Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega"
)
_OPS = {">": ">", ">=": r"\ge", "==": "=", "!=": r"\ne"}
_DIRECTION = r"R_{\alpha}\left(P_t(x) \,\|\, P_t(x')\right)"


def name(text: str) -> str:
    """A name of our grammar: Greek letters, trailing digits as an index, ``xp`` as x with a prime, words upright."""
    parts = re.fullmatch(r"(.*?)_?([0-9]*)", text)
    base, index = (parts[1], parts[2]) if parts and parts[1] else (text, "")
    if base == "xp":
        return f"{{x'_{{{index}}}}}" if index else "{x'}"
    if _GREEK.fullmatch(base):
        shown = f"\\{base}"
    elif len(base) == 1 and base != "_":
        shown = base
    else:
        shown = r"\mathrm{" + base.replace("_", r"\_") + "}"
    return f"{shown}_{{{index}}}" if index else shown


def expression(expr: Expr) -> str:
    """An expression, by sympy's printer with our names and without the commands of amsmath."""
    names = {s: name(s.name) for s in expr.free_symbols if isinstance(s, Symbol)}
    return str(latex(expr, symbol_names=names)).replace(r"\operatorname{", r"\mathrm{")


def relation(item: Relation) -> str:
    """A relation with its terms on the sides where they are not negative."""
    left, right, turned = relation_sides(item.expr)
    sign = {">": "<", r"\ge": r"\le"}.get(_OPS[item.op], _OPS[item.op]) if turned else _OPS[item.op]
    return f"{expression(parse(left))} {sign} {expression(parse(right))}"


def _inside(variable: Symbol, interval: Interval) -> str:
    shown = name(variable.name)
    if interval.is_point:
        return f"{shown} = {expression(interval.lower)}"
    low, high = (r"\le" if closed else "<" for closed in (interval.lower_closed, interval.upper_closed))
    if interval.is_bounded:
        return f"{expression(interval.lower)} {low} {shown} {high} {expression(interval.upper)}"
    if interval.lower.is_finite:
        return f"{shown} {low.replace('le', 'ge').replace('<', '>')} {expression(interval.lower)}"
    return f"{shown} {high} {expression(interval.upper)}" if interval.upper.is_finite else rf"{shown} \mbox{{ real}}"


def region_text(region: Region) -> str:
    """A region as inline formulas separated by commas."""
    parts = [_inside(s, interval) for s, interval in region.intervals] + [relation(c) for c in region.constraints]
    return ", ".join(f"${part}$" for part in parts)


def _equation(process: Diffusion) -> str:
    if process.dimension == 1:
        (x,), (u,) = process.state, process.drift
        row = process.diffusion[0]
        shown, upright = name(x.name), r"\,\mathrm{d}"
        drift = rf"\left({expression(u)}\right){upright} t"
        noise = " + ".join(
            rf"\left({expression(v)}\right){upright} W" + (f"_{{{k}}}" if len(row) > 1 else "")
            for k, v in enumerate(row, 1)
        )
        return rf"\mathrm{{d}} {shown} = {drift} + {noise}"
    column = _matrix([[name(s.name)] for s in process.state])
    u = _matrix([[expression(e)] for e in process.drift])
    v = _matrix([[expression(e) for e in row] for row in process.diffusion])
    return rf"\mathrm{{d}} {column} = {u} \mathrm{{d}} t + {v} \mathrm{{d}} W"


def _matrix(rows: list[list[str]]) -> str:
    body = r" \\ ".join(" & ".join(row) for row in rows)
    return rf"\left(\begin{{array}}{{{'c' * len(rows[0])}}} {body} \end{{array}}\right)"


def _sign(bound: Bound) -> str:
    return "=" if bound.tightness == "exact" else r"\le"


def bound_latex(bound: Bound) -> str:
    """A paragraph: the equation, the bound in its direction, where it holds, and the RDP guarantee."""
    lines = [
        "For the diffusion",
        rf"\[ {_equation(bound.process)} \]",
        rf"with law $P_t(x)$ at time $t$ from the start $x$, in this order of the two laws ({bound.tightness}),",
        rf"\[ {_DIRECTION} {_sign(bound)} {expression(bound.divergence)} \]",
        f"for {region_text(bound.region)}.",
    ]
    if bound.rdp is not None:
        lines += [
            r"For both orders and every pair of starts with $|x - x'| \le \Delta$",
            r"it is $(\alpha, \varepsilon(\alpha))$-RDP with",
            rf"\[ \varepsilon(\alpha) = {expression(bound.rdp)}. \]",
        ]
    if bound.divergence.has(ControlFunction):
        lines.append(MEANING_LATEX)
    if bound.assumptions:
        lines.append(f"This is conditional on {len(bound.assumptions)} assumption{'s' * (len(bound.assumptions) > 1)}.")
    return "\n".join(lines) + "\n"


def notebook(bound: Bound) -> str:
    """The bound as one displayed formula, for MathJax."""
    return rf"$\displaystyle {_DIRECTION} {_sign(bound)} {expression(bound.divergence)}$"
