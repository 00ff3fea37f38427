"""Relations that imply another one and are easier: without logarithms or exponentials, or of exponents alone."""

from __future__ import annotations

from collections.abc import Collection

from sympy import Add, Expr, Mul, S, acosh, asinh, atan, cancel, exp, expand, log

from symdp.text import Relation

_INCREASING = (acosh, asinh, atan, exp, log)


def without_logarithms(relation: Relation) -> tuple[Relation, ...] | None:
    """What implies ``rest + log(a) + ... - log(b) - ... >= 0``: positive arguments, and ``exp(rest) a ... >= b ...``.

    None where no logarithm stands by itself.
    """
    larger, smaller, rest, arguments = S.One, S.One, S.Zero, []
    for term in Add.make_args(expand(relation.expr)):
        sign, factor = (-1, -term) if term.could_extract_minus_sign() else (1, term)
        if not isinstance(factor, log):
            rest += term
            continue
        arguments.append(Relation(factor.args[0], ">"))
        larger, smaller = (larger * factor.args[0], smaller) if sign == 1 else (larger, smaller * factor.args[0])
    if not arguments or relation.op not in (">", ">="):
        return None
    return (*arguments, Relation(exp(rest) * larger - smaller, relation.op))


def without_exponential(relation: Relation) -> tuple[Relation, ...] | None:
    """What implies ``rest - c exp(u) >= 0``, or ``c exp(u) - rest >= 0``, for a number c > 0: rest > 0 and the
    logarithms of both sides. None where not one term alone has exponentials.
    """
    terms = Add.make_args(relation.expr)
    grown = [term for term in terms if term.has(exp)]
    if len(grown) != 1 or relation.op not in (">", ">="):
        return None
    factor, powers = grown[0].as_independent(exp, as_Add=False)
    if not factor.is_Rational or not all(isinstance(power, exp) for power in Mul.make_args(powers)):
        return None
    rest = relation.expr - grown[0]
    side = 1 if factor < 0 else -1
    logarithm = log(abs(factor)) + Add(*(power.args[0] for power in Mul.make_args(powers)))
    return Relation(side * rest, ">"), Relation(side * (log(side * rest) - logarithm), relation.op)


def _powers(expr: Expr, known: Collection[Expr] = ()) -> tuple[Expr, dict[Expr, Expr]]:
    """The number in front of a product, and the exponents of its factors; a base is written as it is in ``known`` if
    that differs in sign.
    """
    number: Expr = S.One
    found: dict[Expr, Expr] = {}
    for base, exponent in expr.as_powers_dict().items():
        if base.is_number and exponent.is_number:
            number *= base**exponent
            continue
        if exponent.is_integer and base not in known and -base in known:
            base, number = -base, number * S.NegativeOne**exponent
        found[base] = found.get(base, S.Zero) + exponent
    return number, found


def by_powers(larger: Expr, smaller: Expr) -> tuple[tuple[Relation, ...], ...]:
    """Each of these implies ``larger >= smaller`` for products of powers: what they share is not negative, the other
    bases are positive, and the logarithm of the quotient is not negative; or, where the quotient is a power of a
    rational function of the bases, exponent and logarithm have one sign.
    """
    number, first = _powers(larger)
    other, second = _powers(smaller, first)
    if not (number / other).is_positive:
        return ()
    if number != other:
        first[number / other] = S.One
    exponents = {b: first.get(b, S.Zero) - second.get(b, S.Zero) for b in dict.fromkeys([*first, *second])}
    shared = Mul(other, *(base ** first[base] for base, exponent in exponents.items() if exponent == 0))
    differing = {base: exponent for base, exponent in exponents.items() if exponent != 0}
    if not differing:
        return ((Relation(shared, ">="),),)
    common = (Relation(shared, ">="), *(Relation(base, ">") for base in differing if not base.is_positive))
    logarithm = Add(*(exponent * log(base) for base, exponent in differing.items()))
    ways = [(*common, Relation(logarithm, ">="))]
    one = next(iter(differing.values()))
    shares = {base: cancel(exponent / one) for base, exponent in differing.items()}
    if all(share.is_Integer for share in shares.values()):
        for sign in (1, -1):
            over, under = (
                Mul(*(base ** abs(share) for base, share in shares.items() if side * sign * share > 0))
                for side in (1, -1)
            )
            ways.append((*common, Relation(sign * one, ">="), Relation(over - under, ">=")))
    over, under = ([b for b in differing if b not in others] for others in (second, first))
    alike = len(over) == len(under) == 1 and len(differing) == 2 and first[over[0]] == second[under[0]]
    if alike and first[over[0]].is_positive:
        larger, smaller = over[0], under[0]  # x >= y >= 0 have powers in the same order
        signs = Relation(shared, ">="), Relation(larger, ">="), Relation(smaller, ">=")
        while isinstance(larger, _INCREASING) and larger.func is smaller.func:
            larger, smaller = larger.args[0], smaller.args[0]
        ways.append((*signs, Relation(larger - smaller, ">=")))
    return tuple(ways)
