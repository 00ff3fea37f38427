"""Functions of the time that the user defines: what a call stands for, and errors that say what to mend."""

import pytest

from symdp.errors import InputError
from symdp.text import define, parse, parse_matrix, parse_vector, parse_with_conditions


def defined(*texts):
    known = {}
    for text in texts:
        name, definition = define(text, known)
        known[name] = definition
    return known


KNOWN = defined("beta(t) = 1/10 + t/2", "g(t)=sqrt(2*a*beta(t))", "root(t)=sqrt(t)")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("-beta(t)/2*x", "-(1/10+t/2)/2*x"),
        ("beta(1-t)", "1/10+(1-t)/2"),
        ("beta(2)", "11/10"),
        ("g(t)**2", "2*a*(1/10+t/2)"),
        ("beta(beta(t))", "1/10+(1/10+t/2)/2"),
        ("x**beta(0) + exp(-abs(beta(t)))", "x**(1/10) + exp(-abs(1/10+t/2))"),
    ],
)
def test_a_call_is_the_body_with_its_argument(text, meant):
    assert parse_with_conditions(text, definitions=KNOWN).expr == parse(meant)


def test_vectors_and_matrices_call_them_too():
    first, second = parse_vector("beta(t), x2", definitions=KNOWN)
    assert (first.expr, second.expr) == (parse("1/10+t/2"), parse("x2"))
    assert parse_matrix("0; beta(t)", definitions=KNOWN)[1][0].expr == first.expr


def test_what_a_call_needs_is_kept():
    conditions = parse_with_conditions("root(1-t)/beta(t)", definitions=KNOWN).conditions
    assert [str(c) for c in conditions] == ["t <= 1", "t/2 != -1/10"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("beta(x)", "'beta' is a function of the time, not of 'x'; its argument holds t and numbers only: beta(t)"),
        ("beta*x", "'beta' is a function of the time; write beta(t)"),
        ("bets(t)", "unknown function 'bets'; did you mean beta?"),
        ("hello(t)", "define it with --let 'hello(t)=...', or write hello*t for a product"),
        ("beta(t, t)", "unexpected ','"),
        ("beta(t", "never closed"),
        ("root(-2)", "not a real number"),
    ],
)
def test_a_wrong_call(text, said):
    with pytest.raises(InputError) as caught:
        parse_with_conditions(text, definitions=KNOWN)
    assert said in str(caught.value) and caught.value.column


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("beta(t)=1", "'beta' is defined twice"),
        ("f(s)=s", "'f' is not a function of t"),
        ("f=2", "write a name, its argument and a body"),
        ("t", "write a name, its argument and a body"),
        ("", "write a name, its argument and a body"),
        ("exp(t)=3", "'exp' is reserved"),
        ("t(t)=3", "'t' is reserved"),
        ("f(t)=f(t)+1", "'f' is defined by itself"),
        ("f(t)=h(t)", "unknown function 'h'"),
        ("f(t)=t=2", "unexpected '='"),
        ("f(t)=1/0", "division by 0"),
        ("f(t)=sqrt(-1)", "no real value|not a real number"),
    ],
)
def test_a_wrong_definition(text, said):
    with pytest.raises(InputError, match=said.replace("(", r"\(")) as caught:
        define(text, KNOWN)
    assert caught.value.place == "--let"


def test_definitions_that_call_each_other_cannot_explode():
    known = defined("f0(t)=t+t")
    with pytest.raises(InputError, match="too long"):
        for k in range(1, 40):
            name, definition = define(f"f{k}(t)=f{k - 1}(t)+f{k - 1}(t)", known)
            known[name] = definition
