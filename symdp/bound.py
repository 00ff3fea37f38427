"""The face of the project: ``derive`` a diffusion and hold the result as a :class:`Bound`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sympy import Expr

from symdp.ball import Enclosure
from symdp.diffusion.facts import Facts, facts
from symdp.diffusion.process import Diffusion
from symdp.enclosure import enclose, evaluate_mp
from symdp.errors import InputError
from symdp.evidence import Evidence
from symdp.found import Assumption, Found, find, larger, read_assumptions
from symdp.judgments import Divergence, RenyiDP
from symdp.question import Question, ask, check_delta, check_digits, check_steps
from symdp.region import Region
from symdp.text import to_text
from symdp.theorem import Theorem

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from symdp.render.plot import Picture

_ENGINES = {"arb": enclose, "mpmath": evaluate_mp}


def derive(
    diffusion: Diffusion, assume: Assumption | Iterable[Assumption] = (), *, at: Mapping[str, Any] | None = None
) -> Bound:
    """The best bound the rules prove for ``R_alpha(P_t(x) || P_t(xp))``, as a :class:`Bound`.

    ``assume``: relations between parameters (``"4*a >= sigma**2"``) and names of hypotheses that the engine leaves
    open; what was needed is listed in the bound's ``assumptions``. ``at``: values of the parameters; where nothing
    can be derived for all of them and ``at`` gives each one, the bound is derived at those values.

    Raises :class:`InputError` for coefficients that are undefined inside the domain and for assumptions that say
    nothing here, :class:`Refused`, with every hypothesis looked at, where no theorem is found.
    """
    if not isinstance(diffusion, Diffusion):
        raise InputError(
            "a symdp.Diffusion is expected", place="derive", remedy="write symdp.derive(symdp.Diffusion(...))"
        )
    return Bound(find(diffusion, read_assumptions(diffusion, assume), _merged(at, {})))


@dataclass(frozen=True, eq=False, repr=False)
class Bound:
    """A proved bound on ``R_alpha(P_t(x) || P_t(xp))`` and, where there is one, the Rényi-DP guarantee that goes with
    it.

    Made by :func:`symdp.derive`. Numbers given to its methods are exact: int, Fraction, text, Decimal, and a float is
    the double it is. A name that Python cannot pass as a keyword goes into a mapping: ``evaluate({"lambda": 1}, t=1,
    ...)``.
    """

    found: Found

    # --- what is proved ---------------------------------------------------------------------------------------------

    @property
    def process(self) -> Diffusion:
        """The diffusion the theorems are about; values it was derived at are built in (see ``notes``)."""
        return self.found.derivation.process

    @property
    def theorem(self) -> Theorem:
        """The theorem about a pair of starts; its conclusion is a ``Divergence``."""
        return self.found.derivation.divergence

    @property
    def privacy(self) -> Theorem | None:
        """The theorem about every pair of starts at distance ``Delta`` (``RenyiDP``), if there is one."""
        return self.found.derivation.privacy

    @property
    def divergence(self) -> Expr:
        """The bound on ``R_alpha(P_t(x) || P_t(xp))``, in this order."""
        conclusion = self.theorem.conclusion
        assert isinstance(conclusion, Divergence)
        return conclusion.value

    @property
    def rdp(self) -> Expr | None:
        """The bound on both orders for every pair of starts at distance ``Delta``; None where none was found."""
        conclusion = self.privacy.conclusion if self.privacy is not None else None
        return conclusion.value if isinstance(conclusion, RenyiDP) else None

    @property
    def region(self) -> Region:
        """The values of alpha, t, the parameters and the starts for which the bound is proved."""
        region = self.theorem.region
        assert region is not None
        needed = [r for item in self.hypotheses for r in item.under]
        return region.intersect(needed) if needed else region

    @property
    def tightness(self) -> str:
        """Either "exact", when the bound is the divergence itself, or "upper"."""
        return self.theorem.tightness

    @property
    def status(self) -> str:
        """Either "proved", or "conditional" if anything was assumed."""
        return "conditional" if self.assumptions else "proved"

    @property
    def hypotheses(self) -> tuple[Evidence, ...]:
        """Every hypothesis the theorems rest on, each once, with its verdict and reason."""
        return tuple(dict.fromkeys(item for theorem in self.found.theorems.values() for item in theorem.hypotheses))

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the user assumed and a theorem needed."""
        return tuple(dict.fromkeys(item for theorem in self.found.theorems.values() for item in theorem.assumptions))

    @property
    def citations(self) -> tuple[str, ...]:
        """Where the rules used come from, each once."""
        return tuple(dict.fromkeys(str(c) for theorem in self.found.theorems.values() for c in theorem.citations))

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on how the bound was found."""
        return (*self.found.notes, *self.found.derivation.notes)

    @cached_property
    def facts(self) -> Facts:
        """Generator, carré du champ, curvature, invariant density and reversibility."""
        return facts(self.process)

    # --- numbers ----------------------------------------------------------------------------------------------------

    def evaluate(
        self, values: Mapping[str, Any] | None = None, /, *, digits: int = 50, engine: str = "arb", **named: Any
    ) -> Any:
        """The bound at given values: an :class:`Enclosure` with ``digits`` proved digits.

        With ``Delta`` it is the RDP bound: both orders, every pair of starts at that distance. With the starts ``x``
        and ``xp`` (sequences in R^d) it is the bound on ``R_alpha(P_t(x) || P_t(xp))``, in this order. Besides,
        ``alpha``, ``t`` and each parameter. ``engine="mpmath"`` computes by an independent code path and gives an
        mpf, without proof.

        Raises :class:`InputError` for values that are missing, unknown or not allowed, :class:`Undefined` where the
        bound has no value, :class:`Undetermined` where the digits cannot be proved, :class:`Refused` where nothing is
        proved about ``Delta``.
        """
        if engine not in _ENGINES:
            raise InputError(f"no engine is called {engine!r}", place="engine", remedy=f"use {' or '.join(_ENGINES)}")
        return self.found.value(self.ask(_merged(values, named)), check_digits(digits), _ENGINES[engine])

    def curve(
        self, orders: Iterable[Any], values: Mapping[str, Any] | None = None, /, **named: Any
    ) -> NDArray[numpy.float64]:
        """The bound at each order, as float64, rounded up: never below the bound, ``inf`` where no double is above it.

        ``orders``: numbers above 1. The other values as in :meth:`evaluate`, without ``alpha``; raises as it does.
        """
        import numpy

        given = _merged(values, named)
        if not isinstance(orders, Iterable) or isinstance(orders, str):
            raise InputError("several orders expected", place="orders", remedy="write [2, 8] or a numpy array")
        if "alpha" in given:
            raise InputError("alpha is given beside the orders", place="alpha", remedy="leave alpha out")
        questions = [self.ask(given | {"alpha": order}) for order in orders]
        return numpy.array([self.found.value(q, 20).upper_float() for q in questions], dtype=numpy.float64)

    def epsilon(
        self, delta: Any, steps: int = 1, values: Mapping[str, Any] | None = None, *, digits: int = 50, **named: Any
    ) -> Enclosure:
        """The epsilon of (epsilon, delta)-DP of a ``steps``-fold composition, both orders.

        Tight where the laws are Gaussian with one covariance, otherwise the best conversion from Rényi DP over all
        orders. The other values as in :meth:`evaluate`, ``alpha`` not needed; raises as it does.
        """
        question = self.ask(_merged(values, named), need_alpha=False)
        return self.found.epsilon(question, check_delta(delta), check_steps(steps), check_digits(digits))[0]

    def values(
        self,
        values: Mapping[str, Any] | None = None,
        /,
        *,
        digits: int = 50,
        delta: Any = None,
        steps: int = 1,
        **named: Any,
    ) -> dict[str, Any]:
        """Everything that can be said at given values, by name, as enclosures.

        ``value``: as :meth:`evaluate`. With two starts also ``value_reverse``, the bound on ``R_alpha(P_t(xp) ||
        P_t(x))``, and ``value_rdp``, the larger of the two. Where several routes were found, ``routes`` holds what each
        gives for ``value``, the least first. With ``delta`` also ``epsilon``, ``delta``, ``steps``
        and, where an order was chosen, ``order``; then ``alpha`` may be left out, and with it ``value``. ``note``, if
        there is one, says that the numbers come from a derivation at the parameter values. Raises as :meth:`evaluate`.
        """
        question = self.ask(_merged(values, named), need_alpha=delta is None)
        return self.answer(question, digits=digits, delta=delta, steps=steps)

    def ask(self, values: Mapping[str, Any], *, need_alpha: bool = True, place: str | None = None) -> Question:
        """The question behind named values, checked; ``place`` is named in errors. Raises :class:`InputError`."""
        found = self.found
        assuming = found.assuming
        return ask(found.process, values, assuming=assuming, fixed=found.fixed, need_alpha=need_alpha, place=place)

    def answer(self, question: Question, *, digits: int = 50, delta: Any = None, steps: int = 1) -> dict[str, Any]:
        """As :meth:`values`, for a question already asked."""
        digits = check_digits(digits)
        result: dict[str, Any] = {}
        if question.alpha is not None:
            result["value"] = self.found.value(question, digits)
            if routes := self.found.routes(question, digits):
                result["routes"] = routes
            if question.starts is not None:
                result["value_reverse"] = self.found.value(question, digits, swapped=True)
                result["value_rdp"] = larger(result["value"], result["value_reverse"])
        if delta is not None:
            chance, count = check_delta(delta), check_steps(steps)
            epsilon, order = self.found.epsilon(question, chance, count, digits)
            result |= {"epsilon": epsilon, "delta": chance, "steps": count}
            if order is not None:
                result["order"] = order
        if note := self.found.note(question):
            result["note"] = note
        return result

    def plot(
        self,
        over: str,
        values: Mapping[str, Any] | None = None,
        /,
        *,
        what: str = "bound",
        points: int = 200,
        truth: bool = False,
        logarithmic: bool = False,
        form: str = "png",
        **named: Any,
    ) -> Picture:
        """A picture of the bound, "kappa" or "Lambda" over a quantity: ``over`` is "t=1/10:4" or "alpha=1.1:64:log".

        Every point is a proved value; ``truth`` also draws the divergence itself. The other values as in
        :meth:`evaluate`; raises as it does, :class:`Refused` where no point has a value, and :class:`InputError` if
        matplotlib is not installed.
        """
        from symdp.render.plot import curves, picture, read_range

        axis, given = read_range(over, "over"), _merged(values, named)
        lines = curves(self, what, axis, given, points, truth=truth)
        fixed = ", ".join(f"{name} = {value}" for name, value in given.items())
        title = f"{self.process.equation()}\n{fixed}" if fixed else self.process.equation()
        return picture(lines, axis, title, form, logarithmic=logarithmic)

    # --- showing ----------------------------------------------------------------------------------------------------

    def to_json(
        self,
        values: Mapping[str, Any] | None = None,
        /,
        *,
        digits: int = 50,
        delta: Any = None,
        steps: int = 1,
        **named: Any,
    ) -> dict[str, Any]:
        """The derivation as JSON data (schema 1) with its theorems; with values, as in :meth:`values`, also numbers."""
        from symdp.render.json import bound_data, value_data

        given = _merged(values, named)
        if not given and delta is None:
            return bound_data(self)
        question = self.ask(given, need_alpha=delta is None)
        answer = self.answer(question, digits=digits, delta=delta, steps=steps)
        return bound_data(self) | value_data(question, answer, digits)

    def latex(self) -> str:
        """The bound, its direction and its region in LaTeX that needs no package."""
        from symdp.render.latex import bound_latex

        return bound_latex(self)

    def __str__(self) -> str:
        from symdp.render.json import bound_data
        from symdp.render.text import plain, report

        return plain(report(bound_data(self, theorems=False)))

    def __repr__(self) -> str:
        sign = "=" if self.tightness == "exact" else "<="
        return f"<Bound R_alpha(P_t(x) || P_t(xp)) {sign} {to_text(self.divergence)} for {self.process.equation()}>"

    def _repr_latex_(self) -> str:
        from symdp.render.latex import notebook

        return notebook(self)

    def _repr_html_(self) -> str:
        from symdp.render.html import page

        return page(self)


def _merged(values: object, named: Mapping[str, Any]) -> dict[str, Any]:
    if values is not None and not isinstance(values, Mapping):
        raise InputError(
            f"a mapping expected, got {type(values).__name__}", place="values", remedy="write {'theta': 1} or theta=1"
        )
    twice = sorted(set(values or {}) & set(named))
    if twice:
        raise InputError(f"{', '.join(twice)} given twice", place="values", remedy="give each value once")
    return {**(values or {}), **named}
