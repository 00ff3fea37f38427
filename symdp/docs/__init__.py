"""The documentation as a site: guide, tutorials, catalogue, rules, commands, and the reference of every public name.

Built from what is there: the guide's pages, the README, the notebooks, the registered rules, the commands' own help and
the docstrings.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterable, Iterator
from html import escape
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from symdp.errors import InputError
from symdp.files import replace_file
from symdp.render.pages import document, prose, table

GUIDE = ("getting-started", "which-tool", "adding", "trust", "architecture")
_MATH = re.compile(r"\$([^$\n]+)\$")


def build(folder: str | Path, notebooks: Path | None = None) -> Path:
    """Write the site into a folder, made if it is not there; returns its index.

    ``notebooks``: the folder of the tutorials, by default the checkout's. Raises InputError if what draws the pages is
    not installed, or the folder is a file.
    """
    if missing := [name for name in ("markdown_it", "pdoc", "latex2mathml") if find_spec(name) is None]:
        raise InputError(f"{missing[0]} is not installed", remedy="pip install 'symdp[docs]'")
    place = Path(folder)
    if place.exists() and not place.is_dir():
        raise InputError(f"{folder} is no folder", place="docs", remedy="name a folder")
    place.mkdir(parents=True, exist_ok=True)
    pages: dict[str, tuple[str, str]] = {}
    for name in GUIDE:
        text = (files("symdp.docs") / "guide" / f"{name}.md").read_text(encoding="utf-8")
        pages[name] = (_title(text), markdown(text))
    for path in sorted((notebooks or _notebooks()).glob("*.ipynb")):
        title, body = notebook(json.loads(path.read_text(encoding="utf-8")))
        pages[path.stem] = (title, body)
    pages |= {"catalogue": _catalogue(), "rules": _rules(), "commands": _commands()}
    _reference(place)
    links = [f'<li><a href="{name}.html">{escape(title)}</a></li>' for name, (title, _) in pages.items()]
    links.append('<li><a href="api/symdp.html">Reference of every public name</a></li>')
    for name, (title, body) in pages.items():
        replace_file(place / f"{name}.html", document(title, f'<p><a href="index.html">symdp</a></p>{body}'))
    index = f"<h1>symdp</h1><p>{escape(_summary())}</p><ul>{''.join(links)}</ul>"
    replace_file(place / "index.html", document("symdp", index))
    return place / "index.html"


def markdown(text: str) -> str:
    """Markdown with formulas between dollars, as HTML."""
    from markdown_it import MarkdownIt

    formulas: list[str] = []

    def kept(match: re.Match[str]) -> str:
        formulas.append(prose(match[0]))
        return f"\x02{len(formulas) - 1}\x03"

    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(_MATH.sub(kept, text))
    return re.sub(r"\x02(\d+)\x03", lambda match: formulas[int(match[1])], str(html))


def notebook(data: dict[str, Any]) -> tuple[str, str]:
    """Title and HTML of a notebook: its text, its cells and what they show."""
    parts = list(_cells(data))
    return _title("".join(data["cells"][0]["source"])), "\n".join(parts)


def _cells(data: dict[str, Any]) -> Iterator[str]:
    for cell in data["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield markdown(source)
            continue
        yield f"<pre>{escape(source)}</pre>"
        for output in cell["outputs"]:
            shown = output.get("data", {})
            if "image/png" in shown:
                yield f'<img alt="" src="data:image/png;base64,{"".join(shown["image/png"])}" style="max-width:100%">'
            else:
                yield f'<pre class="note">{escape("".join(output.get("text", shown.get("text/plain", ""))))}</pre>'


def _title(text: str) -> str:
    return text.lstrip("# ").split("\n", 1)[0]


def _summary() -> str:
    import symdp

    return (symdp.__doc__ or "").strip().split("\n\n")[0]


def _notebooks() -> Path:
    return Path(__file__).resolve().parents[2] / "notebooks"


def _catalogue() -> tuple[str, str]:
    from symdp.diffusion.catalogue import CATALOGUE

    rows = [(e.name, e.drift, e.diffusion, e.domain or "") for e in CATALOGUE.values()]
    body = table(("name", "drift", "diffusion", "domain"), (map(_code, row) for row in rows))
    return "The catalogue of diffusions", f"<h1>The catalogue of diffusions</h1>{body}"


def _rules() -> tuple[str, str]:
    import symdp.rules  # noqa: F401  (registers them)
    from symdp.rule import rules

    rows = []
    for id, rule in sorted(rules().items()):
        sources = "; ".join(str(citation) for citation in rule.citations)
        rows.append((_code(id), escape(rule.title), escape(rule.statement), escape(rule.tightness), escape(sources)))
    body = table(("rule", "title", "what follows", "tightness", "source"), rows)
    return "The rules of inference", f"<h1>The rules of inference</h1>{body}"


def _commands() -> tuple[str, str]:
    from symdp.cli import cli

    body = ["<h1>Commands</h1>"]
    for name, command in sorted(cli.commands.items()):
        with click.Context(command, info_name=f"symdp {name}", max_content_width=110) as context:
            body.append(f"<h2>{escape(name)}</h2><pre>{escape(command.get_help(context))}</pre>")
    return "Commands", "\n".join(body)


def _reference(place: Path) -> None:
    from pdoc import pdoc, render

    render.configure(docformat="restructuredtext", show_source=False, search=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about annotations of types that are imported for checkers only
        pdoc(*_modules(), output_directory=place / "api")


def _modules() -> Iterable[str]:
    """The package, and the modules that people import from."""
    return (
        "symdp",
        "symdp.judgments",
        "symdp.mechanisms.sampled_gaussian",
        "symdp.mechanisms.finite",
        "symdp.epsilon",
        "symdp.prover",
        "symdp.claims",
        "symdp.claims.own",
        "symdp.decide",
        "symdp.enclosure",
        "symdp.quadrature",
        "symdp.extremum",
        "symdp.theorem",
        "symdp.rule",
    )


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>" if text else ""
