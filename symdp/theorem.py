"""The trusted kernel: a theorem can only be made by applying a registered rule whose every hypothesis is settled.

    rule        id, citation, premises wanted, conditions it needs, conclusion it draws
    condition   one hypothesis with the decider that settles it: Proved, Refuted or Unknown
    evidence    what came of a condition, with the certificate that lets anyone check it again
    theorem     a conclusion, the rule, its premises (theorems), parameters, evidence: a tree down to decided facts

A refuted hypothesis is never accepted. An unknown one is accepted only if the user assumes it, and then stays visible
in ``assumptions``. Python cannot seal an object, so ``replay`` rebuilds a theorem from rule ids, premises and
parameters and checks its certificates against freshly made conditions; JSON is read the same way. Nothing here
evaluates or prints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any, NoReturn
from weakref import WeakValueDictionary

from symdp import codec
from symdp.citations import Citation
from symdp.errors import Forged, InputError, Refused, SymdpError
from symdp.evidence import Condition, Evidence, read_evidence, register_decider, settle, write_evidence
from symdp.judgments import Judgment
from symdp.region import Region
from symdp.rule import Params, Rule, get_rule, match_premises, register, rules
from symdp.text import Relation

__all__ = ["Condition", "Evidence", "Judgment", "Rule", "Theorem", "apply", "from_json", "register", "register_decider"]
__all__ += ["replay", "rules", "to_json"]
SCHEMA = 1

_MINTED: WeakValueDictionary[int, Theorem] = WeakValueDictionary()
_TOKEN = object()


class Theorem:
    """A proved judgment with the tree that proves it, immutable. Made only by ``apply``, ``replay``, ``from_json``."""

    __slots__ = ("__weakref__", "assuming", "conclusion", "evidence", "params", "premises", "rule")
    rule: Rule
    conclusion: Judgment
    premises: tuple[Theorem, ...]
    params: Mapping[str, Any]
    assuming: tuple[str | Relation, ...]
    evidence: tuple[Evidence, ...]

    def __init__(self, token: object, **content: Any) -> None:
        if token is not _TOKEN:
            raise Forged("a theorem is made by applying a rule, not by its constructor")
        for name, value in content.items():
            object.__setattr__(self, name, value)
        _MINTED[id(self)] = self

    def __init_subclass__(cls) -> NoReturn:
        raise TypeError("Theorem cannot be subclassed")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a theorem is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a theorem is immutable")

    def __reduce__(self) -> NoReturn:
        raise TypeError("a theorem is stored by to_json and read by from_json")

    def __copy__(self) -> Theorem:
        return self

    def __deepcopy__(self, memo: object) -> Theorem:
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Theorem):
            return False
        pairs, seen = [(self, other)], set()
        while pairs:
            ours, theirs = pairs.pop()
            if ours is not theirs and (id(ours), id(theirs)) not in seen:
                seen.add((id(ours), id(theirs)))
                if not codec.same(_content(ours), _content(theirs)):
                    return False
                pairs.extend(zip(ours.premises, theirs.premises, strict=True))
        return True

    def __hash__(self) -> int:
        return hash((self.rule.id, self.conclusion, len(self.premises)))

    def __repr__(self) -> str:
        return f"<Theorem [{self.rule.id}] {self.conclusion.statement()}>"

    def walk(self) -> Iterator[Theorem]:
        """Every theorem of the tree once, premises before what they prove, this one last."""
        seen: set[int] = set()
        stack = [(self, False)]
        while stack:
            node, ready = stack.pop()
            if ready:
                yield node
            elif id(node) not in seen:
                seen.add(id(node))
                stack.append((node, True))
                stack.extend((premise, False) for premise in reversed(node.premises))

    @property
    def hypotheses(self) -> tuple[Evidence, ...]:
        """All evidence of the tree, each piece once."""
        return tuple(dict.fromkeys(item for node in self.walk() for item in node.evidence))

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the user assumed anywhere in the tree: "name: statement" of a condition, or a relation."""
        found: list[str] = []
        for item in self.hypotheses:
            found += [f"{item.name}: {item.statement}"] if item.verdict == "assumed" else []
            found += map(str, item.under)
        return tuple(dict.fromkeys(found))

    @property
    def status(self) -> str:
        """Either "proved", or "conditional" if anything was assumed."""
        return "conditional" if self.assumptions else "proved"

    @property
    def tightness(self) -> str:
        """Either "exact", if every step of the tree is and none builds on a summary of what is known, or "upper"."""
        whole: dict[int, bool] = {}
        for node in self.walk():
            summed = not all(whole[id(premise)] for premise in node.premises)
            if node.rule.tightness != "exact" or (summed and not node.rule.carries):
                return "upper"
            whole[id(node)] = not summed and not node.rule.summary
        return "exact"

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The citations of every rule used, each once."""
        return tuple(dict.fromkeys(citation for node in self.walk() for citation in node.rule.citations))

    @property
    def region(self) -> Region | None:
        """Where the conclusion holds, if it says so."""
        region = getattr(self.conclusion, "region", None)
        return region if isinstance(region, Region) else None

    def to_json(self) -> dict[str, Any]:
        """Same as the function ``to_json``."""
        return to_json(self)


def _content(node: Theorem) -> tuple[Any, ...]:
    """All of a node but its premises."""
    names, values = tuple(node.params), tuple(node.params.values())
    return node.rule.id, node.conclusion, names, values, node.assuming, node.evidence, len(node.premises)


def apply(rule_id: str, /, *premises: Theorem, assuming: Sequence[str | Relation] = (), **params: Any) -> Theorem:
    """Apply a rule. ``assuming``: names of conditions and relations the user takes on; those not needed are dropped.

    Raises ``Refused`` with all evidence gathered when a hypothesis is refuted, or unknown and not assumed;
    ``InputError`` for an unknown rule, wrong premises, or parameters that are unused or no values; ``Forged`` for a
    premise not made here.
    """
    return _build(rule_id, premises, params, tuple(assuming), None)


def _build(
    rule_id: str,
    premises: tuple[Theorem, ...],
    params: Mapping[str, Any],
    assuming: tuple[str | Relation, ...],
    stored: tuple[Evidence, ...] | None,
) -> Theorem:
    rule = get_rule(rule_id)
    if not all(map(_genuine, premises)):
        raise Forged(f"rule {rule.id}: a premise was not made by the kernel")
    facts = tuple(premise.conclusion for premise in premises)
    match_premises(rule, facts)
    for name, value in params.items():
        codec.check(value, f"rule {rule.id}, {name}")
    view = Params(params)
    evidence: list[Evidence] = []
    for condition in rule.hypotheses(facts, view):
        if stored is not None and len(stored) <= len(evidence):
            raise Forged(f"no evidence is stored for '{condition.name}'")
        item = settle(condition, assuming, None if stored is None else stored[len(evidence)])
        evidence.append(item)
        if not item.accepted:
            gathered = dict.fromkeys(chain(*(premise.hypotheses for premise in premises), evidence))
            raise Refused(f"{rule.title}: hypothesis '{item.name}' failed: {item.reason}", tuple(gathered))
    conclusion = rule.conclude(facts, view)
    if not isinstance(conclusion, Judgment):
        raise InputError("the conclusion is not a judgment", place=f"rule {rule.id}")
    codec.check(conclusion, f"rule {rule.id}, conclusion")
    if unused := view.unused():
        raise InputError(f"does not use the parameters {', '.join(unused)}", place=f"rule {rule.id}")
    used = {item.name for item in evidence if item.verdict == "assumed"} | {r for item in evidence for r in item.under}
    content = {"rule": rule, "conclusion": conclusion, "premises": premises, "evidence": tuple(evidence)}
    content["params"] = MappingProxyType({name: params[name] for name in sorted(params)})
    content["assuming"] = tuple(dict.fromkeys(item for item in assuming if item in used))
    return Theorem(_TOKEN, **content)


def _genuine(thing: object) -> bool:
    return type(thing) is Theorem and _MINTED.get(id(thing)) is thing


def replay(theorem: Theorem) -> Theorem:
    """The theorem rebuilt from nothing but rule ids, premises, parameters and assumptions, its certificates rechecked.

    Raises ``Forged``, naming the node, if anything in the tree differs from what its rules rebuild.
    """
    built: dict[int, Theorem] = {}
    try:
        for node in theorem.walk() if _genuine(theorem) else [theorem]:
            if not _genuine(node):
                raise Forged(f"a {type(node).__name__} that the kernel did not make")
            if node.rule is not rules().get(node.rule.id):
                raise Forged(f"{node.rule.id}: not the registered rule")
            premises = tuple(built[id(premise)] for premise in node.premises)
            content = node.params, node.assuming, node.conclusion, node.evidence
            built[id(node)] = _rebuild(node.rule.id, node.rule.id, premises, *content)
    except (AttributeError, KeyError, TypeError) as error:
        raise Forged(f"not a whole theorem: {error}") from error
    return built[id(theorem)]


def _rebuild(
    label: str,
    rule_id: str,
    premises: tuple[Theorem, ...],
    params: Mapping[str, Any],
    assuming: tuple[str | Relation, ...],
    conclusion: Judgment,
    evidence: tuple[Evidence, ...],
) -> Theorem:
    try:
        built = _build(rule_id, premises, params, assuming, evidence)
    except Exception as error:  # a rule fed with foreign parameters may fail in any way; each of them is a rejection
        raise Forged(f"{label}: {error}") from error
    if not codec.same(built.conclusion, conclusion):
        raise Forged(f"{label}: the rule concludes {built.conclusion.statement()}, something else is stored")
    if (built.evidence, built.assuming) != (evidence, assuming):
        wrong = [fresh.name for fresh, old in zip(built.evidence, evidence, strict=False) if fresh != old]
        raise Forged(f"{label}: the evidence or its assumptions differ: {', '.join(wrong) or 'too much is stored'}")
    return built


def to_json(theorem: Theorem) -> dict[str, Any]:
    """The theorem as JSON data: its nodes, premises before what they prove, each premise by its index.

    Raises ``InputError`` if an expression is not one our grammar can write.
    """
    nodes = list(theorem.walk())
    index = {id(node): position for position, node in enumerate(nodes)}
    return {
        "schema": SCHEMA,
        "nodes": [
            {
                "rule": node.rule.id,
                "premises": [index[id(premise)] for premise in node.premises],
                "params": {name: codec.encode(value) for name, value in node.params.items()},
                "assuming": codec.encode(node.assuming),
                "conclusion": codec.encode(node.conclusion),
                "evidence": [write_evidence(item) for item in node.evidence],
            }
            for node in nodes
        ],
    }


def from_json(data: object) -> Theorem:
    """The theorem behind JSON data, every node rebuilt as in ``replay``; else ``Forged``, naming the node."""
    match data:
        case {"schema": int(schema), "nodes": [_, *_] as nodes, **rest} if not rest and repr(schema) == repr(SCHEMA):
            built: list[Theorem] = []
        case _:
            raise Forged(f"this is not a theorem of schema {SCHEMA}")
    for position, node in enumerate(nodes):
        label = f"node {position}"
        match node:
            case {
                "rule": str(id),
                "premises": list(premises),
                "params": dict(params),
                "assuming": assuming,
                "conclusion": conclusion,
                "evidence": list(evidence),
                **rest,
            } if not rest:
                label += f" ({id})"
            case _:
                raise Forged(f"{label}: missing or unknown fields")
        if not all(type(at) is int and 0 <= at < position for at in premises):
            raise Forged(f"{label}: a premise must be an earlier node")
        try:
            content = {name: codec.decode(value) for name, value in params.items()}, codec.decode(assuming)
            stored = codec.decode(conclusion), tuple(map(read_evidence, evidence))
        except (SymdpError, RecursionError) as error:
            raise Forged(f"{label}: {error}") from error
        built.append(_rebuild(label, id, tuple(built[at] for at in premises), *content, *stored))
    if sum(1 for _ in built[-1].walk()) != len(nodes):
        raise Forged("some nodes are no part of the last one's tree")
    return built[-1]
