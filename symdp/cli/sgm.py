"""``symdp sgm``: proved values of the sampled Gaussian mechanism, and its epsilon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from symdp.cli.options import as_options, exact_number, option, required, whole
from symdp.cli.orders import read_orders
from symdp.console import Outcome
from symdp.errors import InputError

if TYPE_CHECKING:
    from symdp.mechanisms.sampled_gaussian import Value

_BOTH_DIRECTIONS = ("trapezoid", "plateau")


@click.command(short_help="Rényi divergences of the sampled Gaussian.")
@option("--q", "Sampling rate, from 0 to 1.", "NUMBER")
@option("--sigma", "Standard deviation of the noise.", "NUMBER")
@option("--alpha", "Orders >= 1: '32.5', '1.5,2,inf', '2:64', '2:3:1/4' (steps of 1, or the third number).", "ORDERS")
@option("--digits", "Significant digits to prove [50].", "N")
@option("--relation", "Neighbours: add-remove or replace-one [add-remove].", "NAME")
@option("--sensitivity", "Bound on the norm of one record's contribution [1].", "NUMBER")
@option("--steps", "Compose so many steps: 'composed', and what --delta is about. The rest stays per step.", "N")
@option("--delta", "Also give the least epsilon for this delta, over all real orders.", "NUMBER")
@option("--method", "Force integer, series (forward only), trapezoid or plateau.", "NAME")
@option("--output", "Write to a file, which appears only when it is complete.", "FILE")
@click.option(
    "--closed-forms", is_flag=True, help="Also the papers' closed forms, each with the condition it violates."
)
@click.option("--double", is_flag=True, help="Round every number to the nearest double first.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: an array if --alpha is a list or a range.")
def sgm(double: bool, as_json: bool, closed_forms: bool, **given: str | None) -> Outcome:
    """Rényi divergences of the sampled Gaussian mechanism N(0, sigma^2) -> (1-q) N(0, sigma^2) + q N(1, sigma^2).

    Both directions; numbers are exact text: 0.01 is 1/100.

    \b
    symdp sgm --q 0.01 --sigma 4 --alpha 32.5 --digits 30
    symdp sgm --q 0.01 --sigma 4 --alpha 2:64 --steps 1000 --delta 1e-5 --json
    """
    if given["alpha"] is None and given["delta"] is None:
        raise InputError("no --alpha and no --delta", remedy="give orders, for example --alpha 32.5, or a delta")
    with as_options():
        place = read_place(given, double=double)
        orders, many = ([], False) if given["alpha"] is None else read_orders(given["alpha"], double=double)
        base: dict[str, Any] = place.data() | ({} if given["steps"] is None else {"steps": place.steps})
        ending = {} if given["delta"] is None else _epsilon(place, read_delta(given["delta"], place, double=double))
        composed = given["steps"] is not None
        if closed_forms and (not orders or place.relation != "add-remove"):
            raise InputError("needs --alpha and add-remove neighbours", place="--closed-forms")
        rows = [base | _values(place, order, given["method"], composed=composed) | ending for order in orders]
        if closed_forms:
            rows = [row | _closed_forms(place, order) for row, order in zip(rows, orders, strict=True)]
    data: Any = rows if many else rows[0] if rows else base | ending
    if as_json:
        import json

        return Outcome(json.dumps(data, indent=2) + "\n", file=given["output"])
    from symdp.render.sampled_gaussian import report

    return Outcome(report(data), file=given["output"])


@dataclass(frozen=True)
class Place:
    """What every value is about, checked."""

    q: Fraction
    sigma: Fraction
    sensitivity: Fraction
    relation: str
    steps: int
    digits: int

    def data(self) -> dict[str, Any]:
        """Its part of the JSON data."""
        from symdp.render.sampled_gaussian import exact_text

        named = {name: exact_text(getattr(self, name)) for name in ("q", "sigma", "sensitivity")}
        return {"schema": 1, **named, "relation": self.relation, "digits": self.digits}


def read_place(given: Mapping[str, str | None], *, double: bool) -> Place:
    """The options that all values share."""
    from symdp.epsilon.inputs import check_steps
    from symdp.mechanisms.sampled_gaussian import inputs

    q, sigma = (exact_number(required(given, name), f"--{name}", double=double) for name in ("q", "sigma"))
    sensitivity = exact_number(given["sensitivity"] or "1", "--sensitivity", double=double)
    inputs.point(q, sigma, 1, sensitivity)
    relation = inputs.choice(given["relation"] or "add-remove", inputs.RELATIONS, "relation")
    steps = check_steps(whole(given["steps"] or "1", "--steps"))
    digits = inputs.digits_asked(whole(given["digits"] or "50", "--digits"))
    return Place(q, sigma, sensitivity, relation, steps, digits)


def _values(place: Place, order: Fraction | None, method: str | None, *, composed: bool) -> dict[str, Any]:
    """Everything of one order."""
    from symdp.epsilon import compose
    from symdp.mechanisms.sampled_gaussian import evaluate
    from symdp.render.sampled_gaussian import exact_text

    def value(direction: str, method: str | None) -> Value:
        alpha = "inf" if order is None else order
        return evaluate(
            place.q,
            place.sigma,
            alpha,
            place.digits,
            direction=direction,
            relation=place.relation,
            sensitivity=place.sensitivity,
            method=method,
        )

    forward = value("forward", method)
    # the other direction is the same for replace-one, and never larger for add-remove
    symmetric = place.relation == "replace-one"
    reverse = forward if symmetric else value("reverse", method if method in _BOTH_DIRECTIONS else None)
    numbers = {
        "forward": forward.renyi,
        "reverse": reverse.renyi,
        "renyi": forward.renyi,
        "log_moment": forward.log_moment,
    }
    if composed:
        numbers["composed"] = compose(lambda _: forward.renyi, steps=place.steps)(Fraction(2))
    shown = {name: number.to_json(place.digits) for name, number in numbers.items()}
    return {"alpha": exact_text(order), **shown, "method": forward.method, "nodes": forward.nodes}


def _closed_forms(place: Place, order: Fraction | None) -> dict[str, Any]:
    """Each closed form's value per step, or why it does not apply."""
    if order is None or order == 1:
        return {"closed_forms": {}}
    from symdp.derivation.sampled_gaussian import closed_forms
    from symdp.enclosure import enclose
    from symdp.errors import Refused
    from symdp.text import exact

    shown: dict[str, Any] = {}
    for name, form in closed_forms(*map(exact, (place.q, place.sigma, order, place.sensitivity))).items():
        if isinstance(form, Refused):
            shown[name] = {"refused": form.hypotheses[-1].statement}
        else:
            bound: Any = form.conclusion
            shown[name] = enclose(bound.value, {"alpha": exact(order)}, place.digits).to_json(place.digits)
    return {"closed_forms": shown}


def _epsilon(place: Place, delta: Fraction) -> dict[str, Any]:
    """The least epsilon over all orders."""
    from symdp.epsilon import sampled_gaussian_epsilon
    from symdp.render.sampled_gaussian import exact_text

    found = sampled_gaussian_epsilon(
        place.q,
        place.sigma,
        delta,
        place.steps,
        place.digits,
        relation=place.relation,
        sensitivity=place.sensitivity,
    )
    return {
        "steps": place.steps,
        "delta": exact_text(delta),
        "epsilon": found.epsilon.to_json(place.digits),
        "order": None if found.order is None else exact_text(found.order),
    }


def read_delta(text: str, place: Place, *, double: bool) -> Fraction:
    """``--delta``, checked together with the digits that epsilon can have."""
    from symdp.rationals import MAX_DIGITS

    if place.digits > MAX_DIGITS:
        raise InputError(
            f"epsilon is computed to at most {MAX_DIGITS} digits", place="--digits", remedy="ask for fewer with --delta"
        )
    delta = exact_number(text, "--delta", double=double)
    if delta < 0:
        raise InputError("delta is negative", place="--delta", remedy="give a number >= 0")
    return delta
