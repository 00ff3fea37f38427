"""What the README shows is what happens."""

import doctest
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"


def test_the_python_examples() -> None:
    result = doctest.testfile(str(README), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert result.attempted >= 3 and result.failed == 0


def test_the_two_commands_come_first() -> None:
    blocks = re.findall(r"^```bash\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)
    install, test = "".join(blocks).strip().splitlines()[:2]
    assert "symdp derive ornstein-uhlenbeck" in install and "[test]" in test and "pytest" in test


def test_the_architecture_names_every_module() -> None:
    package = README.parent / "symdp"
    text = (package / "docs" / "guide" / "architecture.md").read_text(encoding="utf-8")
    names = {p.stem if p.suffix else p.name for p in package.iterdir() if not p.name.startswith("_")}
    missing = sorted(n for n in names - {"py"} if f"`{n}" not in text)
    assert not missing, missing


LEFT_OUT = "…"


def transcripts() -> list[tuple[list[str], list[str]]]:
    """The arguments of each command in the console blocks, and the lines shown below it."""
    blocks = re.findall(r"^```console\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)
    found: list[tuple[list[str], list[str]]] = []
    for line in "".join(blocks).splitlines():
        if line.startswith("$ "):
            program, *words = shlex.split(line[2:])
            assert program == "symdp"
            found.append((words, []))
        else:
            found[-1][1].append(line)
    return found


def files() -> Iterator[tuple[str, str]]:
    """The files shown: blocks whose first line is a comment with a name."""
    text = README.read_text(encoding="utf-8")
    yield from re.findall(r"^```\w+\n# (\w+\.\w+)\n(.*?)^```", text, re.M | re.S)


def as_shown(shown: list[str], printed: list[str]) -> bool:
    """Whether the lines are those printed, in order and without a gap but where some are left out."""
    if not shown:
        return not printed
    if shown[0] == LEFT_OUT:
        return any(as_shown(shown[1:], printed[start:]) for start in range(1, len(printed) + 1))
    return bool(printed) and printed[0] == shown[0] and as_shown(shown[1:], printed[1:])


@pytest.mark.parametrize(("words", "shown"), [pytest.param(*t, id=t[0][0]) for t in transcripts() if t[0][0] != "plot"])
def test_the_commands_print_what_is_shown(words: list[str], shown: list[str], tmp_path: Path) -> None:
    for name, text in files():
        (tmp_path / name).write_text(text, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "symdp", *words], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    printed = [line.rstrip() for line in ran.stdout.splitlines()]
    assert ran.returncode in (0, 2) and "Traceback" not in ran.stderr
    assert any(line != LEFT_OUT for line in shown) and as_shown(shown, printed), ran.stdout


def test_every_main_command_is_shown() -> None:
    """Each thing that people come for has its example here."""
    assert {"derive", "check", "sgm", "prove", "audit", "table", "plot"} <= {words[0] for words, _ in transcripts()}


def test_it_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 140


def test_the_pictures_are_made_by_the_commands_beside_them(call, tmp_path) -> None:
    """The same drawing: the numbers of its paths, which another version of the library may round otherwise."""
    pytest.importorskip("matplotlib")
    drawn = [words for words, _ in transcripts() if words[0] == "plot"]
    assert drawn
    for words in drawn:
        place = words.index("--output") + 1
        shown = README.parent / words[place]
        words[place] = str(tmp_path / shown.name)
        assert call(*words).code == 0
        assert f"({shown.relative_to(README.parent)})" in README.read_text(encoding="utf-8")
        now, then = (longest_path(path.read_text(encoding="utf-8")) for path in (tmp_path / shown.name, shown))
        assert len(now) == len(then) > 100 and max(abs(a - b) for a, b in zip(now, then, strict=True)) < 1


def longest_path(svg: str) -> list[float]:
    """The coordinates of the longest path of a drawing."""
    paths = re.findall(r'\bd="([^"]*)"', svg)
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", max(paths, key=len))]
