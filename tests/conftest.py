"""Fixtures that several test files share."""

from types import SimpleNamespace

import pytest

from symdp.cli import main
from tests.accountants import ACCOUNTANTS, SLOW


@pytest.fixture
def call(capsys):
    """Run the command line in this process: exit code, stdout, stderr."""

    def runner(*args):
        code = main([str(a) for a in args])
        out, err = capsys.readouterr()
        return SimpleNamespace(code=code, out=out, err=err)

    return runner


@pytest.fixture
def peers(tmp_path, monkeypatch):
    """A folder with accountants, which is the current one."""
    (tmp_path / "mine.py").write_text(ACCOUNTANTS)
    (tmp_path / "slow.py").write_text(SLOW)
    monkeypatch.chdir(tmp_path)
    return tmp_path
