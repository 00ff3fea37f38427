"""``symdp renyi``: the Renyi divergence of two starts itself, not a bound."""

from __future__ import annotations

from typing import Any

import click

from symdp.cli.diffusions import Catalogued, about_a_diffusion, read_process, read_values
from symdp.cli.options import option
from symdp.console import REFUSED, Outcome
from symdp.errors import InputError, Refused, Undetermined


@click.command(cls=Catalogued, short_help="Give the true divergence of a diffusion.")
@about_a_diffusion
@option("--digits", "Significant digits to prove [50].", "N")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with the theorem that says what the kernel is.")
def renyi(name: tuple[str, ...], param: tuple[str, ...], assume: tuple[str, ...], **options: Any) -> Outcome:
    """The true R_alpha(P_t(x) || P_t(xp)) of dX = u dt + v dW, both orders, where the kernel is known.

    In closed form for Gaussian kernels and their Doob transforms; by certified integration for Bessel diffusions
    (Cox-Ingersoll-Ross, radial Ornstein-Uhlenbeck, reflected Brownian motion, a wall at the mean of an
    Ornstein-Uhlenbeck process), for a constant drift and a wall, for two walls without drift, for a drift of two
    opposite values (the Laplace law), for 2 n k tanh(k z) with n whole (the logistic law), for a constant drift on a
    circle, and for independent coordinates of all these kinds. Anything else is refused: `symdp derive` bounds it.

    \b
    symdp renyi --drift 1-x --diffusion 'sqrt(x)' --domain 'x>0' --at alpha=2,t=1,x=1,xp=2
    symdp renyi logistic-law --at alpha=2,t=1,x=1/2,xp=-1/2
    symdp renyi --drift 0 --diffusion 1 --domain '0<=x<=1' --at alpha=2,t=1/10,x=1/4,xp=1/2 --digits 30 --json
    """
    process = read_process(name, param, options)
    values = read_values(options["at"])
    if not values:
        raise InputError("no --at", remedy="give values, for example --at alpha=2,t=1,x=1,xp=0")
    from symdp.found import read_assumptions
    from symdp.question import ask, check_digits
    from symdp.render.json import refusal_data
    from symdp.render.text import report
    from symdp.render.truth import truth_data, truth_report

    digits = check_digits("50" if options["digits"] is None else options["digits"], "--digits")
    assuming = read_assumptions(process, assume)
    question = ask(process, values, assuming=assuming, place="--at")
    code, error = 0, ""
    try:
        data = truth_data(question, assuming, digits)
        lines = list(truth_report(data))
    except (Refused, Undetermined) as failure:
        hypotheses = failure.hypotheses if isinstance(failure, Refused) else ()
        data = refusal_data(process, str(failure), hypotheses)
        code, error, lines = REFUSED, f"refused: {failure}", report(data)
    if options["as_json"]:
        import json

        return Outcome(json.dumps(data, indent=2) + "\n", code, error)
    return Outcome(lines, code, error)
