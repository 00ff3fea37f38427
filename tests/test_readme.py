"""What the README shows is what happens."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"


def test_the_python_examples() -> None:
    result = doctest.testfile(str(README), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert result.attempted >= 6 and result.failed == 0


def test_the_refusal_is_printed_as_shown() -> None:
    shown = re.search(r"^symdp\.errors\.Refused: (.*)$", README.read_text(encoding="utf-8"), re.M)
    assert shown is not None
    command = [sys.executable, "-m", "symdp", "derive", "--drift", "x**3", "--diffusion", "1"]
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert result.returncode == 2 and shown.group(1) in " ".join((result.stdout + result.stderr).split())


def test_the_two_commands_come_first() -> None:
    blocks = re.findall(r"^```bash\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)
    install, test = "".join(blocks).strip().splitlines()[:2]
    assert "symdp derive ornstein-uhlenbeck" in install and "[test]" in test and "pytest" in test


def test_the_architecture_names_every_module() -> None:
    text = README.read_text(encoding="utf-8")
    package = README.parent / "symdp"
    names = {p.stem if p.suffix else p.name for p in package.iterdir() if not p.name.startswith("_")}
    missing = sorted(n for n in names - {"py"} if f"`{n}" not in text)
    assert not missing, missing


def commands() -> list[list[str]]:
    """The arguments of the commands in the console blocks."""
    blocks = re.findall(r"^```console\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)
    lines = [shlex.split(line) for line in "".join(blocks).strip().splitlines()]
    assert all(words[0] == "symdp" for words in lines)
    return [words[1:] for words in lines]


def test_the_pictures_are_made_by_the_commands_beside_them(call, tmp_path) -> None:
    """The same drawing: the numbers of its paths, which another version of the library may round otherwise."""
    pytest.importorskip("matplotlib")
    drawn = [words for words in commands() if words[0] == "plot"]
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


def test_the_formula_is_judged(call) -> None:
    (words,) = (words for words in commands() if "--claim" in words)
    assert call(*words).out.split()[:2] == ["Verdict", "equal"]
