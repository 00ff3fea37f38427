"""Every derivation is judged again: its recorded verdict must be the one computed now, from the file as it stands."""

import pytest

from symdp.claims import check, index, items, read_verdicts, root

ITEMS = items()


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.name)
def test_the_recorded_verdict_is_the_computed_one(item):
    recorded = read_verdicts()
    for verdict in check(item):
        assert recorded.get(verdict.id) == verdict, "run: symdp check --record"


def test_records_and_index_speak_of_exactly_these_claims():
    recorded = read_verdicts()
    assert set(recorded) == {id for item in ITEMS for id in item.ids}
    if recorded:
        assert index(recorded.values()) in (root() / "README.md").read_text(encoding="utf-8")


def test_no_printed_claim_is_left_open():
    """57 statements of Balle et al. 2019 and 37 of Mironov, Talwar, Zhang 2019, each attacked, none unknown."""
    recorded = read_verdicts()
    printed = {
        paper: [v for v in recorded.values() if v.file.startswith(paper)] for paper in ("balle2019", "mironov2019")
    }
    assert {paper: len(verdicts) for paper, verdicts in printed.items()} == {"balle2019": 57, "mironov2019": 37}
    assert all(v.verdict != "unknown" and v.instances > 0 for v in recorded.values())
    assert all(v.witness for v in recorded.values() if v.verdict == "refuted")
