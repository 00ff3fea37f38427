"""``symdp derive``: the bound of a diffusion, what it rests on, and its values."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symdp.cli.diffusions import Catalogued, about_a_diffusion, read_process, read_values
from symdp.cli.options import option
from symdp.cli.utility import point_of, range_options, read_range
from symdp.console import REFUSED, Outcome
from symdp.errors import InputError, Refused, SymdpError, Undetermined

if TYPE_CHECKING:
    from symdp.diffusion.process import Diffusion


@click.command(cls=Catalogued, short_help="Derive the bound of a diffusion.")
@about_a_diffusion
@option("--digits", "Significant digits to prove [50].", "N")
@option("--delta", "Also give epsilon for this delta.", "NUMBER")
@option("--steps", "Steps of the composition that --delta is about [1].", "N")
@click.option("--truth", is_flag=True, help="Also give the divergence itself, where it is known, and truth/bound.")
@click.option("--utility", is_flag=True, help="Also give bias, variance and mean squared error, started at f(D).")
@range_options
@option("--html", "Also write a page with the proof to a file.", "FILE")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with the proof that `symdp replay` checks.")
@click.option("--latex", "as_latex", is_flag=True, help="Print LaTeX.")
def derive(name: tuple[str, ...], param: tuple[str, ...], assume: tuple[str, ...], **options: Any) -> Outcome:
    """Derive the bound of dX = u dt + v dW, typed as text or NAMEd from the catalogue.

    \b
    symdp derive --drift=-theta*x --diffusion 'sqrt(2)*rho' --at alpha=8,t=1/2,Delta=1,theta=1,rho=1
    symdp derive --drift=-beta(t)/2*x --diffusion 'sqrt(beta(t))' --let 'beta(t)=1/10+t/2' --at alpha=8,t=1,Delta=1
    symdp derive --drift=-x --diffusion 'sqrt(2)' --domain 'x>=0' --at alpha=2,t=1,x=1,xp=2 --truth
    symdp derive ornstein-uhlenbeck --json
    """
    if options["as_json"] and options["as_latex"]:
        raise InputError("--json and --latex are both given", remedy="give one")
    if options["html"] is not None:
        from symdp.render.pages import require_converter

        require_converter()
    form = "json" if options["as_json"] else "latex" if options["as_latex"] else "text"
    process = read_process(name, param, options)
    values = read_values(options["at"])
    wanted, given = read_range(options, process, values), dict(values)
    if wanted is not None and options["delta"] is None and not {"alpha", "Delta", "xp"} & set(values):
        values = {}  # nothing is asked of the bound
    digits, delta, steps = _numbers(options, values)
    if options["truth"] and not {"alpha", "x", "xp"} <= set(values):
        raise InputError("--truth needs values", remedy="give two starts, for example --at alpha=2,t=1,x=1,xp=0")
    from symdp.bound import derive as derive_bound
    from symdp.found import read_assumptions
    from symdp.question import ask

    if values:  # bad values come before a refusal
        ask(process, values, assuming=read_assumptions(process, assume), need_alpha=delta is None, place="--at")
    try:
        bound = derive_bound(process, assume, at=given)
    except Refused as refusal:
        return _refused(process, refusal, form)
    question = bound.ask(values, need_alpha=delta is None, place="--at") if values else None
    if form == "latex" and question is None:
        return Outcome(bound.latex())
    from symdp.render.json import bound_data, value_data

    answer: dict[str, Any] = {}
    problem: SymdpError | None = None
    if question is not None:
        try:
            answer = bound.answer(question, digits=digits, delta=delta, steps=steps)
        except (Refused, Undetermined) as error:
            problem = error
    if form == "latex" and problem is None:
        return Outcome(bound.latex())
    data = bound_data(bound, theorems=form == "json")
    if question is not None:
        data |= value_data(question, answer, digits)
    if options["truth"] and question is not None and problem is None:
        from symdp.render.truth import beside_bound

        try:
            data |= beside_bound(question, answer, digits, bound.found.assuming)
        except (Refused, Undetermined) as error:
            problem = error
    if wanted is not None and problem is None:
        from symdp.render.utility import utility_data

        try:
            point = point_of(bound, given)
            data["utility"] = utility_data(bound.found, wanted, point, digits, theorems=form == "json")
        except (Refused, Undetermined) as error:
            problem = error
    if problem is not None:
        data |= {"status": "refused", "reason": str(problem)}
    if options["html"] is not None:
        from symdp.files import replace_file
        from symdp.render.html import bound_page

        replace_file(Path(options["html"]), bound_page(bound, data))
    return _shown(data, form)


def _numbers(options: Mapping[str, Any], values: Mapping[str, Any]) -> tuple[int, Any, int]:
    """``--digits``, ``--delta`` and ``--steps``, checked before anything is derived."""
    from symdp.question import check_delta, check_digits, check_steps

    digits = check_digits("50" if options["digits"] is None else options["digits"], "--digits")
    steps = check_steps("1" if options["steps"] is None else options["steps"], "--steps")
    if options["delta"] is None:
        if options["steps"] is not None:
            raise InputError("--steps is given without --delta", remedy="give --delta, for example --delta 1e-5")
        return digits, None, steps
    if not values:
        raise InputError("--delta is given without --at", remedy="give values, for example --at t=1,Delta=1")
    from symdp.rationals import MAX_DIGITS

    if digits > MAX_DIGITS:
        raise InputError(
            f"epsilon is computed to at most {MAX_DIGITS} digits", place="--digits", remedy="ask for fewer with --delta"
        )
    return digits, check_delta(options["delta"], "--delta"), steps


def _refused(process: Diffusion, refusal: Refused, form: str) -> Outcome:
    from symdp.render.json import refusal_data

    return _shown(refusal_data(process, str(refusal), refusal.hypotheses), form)


def _shown(data: dict[str, Any], form: str) -> Outcome:
    """JSON, or text; a refusal also goes to stderr."""
    code, error = (REFUSED, f"refused: {data['reason']}") if data["status"] == "refused" else (0, "")
    if form == "json":
        import json

        return Outcome(json.dumps(data, indent=2) + "\n", code, error)
    from symdp.render.text import report

    return Outcome("" if form == "latex" else report(data), code, error)
