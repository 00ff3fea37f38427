r"""Formulas in LaTeX to the text of our grammar: what papers use of it, and a clear error for the rest.

Fractions, powers, roots, Greek letters, subscripts, primes (``x'`` is xp), ``\log \ln \exp`` and the other functions,
``e^{...}``, norms and absolute values (of a number, the same), ``\left( \right)``, products without a sign.
"""

from __future__ import annotations

import re
from typing import NoReturn

from symdp.errors import InputError
from symdp.text.names import FUNCTION_NAMES
from symdp.text.syntax import MAX_NESTING

_TOKEN = re.compile(r"\s+|~|\\[,;:! ]|\\[A-Za-z]+|\\[|{}]|\d+(?:\.\d+)?|\.\d+|[A-Za-z]|[-+*/^_{}()\[\]|'=<>,.;&]")
_GREEK = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "zeta",
    "eta",
    "theta",
    "iota",
    "kappa",
    "lambda",
    "mu",
    "nu",
    "xi",
    "rho",
    "sigma",
    "tau",
    "upsilon",
    "phi",
    "chi",
    "psi",
    "omega",
    "Gamma",
    "Delta",
    "Theta",
    "Lambda",
    "Xi",
    "Sigma",
    "Upsilon",
    "Phi",
    "Psi",
    "Omega",
]
_NAMES = {f"\\{name}": name for name in _GREEK} | {
    "\\varepsilon": "epsilon",
    "\\vartheta": "theta",
    "\\varrho": "rho",
    "\\varphi": "phi",
    "\\varsigma": "sigma",
    "\\ell": "ell",
    "\\pi": "pi",
}
_FUNCTIONS = {f"\\{name}": name for name in FUNCTION_NAMES} | {
    "\\ln": "log",
    "\\arcsin": "asin",
    "\\arccos": "acos",
    "\\arctan": "atan",
    "\\min": "min",
    "\\max": "max",
}
_TIMES = ("\\cdot", "\\times", "*")
_CLOSING = {
    "(": ")",
    "[": "]",
    "{": "}",
    "|": "|",
    "\\|": "\\|",
    "\\{": "\\}",
    "\\lvert": "\\rvert",
    "\\lVert": "\\rVert",
}
_SIZES = ("\\left", "\\right", "\\big", "\\Big", "\\bigl", "\\bigr", "\\Bigl", "\\Bigr", "\\displaystyle", "\\,")
_NORMS = ("|", "\\|", "\\lvert", "\\lVert")
_WORDS = ("\\mathrm", "\\text", "\\operatorname", "\\mathit")


def from_latex(text: str, *, place: str = "expression") -> str:
    r"""The formula in our grammar: ``\frac{\alpha\Delta^2}{4t}`` is ``(alpha*Delta**2)/(4*t)``.

    Raises InputError, with the column in the LaTeX text, for what is not understood.
    """
    reader = _Reader(text.strip().removeprefix("$").removesuffix("$"), place)
    result = reader.sum()
    if reader.token:
        reader.fail(f"unexpected {reader.token}", "one formula is expected, without = or <")
    return result


class _Reader:
    def __init__(self, text: str, place: str) -> None:
        self.place, self.depth, self.index = place, 0, 0
        self.tokens: list[tuple[int, str]] = []
        end = 0
        while end < len(text):
            match = _TOKEN.match(text, end)
            if match is None:
                raise InputError(
                    f"{text[end]!r} is not understood", place=place, column=end + 1, remedy="write it in LaTeX letters"
                )
            token = match.group()
            if not token.isspace() and token not in ("~", "\\ ", "\\,", "\\;", "\\:", "\\!") and token not in _SIZES:
                self.tokens.append((end + 1, token))
            end = match.end()
        self.tokens.append((len(text) + 1, ""))

    @property
    def token(self) -> str:
        """The next token, "" at the end."""
        return self.tokens[self.index][1]

    def advance(self) -> str:
        """Take the next token."""
        token = self.token
        self.index += token != ""
        return token

    def fail(self, message: str, remedy: str) -> NoReturn:
        """Raise the error at the next token."""
        raise InputError(message, place=self.place, column=self.tokens[self.index][0], remedy=remedy)

    def expect(self, token: str) -> None:
        """Take a token that must be there."""
        if self.token != token:
            self.fail(f"{self.token or 'the end'} where {token} is expected", f"add the missing {token}")
        self.advance()

    def sum(self) -> str:
        """Terms with their signs."""
        self.depth += 1
        if self.depth > MAX_NESTING // 2:
            self.fail("nested too deeply", "split the formula")
        parts = []
        if self.token in ("+", "-"):
            parts.append("-" if self.advance() == "-" else "")
        parts.append(self.product())
        while self.token in ("+", "-"):
            parts += [f" {self.advance()} ", self.product()]
        self.depth -= 1
        return "".join(parts)

    def product(self) -> str:
        """Factors, with or without a sign between them."""
        parts, divided = [self.power()], False
        while self.token not in ("", "+", "-", ",") and not self.closes():
            if divided and self.token not in (*_TIMES, "/"):
                self.fail(
                    "a product behind / may be meant to be divided by or not", "write \\frac{a}{bc}, or parentheses"
                )
            sign = "/" if self.token == "/" else "*"
            divided = sign == "/"
            if self.token in (*_TIMES, "/"):
                self.advance()
            parts += [sign, self.power()]
        return "".join(parts)

    def closes(self) -> bool:
        """Whether the next token ends the formula that is being read."""
        return self.token in ("}", ")", "]", "\\}", "\\rvert", "\\rVert", "=", "<", ">", "&", ";") or (
            self.token in ("|", "\\|") and self.open_norm == self.token
        )

    open_norm = ""

    def power(self) -> str:
        """A base with its exponent; e to a power is the exponential."""
        if self.token == "e" or (self.token == "\\mathrm" and self.word_ahead() == "e"):
            self.word() if self.token != "e" else self.advance()
            if self.token != "^":
                return "exp(1)"
            self.advance()
            return f"exp({self.group()})"
        base = self.base()
        if self.token == "^":
            self.advance()
            base = f"{base}**({self.group()})"
        return base

    def group(self) -> str:
        """An argument in braces, or one token."""
        if self.token == "{":
            return self.bracketed()
        return self.base(single=True)

    def bracketed(self) -> str:
        """What stands between an opening token and the one that closes it."""
        opening = self.advance()
        before, self.open_norm = self.open_norm, opening if opening in ("|", "\\|") else ""
        inner = self.sum()
        self.open_norm = before
        self.expect(_CLOSING[opening])
        return inner

    def base(self, *, single: bool = False) -> str:
        """A number, name, fraction, root, function or group; ``single``: one digit of a number."""
        token = self.token
        if token[:1].isdigit() or token[:1] == ".":
            self.advance()
            if single and len(token) > 1:  # LaTeX takes one digit: \frac12 is 1/2
                column, _ = self.tokens[self.index - 1]
                self.tokens[self.index - 1 : self.index] = [(column, token[0]), (column + 1, token[1:])]
                return token[0]
            return token
        if token == "\\frac" or token in ("\\tfrac", "\\dfrac"):
            self.advance()
            above = self.group()
            return f"(({above})/({self.group()}))"
        if token == "\\sqrt":
            self.advance()
            if self.token == "[":
                root = self.bracketed()
                return f"({self.group()})**(1/({root}))"
            return f"sqrt({self.group()})"
        if token in ("\\binom", "\\sum", "\\int", "\\prod", "\\lim", "\\sup", "\\inf"):
            self.fail(f"{token} is not read", "give a closed form")
        if token in _FUNCTIONS:
            return self.function()
        if token in _NORMS:
            return f"abs({self.bracketed()})"
        if token in ("(", "[", "\\{", "{"):
            return f"({self.bracketed()})"
        if token in _NAMES or token in _WORDS or token.isalpha():
            return self.name()
        if not token:
            self.fail("the formula ends where an operand is expected", "write the missing part")
        self.fail(f"{token} is not understood here", "write fractions, powers, roots, letters and the usual functions")

    def function(self) -> str:
        """A function and its argument, in parentheses or the next factor."""
        token = self.advance()
        name = _FUNCTIONS[token]
        exponent = ""
        if self.token == "^":
            self.advance()
            exponent = f"**({self.group()})"
        if name in ("min", "max"):
            if self.token not in ("(", "\\{"):
                self.fail(f"{name} of what?", f"write \\{name}(a, b)")
            opening = self.advance()
            arguments = [self.sum()]
            while self.token == ",":
                self.advance()
                arguments.append(self.sum())
            self.expect(_CLOSING[opening])
            return f"{name}({', '.join(arguments)}){exponent}"
        if self.token in ("(", "[", "{", "\\{"):
            return f"{name}({self.bracketed()}){exponent}"
        return f"{name}({self.power()}){exponent}"

    def word_ahead(self) -> str:
        r"""The word that a ``\mathrm`` would give."""
        rest = [token for _, token in self.tokens[self.index + 1 :]]
        if not rest or rest[0] != "{":
            return ""
        return "".join(rest[1 : rest.index("}")]) if "}" in rest else ""

    def word(self) -> str:
        r"""The letters of a ``\mathrm{...}``."""
        self.advance()
        self.expect("{")
        letters = ""
        while self.token.isalpha():
            letters += self.advance()
        self.expect("}")
        if not letters:
            self.fail("a name without letters", "write its letters")
        return letters

    def name(self) -> str:
        """A letter or word with its subscript and primes."""
        if self.token in _WORDS:
            name = self.word()
        else:
            token = self.advance()
            name = _NAMES.get(token, token)
        if self.token == "_":
            self.advance()
            name += f"_{self.subscript()}"
        while self.token == "'":
            self.advance()
            name += "p"
        if self.token == "_" and "_" not in name:
            self.advance()
            name += f"_{self.subscript()}"
        return name

    def subscript(self) -> str:
        """Letters and digits."""
        if self.token != "{":
            token = self.advance()
            found = _NAMES.get(token, token)
        else:
            self.advance()
            found = ""
            while self.token not in ("}", ""):
                found += _NAMES.get(self.token, self.token)
                self.advance()
            self.expect("}")
        if not found.isalnum():
            self.fail(f"the subscript {found or '?'} is not read", "use letters and digits")
        return found
