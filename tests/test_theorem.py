"""The kernel: theorems come only from rules, evidence stays visible, assumptions travel up the tree."""

from dataclasses import replace

import pytest
from sympy import Integer, cosh, exp, log

from symdp.decide import Proved, Unknown
from symdp.errors import InputError, Refused
from symdp.text import Relation, parse
from symdp.theorem import (
    Condition,
    apply,
    from_json,
    register,
    register_decider,
    replay,
    rules,
)
from tests.toy import OTHER, PLANE, POSITIVE, WORK, a, bound, s, square, stored, tree, x, y

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


def test_equality_and_replay_of_a_shared_tree_take_no_longer_than_the_tree():
    def doubled():
        theorem = bound()
        for _ in range(30):
            theorem = apply("toy.compose", theorem, theorem)
        return theorem

    first, second = doubled(), doubled()
    assert len(list(first.walk())) == 32
    assert first == second
    assert replay(first) == second
    assert first != apply("toy.compose", first, first)


def test_a_proof_by_ball_arithmetic_is_certified_wherever_it_stands():
    def decide_boxes(kind, *, assuming):
        inner = {"engine": "boxes", "boxes": 12}
        nested = {"engine": "monotone", "parts": [{"engine": "sign"}, {"checks": [inner]}]}
        return Proved({"boxes": inner, "nested": nested, "none": {"boxes": "engine"}}[kind])

    register_decider("toy-boxes", decide_boxes)
    conditions = [Condition(kind, kind, "toy-boxes", (kind,)) for kind in ("boxes", "nested", "none")]
    register(replace(rules()["toy.vouched"], id="toy.boxes", assumed=(), conditions=lambda *_: conditions))
    pieces = apply("toy.boxes").evidence
    assert [piece.verdict for piece in pieces] == ["certified", "certified", "proved"]
    assert pieces[1].reason == "certified by monotone, sign, boxes"


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


def test_an_assumption_about_something_else_changes_nothing():
    feller, elsewhere = Relation(4 * a - s**2, ">="), Relation(y - 5, ">")
    params = {"relation": Relation(8 * a - s**2, ">"), "region": POSITIVE}
    assert apply("toy.fact", **params, assuming=(elsewhere, feller)).assumptions == (str(feller),)
    with pytest.raises(Refused, match="false at"):
        apply("toy.fact", **params, assuming=(elsewhere,))


def test_a_relation_that_is_not_needed_is_dropped():
    theorem = apply("toy.fact", relation=Relation(x**2, ">="), region=PLANE, assuming=(Relation(x, ">"),))
    assert theorem.assumptions == ()


@pytest.mark.parametrize("wrong", [(Relation(-a, ">"),), (Relation(2 * a - s, ">"), Relation(s - 3 * a, ">"))])
def test_contradictory_assumptions_prove_nothing(wrong):
    with pytest.raises(Refused, match="the assumptions"):
        apply("toy.fact", relation=Relation(a - s, ">"), region=POSITIVE, assuming=wrong)


def test_contradictory_assumptions_prove_nothing_whatever_the_decider():
    above, below = Relation(a * s - x, ">"), Relation(x - a * s, ">")

    def decide_both(*, assuming):
        return Proved({}) if {above, below} <= set(assuming) else Unknown("both are needed")

    register_decider("toy-both", decide_both)
    conditions = [Condition("both", "both hold", "toy-both")]
    register(replace(rules()["toy.vouched"], id="toy.both", assumed=(), conditions=lambda *_: conditions))
    with pytest.raises(Refused, match="contradict"):
        apply("toy.both", assuming=(above, below))


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


def test_log_is_not_among_what_the_kernel_computes():
    """The kernel keeps what a rule concludes as it is: no simplification on the way."""
    theorem = apply("toy.identity", left=log(exp(x) * exp(y)), right=x + y, region=PLANE)
    assert theorem.conclusion.left == log(exp(x) * exp(y))
