"""Verdicts kept between runs: taken over if nothing changed, and worth nothing otherwise."""

import json
import shutil

import pytest

from symdp.claims import root
from symdp.claims.kept import Kept, engine_digest
from symdp.claims.run import judge, judge_all
from tests.commands import one_line

NAME = "mironov2019/factor-of-two.py"


@pytest.fixture
def derivation(tmp_path):
    """A copy of a derivation file, in a folder of the same name."""
    copy = tmp_path / NAME
    copy.parent.mkdir()
    shutil.copy(root() / NAME, copy)
    return copy


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "kept"


def entries(folder):
    return sorted(folder.iterdir())


def test_the_same_file_is_judged_once(derivation, folder, monkeypatch):
    first = judge_all([derivation], cache=folder)
    monkeypatch.setattr("symdp.claims.run.examine", None)
    second = judge_all([derivation], cache=folder)
    assert not first[0].kept and second[0].kept
    assert second[0].verdicts == first[0].verdicts and second[0].name == first[0].name


def test_a_change_of_anything_is_seen(derivation, folder, monkeypatch):
    kept = Kept(folder)
    kept.keep(derivation, 0, judge(derivation).verdicts)
    assert kept.verdicts(derivation, 0) and kept.verdicts(derivation, 1) is None
    derivation.write_text(derivation.read_text() + "\n")
    assert kept.verdicts(derivation, 0) is None
    derivation.write_text(derivation.read_text()[:-1])
    assert kept.verdicts(derivation, 0)
    monkeypatch.setattr("symdp.claims.kept.engine_digest", lambda: engine_digest() + "x")
    assert kept.verdicts(derivation, 0) is None


@pytest.mark.parametrize(
    "damage", [lambda text: text[:40], lambda text: text.replace("proved", "refuted"), lambda _: ""]
)
def test_a_damaged_entry_is_none(derivation, folder, damage):
    kept = Kept(folder)
    kept.keep(derivation, 0, judge(derivation).verdicts)
    (entry,) = entries(folder)
    entry.write_text(damage(entry.read_text()))
    assert kept.verdicts(derivation, 0) is None
    assert not judge_all([derivation], cache=folder)[0].kept
    assert judge_all([derivation], cache=folder)[0].kept


def test_nothing_is_kept_of_a_file_that_cannot_be_judged(derivation, folder):
    derivation.write_text("raise ValueError")
    assert judge_all([derivation], cache=folder)[0].error and entries(folder) == []


def test_no_page_is_made_from_what_is_kept(derivation, folder):
    judge_all([derivation], cache=folder)
    (judged,) = judge_all([derivation], cache=folder, pages=True)
    assert not judged.kept and judged.pages


def test_the_command(call, folder):
    first = call("check", "--jobs", "1", "--json", "--cache", folder, root() / NAME)
    second = call("check", "--jobs", "1", "--cache", folder, root() / NAME)
    assert first.code == second.code == 0 and "1 of 1 files as kept" in second.out
    again = call("check", "--json", "--cache", folder, root() / NAME)
    for rows in (a := json.loads(first.out)["claims"]), (b := json.loads(again.out)["claims"]):
        for row in rows:
            row.pop("seconds")
    assert a == b


@pytest.mark.parametrize(
    "other", [["--record"], ["--html", "pages"], ["--mutants"], ["--claim", "x", "--against", "benes"]]
)
def test_what_it_does_not_go_with(call, folder, other):
    result = call("check", "--cache", folder, *other)
    assert result.code == 1 and f"--cache does not go with {other[0]}" in one_line(result)


def test_a_folder_that_cannot_be_made(call, tmp_path):
    (tmp_path / "file").write_text("")
    result = call("check", "--cache", tmp_path / "file", root() / NAME)
    assert result.code == 1 and "--cache" in one_line(result)
