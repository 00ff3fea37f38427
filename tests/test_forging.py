"""Nothing forged survives: not in memory, not in JSON, not as a premise."""

import copy
import json
import os
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from sympy import Integer

from symdp import codec
from symdp.decide import Refuted, decide
from symdp.errors import Forged, InputError
from symdp.judgments import ZCDP, Inequality
from symdp.text import Relation, symbol
from symdp.theorem import (
    Evidence,
    Theorem,
    apply,
    from_json,
    replay,
    rules,
    to_json,
)
from tests.toy import PLANE, POSITIVE, ToyProcess, a, bound, s, square, stored, transcendental, tree, x, y


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


def _set(*path_and_value):
    *path, last, value = path_and_value

    def edit(data):
        place = data
        for key in path:
            place = place[key]
        place[last] = value(place[last]) if callable(value) else value

    return edit


def _drop(*path):
    def edit(data):
        place = data
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]

    return edit


ROOT_FOLDER = Path(__file__).resolve().parents[1]
FACT, FIRST, SECOND, ROOT = 0, 1, 2, 3
JSON_FORGERIES = {
    "schema": _set("schema", 2),
    "schema true": _set("schema", True),
    "no schema": _drop("schema"),
    "no nodes": _set("nodes", []),
    "extra key": _set("note", "trust me"),
    "nodes not a list": _set("nodes", {}),
    "node not an object": _set("nodes", FACT, 7),
    "extra node key": _set("nodes", FACT, "note", "trust me"),
    "missing node key": _drop("nodes", FACT, "assuming"),
    "rule swapped": _set("nodes", FIRST, "rule", "toy.compose"),
    "rule unknown": _set("nodes", FIRST, "rule", "toy.unheard-of"),
    "rule not text": _set("nodes", FIRST, "rule", 3),
    "premise forward": _set("nodes", FIRST, "premises", [2]),
    "premise itself": _set("nodes", FIRST, "premises", [1]),
    "premise negative": _set("nodes", ROOT, "premises", [-2, -1]),
    "premise true": _set("nodes", FIRST, "premises", [False]),
    "premise text": _set("nodes", FIRST, "premises", ["0"]),
    "premise dropped": _set("nodes", ROOT, "premises", [FIRST]),
    "premise doubled": _set("nodes", ROOT, "premises", [FIRST, FIRST]),
    "premises exchanged": _set("nodes", ROOT, "premises", [FIRST, FACT]),
    "conclusion halved": _set("nodes", ROOT, "conclusion", "fields", "value", {"expr": "4*(x - y)**2"}),
    "conclusion of another kind": _set("nodes", ROOT, "conclusion", "record", "PureDP"),
    "conclusion a string": _set("nodes", ROOT, "conclusion", "anything"),
    "conclusion region": _set("nodes", FACT, "conclusion", "fields", "region", "fields", "constraints", [1]),
    "relation of the fact": _set("nodes", FACT, "params", "relation", "fields", "op", ">"),
    "expression of the fact": _set("nodes", FACT, "params", "relation", "fields", "expr", {"expr": "x - y"}),
    "param changed": _set("nodes", FIRST, "params", "factor", {"expr": "1"}),
    "param refuted": _set("nodes", FIRST, "params", "factor", {"expr": "1/2"}),
    "param missing": _drop("nodes", FIRST, "params", "factor"),
    "param added": _set("nodes", FIRST, "params", "more", 1),
    "param code": _set("nodes", FIRST, "params", "factor", {"expr": "__import__('os')"}),
    "param float": _set("nodes", FIRST, "params", "factor", 2.0),
    "evidence gone": _set("nodes", FACT, "evidence", []),
    "evidence doubled": _set("nodes", FACT, "evidence", lambda old: old * 2),
    "evidence a string": _set("nodes", FACT, "evidence", ["proved"]),
    "verdict": _set("nodes", FACT, "evidence", 0, "verdict", "assumed"),
    "verdict certified": _set("nodes", FACT, "evidence", 0, "verdict", "certified"),
    "verdict unheard of": _set("nodes", FACT, "evidence", 0, "verdict", "believed"),
    "reason": _set("nodes", FACT, "evidence", 0, "reason", "obvious"),
    "statement": _set("nodes", FACT, "evidence", 0, "statement", "x == x"),
    "name": _set("nodes", FACT, "evidence", 0, "name", "other"),
    "certificate null": _set("nodes", FACT, "evidence", 0, "certificate", None),
    "certificate empty": _set("nodes", FACT, "evidence", 0, "certificate", {}),
    "certificate text": _set("nodes", FACT, "evidence", 0, "certificate", "proved"),
    "certificate foreign": _set("nodes", FACT, "evidence", 0, "certificate", {"engine": "authority"}),
    "certificate reasoned": _set("nodes", FACT, "evidence", 0, "certificate", lambda old: old | {"reason": "obvious"}),
    "under": _set("nodes", FACT, "evidence", 0, "under", codec.encode((Relation(x, ">"),))),
    "assumption added": _set("nodes", FACT, "assuming", ["holds"]),
    "assumption a number": _set("nodes", FACT, "assuming", 5),
}  # fmt: skip


@pytest.mark.parametrize("name", JSON_FORGERIES)
def test_edited_json_is_rejected(name):
    data = stored(tree())
    JSON_FORGERIES[name](data)
    with pytest.raises(Forged):
        from_json(data)


@pytest.mark.parametrize("data", [None, [], "theorem", 1, {}, {"schema": 1}])
def test_what_is_no_theorem_is_not_read(data):
    with pytest.raises(Forged):
        from_json(data)


def test_a_rejection_names_the_node():
    data = stored(tree())
    data["nodes"][SECOND]["params"]["factor"] = {"expr": "1"}
    with pytest.raises(Forged, match=r"node 2 \(toy\.rdp\)"):
        from_json(data)


def test_a_stray_node_is_rejected():
    data = stored(tree())
    data["nodes"].insert(1, stored(apply("toy.known", values=(1,)))["nodes"][0])
    for node in data["nodes"][2:]:
        node["premises"] = [at + 1 if at else at for at in node["premises"]]
    with pytest.raises(Forged, match="no part"):
        from_json(data)


def test_deeply_nested_json_is_rejected_not_crashed():
    nest = []
    for _ in range(100_000):
        nest = [nest]
    data = stored(square())
    data["nodes"][0]["params"]["region"] = nest
    with pytest.raises(Forged):
        from_json(data)
    while nest:
        nest = nest.pop()


def test_a_certificate_of_another_relation_does_not_pass():
    """The evidence of a true fact, put under a false one that says the same of itself."""
    data = stored(square())
    false = codec.encode(Relation((x - y) ** 2 - 1, ">="))
    node = data["nodes"][0]
    node["params"]["relation"] = false
    node["conclusion"]["fields"]["relation"] = false
    node["evidence"][0]["statement"] = str(Relation((x - y) ** 2 - 1, ">="))
    with pytest.raises(Forged, match="certificate"):
        from_json(data)


def test_a_certificate_of_refutation_proves_nothing():
    """A false relation with its own genuine certificate, the one that says it is false."""
    data = stored(apply("toy.fact", relation=Relation(x**2, ">="), region=PLANE))
    false = Relation(x, ">=")
    verdict = decide(false, PLANE)
    assert isinstance(verdict, Refuted)
    node = data["nodes"][0]
    node["params"]["relation"] = node["conclusion"]["fields"]["relation"] = codec.encode(false)
    reason = f"proved by {verdict.certificate['engine']}"
    node["evidence"][0] |= {"statement": str(false), "reason": reason, "certificate": verdict.certificate}
    with pytest.raises(Forged):
        from_json(data)


def test_json_does_not_depend_on_the_process():
    """Another process, with another hash seed, writes the very same theorem."""
    code = (
        "import json; from sympy import exp; from tests.toy import *;"
        "print(json.dumps(to_json(tree())), json.dumps(to_json(transcendental())), sep='\\n')"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            cwd=ROOT_FOLDER,
        )
        for seed in ("1", "2")
    ]
    assert runs[0].stdout == runs[1].stdout
    first, second = map(json.loads, runs[0].stdout.decode().splitlines())
    assert from_json(first) == tree()
    assert from_json(second) == transcendental()


def test_a_removed_assumption_is_noticed():
    theorem = apply("toy.known", values=(1, 5), assuming=("known 1",))
    for edit in (
        _set("nodes", 0, "assuming", []),
        _set("nodes", 0, "evidence", 1, "verdict", "proved"),
        _set("nodes", 0, "evidence", 1, "reason", "known by known"),
        _set("nodes", 0, "evidence", 1, "certificate", {"engine": "known", "value": 1}),
    ):
        data = stored(theorem)
        edit(data)
        with pytest.raises(Forged):
            from_json(data)
    data = stored(theorem)
    data["nodes"][0]["evidence"][1] |= data["nodes"][0]["evidence"][0] | {"name": "known 1", "statement": "5 is known"}
    data["nodes"][0]["assuming"] = []
    with pytest.raises(Forged):
        from_json(data)


def test_a_relation_cannot_be_dropped_from_a_conditional_theorem():
    feller = Relation(4 * a - s**2, ">=")
    theorem = apply("toy.fact", relation=Relation(8 * a - s**2, ">"), region=POSITIVE, assuming=(feller,))
    data = stored(theorem)
    data["nodes"][0]["evidence"][0]["under"] = []
    data["nodes"][0]["assuming"] = []
    with pytest.raises(Forged):
        from_json(data)
    data = stored(theorem)
    data["nodes"][0]["assuming"] = []
    with pytest.raises(Forged, match="not assumed"):
        from_json(data)
    data = stored(theorem)
    weaker = codec.encode((Relation(a, ">"),))
    data["nodes"][0]["evidence"][0]["under"] = weaker
    data["nodes"][0]["assuming"] = weaker
    with pytest.raises(Forged):
        from_json(data)


def test_an_expression_outside_the_grammar_is_not_stored():
    theorem = apply("toy.process", process=ToyProcess("p", 1 + a, POSITIVE))
    object.__setattr__(theorem.conclusion, "rho", symbol("a") + 1.5)
    with pytest.raises(InputError):
        to_json(theorem)


def test_evidence_is_immutable_and_hashable():
    piece = square().evidence[0]
    assert isinstance(piece, Evidence)
    assert hash(piece) == hash(replace(piece))
    piece.certificate["engine"] = "authority"
    assert piece.certificate["engine"] != "authority", "each look gives fresh data"
    with pytest.raises(AttributeError):
        piece.verdict = "proved"
