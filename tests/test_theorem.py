"""The kernel: theorems come only from rules, evidence stays visible, and nothing forged survives replay or JSON."""

import copy
import json
import os
import pickle
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from sympy import Integer, cosh, exp, log

from symdp import codec
from symdp.citations import BIBLIOGRAPHY, Citation, bibtex
from symdp.decide import Proved, Refuted, Unknown, decide
from symdp.errors import Forged, InputError, Refused
from symdp.judgments import ZCDP, Identity, Inequality, RenyiDP
from symdp.region import Interval, Region
from symdp.text import Relation, parse, symbol
from symdp.theorem import (
    Condition,
    Evidence,
    Rule,
    Theorem,
    apply,
    from_json,
    register,
    register_decider,
    replay,
    rules,
    to_json,
)

a, b, s, x, y = map(symbol, ("a", "b", "s", "x", "y"))
PLANE = Region.make({x: Interval.real(), y: Interval.real()})
POSITIVE = Region.make({a: Interval.positive(), s: Interval.positive()})
WORK, OTHER = Citation("balle2019", "Theorem 6"), Citation("mironov2017", "Definition 4")


@codec.register
@dataclass(frozen=True)
class ToyProcess:
    """A subject with parameters, as a diffusion is."""

    name: str
    rate: object
    region: Region


def relation(name, expr, op, region):
    return Condition(name, str(Relation(expr, op)), "relation", (Relation(expr, op), region))


def _known(value, *, assuming):
    """Knows small integers only; the assumption x > 7 settles 7."""
    if value == 7 and Relation(x - 7, ">") in assuming:
        return Proved({"engine": "known", "reason": "7 is what it is"})
    answers = {1: Proved({"engine": "known", "value": 1}), 0: Refuted({x: Integer(0)}, {"engine": "known"})}
    return answers.get(value, Unknown(f"{value} is not known"))


register_decider("toy-known", _known)

register(
    Rule(
        id="toy.identity",
        title="Two sides are the same",
        citation=WORK,
        premises=(),
        conditions=lambda _, p: [relation("equal", p["left"] - p["right"], "==", p["region"])],
        conclude=lambda _, p: Identity(p["left"], p["right"], p["region"]),
        tightness="exact",
    )
)
register(
    Rule(
        id="toy.fact",
        title="A relation holds",
        citation=OTHER,
        premises=(),
        conditions=lambda _, p: [Condition("holds", str(p["relation"]), "relation", (p["relation"], p["region"]))],
        conclude=lambda _, p: Inequality(p["relation"], p["region"]),
        tightness="exact",
    )
)
register(
    Rule(
        id="toy.rdp",
        title="A bound from a fact",
        citation=(WORK, OTHER),
        premises=(Inequality,),
        conditions=lambda _, p: [relation("factor at least one", p["factor"] - 1, ">=", PLANE)],
        conclude=lambda f, p: RenyiDP("toy", f[0].relation.expr * p["factor"], symbol("Delta"), "a pair", f[0].region),
        tightness="upper",
    )
)
register(
    Rule(
        id="toy.compose",
        title="Bounds add up",
        citation=(),
        premises=(RenyiDP, ...),
        conditions=lambda *_: (),
        conclude=lambda fs, _: replace(fs[0], value=sum(f.value for f in fs)),
        tightness="exact",
    )
)
register(
    Rule(
        id="toy.known",
        title="An oracle speaks",
        citation=WORK,
        premises=(),
        conditions=lambda _, p: [
            Condition(f"known {i}", f"{v} is known", "toy-known", (v,)) for i, v in enumerate(p["values"])
        ],
        conclude=lambda _, p: ZCDP("toy", Integer(len(p["values"])), PLANE),
        tightness="exact",
    )
)
register(
    Rule(
        id="toy.vouched",
        title="A modelling assumption",
        citation=WORK,
        premises=(),
        conditions=lambda *_: (),
        conclude=lambda *_: ZCDP("toy", Integer(1), PLANE),
        tightness="exact",
        assumed=(("smooth loss", "the loss is smooth"),),
    )
)
register(
    Rule(
        id="toy.process",
        title="A process has its rate",
        citation=WORK,
        premises=(),
        conditions=lambda _, p: [relation("rate", p["process"].rate, ">", p["process"].region)],
        conclude=lambda _, p: ZCDP(p["process"], p["process"].rate, p["process"].region),
        tightness="exact",
    )
)


def square():
    return apply("toy.fact", relation=Relation((x - y) ** 2, ">="), region=PLANE)


def bound(factor=2):
    return apply("toy.rdp", square(), factor=Integer(factor))


def tree():
    """Two bounds over one shared fact, composed."""
    fact = square()
    return apply("toy.compose", *(apply("toy.rdp", fact, factor=Integer(k)) for k in (2, 3)))


def transcendental():
    """A fact that needs more than polynomials."""
    gap = exp(a) - 1 - a + s
    return apply("toy.fact", relation=Relation(gap, ">"), region=POSITIVE)


def stored(theorem):
    return json.loads(json.dumps(to_json(theorem)))


# What a theorem knows about itself


def test_a_rule_makes_a_theorem_with_evidence():
    theorem = apply("toy.identity", left=cosh(x), right=(exp(x) + exp(-x)) / 2, region=PLANE)
    (evidence,) = theorem.evidence
    assert evidence.verdict == "proved"
    assert evidence.name == "equal"
    assert evidence.certificate["engine"] in evidence.reason
    assert theorem.status == "proved"
    assert theorem.assumptions == ()
    assert theorem.region == PLANE
    assert theorem.rule.id in repr(theorem)


def test_the_tree_is_walked_once_premises_first():
    theorem = tree()
    order = [node.rule.id for node in theorem.walk()]
    assert order == ["toy.fact", "toy.rdp", "toy.rdp", "toy.compose"]
    assert theorem.conclusion.value == parse("5*(x-y)**2")
    assert [piece.name for piece in theorem.hypotheses] == ["holds", "factor at least one", "factor at least one"]


def test_tightness_is_exact_only_if_every_step_is():
    assert square().tightness == "exact"
    assert bound().tightness == "upper"
    assert tree().tightness == "upper", "an exact step does not mend an upper one"


def test_citations_are_gathered_once():
    assert set(tree().citations) == {WORK, OTHER}
    assert len(tree().citations) == 2
    assert square().citations == (OTHER,)


def test_equality_is_by_content_and_types_count():
    assert tree() == tree()
    assert hash(tree()) == hash(tree())
    assert bound(2) != bound(3)
    one = apply("toy.known", values=(1,))
    assert one != apply("toy.known", values=(1, 1))
    assert one != "something else"
    assert apply("toy.known", values=(1, True)) != apply("toy.known", values=(1, 1))


def test_rules_are_listed_and_cannot_be_replaced():
    assert "toy.fact" in rules()
    with pytest.raises(TypeError):
        rules()["toy.fact"] = rules()["toy.rdp"]
    with pytest.raises(InputError, match="already registered"):
        register(replace(rules()["toy.fact"], conditions=lambda *_: ()))
    with pytest.raises(InputError, match="already registered"):
        register_decider("relation", lambda *_, assuming: Proved({}))
    with pytest.raises(InputError, match="tightness"):
        replace(rules()["toy.fact"], tightness="sharp")
    with pytest.raises(AttributeError):
        rules()["toy.fact"].tightness = "exact"


# What a rule refuses


def test_a_refuted_hypothesis_refuses_and_shows_everything():
    with pytest.raises(Refused, match="A bound from a fact: hypothesis 'factor at least one' failed: ") as caught:
        bound(0)
    verdicts = [(piece.name, piece.verdict) for piece in caught.value.hypotheses]
    assert verdicts == [("holds", "proved"), ("factor at least one", "refuted")]


def test_the_witness_stands_in_the_reason():
    with pytest.raises(Refused) as caught:
        apply("toy.fact", relation=Relation(x**2 - y, ">="), region=PLANE)
    reason = caught.value.hypotheses[-1].reason
    assert "x = " in reason
    assert "y = " in reason


def test_an_unknown_hypothesis_refuses():
    with pytest.raises(Refused, match="5 is not known"):
        apply("toy.known", values=(1, 5))


def test_the_first_failure_ends_the_search():
    with pytest.raises(Refused) as caught:
        apply("toy.known", values=(1, 5, 0))
    assert [piece.verdict for piece in caught.value.hypotheses] == ["proved", "unknown"]


@pytest.mark.parametrize(
    ("rule", "premises", "params", "message"),
    [
        ("toy.fcat", (), {}, "did you mean toy.fact"),
        ("toy.rdp", (), {"factor": Integer(2)}, r"takes the premises \(Inequality\), was given \(\)"),
        ("toy.rdp", ("square", "square"), {"factor": Integer(2)}, "was given"),
        ("toy.rdp", ("identity",), {"factor": Integer(2)}, r"was given \(Identity\)"),
        ("toy.compose", (), {}, "takes the premises"),
        ("toy.compose", ("bound", "square"), {}, "takes the premises"),
        ("toy.known", (), {"values": [1]}, "list"),
        ("toy.known", (), {"values": (1.5,)}, "float"),
        ("toy.known", (), {"values": (1,), "extra": 3}, "extra"),
        ("toy.compose", ("bound",), {"extra": 3}, "extra"),
    ],
)
def test_wrong_calls_are_errors(rule, premises, params, message):
    made = {"square": square, "bound": bound, "identity": lambda: apply("toy.identity", left=x, right=x, region=PLANE)}
    with pytest.raises(InputError, match=message):
        apply(rule, *(made[name]() for name in premises), **params)


def test_two_conditions_of_one_name_are_an_error():
    same = Condition("same", "1 is known", "toy-known", (1,))
    register(replace(rules()["toy.known"], id="toy.twice", conditions=lambda *_: [same, same], premises=()))
    with pytest.raises(InputError, match="two conditions"):
        apply("toy.twice")


def test_an_unknown_decider_and_a_foreign_conclusion_are_errors():
    register(replace(rules()["toy.known"], id="toy.nobody", conditions=lambda *_: [Condition("c", "c", "nobody", ())]))
    with pytest.raises(InputError, match="no decider"):
        apply("toy.nobody")
    register(replace(rules()["toy.vouched"], id="toy.says-text", assumed=(), conclude=lambda *_: "anything"))
    with pytest.raises(InputError, match="not a judgment"):
        apply("toy.says-text")


# Assumptions


def test_an_unknown_hypothesis_can_be_assumed_by_name():
    theorem = apply("toy.known", values=(1, 5), assuming=("known 1", "never asked"))
    assert theorem.evidence[1].verdict == "assumed"
    assert theorem.status == "conditional"
    assert theorem.assumptions == ("known 1: 5 is known",)
    assert theorem.assuming == ("known 1",), "what was not needed is dropped"
    assert "5 is not known" in theorem.evidence[1].reason


def test_a_refuted_hypothesis_cannot_be_assumed():
    with pytest.raises(Refused, match="known 0"):
        apply("toy.known", values=(0,), assuming=("known 0",))
    with pytest.raises(Refused):
        apply("toy.fact", relation=Relation(x, ">"), region=PLANE, assuming=("holds",))


def test_a_proved_hypothesis_needs_no_assumption():
    theorem = apply("toy.known", values=(1,), assuming=("known 0",))
    assert theorem.status == "proved"
    assert theorem.evidence[0].verdict == "proved"
    assert theorem.assuming == ()


def test_a_relation_assumed_by_the_user_narrows_the_region_and_stays_visible():
    feller = Relation(4 * a - s**2, ">=")
    params = {"relation": Relation(8 * a - s**2, ">"), "region": POSITIVE}
    with pytest.raises(Refused):
        apply("toy.fact", **params)
    theorem = apply("toy.fact", **params, assuming=(Relation(a - 1, ">"), feller))
    assert theorem.evidence[0].verdict == "proved"
    assert theorem.evidence[0].under == (feller,), "a > 1 was not needed"
    assert theorem.assumptions == (str(feller),)
    assert theorem.status == "conditional"
    assert replay(theorem) == theorem
    assert from_json(stored(theorem)) == theorem


def test_a_relation_that_is_not_needed_is_dropped():
    theorem = apply("toy.fact", relation=Relation(x**2, ">="), region=PLANE, assuming=(Relation(x, ">"),))
    assert theorem.assumptions == ()


@pytest.mark.parametrize("wrong", [(Relation(-a, ">"),), (Relation(2 * a - s, ">"), Relation(s - 3 * a, ">"))])
def test_contradictory_assumptions_prove_nothing(wrong):
    with pytest.raises(Refused, match="the assumptions"):
        apply("toy.fact", relation=Relation(a - s, ">"), region=POSITIVE, assuming=wrong)


def test_a_relation_reaches_other_deciders():
    theorem = apply("toy.known", values=(7,), assuming=(Relation(x - 7, ">"),))
    assert theorem.evidence[0].under == (Relation(x - 7, ">"),)
    assert theorem.evidence[0].reason == "7 is what it is"
    assert replay(theorem) == theorem


def test_a_standing_assumption_of_a_rule_must_be_taken_on():
    with pytest.raises(Refused, match="smooth loss"):
        apply("toy.vouched")
    theorem = apply("toy.vouched", assuming=("smooth loss",))
    assert theorem.assumptions == ("smooth loss: the loss is smooth",)
    assert from_json(stored(theorem)) == theorem


def test_assumptions_travel_up_the_tree():
    feller = Relation(4 * a - s**2, ">=")
    fact = apply("toy.fact", relation=Relation(8 * a - s**2, ">"), region=POSITIVE, assuming=(feller,))
    theorem = apply("toy.compose", apply("toy.rdp", fact, factor=Integer(2)), bound())
    assert theorem.assumptions == (str(feller),)
    assert theorem.status == "conditional"


# Forging


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
        "import json; from sympy import exp; from tests.test_theorem import *;"
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


# Citations


def test_citations_point_into_the_bibliography():
    assert str(Citation("balle2019", "Corollary 7")) == "Balle, Barthe, Gaboardi, Geumlek (2019), Corollary 7"
    assert str(Citation("balle2019", "Corollary 7", "the rate")).endswith("Corollary 7: the rate")
    with pytest.raises(InputError, match="no work"):
        Citation("nobody1900", "Theorem 1")


def test_bibtex_has_each_work_once():
    text = bibtex(["mironov2019", "balle2019", "mironov2019"])
    assert text.count("@") == 2
    assert text.index("balle2019") < text.index("mironov2019")
    assert "author = {Mironov, Ilya and Talwar, Kunal and Zhang, Li}" in text
    everything = bibtex(BIBLIOGRAPHY)
    assert everything.count("@") == len(BIBLIOGRAPHY)
    assert everything.count("{") == everything.count("}")
    with pytest.raises(InputError):
        bibtex(["nobody1900"])


def test_log_is_not_among_what_the_kernel_computes():
    """The kernel keeps what a rule concludes as it is: no simplification on the way."""
    theorem = apply("toy.identity", left=log(exp(x) * exp(y)), right=x + y, region=PLANE)
    assert theorem.conclusion.left == log(exp(x) * exp(y))
