"""The fuzzers' targets under random damage; ``python -m tests.fuzzing`` has them guided by coverage."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzzing.targets import TARGETS

QUIET = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
PIECES = st.sampled_from(
    [b"", b"(", b"-", b"0", b"1e999", b'"', b"\xff", b"\n", b"[", b"null", b"nan", b"x", b"**", b"="]
)


@pytest.mark.parametrize("name", TARGETS)
@given(data=st.data())
@QUIET
def test_damaged_input_is_read_or_refused(name, data):
    """A seed with a few pieces cut out, put in, or doubled."""
    target = TARGETS[name]
    text = data.draw(st.sampled_from(target.seeds))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 12)))
        put = data.draw(PIECES | st.just(text[start:end] * 2))
        text = text[:start] + put + text[end:]
    target.read(text)


@pytest.mark.parametrize("name", TARGETS)
def test_the_seeds_are_read(name, monkeypatch):
    """No seed is refused as a whole, so a fuzzer starts behind the first check."""
    refusals = []
    monkeypatch.setattr("tests.fuzzing.targets._refused", refusals.append)
    for seed in TARGETS[name].seeds:
        refusals.clear()
        TARGETS[name].read(seed)
        assert len(refusals) < (4 if name == "expression" else 1), refusals
