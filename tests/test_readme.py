"""What the README shows is what happens."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

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
