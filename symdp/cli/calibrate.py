"""``symdp calibrate``: the least noise that meets a privacy target; one command for sgm, one for diffusions."""

from __future__ import annotations

import decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from symdp.cli.calibrate_diffusion import diffusion
from symdp.cli.options import as_options, exact_number, option, required, whole
from symdp.console import Outcome

if TYPE_CHECKING:
    from symdp.ball import Enclosure


class _Mechanisms(click.Group):
    """A group in which any other name is that of a diffusion."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command and its arguments; the name of a diffusion is an argument of ``diffusion``."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            return "diffusion", self.commands["diffusion"], args
        return super().resolve_command(ctx, args)


@click.group(cls=_Mechanisms, invoke_without_command=True, short_help="Find the least noise for a privacy target.")
@click.pass_context
def calibrate(context: click.Context) -> Outcome | None:
    """Find the least noise that meets a privacy target, rounded to the safe side, with proof that less does not.

    \b
    symdp calibrate sgm --q 0.01 --epsilon 1 --delta 1e-5 --steps 1000
    symdp calibrate ornstein-uhlenbeck --epsilon 1 --delta 1e-5 --at t=1 --radius 2 --dimension 3
    """
    return Outcome(context.get_help() + "\n") if context.invoked_subcommand is None else None


calibrate.add_command(diffusion)


@calibrate.command("sgm")
@option("--q", "Sampling rate, above 0 and at most 1; 1 is the Gaussian mechanism.", "NUMBER")
@option("--epsilon", "The epsilon to meet.", "NUMBER")
@option("--delta", "Its delta, above 0 and below 1.", "NUMBER")
@option("--steps", "Steps of the composition [1].", "N")
@option("--relation", "Neighbours: add-remove or replace-one [add-remove].", "NAME")
@option("--sensitivity", "Bound on the norm of one record's contribution [1].", "NUMBER")
@option("--digits", "Significant digits of sigma [15].", "N")
@option("--output", "Write to a file, which appears only when it is complete.", "FILE")
@click.option("--double", is_flag=True, help="Round every number to the nearest double first.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def sampled_gaussian(double: bool, as_json: bool, **given: str | None) -> Outcome:
    """The least sigma of sampled Gaussian mechanisms N(0, sigma^2), by Rényi DP at the best order.

    \b
    symdp calibrate sgm --q 0.01 --epsilon 1 --delta 1e-5 --steps 1000
    """
    q, target, delta = (
        exact_number(required(given, name), f"--{name}", double=double) for name in ("q", "epsilon", "delta")
    )
    sensitivity = exact_number(given["sensitivity"] or "1", "--sensitivity", double=double)
    steps, digits = whole(given["steps"] or "1", "--steps"), whole(given["digits"] or "15", "--digits")
    relation = given["relation"] or "add-remove"
    with as_options():
        from symdp.epsilon import sampled_gaussian_sigma

        found = sampled_gaussian_sigma(q, target, delta, steps, digits, relation=relation, sensitivity=sensitivity)
    from symdp.render.sampled_gaussian import calibrated, exact_text

    order = found.epsilon.order
    data = {
        "schema": 1,
        "mechanism": "sgm",
        "q": exact_text(q),
        "sensitivity": exact_text(sensitivity),
        "relation": relation,
        "steps": steps,
        "delta": exact_text(delta),
        "target": exact_text(target),
        "digits": digits,
        "sigma": _text(found.sigma),
        "epsilon": _beside(found.epsilon.epsilon, target, digits),
        "order": None if order is None else exact_text(order),
        "optimal": True,
        "smaller": {
            "sigma": _text(found.smaller),
            "epsilon": _beside(found.smaller_epsilon.epsilon, target, digits),
        },
    }
    if as_json:
        import json

        return Outcome(json.dumps(data, indent=2) + "\n", file=given["output"])
    return Outcome(calibrated(data), file=given["output"])


def _text(sigma: decimal.Decimal) -> str:
    return str(sigma).lower().replace("e+", "e")


def _beside(epsilon: Enclosure, target: Fraction, digits: int) -> dict[str, str]:
    """The enclosure in so many digits that the decimals, rounded outward, still lie on one side of the target."""
    from symdp.rationals import rational

    for places in range(digits + 2, 20 * digits + 100):
        shown = epsilon.to_json(places)
        low, high = (rational(shown[end], "epsilon") for end in ("lower", "upper"))
        if high <= target or low > target:
            break
    return shown
