"""The vocabulary: function names, the one symbol table, and the nearest known name for a misspelt one."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from functools import cache

import sympy as sp

from symdp.errors import InputError
from symdp.text.control import CONTROL_FUNCTIONS
from symdp.text.extrema import EXTREMA
from symdp.text.moment import sampled_moment

FUNCTIONS: dict[str, type[sp.Function]] = {
    "exp": sp.exp,
    "log": sp.log,
    "sin": sp.sin,
    "cos": sp.cos,
    "tan": sp.tan,
    "sinh": sp.sinh,
    "cosh": sp.cosh,
    "tanh": sp.tanh,
    "coth": sp.coth,
    "asin": sp.asin,
    "acos": sp.acos,
    "atan": sp.atan,
    "asinh": sp.asinh,
    "acosh": sp.acosh,
    "atanh": sp.atanh,
    "abs": sp.Abs,
    "sign": sp.sign,
    "erfc": sp.erfc,
}
"""Functions of one argument that are sympy classes; ``sqrt`` is read as a power."""

FUNCTION_NAMES = ("sqrt", *FUNCTIONS)
FUNCTIONS_OF_SEVERAL: dict[str, type[sp.Function]] = {
    **CONTROL_FUNCTIONS,
    **EXTREMA,
    "sampled_moment": sampled_moment,
}
"""Functions of several arguments, which sympy leaves as they are."""

RESERVED_FUNCTIONS = (*FUNCTION_NAMES, *FUNCTIONS_OF_SEVERAL)
RESERVED = frozenset((*RESERVED_FUNCTIONS, "pi"))

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")

# Spellings from other systems that difflib would send to the wrong place or nowhere.
_ALIASES = {
    "ln": "write log(x), the natural logarithm",
    "log2": "write log(x)/log(2)",
    "log10": "write log(x)/log(10)",
    "log1p": "write log(1 + x)",
    "expm1": "write exp(x) - 1",
    "pow": "write x**y",
    "cbrt": "write x**(1/3)",
    "root": "write x**(1/n)",
    "fabs": "write abs(x)",
    "sgn": "write sign(x)",
    "arctan": "write atan(x)",
    "arcsin": "write asin(x)",
    "arccos": "write acos(x)",
    "arcsinh": "write asinh(x)",
    "arccosh": "write acosh(x)",
    "arctanh": "write atanh(x)",
    "arsinh": "write asinh(x)",
    "arcosh": "write acosh(x)",
    "artanh": "write atanh(x)",
    "cot": "write cos(x)/sin(x)",
    "sec": "write 1/cos(x)",
    "csc": "write 1/sin(x)",
    "sech": "write 1/cosh(x)",
    "csch": "write 1/sinh(x)",
    "erf": "write 1 - erfc(x)",
    "erfcx": "write exp(x**2)*erfc(x)",
    "normcdf": "write erfc(-x/sqrt(2))/2",
    "ndtr": "write erfc(-x/sqrt(2))/2",
    "Phi": "the standard normal distribution function is erfc(-x/sqrt(2))/2",
}
_WORDS = {
    "e": "Euler's number is exp(1)",
    "E": "Euler's number is exp(1)",
    "and": "separate relations by commas",
}


@cache
def symbol(name: str) -> sp.Symbol:
    """The one real symbol of this name; InputError unless it is an ASCII identifier that is not reserved."""
    if not isinstance(name, str) or not _IDENTIFIER.match(name):
        raise InputError(f"{name!r} is not a name", remedy="names are ASCII letters, digits and _, not a digit first")
    if name in RESERVED:
        raise InputError(f"'{name}' is reserved", remedy="choose another name")
    return sp.Symbol(name, real=True)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that looks most like ``name`` (case ignored), or None."""
    candidates = sorted(set(known))
    if close := difflib.get_close_matches(name, candidates, n=1, cutoff=0.5):
        return close[0]
    lowered = {c.lower(): c for c in candidates}
    close = difflib.get_close_matches(name.lower(), list(lowered), n=1, cutoff=0.5)
    return lowered[close[0]] if close else None


def function_remedy(name: str) -> str:
    """What to write instead of the unknown function ``name``."""
    if name.lower() in RESERVED_FUNCTIONS:
        return f"write {name.lower()}"
    if alias := _ALIASES.get(name) or _ALIASES.get(name.lower()):
        return alias
    if len(name) > 2 and (guess := nearest(name, RESERVED_FUNCTIONS)):
        return f"did you mean {guess}?"
    return f"for a product write {name}*(...); functions are {' '.join(FUNCTION_NAMES)}"


def name_remedy(name: str, known: Iterable[str]) -> str:
    """What to write instead of the unknown name ``name``."""
    allowed = sorted(set(known))
    if name in _WORDS:
        return _WORDS[name]
    if guess := nearest(name, allowed):
        return f"did you mean {guess}?"
    if not allowed:
        return "only numbers and pi may stand here"
    shown = ", ".join(allowed[:12]) + (", ..." if len(allowed) > 12 else "")
    return f"known names: {shown}"
