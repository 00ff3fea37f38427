"""Mutants of a claim: its formula as someone might have got it wrong, or without one of its hypotheses.

They are made from the text of the formula, token by token, so that each is again a text that a paper could print. A
mutant that reads the same as the claim is none. Whether one is false is found out in ``mutation``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from random import Random

from symdp.claims.items import Claim
from symdp.errors import SymdpError
from symdp.text import parse_matrix, parse_relations
from symdp.text.tokens import Token, tokenize

CHANGES = ("sign", "exponent", "factor", "swapped", "dropped")
_RELATIONS = {">=": "<=", "<=": ">=", ">": "<", "<": ">", "==": "", "!=": ""}
_OPERAND = ("number", "name", ")")
_CONSTANTS = ("pi",)


@dataclass(frozen=True)
class Mutant:
    """A changed claim. ``change`` is one of ``CHANGES``, ``dropped`` the hypothesis that is left out, if one is."""

    key: str
    change: str
    claim: Claim
    dropped: str = ""

    @property
    def told(self) -> str:
        """The mutant on one line."""
        return f"{self.claim.text} without {self.dropped}" if self.dropped else self.claim.text


def mutants(key: str, claim: Claim, rng: Random, most: int) -> list[Mutant]:
    """Up to ``most`` mutants of a claim, of each kind in turn; which ones, if there are more, is drawn by ``rng``."""
    original, seen = _reading(claim), set()
    by_kind: list[list[Mutant]] = []
    for change, made in (
        ("sign", _signs(claim.text)),
        ("exponent", _exponents(claim.text)),
        ("factor", _factors(claim.text)),
        ("swapped", _swapped(claim.text)),
    ):
        found = []
        for text in made:
            mutant = replace(claim, text=text)
            reading = _reading(mutant)
            if reading is not None and reading != original and reading not in seen:
                seen.add(reading)
                found.append(Mutant(key, change, mutant))
        by_kind.append(found)
    by_kind.append([Mutant(key, "dropped", replace(claim, where=rest), piece) for piece, rest in _hypotheses(claim)])
    for found in by_kind:
        rng.shuffle(found)
    in_turn = [mutant for row in zip_longest(*by_kind) for mutant in row if mutant is not None]
    return in_turn[:most]


def is_relation_text(text: str) -> bool:
    """Whether a formula is a relation."""
    return any(sign in text for sign in "<>=")


def _reading(claim: Claim) -> tuple[object, ...] | None:
    """What our parser reads, or None if it reads nothing: two texts that read the same are one formula."""
    try:
        if is_relation_text(claim.text):
            return tuple(parse_relations(claim.text, place="mutant"))
        return tuple(tuple(entry.expr for entry in row) for row in parse_matrix(claim.text, place="mutant"))
    except SymdpError:
        return None


def _put(text: str, first: Token, last: Token, new: str) -> str:
    """The text with the tokens from ``first`` to ``last`` replaced."""
    return text[: first.column - 1] + new + text[last.column - 1 + len(last.text) :]


def _signs(text: str) -> Iterator[str]:
    """Plus for minus and minus for plus, a leading minus left out; a relation turned round."""
    before = "("
    for token in tokenize(text, "claim")[:-1]:
        if token.kind in ("+", "-"):
            other = "-" if token.kind == "+" else "+"
            yield _put(text, token, token, other if before in _OPERAND else "")
        elif _RELATIONS.get(token.kind):
            yield _put(text, token, token, _RELATIONS[token.kind])
        before = token.kind


def _exponents(text: str) -> Iterator[str]:
    """One more and one less in each exponent."""
    tokens = tokenize(text, "claim")
    for position, token in enumerate(tokens[:-1]):
        if token.kind != "**":
            continue
        first, last = position + 1, _end(tokens, position + 1)
        body = text[tokens[first].column - 1 : tokens[last].column - 1 + len(tokens[last].text)]
        for change in (1, -1):
            new = str(int(body) + change) if body.isdigit() else f"({body}{change:+d})"
            yield _put(text, tokens[first], tokens[last], new)


def _end(tokens: Sequence[Token], first: int) -> int:
    """The last token of the operand that begins at ``first``: a number, a name, a call or a parenthesis."""
    while tokens[first].kind in ("-", "+"):
        first += 1
    if tokens[first].kind == "name" and tokens[first + 1].kind == "(":
        first += 1
    if tokens[first].kind != "(":
        return first
    depth = 0
    for position in range(first, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[position].kind, 0)
        if depth == 0:
            return position
    return len(tokens) - 2


def _factors(text: str) -> Iterator[str]:
    """The formula, or the left side of a relation, twice as large and half as large, and so each number in it."""
    if re.search(r"[;]", text) is None and (is_relation_text(text) or not _has_entries(text)):
        sides = re.split(r"(<=|>=|==|!=|<|>)", text, maxsplit=1)
        rest = "".join(sides[1:])
        yield f"2*({sides[0].strip()}) {rest}".strip()
        yield f"({sides[0].strip()})/2 {rest}".strip()
    before = "("
    for token in tokenize(text, "claim")[:-1]:
        if token.kind == "number" and before != "**":
            double = str(2 * int(token.text)) if token.text.isdigit() else f"(2*{token.text})"
            yield _put(text, token, token, double)
            yield _put(text, token, token, f"({token.text}/2)")
        before = token.kind


def _has_entries(text: str) -> bool:
    """Whether commas outside of parentheses make it a row of formulas."""
    depth = 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            return True
    return False


def _swapped(text: str) -> Iterator[str]:
    """Two symbols that follow one another exchanged everywhere, and the first two arguments of a function."""
    tokens = tokenize(text, "claim")
    symbols = [
        token.text
        for token, following in pairwise(tokens)
        if token.kind == "name" and following.kind != "(" and token.text not in _CONSTANTS
    ]
    for first, second in pairwise(dict.fromkeys(symbols)):
        exchange = {first: second, second: first}
        yield re.sub(r"[A-Za-z_][A-Za-z0-9_]*", lambda found, e=exchange: e.get(found.group(), found.group()), text)  # type: ignore[misc]
    for position, (token, following) in enumerate(pairwise(tokens)):
        if token.kind == "name" and following.kind == "(":
            arguments = _arguments(text, tokens, position + 1)
            if len(arguments) > 1:
                whole = ", ".join([arguments[1], arguments[0], *arguments[2:]])
                yield _put(text, tokens[position + 1], tokens[_end(tokens, position + 1)], f"({whole})")


def _arguments(text: str, tokens: Sequence[Token], opening: int) -> list[str]:
    """What stands between the commas of a call."""
    closing = tokens[_end(tokens, opening)].column - 1
    depth, starts = 0, [tokens[opening].column]
    for position in range(tokens[opening].column, closing):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if text[position] == "," and depth == 0:
            starts.append(position + 1)
    return [text[a : b - 1].strip() for a, b in pairwise([*starts, closing + 1])]


def _hypotheses(claim: Claim) -> Iterator[tuple[str, str]]:
    """Each hypothesis with the others, and a symbol of which nothing else is said as any real number."""
    depth, pieces = 0, [""]
    for character in claim.where:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += character
    pieces = [piece.strip() for piece in pieces if piece.strip()]
    for position, piece in enumerate(pieces):
        rest = pieces[:position] + pieces[position + 1 :]
        lost = _symbols([piece]) - _symbols(rest)
        yield piece, ", ".join([*rest, *(f"{name}**2>=0" for name in sorted(lost))])


def _symbols(pieces: Sequence[str]) -> set[str]:
    return {s.name for piece in pieces for r in parse_relations(piece, place="where") for s in r.free_symbols}
