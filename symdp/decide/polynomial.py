"""Polynomial and rational relations by z3's nlsat; transcendental functions are variables that carry proved facts.

A query asserts the region, what is known of each generator, and the negation of the relation. ``unsat`` is a proof;
a model is only a hint of a witness. The query is our own SMT-LIB text, so a certificate can be run again anywhere.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from symdp.ball import working_precision
from symdp.decide import worker
from symdp.decide.domain import Domain
from symdp.decide.signs import generator_bounds
from symdp.extremum import interval as iv
from symdp.text import Relation
from symdp.tower import Frac, Generator, Outside, TooBig, Tower, build
from symdp.tower.ring import Poly

#: z3's own count of steps. What z3 proves at all mostly needs fewer than 5,000; one step may take long when degrees
#: are high, so a query is asked in process only when it is small, and otherwise in a worker process that can be ended.
RLIMIT, HARD_RLIMIT = 40_000, 2_000_000
WORKER_SECONDS = 10
#: Largest degree in process for up to this many variables; a degree for more variables.
DEGREES, DEGREE_BEYOND = {1: 60, 2: 24, 3: 16, 4: 14, 6: 10}, 8
#: Queries beyond these sizes are not asked.
MOST_TERMS, MOST_DEGREE, MOST_VARIABLES = 600, 60, 24

_FLIP = {">": "<=", ">=": "<", "==": "distinct", "!=": "="}


@dataclass(frozen=True)
class Query:
    """The SMT-LIB text, the tower behind it and the generators it speaks about."""

    text: str
    tower: Tower
    indices: tuple[int, ...]
    degree: int

    @property
    def small(self) -> bool:
        """Whether it may be asked in this process."""
        most = next((d for n, d in DEGREES.items() if len(self.indices) <= n), DEGREE_BEYOND)
        return self.degree <= most


@dataclass(frozen=True)
class Answer:
    """``unsat``, ``sat`` (with rational values close to the model's, by generator) or ``unknown``."""

    status: str
    model: dict[int, Fraction]


def ask(query: Query, rlimit: int = RLIMIT) -> Answer:
    """Run a query in a context of its own; ``unknown`` when it is too large for that."""
    if not query.small:
        return Answer("unknown", {})
    status, values = worker.run(query.text, rlimit)
    return Answer(status, {i: values[name] for i in query.indices if (name := f"g{i}") in values})


def ask_worker(query: Query) -> Answer:
    """Run a query with the large limit in a worker process; ``unknown`` when it takes too long."""
    command = [sys.executable, worker.__file__, str(HARD_RLIMIT)]
    try:
        done = subprocess.run(command, input=query.text, capture_output=True, text=True, timeout=WORKER_SECONDS)
        status, values = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, OSError, ValueError):
        return Answer("unknown", {})
    return Answer(status, {i: Fraction(values[name]) for i in query.indices if (name := f"g{i}") in values})


class Writer:
    """Collects the assertions of one query; a generator brings its facts along when it first appears."""

    def __init__(self, domain: Domain, tower: Tower, level: int) -> None:
        self.domain, self.tower, self.level = domain, tower, level
        self.names: dict[int, str] = {}
        self.lines: list[str] = []
        self.auxiliary = 0
        self.degree = 0

    def poly(self, p: Poly) -> str:
        """The term of a polynomial."""
        if len(p) > MOST_TERMS or (p and int(p.total_degree()) > MOST_DEGREE):
            raise TooBig("a polynomial too large for z3")
        self.degree = max(self.degree, int(p.total_degree()) if p else 0)
        terms = []
        for monomial, c in p.terms():
            factors = [number(Fraction(int(c)))] if int(c) != 1 or not any(monomial) else []
            for i, e in enumerate(monomial):
                factors += [self.name(i)] * int(e) if e else []
            terms.append(apply("*", factors))
        return apply("+", terms) if terms else "0.0"

    def name(self, index: int) -> str:
        """The variable of a generator, with its facts asserted."""
        if index not in self.names:
            if len(self.names) >= MOST_VARIABLES:
                raise TooBig("too many variables for z3")
            self.names[index] = f"g{index}"
            self.facts(self.tower.generators[index])
        return self.names[index]

    def say(self, *assertions: str) -> None:
        """Add assertions."""
        self.lines += [f"(assert {a})" for a in assertions]

    def relation(self, value: Frac, op: str) -> str:
        """``value op 0`` for a fraction whose denominator does not vanish, by the signs of its factors."""
        try:
            content, parts = self.tower.split(value) if not value.is_zero else (Fraction(0), [])
        except TooBig:
            content, parts = Fraction(1), [(value.num, 1), (value.den, 1)]
        if op in ("=", "distinct"):
            factors = [self.poly(p) for p, e in parts if e > 0]
        else:
            factors = [self.poly(p) for p, e in parts if e % 2]
            factors += [f"(* {t} {t})" for t in (self.poly(p) for p, e in parts if e > 0 and e % 2 == 0)]
        sign = "1.0" if content > 0 else "0.0" if content == 0 else "(- 1.0)"
        return f"({op} {apply('*', [sign, *factors])} 0.0)"

    def nonzero(self, value: Frac) -> None:
        """Assert that the denominator does not vanish (the expression is known to be defined)."""
        if not value.den.is_constant():
            self.say(f"(distinct {self.poly(value.den)} 0.0)")

    # -- facts ------------------------------------------------------------------------------------------------
    def facts(self, g: Generator) -> None:
        """Bounds and relations of one generator."""
        v, tower = self.names[g.index], self.tower
        bounds = generator_bounds(self.domain, tower, g.index)
        if bounds.lower is not None:
            self.say(f"({'>' if bounds.lower_open else '>='} {v} {number(bounds.lower)})")
        if bounds.upper is not None:
            self.say(f"({'<' if bounds.upper_open else '<='} {v} {number(bounds.upper)})")
        for index, _, relation in tower.relations:
            if index == g.index and g.kind != "sign":
                self.say(f"(= {self.poly(relation)} 0.0)")
        if g.kind == "cos":
            self.say(f"(<= (* {v} {v}) 1.0)")
        if g.kind == "root" and g.base is not None and tower.poly_sign(g.base) is not None and tower.strict(g.base):
            self.say(f"(> {v} 0.0)")
        if g.kind == "sign":
            p = self.poly(g.base)
            self.say(
                f"(or (and (= {v} 1.0) (> {p} 0.0)) (and (= {v} (- 1.0)) (< {p} 0.0)) (and (= {v} 0.0) (= {p} 0.0)))"
            )
        if g.kind == "pi":
            self.say(f"(> {v} {number(Fraction(333, 106))})", f"(< {v} {number(Fraction(355, 113))})")
        if self.level and g.kind == "exp" and g.argument is not None:
            self.exponential(v, g.argument)
        if self.level and g.kind == "log" and g.base is not None:
            self.logarithm(v, g.base)

    def exponential(self, v: str, argument: Frac) -> None:
        """``1 + a <= e**a <= 1/(1 - a)`` in the form that holds for every a, with equality at 0 only."""
        a = self.value(argument)
        self.say(f"(or (and (= {a} 0.0) (= {v} 1.0)) (and (> {v} (+ 1.0 {a})) (< (* {v} (- 1.0 {a})) 1.0)))")

    def logarithm(self, v: str, base: Poly) -> None:
        """``1 - 1/q <= log(q) <= q - 1`` for q = |p|."""
        p, sign = self.poly(base), self.tower.poly_sign(base)
        if sign is None:
            q = f"g_abs{self.auxiliary}"
            self.auxiliary += 1
            self.lines.append(f"(declare-const {q} Real)")
            self.say(f"(or (= {q} {p}) (= {q} (- {p})))")
        else:
            q = p if sign > 0 else f"(- {p})"
        self.say(f"(> {q} 0.0)")
        self.say(f"(or (and (= {q} 1.0) (= {v} 0.0)) (and (< {v} (- {q} 1.0)) (< (- {q} 1.0) (* {q} {v}))))")

    def value(self, a: Frac) -> str:
        """A term for a fraction: a polynomial, or a fresh variable defined by multiplication."""
        if a.den.is_constant():
            return f"(/ {self.poly(a.num)} {number(Fraction(int(a.den.leading_coefficient())))})"
        fresh = f"g_arg{self.auxiliary}"
        self.auxiliary += 1
        self.lines.append(f"(declare-const {fresh} Real)")
        self.nonzero(a)
        self.say(f"(= (* {fresh} {self.poly(a.den)}) {self.poly(a.num)})")
        return fresh

    def monotone(self) -> None:
        """Exponentials are ordered as their arguments are."""
        exps = [g for g in self.tower.exps if g.index in self.names and g.argument is not None]
        for i, g in enumerate(exps[:3]):
            for h in exps[i + 1 : 3]:
                assert g.argument is not None and h.argument is not None
                a, b = self.value(g.argument), self.value(h.argument)
                self.say(f"(= (< {a} {b}) (< {self.names[g.index]} {self.names[h.index]}))")

    def text(self) -> str:
        """The whole query."""
        declarations = [f"(declare-const {name} Real)" for name in self.names.values()]
        return "\n".join([*declarations, *self.lines])


def apply(operator: str, terms: list[str]) -> str:
    """``(operator terms)``, or the term itself."""
    return terms[0] if len(terms) == 1 else f"({operator} {' '.join(terms)})" if terms else "1.0"


def number(value: Fraction) -> str:
    """A rational as SMT-LIB."""
    size = abs(value)
    text = f"{size.numerator}.0" if size.denominator == 1 else f"(/ {size.numerator}.0 {size.denominator}.0)"
    return text if value >= 0 else f"(- {text})"


def query(domain: Domain, relation: Relation, level: int) -> Query | None:
    """The query for a relation that is known to be defined on the region; None when it cannot be put to z3."""
    try:
        constraints = _convertible(domain)
        tower, fracs = build([relation.expr, *(c.expr for c in constraints)], domain.order)
        if not domain.alive(tower):
            return None
        writer = Writer(domain, tower, level)
        goal = writer.relation(fracs[0], _FLIP[relation.op])
        writer.nonzero(fracs[0])
        writer.say(goal)
        for c, value in zip(constraints, fracs[1:], strict=True):
            writer.nonzero(value)
            writer.say(writer.relation(value, {"==": "=", "!=": "distinct"}.get(c.op, c.op)))
        if level > 1:
            writer.monotone()
    except (TooBig, Outside):
        return None
    return Query(writer.text(), tower, tuple(writer.names), writer.degree)


def _convertible(domain: Domain) -> list[Relation]:
    """The constraints that have a normal form (one left out only makes the region larger)."""
    kept = []
    for c in domain.region.constraints:
        try:
            build([c.expr], domain.order)
        except (TooBig, Outside):
            continue
        kept.append(c)
    return kept


def levels(q: Query) -> Iterable[int]:
    """How many kinds of facts there are to add: none for algebraic queries."""
    kinds = [q.tower.generators[i].kind for i in q.indices]
    if any(k in ("exp", "log") for k in kinds):
        return (1, 2) if kinds.count("exp") > 1 else (1,)
    return ()


def exponent_target(value: Fraction) -> Fraction | None:
    """A rational close to the logarithm of a positive number."""
    if value <= 0:
        return None
    with working_precision(100):
        y = iv.rational(value)
        low = (y.lo.log() + y.hi.log()) / 2
        man, exp = arb(low.mid()).man_exp()
    return Fraction(int(man)) * Fraction(2) ** int(exp)
