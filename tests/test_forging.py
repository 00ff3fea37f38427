"""Nothing forged survives: not in memory, not in JSON, not as a premise."""

import copy
import pickle
from dataclasses import replace

import pytest
from sympy import Integer

from symdp.errors import Forged
from symdp.judgments import ZCDP, Inequality
from symdp.text import Relation
from symdp.theorem import (
    Theorem,
    apply,
    from_json,
    replay,
    rules,
)
from tests.toy import PLANE, POSITIVE, ToyProcess, a, bound, s, square, stored, tree, x


def test_replay_and_json_rebuild_the_same():
    theorem = tree()
    assert replay(theorem) == theorem
    assert replay(theorem) is not theorem
    assert from_json(stored(theorem)) == theorem
    assert stored(from_json(stored(theorem))) == stored(theorem)
    assert len(stored(theorem)["nodes"]) == 4, "a shared premise is stored once"


def test_a_registered_record_travels_in_json():
    process = ToyProcess("toy diffusion", a + s**2, POSITIVE)
    theorem = apply("toy.process", process=process)
    assert "toy diffusion is " in theorem.conclusion.statement()
    assert from_json(stored(theorem)).conclusion.subject == process


def test_only_the_kernel_makes_theorems():
    with pytest.raises(Forged):
        Theorem(object(), conclusion=square().conclusion)
    with pytest.raises(TypeError):

        class Fake(Theorem):
            pass

    theorem = square()
    with pytest.raises(AttributeError):
        theorem.conclusion = None
    with pytest.raises(AttributeError):
        del theorem.conclusion
    with pytest.raises(TypeError):
        theorem.params["region"] = POSITIVE
    with pytest.raises(TypeError):
        pickle.dumps(theorem)
    assert copy.copy(theorem) is theorem
    assert copy.deepcopy(theorem) is theorem


class LooksLikeATheorem:
    """Has every attribute of the theorem it copies."""

    def __init__(self, theorem):
        for name in ("rule", "conclusion", "premises", "params", "assuming", "evidence", "hypotheses"):
            setattr(self, name, getattr(theorem, name))


def _conjured():
    made, real = object.__new__(Theorem), square()
    for name in ("rule", "conclusion", "premises", "params", "assuming", "evidence"):
        object.__setattr__(made, name, getattr(real, name))
    return made


@pytest.mark.parametrize(
    "make", [_conjured, lambda: LooksLikeATheorem(square()), lambda: square().conclusion, lambda: None]
)
def test_a_premise_the_kernel_did_not_make_is_rejected(make):
    with pytest.raises(Forged):
        apply("toy.rdp", make(), factor=Integer(2))


@pytest.mark.parametrize(
    "make", [_conjured, lambda: object.__new__(Theorem), lambda: LooksLikeATheorem(square()), lambda: None]
)
def test_what_is_no_theorem_does_not_replay(make):
    with pytest.raises(Forged):
        replay(make())


def _edit(name, value):
    def edit(theorem):
        object.__setattr__(theorem, name, value(theorem) if callable(value) else value)

    return edit


FORGERIES = {
    "conclusion": _edit("conclusion", lambda th: replace(th.conclusion, value=th.conclusion.value / 2)),
    "conclusion of another type": _edit("conclusion", ZCDP("toy", Integer(0), PLANE)),
    "conclusion of another subject": _edit("conclusion", lambda th: replace(th.conclusion, subject="another")),
    "params": _edit("params", {"factor": Integer(1)}),
    "params missing": _edit("params", {}),
    "params added": _edit("params", {"factor": Integer(2), "more": 1}),
    "rule swapped": _edit("rule", lambda th: rules()["toy.compose"]),
    "rule counterfeit": _edit("rule", lambda th: replace(th.rule, conditions=lambda *_: ())),
    "rule unknown": _edit("rule", lambda th: replace(th.rule, id="toy.unheard-of")),
    "evidence gone": _edit("evidence", ()),
    "evidence doubled": _edit("evidence", lambda th: th.evidence * 2),
    "evidence renamed": _edit("evidence", lambda th: (replace(th.evidence[0], name="other"),)),
    "evidence restated": _edit("evidence", lambda th: (replace(th.evidence[0], statement="0 >= 0"),)),
    "evidence upgraded": _edit("evidence", lambda th: (replace(th.evidence[0], verdict="certified"),)),
    "evidence assumed": _edit("evidence", lambda th: (replace(th.evidence[0], verdict="assumed"),)),
    "evidence refuted": _edit("evidence", lambda th: (replace(th.evidence[0], verdict="refuted"),)),
    "evidence reasoned": _edit("evidence", lambda th: (replace(th.evidence[0], reason="obvious"),)),
    "evidence under": _edit("evidence", lambda th: (replace(th.evidence[0], under=(Relation(x, ">"),)),)),
    "certificate emptied": _edit("evidence", lambda th: (replace(th.evidence[0], proof="{}"),)),
    "certificate null": _edit("evidence", lambda th: (replace(th.evidence[0], proof="null"),)),
    "certificate broken": _edit("evidence", lambda th: (replace(th.evidence[0], proof="{"),)),
    "certificate of an unknown engine": _edit(
        "evidence", lambda th: (replace(th.evidence[0], proof='{"engine": "authority"}'),)
    ),
    "assumption added": _edit("assuming", ("factor at least one",)),
    "premise dropped": _edit("premises", ()),
    "premise swapped": _edit("premises", lambda th: (apply("toy.fact", relation=Relation(x**2, ">="), region=PLANE),)),
    "premise conjured": _edit("premises", lambda th: (LooksLikeATheorem(th.premises[0]),)),
    "premise itself": _edit("premises", lambda th: (th,)),
}


@pytest.mark.parametrize("name", FORGERIES)
@pytest.mark.parametrize("deep", [False, True])
def test_an_edited_theorem_does_not_replay(name, deep):
    theorem = bound()
    whole = apply("toy.compose", theorem, bound(3)) if deep else theorem
    FORGERIES[name](theorem)
    with pytest.raises(Forged):
        replay(whole)


def test_a_forged_conclusion_deep_in_the_tree_is_named():
    fact = square()
    theorem = apply("toy.rdp", fact, factor=Integer(2))
    object.__setattr__(fact, "conclusion", Inequality(Relation(-x, ">"), PLANE))
    with pytest.raises(Forged, match=r"toy\.fact"):
        replay(theorem)
