"""Rules of inference: immutable records in one registry, each under an id that never changes its meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from inspect import getdoc
from itertools import chain
from types import MappingProxyType
from typing import Any

from sympy import Expr

from symdp.citations import Citation
from symdp.errors import InputError
from symdp.evidence import Condition
from symdp.judgments import Judgment


class MissingParam(InputError, KeyError):
    """A rule was applied without one of its parameters."""

    __str__ = InputError.__str__


class Params(Mapping[str, Any]):
    """The parameters of one application, read only. It notes which were read: the others would say nothing."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)
        self._read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self._read.add(name)
        if name not in self._values:
            raise MissingParam("this parameter of the rule is not given", place=name)
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def unused(self) -> list[str]:
        """Names of the parameters that no one has read, sorted."""
        return sorted(set(self._values) - self._read)

    def given(self) -> tuple[Any, ...]:
        """All of them, which does not count as reading."""
        return tuple(self._values.values())


@dataclass(frozen=True)
class Query:
    """What is asked of a mechanism: the least ``ask`` ("delta", "epsilon", "rdp", "gdp", "error") that can be proved.

    ``epsilon`` is given for delta, ``delta`` for epsilon, ``alpha``, 1 and oo included,
    for rdp. ``orders``: the orders a conversion may use, None for all.
    """

    subject: object
    ask: str
    epsilon: Expr | None = None
    delta: Expr | None = None
    alpha: Expr | None = None
    orders: tuple[Expr, ...] | None = None


def no_parameters(_: tuple[Any, ...], __: Query) -> Iterator[Mapping[str, Any]]:
    """The suggestion of a rule that has no parameters."""
    yield {}


@dataclass(frozen=True)
class Rule:
    """One inference. ``premises``: judgment types, a last ``...`` repeats the type before it (one or more).

    ``conditions(premises, params)`` yields the hypotheses to decide and ``conclude(premises, params)`` the conclusion,
    both from the premises' conclusions; each parameter must be used. ``assumed``: (name, statement) of hypotheses no
    engine decides, which the user must assume. ``tightness``: "exact" if no better conclusion of the kind follows from
    the premises, else "upper". ``summary``: the conclusion, exact or not, tells less than the premises, so that what is
    built on it need not be exact; but it stays so through rules that ``carries`` the least number to the least one.
    ``circles``: the rule is also made for processes with coordinates that run round a circle; for these any other is
    refused, as its conclusion is about lines. ``suggest(premises, query)`` yields parameters worth a try for a query;
    None keeps the rule out of searches.
    """

    id: str
    title: str
    citation: Citation | tuple[Citation, ...]
    premises: tuple[Any, ...]
    conditions: Callable[[tuple[Any, ...], Mapping[str, Any]], Iterable[Condition]]
    conclude: Callable[[tuple[Any, ...], Mapping[str, Any]], Judgment]
    tightness: str
    assumed: tuple[tuple[str, str], ...] = ()
    suggest: Callable[[tuple[Any, ...], Query], Iterable[Mapping[str, Any]]] | None = None
    summary: bool = False
    carries: bool = False
    circles: bool = False

    def __post_init__(self) -> None:
        if self.tightness not in ("exact", "upper"):
            raise InputError(f"tightness is exact or upper, not {self.tightness}", place=f"rule {self.id}")

    def hypotheses(self, facts: tuple[Any, ...], params: Mapping[str, Any]) -> Iterator[Condition]:
        """What is to be settled: the standing assumptions, then the conditions, names all different."""
        if not self.circles and _on_circles(facts, params):
            yield Condition("lines", "every coordinate runs along a line", "fact", (False,))
        standing = (Condition(name, statement, "none") for name, statement in self.assumed)
        names: set[str] = set()
        for condition in chain(standing, self.conditions(facts, params)):
            if condition.name in names:
                raise InputError(f"two conditions are called {condition.name}", place=f"rule {self.id}")
            names.add(condition.name)
            yield condition

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The citations as a tuple."""
        return (self.citation,) if isinstance(self.citation, Citation) else self.citation

    @property
    def statement(self) -> str:
        """What follows, on one line: the first paragraph that documents ``conclude``, else ``conditions``, else the
        title.
        """
        text = getdoc(self.conclude) or getdoc(self.conditions) or self.title
        return " ".join(text.split("\n\n")[0].replace("``", "").split())


def _on_circles(facts: tuple[Any, ...], params: Mapping[str, Any]) -> bool:
    """Whether a process that is spoken of has a coordinate on a circle."""
    given = params.given() if isinstance(params, Params) else tuple(params.values())
    processes = (*(getattr(fact, "process", None) for fact in facts), *given)
    return any(getattr(process, "periods", ()) for process in processes)


_RULES: dict[str, Rule] = {}


def register(rule: Rule) -> Rule:
    """Admit a rule under its id, for good. Raises ``InputError`` if the id is taken."""
    if rule.id in _RULES:
        raise InputError("a rule of this id is already registered", place=f"rule {rule.id}")
    _RULES[rule.id] = rule
    return rule


def rules() -> Mapping[str, Rule]:
    """Every registered rule by id (read only)."""
    return MappingProxyType(_RULES)


def get_rule(id: str) -> Rule:
    """The rule of this id. Raises ``InputError`` with the nearest known id."""
    if id not in _RULES:
        near = get_close_matches(str(id), _RULES, n=1)
        raise InputError(f"no rule is called {id}", remedy=f"did you mean {near[0]}?" if near else None)
    return _RULES[id]


def match_premises(rule: Rule, facts: tuple[Judgment, ...]) -> None:
    """Raise ``InputError`` unless the facts are of the types, and as many, as the rule's premises."""
    wanted = list(rule.premises)
    if wanted and wanted[-1] is Ellipsis:
        wanted[-1:] = [wanted[-2]] * (len(facts) - len(wanted) + 1)
    if len(wanted) != len(facts) or not all(map(isinstance, facts, wanted)):
        expected = ", ".join(getattr(kind, "__name__", str(kind)) for kind in wanted)
        given = ", ".join(type(fact).__name__ for fact in facts)
        raise InputError(f"takes the premises ({expected}), was given ({given})", place=f"rule {rule.id}")
