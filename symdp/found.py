"""What the search found for a diffusion, and the numbers it gives: each one an enclosure, or refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from sympy import Expr, Integer, Symbol, sqrt

from symdp.ball import Enclosure
from symdp.decide import is_zero
from symdp.derivation import Derivation
from symdp.derivation import derive as search
from symdp.diffusion.process import Diffusion
from symdp.enclosure import enclose
from symdp.errors import InputError, Refused, SymdpError, Undefined, Undetermined
from symdp.judgments import Divergence, GaussianDP, HeatFlow, RenyiDP
from symdp.question import Question, check_parameters, parameter_values
from symdp.region import Region
from symdp.rules.conditions import ALPHA
from symdp.text import Relation, exact, parse_relations, to_text
from symdp.text.names import nearest

Assumption = str | Relation
Engine = Callable[[Expr, Mapping[Symbol, Expr], int], Any]

_GUARD_DIGITS = 10
_COINCIDE = Enclosure(0, 0)


def read_assumptions(process: Diffusion, assume: Assumption | Iterable[Assumption]) -> tuple[Assumption, ...]:
    """Assumptions as names of hypotheses and relations; text with a comparison is a relation between the parameters.

    Raises :class:`InputError` for text that is neither.
    """
    if not isinstance(assume, Iterable | Relation):
        raise InputError("text or relations expected", place="assume", remedy="write 'a > b' or a list of such texts")
    items = [assume] if isinstance(assume, str | Relation) else list(assume)
    names = [s.name for s in process.params.symbols]
    result: list[Assumption] = []
    for item in items:
        if isinstance(item, Relation):
            result.append(item)
        elif not isinstance(item, str) or not item.strip():
            raise InputError(
                "nothing is assumed", place="--assume", remedy="give a relation or the name of a hypothesis"
            )
        elif ":" not in item and any(mark in item for mark in "<>=!"):
            result += parse_relations(item, place="--assume", names=names)
        else:
            result.append(" ".join(item.split()))
    return tuple(dict.fromkeys(result))


def find(process: Diffusion, assuming: Sequence[Assumption], at: Mapping[str, Any]) -> Found:
    """Derive for all parameters; where that fails and ``at`` gives each of them a value, at those values.

    Raises as the search does, and :class:`InputError` for an assumed name that is no hypothesis.
    """
    values = parameter_values(process, at) if process.params.symbols else None
    try:
        found = Found(search(process, assuming), process, tuple(assuming))
    except (Refused, InputError) as error:
        if values is None:
            raise _hint(error, assuming) from None
        return _find_at(process, assuming, values)
    known = {item.name for theorem in found.theorems.values() for item in theorem.hypotheses}
    known |= {item.name for item in found.derivation.merging}
    for name in (item for item in assuming if isinstance(item, str) and item not in known):
        guess = nearest(name, known)
        remedy = f"did you mean '{guess}'?" if guess else f"there are: {', '.join(sorted(known))}"
        raise InputError(f"no hypothesis here is called '{name[:60]}'", place="--assume", remedy=remedy)
    return found


def _find_at(process: Diffusion, assuming: Sequence[Assumption], values: Mapping[Symbol, Expr]) -> Found:
    check_parameters(process, values, assuming)
    names = tuple(item for item in assuming if isinstance(item, str))
    concrete = process.at(values)
    return Found(search(concrete, names), concrete, names, values, (f"derived at {_listed(values)}",))


def _listed(values: Mapping[Symbol, Expr]) -> str:
    return "the given parameter values: " + ", ".join(f"{s} = {to_text(value)}" for s, value in values.items())


def _hint(error: SymdpError, assuming: Sequence[Assumption]) -> SymdpError:
    """A refusal that also names the hypothesis that was probably meant, where an assumed name only looks like it."""
    if not isinstance(error, Refused):
        return error
    missing = {item.name for item in error.hypotheses if not item.accepted}
    for name in (item for item in assuming if isinstance(item, str) and item not in missing):
        if guess := nearest(name, missing):
            return Refused(f"{error} (assumed is '{name[:60]}': did you mean '{guess}'?)", error.hypotheses)
    return error


@dataclass(frozen=True, eq=False)
class Found:
    """Theorems about ``process``. ``fixed``: the parameter values that are built in; ``notes``: how it was found."""

    derivation: Derivation
    process: Diffusion
    assuming: tuple[Assumption, ...] = ()
    fixed: Mapping[Symbol, Expr] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def theorems(self) -> dict[str, Any]:
        """Every theorem that is shown, by name: divergence, rdp, gdp, kappa (with Lambda), heat_flow."""
        d = self.derivation
        named = {
            "divergence": d.divergence,
            "rdp": d.privacy,
            "gdp": d.gaussian,
            "kappa": d.flow,
            "heat_flow": d.heat_flow,
        }
        return {name: theorem for name, theorem in named.items() if theorem is not None}

    def answer(self, question: Question) -> tuple[Expr, Region]:
        """The expression that answers a question, and where it is proved.

        Raises :class:`Refused` for a ``Delta`` about which there is no theorem.
        """
        theorem = self.derivation.divergence if question.sensitivity is None else self.derivation.privacy
        if theorem is None:
            reason = self.derivation.missing or "the supremum over all pairs of starts is not known"
            hypotheses = self.derivation.divergence.hypotheses
            raise Refused(f"no bound in Delta: {reason}; two starts work: give x and xp instead of Delta", hypotheses)
        conclusion = theorem.conclusion
        assert isinstance(conclusion, Divergence | RenyiDP)
        return conclusion.value, conclusion.region

    def value(
        self,
        question: Question,
        digits: int,
        engine: Engine = enclose,
        *,
        steps: int = 1,
        swapped: bool = False,
        alpha: Expr | None = None,
    ) -> Any:
        """``steps`` times the bound that answers the question, its starts ``swapped``, at another order ``alpha``."""

        def pick(found: Found) -> tuple[Expr, Region]:
            expr, region = found.answer(question)
            return Integer(steps) * expr, region

        return self._number(pick, question, digits, engine, swapped=swapped, alpha=alpha)

    def routes(self, question: Question, digits: int) -> dict[str, Enclosure]:
        """The bound that each of several routes gives for the question, the least first; a route may have none."""
        values: dict[str, Enclosure] = {}
        for place, route in enumerate(self.derivation.routes):
            pick = partial(_along, place, question)
            with suppress(Refused, Undefined, Undetermined):
                values[route.name] = self._number(pick, question, digits, enclose)
        return dict(sorted(values.items(), key=lambda item: item[1].upper))

    def heat_flow(self, question: Question, name: str, digits: int) -> Enclosure:
        """``"kappa"``, the supremum of ``Gamma(log p_t(x, y)/p_t(xp, y))`` over y, or ``"Lambda"``, its integral over
        [t, oo), of two starts. Raises :class:`Refused` where kappa is not known, or for a distance.
        """

        def pick(found: Found) -> tuple[Expr, Region]:
            return found._heat_flow(question, name)

        value: Enclosure = self._number(pick, question, digits, enclose, alpha=Integer(2))  # kappa is free of alpha
        return value

    def _heat_flow(self, question: Question, name: str) -> tuple[Expr, Region]:
        flow = self.derivation.flow
        if flow is None or question.starts is None:
            what = "kappa is not known" if flow is None else "kappa is of two starts: give x and xp instead of Delta"
            raise Refused(what, self.derivation.divergence.hypotheses)
        conclusion = flow.conclusion
        assert isinstance(conclusion, HeatFlow)
        return getattr(conclusion, name), conclusion.region

    def larger(self, question: Question, digits: int, *, steps: int = 1, alpha: Expr | None = None) -> Enclosure:
        """``steps`` times the larger bound of both orders."""
        one: Enclosure = self.value(question, digits, steps=steps, alpha=alpha)
        if question.starts is None:
            return one
        return larger(one, self.value(question, digits, steps=steps, alpha=alpha, swapped=True))

    def epsilon(self, question: Question, delta: Expr, steps: int, digits: int) -> tuple[Enclosure, Expr | None]:
        """The epsilon of a composition for both orders; with the Renyi order it comes from, None for Gaussian laws."""
        from symdp.epsilon import gaussian_epsilon, renyi_epsilon

        self.answer(question)  # a refusal comes first
        more = digits + _GUARD_DIGITS
        if self.gaussian(question) is not None:

            def pick(found: Found) -> tuple[Expr, Region] | None:
                gaussian = found.gaussian(question)
                return gaussian and (sqrt(steps) * gaussian[0], gaussian[1])

            # mu is free of alpha, but the region is not
            size = self._number(pick, question, more, enclose, alpha=Integer(2))
            return gaussian_epsilon(size, delta, digits), None
        theorem = self.derivation.divergence if question.sensitivity is None else self.derivation.privacy

        def curve(order: Any) -> Enclosure:
            return self.larger(question, more, steps=steps, alpha=exact(order))

        # (alpha - 1) R_alpha is convex, and so is the larger of two; of a mere bound this is not known
        exactly = theorem is not None and theorem.tightness == "exact"
        result, order = renyi_epsilon(curve, delta, digits, convex=exactly)
        return result, None if order is None else exact(order)

    def gaussian(self, question: Question) -> tuple[Expr, Region] | None:
        """``mu`` of Gaussian differential privacy and where it is proved, if it answers the question.

        Of two starts: an exact ``R_alpha = alpha c`` for all alpha > 1 fixes the moment generating function of the
        privacy loss, and with it the trade-off, which is that of N(0, 1) and N(sqrt(2c), 1).
        """
        if question.sensitivity is not None:
            conclusion = self.derivation.gaussian.conclusion if self.derivation.gaussian is not None else None
            return (conclusion.mu, conclusion.region) if isinstance(conclusion, GaussianDP) else None
        value, region = self.answer(question)
        ratio = value / ALPHA
        if self.derivation.divergence.tightness == "exact" and is_zero(ratio.diff(ALPHA), region):
            return sqrt(2 * ratio), region
        return None

    def _number(
        self,
        pick: Callable[[Found], tuple[Expr, Region] | None],
        question: Question,
        digits: int,
        engine: Engine,
        *,
        swapped: bool = False,
        alpha: Expr | None = None,
    ) -> Any:
        """What ``pick`` picks, at the question.

        Where the theorem does not reach, or its expression is 0/0, it is picked from a derivation at the values.
        """
        try:
            picked = pick(self)
            values = question.assignment(swapped=swapped, alpha=alpha)
            if picked is None or picked[1].contains(dict(values)) is not True:
                raise Undetermined("the values are not shown to lie in the region where the bound is proved")
            return engine(picked[0], values, digits)
        except (Undefined, Undetermined):
            concrete = self._at(question)
            if concrete is not None:
                return concrete._number(
                    pick, question.on(concrete.process), digits, engine, swapped=swapped, alpha=alpha
                )
            if question.coincide:  # a law compared with itself
                return _COINCIDE if engine is enclose else _COINCIDE.lower
            raise

    def _at(self, question: Question) -> Found | None:
        """What is found at the parameter values of a question; None if there are none, or nothing is found."""
        key = tuple(question.parameters.items())
        if key and key not in self._found_at:
            try:
                self._found_at[key] = _find_at(self.process, self.assuming, question.parameters)
            except (Refused, InputError):
                self._found_at[key] = None
        return self._found_at.get(key)

    def note(self, question: Question) -> str | None:
        """What to add to numbers that came from a derivation of their own."""
        anew = self._found_at.get(tuple(question.parameters.items()))
        return (
            f"the numbers come from a derivation of their own at {_listed(question.parameters)}"
            if anew is not None
            else None
        )

    @cached_property
    def _found_at(self) -> dict[Any, Found | None]:
        return {}


def larger(one: Enclosure, other: Enclosure) -> Enclosure:
    """An enclosure of the larger of two numbers."""
    return Enclosure(max(one.lower, other.lower), max(one.upper, other.upper))


def _along(place: int, question: Question, found: Found) -> tuple[Expr, Region]:
    """The expression that one of several routes gives for a question; :class:`Refused` if it gives none."""
    if place >= len(found.derivation.routes):
        raise Refused("there is no such route", ())
    route = found.derivation.routes[place]
    theorem = route.divergence if question.sensitivity is None else route.privacy
    conclusion = theorem.conclusion if theorem is not None else None
    if not isinstance(conclusion, Divergence | RenyiDP):
        raise Refused(f"no bound in Delta by {route.name}", ())
    return conclusion.value, conclusion.region
