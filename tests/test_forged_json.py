"""A theorem is rebuilt from its JSON, never believed: any edit is a rejection that names the node."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from sympy import Integer

from symdp import codec
from symdp.decide import Proved, Refuted, Unknown, decide
from symdp.errors import Forged, InputError
from symdp.region import Interval
from symdp.text import Relation, symbol
from symdp.theorem import (
    Evidence,
    apply,
    from_json,
    to_json,
)
from tests.toy import PLANE, POSITIVE, ToyProcess, a, conditional, s, square, stored, transcendental, tree, x, y


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


def _paths(data, path=()):
    """Every place in the data, with what stands there."""
    if path:
        yield path, data
    if isinstance(data, dict | list):
        for key, item in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _paths(item, (*path, key))


def _other(old):
    """Something else of the same type, where the type has a handy one."""
    if isinstance(old, str):
        return old + "0"
    return (not old) if isinstance(old, bool) else old + 1 if isinstance(old, int) else [old]


@pytest.mark.parametrize("change", [_drop, lambda *path: _set(*path, _other)], ids=["dropped", "changed"])
def test_no_single_change_of_the_json_makes_another_theorem(change):
    """Every place in turn: rejected, or a text of equal meaning, or a genuine theorem that was part of the whole."""
    theorem = apply("toy.rdp", conditional(), factor=Integer(2))
    whole = json.dumps(to_json(theorem))
    places = list(_paths(json.loads(whole)))
    assert len(places) > 100
    for path, _ in places:
        data = json.loads(whole)
        change(*path)(data)
        assert data != json.loads(whole)
        try:
            read = from_json(data)
        except Forged:
            continue
        if path[-2:] == ("certificate", "level"):  # another level of the same proof: it is a certificate of its own
            assert all(_says(one) == _says(other) for one, other in zip(read.walk(), theorem.walk(), strict=True))
            continue
        assert read in list(theorem.walk()), path


def _says(node):
    """Everything a node says but for the certificates."""
    evidence = [(e.name, e.statement, e.verdict, e.reason, e.under) for e in node.evidence]
    return node.rule.id, node.conclusion, dict(node.params), node.assuming, evidence


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


def test_a_vacuous_theorem_is_not_read():
    """Assumptions no point satisfies prove anything; a file resting on them is rejected, genuine certificate or not."""
    false, nonsense = Relation(a - s, ">"), (Relation(x - 2 * a, ">"), Relation(a - x, ">"))
    wide = POSITIVE.extend({x: Interval.positive()})
    data = stored(apply("toy.fact", relation=Relation(2 * a, ">"), region=wide))
    node = data["nodes"][0]
    assert isinstance(decide(false, wide, assuming=nonsense), Unknown)
    verdict = decide(Relation(a, ">"), wide)
    assert isinstance(verdict, Proved)
    node["params"]["relation"] = node["conclusion"]["fields"]["relation"] = codec.encode(false)
    node["assuming"] = codec.encode(nonsense)
    reason = f"proved by {verdict.certificate['engine']}"
    node["evidence"][0] |= {"statement": str(false), "reason": reason, "certificate": verdict.certificate}
    node["evidence"][0]["under"] = codec.encode(nonsense)
    with pytest.raises(Forged, match="certificate"):
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
