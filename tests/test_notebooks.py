"""The tutorials run from top to bottom and show what they show."""

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent.parent / "notebooks"


def run(source: str, scope: dict[str, Any]) -> str | None:
    """Run a cell as a notebook does: what it prints, else the repr of its last expression."""
    body = ast.parse(source).body
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), "<cell>", "exec"), scope)
        value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), scope) if last is not None else None
    return printed.getvalue() or (repr(value) if value is not None else None)


def stored(cell: dict[str, Any]) -> str | None:
    """The text a code cell shows."""
    parts = []
    for output in cell["outputs"]:
        parts.append(output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"])
    return "".join("".join(p) for p in parts) or None


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda p: p.stem)
def test_a_notebook_shows_what_its_cells_compute(path: Path) -> None:
    scope: dict[str, Any] = {}
    cells = [c for c in json.loads(path.read_text(encoding="utf-8"))["cells"] if c["cell_type"] == "code"]
    assert cells
    for number, cell in enumerate(cells):
        assert run("".join(cell["source"]), scope) == stored(cell), f"{path.name}, code cell {number}"


def test_there_is_a_tutorial() -> None:
    assert list(FOLDER.glob("*.ipynb"))
