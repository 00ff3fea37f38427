"""The vocabulary is closed and its values survive JSON exactly."""

import json
from dataclasses import dataclass, fields, is_dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Add, Float, Integer, Mul, Pow, Rational, Symbol, cosh, exp, log, oo, pi, sqrt

from symdp import codec, judgments
from symdp.errors import Forged, InputError
from symdp.judgments import ZCDP, ApproxDP, Divergence, Identity, InvariantDensity, Judgment, RenyiDP
from symdp.region import Interval, Region
from symdp.text import Relation, parse, symbol, to_text

x, y, alpha, t = map(symbol, ("x", "y", "alpha", "t"))
POSITIVE = Region.make({alpha: Interval.open(1, oo), t: Interval.positive()})

numbers = st.fractions(min_value=-50, max_value=50, max_denominator=30).map(
    lambda q: Rational(q.numerator, q.denominator)
)
leaves = st.one_of(numbers, st.sampled_from([x, y, alpha, symbol("lambda"), pi]))


def _grow(inner):
    pairs = st.tuples(inner, inner)
    return st.one_of(
        pairs.map(lambda p: Add(*p)),
        pairs.map(lambda p: Mul(*p)),
        inner.map(lambda e: exp(-(e**2))),
        inner.map(lambda e: log(1 + e**2)),
        inner.map(cosh),
        inner.map(lambda e: sqrt(2 + e**2)),
        inner.map(lambda e: Pow(1 + e**2, Rational(-3, 2))),
    )


def _readable(expr):
    """Whether the text layer takes the tree at all (it bounds the size of numbers); its own tests are about that."""
    try:
        return parse(to_text(expr)) == expr
    except InputError:
        return False


expressions = st.recursive(leaves, _grow, max_leaves=6).filter(_readable)
relations = st.builds(Relation, expressions, st.sampled_from([">", ">=", "==", "!="]))
bounds = st.tuples(st.integers(-9, 9), st.integers(1, 9), st.booleans(), st.booleans())
intervals = st.one_of(
    bounds.map(lambda b: Interval(Integer(b[0]), Integer(b[0] + b[1]), b[2], b[3])),
    st.sampled_from([Interval.real(), Interval.positive(), Interval.nonnegative()]),
)
regions = st.builds(
    lambda a, b, rs: Region(((x, a), (y, b), (alpha, b), (symbol("lambda"), a)), tuple(rs)),
    intervals,
    intervals,
    st.lists(relations, max_size=2),
)
plain = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8))
values = st.recursive(
    st.one_of(plain, expressions, relations, regions),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=4,
)


@settings(max_examples=80, deadline=None)
@given(values)
def test_every_value_survives_json_exactly(value):
    codec.check(value)
    stored = json.loads(json.dumps(codec.encode(value)))
    back = codec.decode(stored)
    assert codec.same(back, value)
    assert codec.canonical(back) == codec.canonical(value)


@settings(max_examples=60, deadline=None)
@given(values, values)
def test_same_and_canonical_agree(left, right):
    assert codec.same(left, right) == (codec.canonical(left) == codec.canonical(right))


@pytest.mark.parametrize(
    ("left", "right"), [(1, True), (0, False), (1, Integer(1)), ((1,), (True,)), (None, False), ("1", 1)]
)
def test_same_tells_apart_what_python_calls_equal(left, right):
    assert not codec.same(left, right)
    assert codec.canonical(left) != codec.canonical(right)


@pytest.mark.parametrize(
    "value",
    [1.5, [1], {"a": 1}, object(), Symbol("x"), Symbol("x", positive=True) + 1, b"x", (1, 2.0), set(), float("nan")],
)
def test_what_is_no_value_is_turned_away(value):
    with pytest.raises(InputError):
        codec.check(value)


@pytest.mark.parametrize("value", [Float(1.5), 1.5, [1], object(), {"expr": "x"}])
def test_what_cannot_be_read_back_is_not_written(value):
    with pytest.raises(InputError):
        codec.encode(value)


def interval(lower, upper, left, right):
    """The JSON form of an interval."""
    ends = {"lower": lower, "upper": upper, "lower_closed": left, "upper_closed": right}
    return {"record": "Interval", "fields": ends}


@pytest.mark.parametrize(
    "data",
    [
        1.5,
        {"expr": "__import__('os').system('true')"},
        {"expr": "x^2"},
        {"expr": 1},
        {"expr": "x", "more": 1},
        {"end": "zoo"},
        {"end": ["oo"]},
        {"record": "Nothing", "fields": {}},
        {"record": ["Relation"], "fields": {}},
        {"record": "Relation", "fields": {"expr": {"expr": "x"}}},
        {"record": "Relation", "fields": {"expr": {"expr": "x"}, "op": ">", "note": 1}},
        {"record": "Relation", "fields": {"expr": {"expr": "x"}, "op": "<"}},
        {"record": "Relation", "fields": {"expr": 3, "op": ">"}},
        {"record": "Relation", "fields": {"expr": {"expr": "-x"}, "op": "=="}},
        interval({"expr": "1"}, {"expr": "0"}, True, True),
        interval({"end": "-oo"}, {"end": "oo"}, True, False),
        interval({"expr": "0"}, {"end": "oo"}, 1, False),
        {"record": "Region", "fields": {"intervals": [1], "constraints": []}},
        {"record": "Region", "fields": {"intervals": {}, "constraints": []}},
        {},
        {"kind": "expr", "text": "x"},
        [{"expr": "x"}, {"eval": "x"}],
    ],
)  # fmt: skip
def test_foreign_json_is_forged(data):
    with pytest.raises(Forged):
        codec.decode(data)


def _vocabulary():
    found = [getattr(judgments, name) for name in dir(judgments)]
    return [kind for kind in found if isinstance(kind, type) and issubclass(kind, Judgment) and kind is not Judgment]


@pytest.mark.parametrize("kind", _vocabulary())
def test_every_judgment_is_a_frozen_registered_record(kind):
    assert is_dataclass(kind)
    assert codec.register(kind) is kind, "registered under another class"
    sample = {"region": POSITIVE, "relation": "pairs at distance Delta", "unique": True, "constant": True, "side": 1}
    sample |= {
        "process": "a process",
        "subject": "a mechanism",
        "backward": ((x,),),
        "gramian": ((y,),),
        "precision": ((1 / y,),),
        "drift": ((x,),),
        "noise": ((y,),),
        "factor": (x, y),
        "kernel": "a kernel",
        "lines": ((x, y), (y, Integer(0))),
        "rows": ((x,),),
        "both": False,
        "law": "laplace",
    }
    if kind in (judgments.GaussianOutput, judgments.OutputError):
        sample |= {"matrix": ((x,),), "covariance": ((y,),), "shift": (x,), "bias": (x,)}
    if kind is judgments.NoisyIteration:
        sample |= {"lipschitz": (x, y), "sigma": (y, y)}
    made = (
        [kind(**{field.name: sample.get(field.name, x**2) for field in fields(kind)}) for _ in range(2)]
        if kind is not judgments.Inequality
        else [kind(Relation(x, ">"), POSITIVE)] * 2
    )
    assert made[0] == made[1]
    assert hash(made[0]) == hash(made[1])
    assert codec.same(codec.decode(codec.encode(made[0])), made[0])
    assert made[0].statement()
    assert "\n" not in made[0].statement()
    with pytest.raises(AttributeError):
        made[0].process = None


def test_the_vocabulary_is_closed():
    with pytest.raises(TypeError, match="closed"):

        class BetterDP(Judgment):
            pass

    with pytest.raises(TypeError, match="closed"):

        class Subclass(RenyiDP):
            pass


def test_statements_say_what_holds_and_where():
    rdp = RenyiDP("the mechanism", parse("alpha*Delta**2/(4*t)"), symbol("Delta"), "starts at distance Delta", POSITIVE)
    assert rdp.statement().startswith(
        "the mechanism is (alpha, Delta**2*alpha/(4*t))-RDP, starts at distance Delta for "
    )
    assert "alpha > 1" in rdp.statement()
    assert "t > 0" in rdp.statement()
    order = Divergence("BM", parse("alpha*(x-xp)**2/(4*t)"), POSITIVE).statement()
    assert order.startswith("R_alpha(P_t(x) || P_t(xp)) <= ")
    assert "the unique" in InvariantDensity("OU", exp(-(x**2)), True).statement()
    assert "an invariant" in InvariantDensity("BM", Integer(1), False).statement()
    assert ApproxDP("M", x, y, POSITIVE).statement() != ApproxDP("M", y, x, POSITIVE).statement()
    assert Identity(x, y, POSITIVE) != Identity(y, x, POSITIVE)
    assert ZCDP("M", x, POSITIVE) != ZCDP("N", x, POSITIVE)


def test_records_must_be_frozen_and_names_are_taken_once():
    @dataclass
    class Loose:
        a: int

    with pytest.raises(TypeError, match="frozen"):
        codec.register(Loose)

    @dataclass(frozen=True)
    class RenyiDP:
        value: object

    with pytest.raises(TypeError, match="already"):
        codec.register(RenyiDP)
    with pytest.raises(InputError):
        codec.check(RenyiDP(x))


_EVERYWHERE = Region()
_ORDER_AS_PARAMETER = (
    lambda a: judgments.PureDP("M", a, _EVERYWHERE),
    lambda a: judgments.ZCDP("M", 1 / a, _EVERYWHERE),
    lambda a: judgments.TCDP("M", Integer(1), a + 5, _EVERYWHERE),
    lambda a: judgments.GaussianDP("M", exp(-a), _EVERYWHERE),
    lambda a: judgments.LocalDP("K", a, Integer(0), _EVERYWHERE),
    lambda a: judgments.Dobrushin("K", 1 / a, Integer(1), _EVERYWHERE),
    lambda a: judgments.NoiseMechanism("M", "laplace", 1 / a, Integer(1), "l1", _EVERYWHERE),
    lambda a: judgments.NoiseKernel("K", "gaussian", Integer(1), a, "l2", _EVERYWHERE),
    lambda a: judgments.NoisyIteration("M", (Integer(1),), (a,), Integer(1), _EVERYWHERE),
    lambda a: judgments.DominatingPair(
        judgments.Sampled("M", "poisson", 1 / a), Integer(0), *[Integer(1)] * 3, "add/remove", _EVERYWHERE
    ),
)


@pytest.mark.parametrize("make", _ORDER_AS_PARAMETER)
def test_the_order_is_no_parameter_of_a_mechanism(make):
    """Laplace noise of scale 1/alpha is (alpha, 0)-DP; at the order 2 that must not become (2, 0)-DP for all."""
    assert make(symbol("beta")).statement()
    with pytest.raises(InputError, match="alpha is the order"):
        make(alpha)
