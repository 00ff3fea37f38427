"""``symdp calibrate NAME``: the noise or the time with which a diffusion meets a target at least error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from symdp.cli.diffusions import Catalogued, about_a_diffusion, read_process, read_values
from symdp.cli.options import as_options, exact_number, option, required, whole
from symdp.cli.utility import range_options, read_range
from symdp.console import Outcome
from symdp.errors import InputError, Refused

if TYPE_CHECKING:
    from sympy import Symbol

    from symdp.derivation.calibration import Target
    from symdp.diffusion.process import Diffusion

_DIGITS, _MOST_DIGITS = "15", 1000


@click.command("diffusion", cls=Catalogued)
@about_a_diffusion
@option("--epsilon", "The epsilon to meet, with --delta.", "NUMBER")
@option("--delta", "Its delta, above 0 and below 1.", "NUMBER")
@option("--rdp", "Instead: a Rényi bound, 'alpha/2' at every order or 'alpha=8,value=4' at one.", "BOUND")
@option("--steps", "Releases that meet it together [1].", "N")
@option("--for", "What is chosen, a parameter or the time t [what --at leaves out].", "NAME")
@range_options
@option("--digits", "Significant digits [15].", "N")
@option("--output", "Write to a file, which appears only when it is complete.", "FILE")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def diffusion(name: tuple[str, ...], param: tuple[str, ...], assume: tuple[str, ...], **given: Any) -> Outcome:
    """Choose a parameter of a diffusion, or the time, so that it meets a target at least error.

    --at gives the other values (Delta is 1 if it is left out). With --radius R and two parameters left out, one of
    the drift and one of the noise, both are chosen: no Gaussian mechanism of the same guarantee errs less.

    \b
    symdp calibrate brownian-motion --epsilon 1 --delta 1e-5
    symdp calibrate ornstein-uhlenbeck --rdp alpha/2 --at t=1 --radius 2 --dimension 3
    symdp calibrate diffusion --drift=-k*x --diffusion s --rdp alpha=8,value=4 --at t=1,k=2
    """
    process = read_process(name, param, given)
    values = read_values(given["at"])
    target, digits = _target(given), whole(given["digits"] or _DIGITS, "--digits")
    if not 1 <= digits <= _MOST_DIGITS:
        raise InputError(f"1 to {_MOST_DIGITS} digits can be asked for", place="--digits")
    wanted = read_range({**given, "as_latex": False}, process, values)
    assert wanted is not None
    from symdp.bound import derive
    from symdp.derivation.calibration import calibrate as choose
    from symdp.derivation.calibration import optimise, some_value
    from symdp.derivation.utility import own_symbol
    from symdp.found import read_assumptions
    from symdp.question import ask

    free = _free(process, values, given["for"], given["radius"])
    whole_range = {"Delta": 1, **values, **{s.name: some_value(process, s) for s in free}}
    if starts := sorted({"x", "xp", "alpha"} & set(values)):
        raise InputError(f"{starts[0]} plays no part", place="--at", remedy="give Delta, the time and parameters")
    assuming = read_assumptions(process, assume)
    question = ask(process, whole_range, assuming=assuming, need_alpha=False, place="--at")
    if question.sensitivity == 0:
        raise InputError("every noise does for Delta = 0", place="--at", remedy="give a number above 0")
    try:
        bound = derive(process, assume)
    except Refused:  # for what is given there may be a bound
        fixed = {s: value for s, value in question.parameters.items() if s not in free}
        if not fixed:
            raise
        process = process.at(fixed)
        question = replace(
            question, process=process, parameters={s: question.parameters[s] for s in process.params.symbols}
        )
        bound = derive(process, [item for item in assuming if isinstance(item, str)])
    if len(free) > 1:
        numbers = dict(wanted.values or {})
        if wanted.norm not in numbers:
            raise InputError("the radius has no value", place="--radius", remedy="give a number")
        norm, dimension = own_symbol("R", process), own_symbol("d", process)
        size = numbers.get(wanted.dimension, 1) if wanted.dimension is not None else 1
        known = {norm: numbers[wanted.norm], dimension: size}
        result: Any = optimise(bound.found, question, free, known, target, digits)
    else:
        result = choose(bound.found, question, free[0], target, digits)
    from symdp.render.calibration import calibration_data, calibration_lines

    data = calibration_data(bound.found, question, target, result, wanted, digits)
    if given["as_json"]:
        import json

        return Outcome(json.dumps(data, indent=2) + "\n", file=given["output"])
    return Outcome(calibration_lines(data), file=given["output"])


def _free(process: Diffusion, values: Mapping[str, Any], wanted: str | None, radius: str | None) -> list[Symbol]:
    """What is chosen: one parameter or the time, or with a radius two parameters."""
    from symdp.text import symbol

    known = [s.name for s in process.params.symbols]
    if wanted is not None:
        if wanted not in ("t", *known):
            raise InputError(
                f"{wanted[:40]} is no parameter", place="--for", remedy=f"one of {', '.join(['t', *known])}"
            )
        if wanted in values:
            raise InputError(f"{wanted} is given too", place="--for", remedy="leave it out of --at")
    absent = [name for name in ("t", *known) if name not in values]
    if not absent:
        raise InputError("nothing is left to choose", place="--at", remedy="leave out a parameter, or the time t")
    if "t" not in absent and len(absent) == 2 and wanted is None and radius is not None:
        return [symbol(name) for name in absent]
    if len(absent) > 1:
        others = [name for name in absent if name != wanted] if wanted else absent
        remedy = "give all but one" if wanted is None else f"give {', '.join(f'{name}=...' for name in others)}"
        if wanted is None and radius is not None and "t" in absent and len(absent) == 3:
            remedy = "give t=..., and both parameters are chosen"
        if wanted is None and radius is None and "t" not in absent and len(absent) == 2:
            remedy += ", or --radius to choose both"
        raise InputError(f"no value for {', '.join(others)}", place="--at", remedy=remedy)
    return [symbol(absent[0])]


def _target(given: Mapping[str, Any]) -> Target:
    from symdp.derivation.calibration import Target, check_target
    from symdp.epsilon.inputs import check_steps

    with as_options():
        steps = check_steps(whole(given["steps"] or "1", "--steps"))
    if given["rdp"] is None:
        epsilon, delta = (exact_number(required(given, key), f"--{key}", double=False) for key in ("epsilon", "delta"))
        target = Target(epsilon, steps, delta)
    elif given["epsilon"] is not None or given["delta"] is not None:
        raise InputError("--rdp is given beside --epsilon or --delta", remedy="give one target")
    else:
        target = _renyi(given["rdp"], steps)
    check_target(target)
    return target


def _renyi(text: str, steps: int) -> Target:
    from symdp.derivation.calibration import Target
    from symdp.text import parse, parse_values, symbol, to_text

    place = "--rdp"
    if "=" not in text:
        rate = (parse(text, place=place, names=("alpha",)) / symbol("alpha")).expand()
        if rate.free_symbols:
            remedy = "write 'alpha/2', or one order, 'alpha=8,value=4'"
            raise InputError("the bound is not a multiple of alpha", place=place, remedy=remedy)
        return Target(exact_number(to_text(rate), place, double=False), steps, every=True)
    values: dict[str, Any] = dict(parse_values(text, place=place))
    if set(values) != {"alpha", "value"} or not all(hasattr(value, "free_symbols") for value in values.values()):
        raise InputError("alpha and value are expected", place=place, remedy="write 'alpha=8,value=4'")
    if not values["alpha"].is_Rational or values["alpha"] <= 1:
        raise InputError("a Renyi order is a rational number above 1", place=place, remedy="write 'alpha=8,value=4'")
    return Target(exact_number(to_text(values["value"]), place, double=False), steps, alpha=values["alpha"])
