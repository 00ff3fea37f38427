"""The tutorials run from top to bottom and show what they show."""

import ast
import base64
import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent.parent / "notebooks"


def run(source: str, scope: dict[str, Any]) -> tuple[str, object]:
    """Run a cell as a notebook does: what it prints, and the value of its last expression."""
    body = ast.parse(source).body
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), "<cell>", "exec"), scope)
        value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), scope) if last is not None else None
    return printed.getvalue(), value


def shown(source: str, scope: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """The outputs of a cell as a notebook stores them: what it prints, then its value, a picture beside its text."""
    printed, value = run(source, scope)
    outputs: list[dict[str, Any]] = []
    if printed:
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed})
    if value is not None:
        data = {"text/plain": repr(value)}
        png = getattr(value, "_repr_png_", lambda: None)()
        if png is not None:
            data["image/png"] = base64.b64encode(png).decode()
        result = {"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data}
        outputs.append(result)
    return outputs


def told(outputs: list[dict[str, Any]]) -> list[Any]:
    """What outputs say, without the bytes of pictures: these depend on the version of the library that draws."""
    said: list[Any] = []
    for output in outputs:
        if output["output_type"] == "stream":
            said.append("".join(output["text"]))
        else:
            data = output["data"]
            said.append(("".join(data["text/plain"]), sorted(data)))
            if "image/png" in data:
                assert base64.b64decode("".join(data["image/png"])).startswith(b"\x89PNG")
    return said


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda p: p.stem)
def test_a_notebook_shows_what_its_cells_compute(path: Path) -> None:
    scope: dict[str, Any] = {}
    cells = [c for c in json.loads(path.read_text(encoding="utf-8"))["cells"] if c["cell_type"] == "code"]
    assert cells
    for number, cell in enumerate(cells, 1):
        assert told(shown("".join(cell["source"]), scope, number)) == told(cell["outputs"]), (
            f"{path.name}, cell {number}"
        )


def test_the_tutorials() -> None:
    assert {path.stem for path in FOLDER.glob("*.ipynb")} >= {
        "best-bound-for-noisy-sgd",
        "check-a-paper",
        "derive-your-own-diffusion",
        "reference-values-and-an-accountant-audit",
    }
