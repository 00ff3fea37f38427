"""Inequalities from inequalities: substitution, replacement, combination, cases, and the mean value theorem.

An ``Inequality`` says that its relation is defined and true at each point of its region (an equality: true wherever it
is defined). Each rule keeps that promise for any premises: it asks for what its conclusion needs to be defined, and no
symbol may be lost on the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from sympy import Basic, Expr, Symbol, sympify

from symdp.citations import Citation
from symdp.errors import InputError, Undefined
from symdp.evidence import Condition
from symdp.judgments import Inequality
from symdp.region import Interval, Region
from symdp.rule import Rule, register
from symdp.rules.conditions import holds, smooth, vanishes
from symdp.text import Relation, definedness, to_text

Params = Mapping[str, Any]
Table = dict[Symbol, Expr]


def _needs(relations: Iterable[Relation]) -> dict[Relation, None]:
    """What puts a point where all relations hold: each of them, defined; an equality as two inequalities."""
    needed: dict[Relation, None] = {}
    for relation in relations:
        e = relation.expr
        needed |= dict.fromkeys(definedness(e))
        needed |= dict.fromkeys([Relation(e, ">="), Relation(-e, ">=")] if relation.op == "==" else [relation])
    return needed


def _defined(what: str, expr: Expr, region: Region) -> Iterator[Condition]:
    to_text(expr)  # InputError for what is not in the grammar
    for relation in definedness(expr):
        yield holds(f"{what} defined: {relation}", relation, region, f"{what} is defined where {relation}")


def _within(what: str, fact: Inequality, region: Region) -> Iterator[Condition]:
    """That a premise speaks of every point of ``region``."""
    if lost := sorted(s.name for s in set(fact.region.symbols) - set(region.symbols)):
        raise InputError(f"{what} speaks of {', '.join(lost)}", place="region", remedy="extend the region by it")
    for relation in _needs(fact.region.relations):
        yield holds(f"{what}: {relation}", relation, region)


def _fact(name: str, statement: str, value: bool) -> Condition:
    return Condition(name, statement, "fact", (value,))


def _states(fact: Inequality, wanted: Relation) -> bool:
    """Whether a premise says ``wanted`` on its region; an equality says nothing, for it may be undefined."""
    return fact.relation.expr == wanted.expr and fact.relation.op in (">", wanted.op)


def _known(free: Iterable[Basic], region: Region) -> None:
    if strangers := sorted(map(str, set(free) - set(region.symbols))):
        names = ", ".join(strangers)
        raise InputError(f"the region says nothing of {names}", place="region", remedy="extend the region by it")


def _mapped(mapping: Sequence[tuple[Symbol, Expr]], source: Region) -> Table:
    table = {name: sympify(value, strict=True) for name, value in mapping}
    if len(table) != len(mapping):
        raise InputError("a symbol is mapped twice", place="mapping")
    for name in table:
        if name not in source.symbols:
            raise InputError(f"there is no symbol {name}", place="mapping")
    return table


def _table(params: Params, source: Region) -> Table:
    """Every symbol of the source with what stands for it, itself if it is not mapped."""
    mapped = _mapped(params["mapping"], source)
    table = {name: mapped.get(name, name) for name in source.symbols}
    _known((s for value in table.values() for s in value.free_symbols), params["region"])
    return table


def _substituted(relation: Relation, table: Table) -> Relation:
    try:
        return relation.subs(dict(table))
    except Undefined as error:
        raise InputError(str(error), place="mapping") from error


def _substitution_conditions(facts: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    """``mapping``: pairs (symbol, expression), put in at once; ``region``: where the result is to hold.

    Premises after the first are lemmas: what they state of the image need not be decided.
    """
    (fact, *lemmas), region = facts, params["region"]
    table = _table(params, fact.region)
    for relation in (fact.relation, *fact.region.relations):
        to_text(relation.expr)  # InputError for what is not in the grammar: there names could be bound and captured
    for name, value in table.items():
        yield from _defined(f"symbol {name}", value, region)
    for number, lemma in enumerate(lemmas, 2):
        yield from _within(f"premise {number}", lemma, region)
    wanted = [*_needs(fact.region.relations), *definedness(fact.relation.expr)]
    for relation in dict.fromkeys(_substituted(relation, table) for relation in wanted):
        if not any(_states(lemma, relation) for lemma in lemmas):
            yield holds(f"range: {relation}", relation, region)
    yield from _defined("conclusion", _substituted(fact.relation, table).expr, region)


def _substitute(facts: tuple[Any, ...], params: Params) -> Inequality:
    """The premise's relation with expressions put for its symbols, all at once: ``P(e)`` from ``P(x)``."""
    fact = facts[0]
    return Inequality(_substituted(fact.relation, _table(params, fact.region)), params["region"])


register(
    Rule(
        id="substitution",
        title="Substitution into an inequality",
        citation=Citation("symdp", "symdp.rules.inequalities", "a map into a region pulls back what holds there"),
        premises=(Inequality, ...),
        conditions=_substitution_conditions,
        conclude=_substitute,
        tightness="exact",
    )
)


def _replacement_conditions(facts: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    """``relation`` on ``region``, where each symbol of ``mapping`` equals what stands for it in the premise."""
    (fact,), region, claimed = facts, params["region"], params["relation"]
    table = _mapped(params["mapping"], region)
    _known(chain(claimed.free_symbols, *(value.free_symbols for value in table.values())), region)
    yield from _within("premise", fact, region)
    yield from _defined("premise", fact.relation.expr, region)
    yield from _defined("conclusion", claimed.expr, region)
    for name, value in table.items():
        yield from _defined(f"symbol {name}", value, region)
        yield holds(f"{name} from below", Relation(name - value, ">="), region)
        yield holds(f"{name} from above", Relation(value - name, ">="), region)
    statement = "the conclusion with equals put for equals is the premise"
    yield _fact("replaced", statement, _substituted(claimed, table) == fact.relation)


def _replace(_: tuple[Any, ...], params: Params) -> Inequality:
    """``P(x)`` where ``x = e``, from the premise ``P(e)``."""
    return Inequality(params["relation"], params["region"])


register(
    Rule(
        id="replacement",
        title="Equals put for equals",
        citation=Citation("symdp", "symdp.rules.inequalities", "equals have equal values"),
        premises=(Inequality,),
        conditions=_replacement_conditions,
        conclude=_replace,
        tightness="exact",
    )
)


def _combination_conditions(facts: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    """``relation`` on ``region`` is the sum of ``weights`` times premises and a remainder >= 0.

    ``exact``: the remainder is zero, which is easier to see. ``strict``: number of a strict premise of positive weight;
    without it ``>`` is claimed of the remainder.
    """
    region, claimed = params["region"], params["relation"]
    weights = [sympify(weight, strict=True) for weight in params["weights"]]
    strict = params.get("strict")
    if len(weights) != len(facts):
        raise InputError(f"{len(facts)} premises need as many weights, not {len(weights)}", place="weights")
    if strict is not None and (type(strict) is not int or not 1 <= strict <= len(facts)):
        raise InputError("strict is the number of a premise", place="strict")
    if claimed.op == "!=" or any(fact.relation.op == "!=" for fact in facts):
        raise InputError("!= cannot be combined", place="relation", remedy="use > >= ==")
    yield from _defined("conclusion", claimed.expr, region)
    remainder = claimed.expr
    for number, (fact, weight) in enumerate(zip(facts, weights, strict=True), 1):
        yield from _within(f"premise {number}", fact, region)
        yield from _defined(f"premise {number}", fact.relation.expr, region)
        yield from _defined(f"weight {number}", weight, region)
        if fact.relation.op != "==":
            sign = Relation(weight, ">" if number == strict else ">=")
            yield holds(f"weight {number}: {sign}", sign, region)
        remainder -= weight * fact.relation.expr
    yield from _defined("remainder", remainder, region)
    exact, weak = params.get("exact") is True, claimed.op == ">=" or strict is not None
    if claimed.op == "==":
        yield _fact("equalities", "only equalities make an equality", all(fact.relation.op == "==" for fact in facts))
    elif strict is not None:
        yield _fact("strict", f"premise {strict} is strict", facts[strict - 1].relation.op == ">")
    if claimed.op == "==" or (weak and exact):
        yield vanishes("remainder", "nothing remains", [remainder], region)
    else:
        yield holds("remainder", Relation(remainder, ">=" if weak else ">"), region)


def _combine(_: tuple[Any, ...], params: Params) -> Inequality:
    """``w_1 e_1 + ... + w_n e_n + r >= 0`` for premises ``e_i >= 0``, weights ``w_i >= 0``, a remainder ``r >= 0``."""
    return Inequality(params["relation"], params["region"])


register(
    Rule(
        id="combination",
        title="Combination of inequalities with weights",
        citation=Citation("symdp", "symdp.rules.inequalities", "sums of nonnegative multiples are nonnegative"),
        premises=(Inequality, ...),
        conditions=_combination_conditions,
        conclude=_combine,
        tightness="exact",
    )
)


def _cases_conditions(facts: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    """The first premise where ``split`` holds, the second where it does not, together on ``region``."""
    first, second = facts
    region, split = params["region"], params["split"]
    yield _fact("one relation", "both cases prove the same relation", first.relation == second.relation)
    _known(first.relation.free_symbols, region)
    yield from _defined("split", split.expr, region)
    for name, fact, case in (("case", first, split), ("other case", second, split.negated())):
        yield from _within(name, fact, region.intersect([case]))


def _both(facts: tuple[Any, ...], params: Params) -> Inequality:
    """``relation`` on ``region``: by the first premise where ``split`` holds, by the second where it does not."""
    return Inequality(facts[0].relation, params["region"])


register(
    Rule(
        id="cases",
        title="Distinction of two cases",
        citation=Citation("symdp", "symdp.rules.inequalities", "a defined relation holds or its negation does"),
        premises=(Inequality, Inequality),
        conditions=_cases_conditions,
        conclude=_both,
        tightness="exact",
    )
)


def _increasing_conditions(facts: tuple[Any, ...], params: Params) -> Iterator[Condition]:
    """The premise says that the derivative of ``function`` in ``variable`` is not negative; the conclusion, that
    ``function`` at the symbol ``upper`` is at least what it is at ``lower``, if ``upper >= lower``.
    """
    (slope,), f, x = facts, sympify(params["function"], strict=True), params["variable"]
    region = slope.region
    if x not in region.symbols:
        raise InputError(f"the premise has no symbol {x}", place="variable")
    _known(f.free_symbols, region)
    _ends(region, params)
    coupled = [str(c) for c in region.constraints if x in c.free_symbols]
    yield _fact("interval", f"{x} ranges over an interval, whatever the others are", not coupled)
    yield _fact("sign", "the premise says that something is not negative", slope.relation.op in (">", ">="))
    yield from _defined("function", f, region)
    yield from smooth("function", [f], region, [x])
    derivative = f.diff(x)
    difference = derivative - slope.relation.expr
    yield from _defined("derivative", derivative, region)
    yield from _defined("difference", difference, region)
    yield vanishes("derivative", "that is the derivative", [difference], region)


def _ends(region: Region, params: Params) -> tuple[Symbol, Symbol]:
    """The symbols for the two points compared, neither of which may mean anything else."""
    lower, upper = params["lower"], params["upper"]
    others = {s for s in region.symbols if s != params["variable"]}
    if not (isinstance(lower, Symbol) and isinstance(upper, Symbol)) or lower == upper or {lower, upper} & others:
        raise InputError("the two points need two new symbols", place="lower, upper")
    return lower, upper


def _increase(facts: tuple[Any, ...], params: Params) -> Inequality:
    """``f(upper) - f(lower) >= 0`` where ``upper >= lower``, for f with ``f' >= 0`` by the premise."""
    region, f, x = facts[0].region, sympify(params["function"], strict=True), params["variable"]
    lower, upper = _ends(region, params)
    intervals: dict[Symbol, Interval] = {s: region.interval(s) for s in region.symbols if s != x}
    box = Region.make(intervals | dict.fromkeys((lower, upper), region.interval(x)), region.constraints)
    difference = f.xreplace({x: upper}) - f.xreplace({x: lower})
    return Inequality(Relation(difference, ">="), box.intersect([Relation(upper - lower, ">=")]))


register(
    Rule(
        id="increasing",
        title="Monotonicity from the derivative",
        citation=Citation("symdp", "symdp.rules.inequalities", "mean value theorem"),
        premises=(Inequality,),
        conditions=_increasing_conditions,
        conclude=_increase,
        tightness="exact",
    )
)
