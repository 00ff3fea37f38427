r"""Formulas in LaTeX: what papers write is read as they mean it, the rest is an error with its column."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdp import InputError, parse
from symdp.text.latex import from_latex


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (
            r"\frac{\alpha\theta\Delta^2}{2\rho^2(e^{2\theta t}-1)}",
            "alpha*theta*Delta**2/(2*rho**2*(exp(2*theta*t)-1))",
        ),
        (r"$\alpha\Delta^2/(4t)$", "alpha*Delta**2/(4*t)"),
        (r"\frac12 x", "x/2"),
        (r"\frac1q - 1", "1/q - 1"),
        (r"x^12", "2*x"),
        (r"x^{12}", "x**12"),
        (r"2q^2\alpha/\sigma^2", "2*q**2*alpha/sigma**2"),
        (r"\log\left(1+\gamma(e^\epsilon-1)\right)", "log(1+gamma*(exp(epsilon)-1))"),
        (r"\ln\frac1q", "log(1/q)"),
        (r"\log 2 x", "log(2)*x"),
        (r"\frac{\alpha\|x-x'\|^2}{4t}", "alpha*(x-xp)**2/(4*t)"),
        (r"|x||y|", "abs(x)*abs(y)"),
        (r"\bigl(1-\tfrac{2\eta\beta\rho}{\beta+\rho}\bigr)^{(n-i+1)/2}", "(1-2*eta*beta*rho/(beta+rho))**((n-i+1)/2)"),
        (r"\sqrt{x}+\sqrt[3]{x}", "sqrt(x)+x**(1/3)"),
        (r"\sinh^2 x", "sinh(x)**2"),
        (r"\max\{l_1, l_2\}", "max(l_1, l_2)"),
        (r"-x^2", "-(x**2)"),
        (r"a \cdot b \times c", "a*b*c"),
        (r"\mathrm{eps} + \sigma_{12}", "eps + sigma_12"),
        (r"\varepsilon \, \pi", "epsilon*pi"),
        (r"e^{-x} + e", "exp(-x) + exp(1)"),
        (r"0.5 x", "x/2"),
    ],
)
def test_read_as_meant(latex, text):
    assert parse(from_latex(latex)) == parse(text)


@pytest.mark.parametrize(
    ("latex", "column", "said"),
    [
        (r"\sum_k x", 1, "closed form"),
        (r"\frac{1}", 9, "ends where an operand"),
        ("x=1", 2, "unexpected ="),
        ("é", 1, "not understood"),
        (r"\tilde\sigma", 1, r"\\tilde is not understood"),
        ("(x", 3, r"where \) is expected"),
        (r"\frac{1}{2", 11, "where } is expected"),
        ("x^", 3, "ends where an operand"),
        ("", 1, "ends where an operand"),
        (r"q^2\alpha/2\sigma^2", 12, r"\\frac"),
        ("x_{+}", 6, "subscript"),
        (r"\min x", 6, "of what"),
        ("x)", 2, r"unexpected \)"),
        ("(" * 500, 101, "nested too deeply"),
    ],
)
def test_errors_have_a_column_and_a_remedy(latex, column, said):
    with pytest.raises(InputError, match=said) as caught:
        from_latex(latex)
    assert caught.value.column == column and caught.value.remedy and "\n" not in str(caught.value)


@given(st.text(alphabet=r"\{}()[]^_+-*/|'.,xyabe0123 ", max_size=40) | st.text(max_size=20))
def test_any_text_is_read_or_refused_in_one_line(text):
    try:
        result = from_latex(text)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert result
