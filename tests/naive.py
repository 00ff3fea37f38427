"""An independent evaluator of typed text and of sympy trees, term by term in mpmath, and a grammar of random texts."""

from __future__ import annotations

import mpmath
import sympy as sp
from hypothesis import strategies as st

from symdp.text.syntax import Call, Name, Number, Power, Product, Sum

FUNCTIONS = ("sqrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "coth")
FUNCTIONS += ("asin", "acos", "atan", "asinh", "acosh", "atanh", "abs", "sign")
_CLASSES = {getattr(sp, {"abs": "Abs"}.get(name, name)): name for name in FUNCTIONS if name != "sqrt"}


# Where rounding alone decides whether there is a value.
_EDGES = {"log": 0, "coth": 0, "asin": 1, "acos": 1, "acosh": 1, "atanh": 1}


class NoValue(Exception):
    """No real value at this point, as far as this precision shows."""


def context(digits: int) -> mpmath.MPContext:
    ctx = mpmath.MPContext()
    ctx.dps = digits
    return ctx


class OutOfReach(Exception):
    """A number too large or too small for this evaluator."""


class Naive:
    """Evaluates without simplifying anything; what is below half the precision counts as zero where that matters."""

    def __init__(self, digits: int, values: dict[str, sp.Rational]) -> None:
        self.ctx = context(digits)
        self.tiny = self.ctx.mpf(10) ** (-digits // 2)
        self.values = {name: self.ctx.mpf(int(v.p)) / int(v.q) for name, v in values.items()}

    def real(self, value):
        if not isinstance(value, self.ctx.mpf) or not self.ctx.isfinite(value):
            raise NoValue
        return value

    def inverse(self, value):
        if abs(value) < self.tiny:
            raise OutOfReach if value else NoValue
        return 1 / value

    def power(self, base, exponent):
        whole = int(self.ctx.nint(exponent))
        if abs(exponent - whole) < self.tiny and abs(exponent) < 10**6:
            return base**whole if whole >= 0 else self.inverse(base) ** -whole
        if abs(exponent) > 10**6:
            raise OutOfReach
        if abs(base) < self.tiny:
            if exponent > self.tiny:
                return self.ctx.mpf(0)
            raise OutOfReach if base else NoValue
        return self.real(base**exponent)

    def function(self, name, argument):
        if abs(argument) > 10**4 and name not in {"sqrt", "log", "abs", "sign"}:
            raise OutOfReach
        if name == "sqrt" and abs(argument) < self.tiny:
            return self.ctx.mpf(0)
        if name in _EDGES and abs(abs(argument) - _EDGES[name]) < self.tiny:
            raise OutOfReach
        if name == "abs":
            return abs(argument)
        try:
            return self.real(getattr(self.ctx, name)(argument))
        except (ValueError, ZeroDivisionError):
            raise NoValue from None

    def typed(self, node):
        match node:
            case Number():
                return self.ctx.mpf(node.value.numerator) / node.value.denominator
            case Name():
                return +self.ctx.pi if node.name == "pi" else self.values[node.name]
            case Sum():
                return sum((sign * self.typed(term) for sign, term in node.terms), self.ctx.mpf(0))
            case Product():
                result = self.ctx.mpf(1)
                for exponent, factor in node.factors:
                    value = self.typed(factor)
                    result = result * (value if exponent > 0 else self.inverse(value))
                return result
            case Power():
                return self.power(self.typed(node.base), self.typed(node.exponent))
            case Call():
                return self.function(node.function, self.typed(node.arguments[0]))

    def tree(self, expr):
        if isinstance(expr, sp.Rational):
            return self.ctx.mpf(int(expr.p)) / int(expr.q)
        if expr is sp.pi:
            return +self.ctx.pi
        if expr is sp.E:
            return +self.ctx.e
        if isinstance(expr, sp.Symbol):
            return self.values[expr.name]
        if isinstance(expr, sp.Add):
            return sum((self.tree(a) for a in expr.args), self.ctx.mpf(0))
        if isinstance(expr, sp.Mul):
            result = self.ctx.mpf(1)
            for argument in expr.args:
                result *= self.tree(argument)
            return result
        if isinstance(expr, sp.Pow):
            return self.power(self.tree(expr.base), self.tree(expr.exp))
        return self.function(_CLASSES[type(expr)], self.tree(expr.args[0]))

    def holds(self, relation) -> bool | None:
        """Whether a relation holds; None when too close to call."""
        value = self.tree(relation.expr)
        if abs(value) < self.tiny:
            return None
        return value > 0 if relation.op in {">", ">="} else relation.op == "!="


_ATOMS = st.sampled_from(
    ["x", "y", "a", "x", "y", "1", "2", "3", "1/2", "0.1", "pi", "4", "0", "-1", "2/3", "6", "12", "1e-2"]
)
_EXPONENTS = st.sampled_from(["2", "3", "1/2", "1/3", "-1", "-2", "-1/2", "3/2", "x", "a", "0.3", "pi"])


def _compound(inner):
    return st.one_of(
        st.builds("{} {} {}".format, inner, st.sampled_from("+-*/"), inner).map("({})".format),
        st.builds("{} {} {} {} {}".format, inner, st.sampled_from("*/"), inner, st.sampled_from("+-*/"), inner).map(
            "({})".format
        ),
        st.builds("({})**({})".format, inner, st.one_of(_EXPONENTS, inner)),
        st.builds("{}({})".format, st.sampled_from(FUNCTIONS), inner),
        st.builds("(-{})".format, inner),
    )


def texts(max_leaves: int = 8) -> st.SearchStrategy[str]:
    """Texts of the grammar, most of them meaningful."""
    return st.recursive(_ATOMS.map("({})".format), _compound, max_leaves=max_leaves)
