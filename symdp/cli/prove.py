"""``symdp prove``: the best bound that a file of facts implies."""

from __future__ import annotations

import click

from symdp.cli.options import option
from symdp.console import Outcome


@click.command(short_help="Find the best bound that facts imply.")
@click.argument("file", metavar="FILE.toml")
@option("--digits", "Significant digits to prove [50].", "N")
@click.option("--all", "all_answers", is_flag=True, help="Print all runners-up.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with the proof that `symdp replay` checks.")
def prove(file: str, all_answers: bool, as_json: bool, digits: str | None) -> Outcome:
    """Find the best bound that the facts in FILE.toml imply, with its proof and the runners-up.

    \b
    [mechanism.M]
    dp = {epsilon = "log(3)", delta = "1/100"}
    [kernel.K]
    doeblin = "1/4"
    [chain.C]
    start = "M"
    steps = ["K"]
    [query]
    of = "C"
    ask = "delta"
    epsilon = "log(3/2)"

    A mechanism has any of dp, rdp, gdp, zcdp, gaussian {sigma, sensitivity}, laplace {scale, sensitivity},
    sgm {q, sigma, sensitivity}, diffusion {drift, diffusion or name, let, t, sensitivity, parameters}, and a relation,
    the name of its neighbours; for the error of a gaussian or a linear diffusion also dimension and radius, a bound on
    the norm of the query, and rdp = "alpha/2", which chooses the parameters that are left out. A kernel has any of
    dobrushin, doeblin, ultra_mixing, ldp {epsilon, delta}, matrix, gaussian {sigma, lipschitz}, laplace {scale,
    lipschitz}; a chain is start and steps, compose and times, iteration {lipschitz, sigma, steps, sensitivity,
    diameter, shift}, or noisy_sgd {lipschitz_constant, smoothness, strong_convexity, step_size, sigma, n, index}. Ask
    for delta at epsilon, epsilon at delta, rdp at alpha (1 and "oo" too; left out: for every order), gdp, or error,
    the mean squared error; orders restricts the orders of a conversion. Numbers are text or TOML numbers, read exactly.
    """
    from symdp.question import check_digits

    wanted = check_digits(digits or "50", "--digits")
    from symdp.prover import prove as find
    from symdp.prover.facts import read_file
    from symdp.render.proof import proof_data, report

    facts, query = read_file(file)
    data = proof_data(find(facts, query, wanted), wanted, all_answers=all_answers)
    if as_json:
        import json

        return Outcome(json.dumps(data, indent=2) + "\n")
    return Outcome(report(data))
