"""``symdp check``: the table, JSON, what is recorded, exit codes, files that cannot be judged."""

import json
import shutil

import pytest

from symdp.claims import items, read_verdicts, root
from symdp.claims.run import changed, derivation_files, judge, judge_all
from symdp.claims.verdict import seed_of

CHOSEN = ("balle2019/brownian-motion.py", "mironov2019/quadratic-bound.py")


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout with two derivations, their verdicts recorded."""
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "symdp"\n')
    for name in CHOSEN:
        target = tmp_path / "derivations" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root() / name, target)
    recorded = {id: verdict for id, verdict in read_verdicts().items() if f"{verdict.file}.py" in CHOSEN}
    from symdp.claims import write_verdicts

    write_verdicts(recorded.values(), tmp_path / "derivations")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "derivations"


def test_as_recorded(call, checkout):
    result = call("check")
    assert (result.code, result.err) == (0, "")
    assert "balle2019" in result.out and "B-Ex4" in result.out and "seed 0" in result.out
    assert f"{len(read_verdicts(checkout))} claims: " in result.out


def test_json_and_one_path(call, checkout):
    result = call("check", checkout / CHOSEN[1], "--json", "--jobs", 1)
    data = json.loads(result.out)
    assert result.code == 0 and data["schema"] == 1 and data["seed"] == 0 and not data["errors"]
    ids = {claim["id"] for claim in data["claims"]}
    assert "S-L8" in ids and not any(id.startswith("B-") for id in ids)
    (lemma,) = (claim for claim in data["claims"] if claim["id"] == "S-L8")
    assert lemma["verdict"] == "proved" and lemma["seconds"] >= 0 and lemma["witness"] is None
    assert set(lemma) >= {"id", "verdict", "evidence", "witness", "sharper", "hypotheses", "seconds"}


def test_a_verdict_that_changed(call, checkout):
    record = checkout / "verdicts.json"
    rows = json.loads(record.read_text())
    (lemma,) = (row for row in rows["claims"] if row["id"] == "S-L8")
    lemma["verdict"] = "unknown"
    record.write_text(json.dumps(rows))
    result = call("check", checkout / CHOSEN[1], "--jobs", 1)
    assert result.code == 1 and result.err.count("\n") == 1 and "not as recorded: S-L8" in result.err
    assert "recorded: verdict unknown" in result.out


def test_a_formula_that_its_own_reference_value_contradicts(call, checkout):
    file = checkout / CHOSEN[0]
    file.write_text(file.read_text().replace("alpha*Delta**2/(4*t)", "alpha*Delta**2/(5*t)"))
    result = call("check", file, "--jobs", 1)
    assert result.code == 1 and "the claim B-Ex4:privacy is 2.99" in result.err and "not 3.75" in result.err


def test_an_unknown_verdict(call, checkout):
    file = checkout / CHOSEN[1]
    text = file.read_text()
    head, rest = text.split("def derive():", 1)
    refusing = (
        'def derive():\n    from symdp import Refused\n\n    raise Refused("nothing", ())\n\n\ndef derived():' + rest
    )
    file.write_text(head + refusing)
    assert call("check", file, "--jobs", 1, "--record").code == 2
    result = call("check", file, "--jobs", 1)
    assert result.code == 2 and "unknown: " in result.err and result.err.count("\n") == 1


def test_record(call, checkout):
    (checkout / "verdicts.json").unlink()
    assert call("check", checkout / CHOSEN[1], "--jobs", 1).code == 1
    assert call("check", checkout / CHOSEN[1], "--jobs", 1, "--record").code == 0
    once = read_verdicts(checkout)
    assert once and all(id.startswith("S-") for id in once)
    assert call("check", checkout / CHOSEN[0], "--jobs", 1, "--record").code == 0
    both = read_verdicts(checkout)
    assert once.items() < both.items() and "B-Ex4" in both
    assert "symdp check --record" in (checkout / "README.md").read_text(encoding="utf-8")


def test_another_seed_draws_others_and_finds_the_same(call, checkout):
    result = call("check", checkout / CHOSEN[1], "--seed", 7, "--jobs", 1, "--json")
    assert result.code == 0 and json.loads(result.out)["seed"] == 7
    (first, other) = (judge(checkout / CHOSEN[1], seed).verdicts[0] for seed in (0, 7))
    assert first.seed != other.seed == seed_of("mironov2019/quadratic-bound", 7)
    assert not changed(other, {first.id: first})


BROKEN = {
    "no docstring": "CLAIMS = {}\n",
    "no Python": "def\n",
    "raises": 'raise RuntimeError("on purpose")\n',
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_file_that_cannot_be_judged_leaves_the_others(call, checkout, kind):
    (checkout / "balle2019" / "broken.py").write_text(BROKEN[kind])
    result = call("check", "--json")
    data = json.loads(result.out)
    assert result.code == 1 and len(data["errors"]) == 1 and "balle2019/broken" in result.err
    assert {claim["id"] for claim in data["claims"]} >= {"B-Ex4", "S-L8"}
    assert call("check", "--record").code == 1, "nothing is recorded beside a broken file"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("nowhere",), "nowhere is neither a derivation nor a folder"),
        (("--jobs", "0"), "--jobs"),
        (("--jobs", "some"), "--jobs"),
        (("--seed", "-1"), "--seed"),
        (("--seed", "1", "--record"), "--record is for the seed 0"),
    ],
)
def test_bad_input(call, checkout, args, said):
    result = call("check", *args)
    assert result.code == 1 and result.err.count("\n") == 1 and said in result.err


def test_one_claim_in_two_files(checkout):
    shutil.copy(checkout / CHOSEN[1], checkout / "mironov2019" / "again.py")
    from symdp.claims import ClaimError

    with pytest.raises(ClaimError, match="stands in"):
        judge_all(derivation_files([], checkout), jobs=2)


def test_processes_find_what_one_finds(checkout):
    files = derivation_files([], checkout)
    seen = []
    several = judge_all(files, jobs=2, progress=lambda done, total: seen.append((done, total)))
    alone = judge_all(files, jobs=1)
    assert [file.verdicts for file in several] == [file.verdicts for file in alone]
    assert seen == [(1, 2), (2, 2)]
    assert {file.name for file in alone} == {item.name for item in items(checkout)}
