"""decide: what it proves, what it refutes with an exact witness, and that it never says more than it knows."""

import json
from dataclasses import FrozenInstanceError

import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import mark, raises

from symdp.decide import Proved, Refuted, Unknown, decide, implies, is_zero, normal, recheck, recheck_refutation, sign
from symdp.decide.domain import Domain, value_at, violated
from symdp.errors import InputError
from symdp.region import Interval, Region
from symdp.text import Relation, parse, parse_relations, symbol

X, Y, T = symbol("x"), symbol("y"), symbol("t")


def region(text, *more):
    relations = parse_relations(text, place="region") if text else ()
    names = sorted({s for r in relations for s in r.free_symbols} | set(more), key=lambda s: s.name)
    return Region.from_relations(relations, names)


def ask(relation, where="", assuming=""):
    *_, wanted = parse_relations(relation, place="relation")
    premises = parse_relations(assuming, place="assuming") if assuming else ()
    names = set(wanted.free_symbols).union(*(p.free_symbols for p in premises))
    return decide(wanted, region(where, *names), assuming=premises)


def checked(relation, where):
    """The verdict, after a look at its certificate or its witness."""
    *_, wanted = parse_relations(relation, place="relation")
    place = region(where, *wanted.free_symbols)
    verdict = decide(wanted, place)
    if isinstance(verdict, Refuted):
        assert place.contains(verdict.witness) is True
        assert violated(wanted, verdict.witness)
    if not isinstance(verdict, Unknown):
        stored = json.loads(json.dumps(verdict.certificate))
        assert recheck(stored, wanted, place) is isinstance(verdict, Proved)
        assert recheck_refutation(stored, wanted, place) is isinstance(verdict, Refuted)
    return verdict


E_OU = "((1 - exp(-theta*t))**2*R**2 + (d*rho**2/theta)*(1 - exp(-2*theta*t)))"
E_GM = "(d*rho**2*(exp(2*theta*t) - 1)/theta)"
POSITIVE = "theta>0, R>0, d>0, rho>0, t>0"
DOEBLIN = "gamma*(1 - (1 + gamma*(b - 1))/b*(1 - delta))"
STEP = "eta>0, beta>0, rho>0, rho<=beta, eta<=2/(beta + rho)"
CONTRACTION = "((abs(1 - eta*rho) + abs(1 - eta*beta) + abs(abs(1 - eta*rho) - abs(1 - eta*beta)))/2)**2"


def lemma6(a):
    p, q = "((1 - r)*p + r*n)", "((1 - r)*n + r*p)"
    return f"p*({p}/p)**{a} + n*({q}/n)**{a} >= {p}*(p/{p})**{a} + {q}*(n/{q})**{a}"


TRUE = [
    ("sigma**2/2 > 0", "sigma>0"),
    ("1 - exp(-2*k*t) > 0", "k>0, t>0"),
    ("theta/(exp(2*theta*t) - 1) > 0", "theta>0, t>0"),
    (f"{E_OU}/{E_GM} <= 1", f"{POSITIVE}, theta*R**2<=4*d*rho**2"),
    (f"{DOEBLIN} <= delta", "0<gamma<1, b>1, 0<delta<1, gamma<=delta*b/((1 - delta)*(b - 1))"),
    ("gamma <= delta*b/((1 - delta)*(b - 1))", f"0<gamma<1, b>1, 0<delta<1, {DOEBLIN}<=delta"),
    (f"{CONTRACTION} <= 1 - 2*eta*beta*rho/(beta + rho)", STEP),
    (lemma6(2), "p>0, n>0, 0<r<1"),
    (lemma6(3), "p>0, n>0, 0<r<1"),
    ("log(1 + x) <= x", "x>-1"),
    ("tanh(x) <= x", "x>=0"),
    ("cosh(x) >= 1 + x**2/2", ""),
    ("x**4/4 - x**2/2 >= -1/4", ""),
    ("exp(x) - 1 - x >= 0", ""),
    ("x*coth(x) >= 1", "x>0"),
    ("(x/sinh(x))**2 < 1", "x>0"),
    ("log(cosh(x)) <= x**2/2", ""),
    ("log(1 + 1/x) > 1/(x + 1)", "x>0"),
    ("x*log(x) + (1 - x)*log(1 - x) + log(2) >= 0", "0<x<1"),
    ("k/(2*(exp(2*k*t) - 1)) <= 1/(4*t)", "k>0, t>0"),
    ("log((exp(a*e) + exp((1 - a)*e))/(1 + exp(e)))/(a - 1) <= a*e**2/2", "a>1, e>0"),
    ("exp(x) - x**3/2 > 0", ""),
    ("x**x >= 1/2", "x>0"),
    ("sqrt(x*y) <= (x + y)/2", "x>=0, y>=0"),
    ("cosh(x) + cosh(y) >= 2 + x*y/2", ""),
    ("exp(x) + exp(-x) + y**2 - x*y/4 > 1", ""),
    ("sinh(x) - x != 0", "x>0"),
    ("sqrt(cosh(x) - 1 - x**2/2) + 1 > 0", ""),
    ("x + 1 != 0", "x>0"),
    ("x**2 + 1 != 0", ""),
    ("x + y >= 1", "x**2 + y**2==1, x>=0, y>=0"),
    ("exp(2*x) == exp(x)**2", ""),
]

FALSE = [
    (f"{E_OU}/{E_GM} <= 1", f"{POSITIVE}, theta*R**2<=8*d*rho**2"),
    (f"{DOEBLIN} <= delta", "0<gamma<1, b>1, 0<delta<1, gamma>delta*b/((1 - delta)*(b - 1))"),
    ("((1 - eta*rho)**2) <= 1 - 3*eta*beta*rho/(beta + rho)", STEP),
    ("log(1 + x) <= x - x**2/2", "x>-1"),
    ("tanh(x) <= x", "x>=-1"),
    ("tanh(x) < x", "x>=0"),
    ("cosh(x) >= 1 + x**2/2 + x**4/20", ""),
    ("x**4/4 - x**2/2 >= -6/25", ""),
    ("exp(x) - 1 - x > 0", ""),
    ("x*coth(x) >= 101/100", "x>0"),
    ("cosh(x) + cosh(y) >= 2 + x*y*11/10", ""),
    ("sinh(x) - 2*x != 0", "x>=0"),
    ("(x**2 - 2)**2 > 0", ""),
    ("x**2 != 3", "x<0"),
    ("x >= 1", "x**2 + y**2==1, x>0"),
    ("exp(2*x) == exp(x)**3", ""),
    ("sign(x)**2 == 1", ""),
    ("4*d*rho**2 >= theta*R**2", "theta>0, R>0, d>0, rho>0"),
    ("-1 >= 0", ""),
]


@mark.parametrize(("relation", "where"), TRUE)
def test_true_statements_are_proved(relation, where):
    assert isinstance(checked(relation, where), Proved)


@mark.parametrize(("relation", "where"), FALSE)
def test_false_statements_are_refuted_at_a_point(relation, where):
    assert isinstance(checked(relation, where), Refuted)


@mark.parametrize(
    ("relation", "where"),
    [
        ("tanh(x) <= x - x**3/10**6", "x>=0"),
        ("(x/sinh(x))**2 < 1 - x**2/10**9", "x>0"),
        ("log(cosh(x)) <= x**2/2 - 1/10**12", ""),
        ("log(1 + 1/x) > 1/(x + 1) + 1/10**6", "x>0"),
        ("k/(2*(exp(2*k*t) - 1)) <= 1/(4*t) - k/10**6", "k>0, t>0"),
        ("exp(x) - x**3/2 > x**4/3", ""),
        ("x**x >= 7/10", "x>0"),
        ("x*log(x) + (1 - x)*log(1 - x) + log(2) >= 1/10**9", "0<x<1"),
        ("exp(-x) >= 1/10**30", "x>0"),
        ("1/x >= 1/10**12", "x>0"),
    ],
)
def test_slightly_false_statements_are_never_proved(relation, where):
    assert not isinstance(ask(relation, where), Proved)


@mark.parametrize(
    ("relation", "where", "engine"),
    [
        ("1 - exp(-2*k*t) > 0", "k>0, t>0", "sign"),
        ("x**2 + y**2 + x*y >= 0", "", "z3"),
        ("tanh(x) <= x", "x>=0", "monotone"),
        ("log(cosh(x)) <= x**2/2", "", "symmetric"),
        ("log(1 + 1/x) > 1/(x + 1)", "x>0", "inverse"),
        ("1 - x**2*exp(-x**2/2) > 0", "", "boxes"),
        ("cosh(x)**2 == 1 + sinh(x)**2", "", "normal-form"),
    ],
)
def test_the_certificate_names_its_engine(relation, where, engine):
    assert checked(relation, where).certificate["engine"] == engine


def test_an_edited_certificate_or_one_of_another_statement_is_rejected():
    cases = [
        ("x**2 + y**2 + x*y >= 0", ""),
        ("tanh(x) <= x", "x>=0"),
        ("1 - x**2*exp(-x**2/2) > 0", ""),
        ("x**2 > 0", ""),
    ]
    for text, where in cases:
        [relation] = parse_relations(text, place="relation")
        place = region(where, *relation.free_symbols)
        verdict = decide(relation, place)
        certificate, again = verdict.certificate, recheck if isinstance(verdict, Proved) else recheck_refutation
        assert again(certificate, relation, place)
        for key in certificate:
            assert not again({**certificate, key: "edited"}, relation, place)
            assert not again({k: v for k, v in certificate.items() if k != key}, relation, place)
        assert not again(certificate, Relation(relation.expr + 1, relation.op), place)
        assert not again(certificate, Relation(relation.expr - 1, relation.op), place)
        assert not again(certificate, relation, place.extend({T: Interval.positive()}))
    assert not recheck({}, relation, place)
    assert not recheck({"engine": "z3", "level": 0, "query": "", "rlimit": 1}, relation, place)


def test_what_an_inner_step_says_cannot_be_edited():
    [relation] = parse_relations("tanh(x) <= x", place="relation")
    place = region("x>=0")
    certificate = decide(relation, place).certificate
    assert not recheck({**certificate, "slope": {"engine": "sign", "claim": "1 > 0"}}, relation, place)
    assert not recheck({**certificate, "slope": certificate["start"]}, relation, place)


def test_assumptions_cut_the_region_and_are_part_of_the_certificate():
    assert isinstance(ask("4*a - s**2 >= 0", "a>0, s>0", "4*a>=s**2"), Proved)
    assert isinstance(ask("4*a - s**2 >= 0", "a>0, s>0"), Refuted)
    [relation] = parse_relations("x >= 1", place="relation")
    place, premise = region("x>0"), parse_relations("x>=2", place="assuming")
    verdict = decide(relation, place, assuming=premise)
    assert recheck(verdict.certificate, relation, place, premise)
    assert not recheck(verdict.certificate, relation, place)
    assert isinstance(implies(premise, relation, place), Proved)


def test_nothing_is_proved_of_an_empty_region():
    assert isinstance(ask("x > 0", "x>1, x**2 + y**2<1/2"), Unknown)
    falsehood = Relation(sp.Integer(-1), ">")
    assert isinstance(decide(falsehood, region("x>1, x**2 + y**2<1/2")), Proved)  # that is how emptiness is asked for
    assert isinstance(decide(falsehood, region("x>1, x**2 + y**2<5/2")), Refuted)
    with raises(InputError):
        ask("x > 0", "x>1", "x<0")


def test_what_may_be_undefined_is_not_proved():
    for text, where in [
        ("1/x**2 > 0", ""),
        ("log(x)**2 >= 0", ""),
        ("sqrt(x) >= 0", "x>-1"),
        ("x/x >= 1/x**2 - 1/x**2", ""),
    ]:
        verdict = ask(text, where)
        assert isinstance(verdict, Proved) is (
            text == "x/x >= 1/x**2 - 1/x**2"
        )  # sympy had simplified that one already
    assert isinstance(ask("1/x**2 > 0", "x!=0"), Unknown | Proved)
    assert isinstance(ask("1/x**2 > 0", "x>0"), Proved)


def test_a_relation_about_a_foreign_symbol_is_an_input_error():
    with raises(InputError, match="y"):
        decide(Relation(X + Y, ">"), region("x>0"))


def test_verdicts_are_frozen():
    verdict = ask("x**2 >= 0")
    with raises(FrozenInstanceError):
        verdict.certificate = {}


@mark.parametrize(
    "text",
    [
        "(1 + x + y)**300 + (1 + x - y)**299 >= 0",
        "sin(x) + sin(2*x) + sin(x**2) + 3 > 0",
        "x**17*y**13 + y**17*t**13 + t**17*x**13 + 100 > 0",
        "exp(x)*sin(y) + exp(y)*sin(x) + exp(x*y) > 0",
        "x**1000 - x**999 + 1 > 0",
        "cosh(exp(x)) > 10**300*x",
        "tan(x) > x",
        "acosh(x) + asin(x) > 0",
        "atan(1/x) + log(abs(x)) > -1000",
    ],
)
def test_hard_questions_come_back(text):
    assert isinstance(ask(text), Proved | Refuted | Unknown)


def test_a_large_tree_is_unknown_at_once():
    tree = sp.Add(*(X**k for k in range(1, 9000)))
    assert isinstance(decide(Relation(tree, ">"), region("x>0")), Unknown)


def test_verdicts_do_not_depend_on_what_ran_before():
    questions = [("x**2 + y**2 + x*y >= 0", ""), ("tanh(x) <= x", "x>=0"), ("1 - x**2*exp(-x**2/2) > 0", "")]
    first = [ask(*q) for q in questions]
    again = [ask(*q) for q in reversed(questions)]
    assert first == list(reversed(again))


# -- zero test, sign, normal form -----------------------------------------------------------------------------------
def ou_density():
    x, y, t, theta, s = (symbol(n) for n in ("x", "y", "t", "theta", "s"))
    mean, variance = x * sp.exp(-theta * t), s**2 * (1 - sp.exp(-2 * theta * t)) / theta
    return sp.exp(-((y - mean) ** 2) / (2 * variance)) / sp.sqrt(2 * sp.pi * variance)


def fokker_planck(factor):
    y, t, theta, s = (symbol(n) for n in ("y", "t", "theta", "s"))
    p = ou_density()
    return sp.diff(p, t) - sp.diff(theta * y * p, y) - factor * s**2 * sp.diff(p, y, 2)


def test_the_fokker_planck_residual_of_the_ornstein_uhlenbeck_kernel():
    place = region("theta>0, t>0, s>0", X, Y)
    assert is_zero(fokker_planck(1), place) is True
    assert is_zero(fokker_planck(2), place) is False
    assert is_zero(fokker_planck(1)) is True


def test_the_third_derivative_of_the_potential_of_a_tanh_drift():
    b = 2 * sp.tanh(X)
    potential = b**2 / 4 + sp.diff(b, X) / 2
    assert is_zero(sp.diff(potential, X)) is True
    assert is_zero(sp.diff(b**2 / 4 + sp.diff(b, X), X, 3)) is False


@mark.parametrize("oscillating", [False, True])
def test_matrix_exponentials_solve_their_equation(oscillating):
    a, b, t = symbol("a"), symbol("b"), T
    matrix = sp.Matrix([[0, 1], [-b, -a]])
    if oscillating:
        w = sp.sqrt(4 * b - a**2) / 2
        flow = sp.exp(-a * t / 2) * (sp.cos(w * t) * sp.eye(2) + sp.sin(w * t) / w * (matrix + a / 2 * sp.eye(2)))
    else:
        root = sp.sqrt(a**2 - 4 * b)
        u, v = (-a + root) / 2, (-a - root) / 2
        e, f = sp.exp(u * t), sp.exp(v * t)
        flow = (e - f) / (u - v) * matrix + (u * f - v * e) / (u - v) * sp.eye(2)
    for entry in sp.diff(flow, t) - matrix * flow:
        assert is_zero(entry) is True
    assert is_zero((sp.diff(flow, t) - flow * matrix * 2)[0, 1]) is False


def test_zero_is_claimed_only_of_what_is_defined_somewhere():
    assert is_zero(sp.log(-X) - sp.log(X)) is None
    assert is_zero(sp.log(X * Y) - sp.log(X) - sp.log(Y)) is True
    assert is_zero(sp.Abs(X) * sp.sign(X) - X) is True
    assert is_zero(sp.sign(X) ** 2 - 1) is False
    assert is_zero(sp.sign(X) ** 2 - 1, region("x>0")) is True
    assert is_zero(sp.Abs(X) - X, region("x>=0")) is True
    assert is_zero(sp.Integer(0)) is True


def test_signs():
    assert sign(parse("x**2 + 1"), region("", X)) == 1
    assert sign(parse("-exp(x)"), region("", X)) == -1
    assert sign(parse("exp(x)*exp(-x) - 1"), region("", X)) == 0
    assert sign(parse("x"), region("", X)) is None


@mark.parametrize(
    ("text", "short"),
    [
        ("(x**2 - 1)/(x - 1)", "x + 1"),
        ("2 - 2*tanh(x)**2", "2/cosh(x)**2"),
        ("(1 - exp(-2*t*x))*exp(2*t*x)", "exp(2*t*x) - 1"),
        ("log(exp(x)*exp(y))", "x + y"),
        ("cosh(x)**2 - sinh(x)**2 + x", "x + 1"),
        ("x*y", "x*y"),
    ],
)
def test_normal_forms_for_display(text, short):
    assert normal(parse(text)) == parse(short)
    assert normal(parse(short)) == parse(short)


def test_the_normal_form_uses_the_region_and_is_equal():
    tree = parse("sqrt(x**2*y)*sqrt(y)")
    assert normal(tree, region("x>0, y>0")) == X * Y
    messy = sp.diff(sp.log(ou_density()), X)
    assert is_zero(normal(messy) - messy) is True
    assert normal(parse("(1 + x + y)**300 + x")) == parse("(1 + x + y)**300 + x")


# -- never more than it knows ---------------------------------------------------------------------------------------
leaves = st.one_of(
    st.sampled_from([X, X, Y]),
    st.fractions(-3, 3, max_denominator=3).map(lambda q: sp.Rational(q.numerator, q.denominator)),
)
unary = st.sampled_from(
    [
        sp.exp,
        sp.log,
        sp.sqrt,
        sp.sin,
        sp.cos,
        sp.sinh,
        sp.cosh,
        sp.tanh,
        sp.coth,
        sp.atan,
        sp.Abs,
        lambda u: sp.log(1 + u**2),
    ]
)


def grown(inner):
    return st.one_of(
        st.tuples(inner, inner).map(lambda p: p[0] + p[1]),
        st.tuples(inner, inner).map(lambda p: p[0] - p[1]),
        st.tuples(inner, inner).map(lambda p: p[0] * p[1]),
        st.tuples(inner, st.sampled_from([2, 3, -1, sp.Rational(1, 2)])).map(lambda p: p[0] ** p[1]),
        st.tuples(unary, inner).map(lambda p: p[0](p[1])),
    )


trees = st.recursive(leaves, grown, max_leaves=5).filter(lambda e: not e.has(sp.nan, sp.zoo, sp.oo, sp.I))
sides = st.sampled_from(
    [Interval.real(), Interval.positive(), Interval.nonnegative(), Interval.open(0, 1), Interval.closed(-1, 1)]
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(trees, sides, sides, st.sampled_from([">", ">=", "!=", "=="]), st.sampled_from([-1, 0, 0, 1]), st.integers(0, 9))
def test_decide_never_contradicts_an_evaluation(tree, first, second, op, shift, denominators):
    """Relations made nearly tight: the expression minus its smallest sampled value, moved by a thousandth."""
    place = Region.make({X: first, Y: second})
    points = list(Domain(place).points(30, "test"))
    values = [(float(v.lo), p) for p in points if (v := value_at(tree, p)) is not None and abs(v.lo) < 10**6]
    if not values:
        return
    low = sp.Rational(min(v for v, _ in values)).limit_denominator(2**denominators)
    relation = Relation(tree - low + sp.Rational(shift, 1000), op)
    verdict = decide(relation, place)
    if isinstance(verdict, Proved):
        assert not any(violated(relation, p) for p in points)
    if isinstance(verdict, Refuted):
        assert place.contains(verdict.witness) is True
        assert violated(relation, verdict.witness)


@mark.parametrize(
    "text",
    [
        "exp(t/7)*exp(0.123*t) - exp((1/7+0.123)*t)",
        "(exp(t/7) - exp(0.123*t))**2 - exp(2*t/7) - exp(0.246*t) + 2*exp((1/7+0.123)*t)",
        "exp(0.369*t) - exp(0.123*t)**3",
        "exp(t/13)*exp(t/17)*exp(t/19) - exp(t*(1/13+1/17+1/19))",
        "exp(8002*t) - exp(4001*t)**2",
    ],
)
def test_exponentials_whose_rates_have_no_handy_unit(text):
    [relation] = parse_relations(f"{text} == 0", place="relation")
    assert is_zero(relation.expr) is True
    assert is_zero(relation.expr + symbol("t") ** 2) is False
    assert is_zero(relation.expr * 3 + 1) is False


@mark.parametrize("text", ["sin(x)**2 + cos(x)**2 - 1", "(x+1)**2 - x**2 - 2*x - 1", "exp(x)*exp(-x) - 1"])
def test_the_normal_form_of_a_hidden_zero_is_zero(text):
    assert normal(parse(text)) == 0
