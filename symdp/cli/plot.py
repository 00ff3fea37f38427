"""``symdp plot``: a picture of a bound, of kappa or of Lambda."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from symdp.cli.diffusions import Catalogued, about_a_diffusion, read_process, read_values
from symdp.cli.options import option, required, whole
from symdp.console import Outcome
from symdp.errors import InputError

WHAT = ("bound", "kappa", "Lambda")


@click.command(cls=Catalogued, short_help="Draw a bound, and the truth beside it.")
@about_a_diffusion
@option("--what", f"What is drawn: {', '.join(WHAT)} [bound].", "NAME")
@option("--over", "The horizontal axis: 't=1/10:4', 'alpha=1.1:64:log'.", "RANGE")
@option("--points", "Points of a curve [200].", "N")
@option("--output", "The file, .png, .svg or .pdf; it appears only when it is complete.", "FILE")
@click.option("--truth", is_flag=True, help="Also draw the divergence itself; of two starts, where it is known.")
@click.option("--log", "logarithmic", is_flag=True, help="A logarithmic vertical axis.")
def plot(
    name: tuple[str, ...],
    param: tuple[str, ...],
    assume: tuple[str, ...],
    truth: bool,
    logarithmic: bool,
    **options: Any,
) -> Outcome:
    """Draw the bound of dX = u dt + v dW over the time, the order or a parameter; every point is a proved value.

    Where the bound is the least of several, each is drawn too. Needs matplotlib: pip install 'symdp[plot]'.

    \b
    symdp plot ornstein-uhlenbeck --over t=1/10:4 --at alpha=8,Delta=1,theta=1,rho=1 --output ou.png
    symdp plot --drift=-x --diffusion 'sqrt(2)' --what kappa --over t=1/10:4:log --at x=1,xp=0 --output kappa.svg
    """
    from symdp.render.plot import FORMATS, MOST_POINTS, read_range

    what = options["what"] or "bound"
    if what not in WHAT:
        raise InputError(f"'{what[:40]}' cannot be drawn", place="--what", remedy=f"one of {', '.join(WHAT)}")
    file = required(options, "output")
    form = Path(file).suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise InputError(
            f"'{file[:80]}' has no known ending", place="--output", remedy=f"end it in .{', .'.join(FORMATS)}"
        )
    over_text = required(options, "over")
    read_range(over_text)
    count = 200 if options["points"] is None else whole(options["points"], "--points")
    if not 2 <= count <= MOST_POINTS:
        raise InputError(
            f"{options['points'][:20]} points cannot be drawn", place="--points", remedy=f"2 to {MOST_POINTS}"
        )
    if truth and what != "bound":
        raise InputError("--truth goes with a bound", remedy="leave out --what")
    process = read_process(name, param, options)
    values = read_values(options["at"])
    from symdp.bound import derive

    bound = derive(process, assume)
    drawn = bound.plot(over_text, values, what=what, points=count, truth=truth, logarithmic=logarithmic, form=form)
    return Outcome(drawn.content, file=file)
