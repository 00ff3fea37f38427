"""Expressions in and out: own tokenizer and parser, one symbol table, exact numbers, and text that reads back the same.

Grammar: ``+ - * / **``, unary minus, decimals and scientific notation as exact rationals, ``pi``, parentheses, and
sqrt exp log sin cos tan sinh cosh tanh coth asin acos atan asinh acosh atanh abs sign erfc;
of several arguments: min and max (``extrema``), sampled_moment (``moment``) and the control energies (``control``).
"""

from symdp.text.conditions import definedness
from symdp.text.definitions import Definitions, define
from symdp.text.meaning import Parsed
from symdp.text.names import symbol
from symdp.text.numbers import adopt, exact
from symdp.text.printer import to_text
from symdp.text.reading import (
    identifiers,
    parse,
    parse_matrix,
    parse_relations,
    parse_values,
    parse_vector,
    parse_with_conditions,
)
from symdp.text.relation import Relation

__all__ = [
    "Definitions",
    "Parsed",
    "Relation",
    "adopt",
    "define",
    "definedness",
    "exact",
    "identifiers",
    "parse",
    "parse_matrix",
    "parse_relations",
    "parse_values",
    "parse_vector",
    "parse_with_conditions",
    "symbol",
    "to_text",
]
