"""``symdp check``: the verdicts on papers' results, computed anew and held against those recorded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from symdp.cli.options import option, whole
from symdp.cli.progress import progress_bar
from symdp.console import BAD_INPUT, REFUSED, Outcome
from symdp.errors import InputError, Refused

if TYPE_CHECKING:
    from symdp.claims.own import Truth
    from symdp.theorem import Theorem

SCHEMA = 1
_TRUE_DIGITS = 20
_DIFFUSION = ("drift", "diffusion", "state", "domain", "param", "let")
_ONLY_WITH_CLAIM = ("against", "where", "field", "with", *_DIFFUSION)


@click.command(short_help="Judge papers' results, or your own formula.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@option("--jobs", "Files judged at a time [one a processor].", "N")
@option("--seed", "Seed of the falsifiers; each file adds its name [0].", "N")
@option("--claim", "Judge this formula instead, against --against.", "FORMULA")
@option("--against", "What it is held against: a diffusion of the catalogue, a rule, or a file of facts.", "NAME")
@option("--drift", "The diffusion it is held against, as `symdp derive` takes it, with the next five.", "U")
@option("--diffusion", "", "V")
@option("--state", "", "NAMES")
@option("--domain", "", "RELATIONS")
@option("--param", "", "TEXT", repeat=True)
@option("--let", "", "TEXT", repeat=True)
@option("--where", "Relations under which it is claimed: 'q<1/5, sigma>=4'.", "RELATIONS")
@option("--field", "The part of a conclusion it is about: 'delta', 'epsilon', 'value', 'mu'.", "NAME")
@option("--with", "Parameters of the rule: 'steps=10'.", "VALUES")
@click.option("--mutants", is_flag=True, help="Change each formula instead, and see that what is false is refuted.")
@click.option("--latex", is_flag=True, help="FORMULA is LaTeX.")
@click.option("--record", is_flag=True, help="Write the verdicts and the index beside the derivations.")
@option("--html", "Also write a page for each claim, and an index, into a folder.", "FOLDER")
@option("--cache", "Take over the verdicts of a file that an earlier run has kept here, if nothing changed.", "FOLDER")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check(paths: tuple[str, ...], record: bool, as_json: bool, latex: bool, mutants: bool, **given: Any) -> Outcome:
    """Judge papers' results: each is derived, compared with what is printed, and attacked.

    PATHs are derivation files or folders of them; by default all. Exit code 0: every verdict is the recorded one;
    1: one has changed or a file cannot be judged; 2: one is unknown.

    \b
    symdp check
    symdp check derivations/balle2019 --json
    symdp check --claim 'alpha*theta*Delta**2/(2*rho**2*(exp(2*theta*t)-1))' --against ornstein-uhlenbeck
    symdp check --latex --claim '\\gamma\\delta' --against dp-after-dobrushin --field delta

    --cache FOLDER takes over what an earlier run found of a file, if neither the file nor symdp nor a library it
    computes with has changed; the folder may be deleted at any time, and nothing is recorded from it.

    --mutants makes mutants of each formula (a sign, an exponent, a factor, two symbols exchanged, a hypothesis dropped)
    and judges them: refuted with a witness, true all the same, or open. Exit code 2 if more than 5% of those that are
    not shown to be true are open.

    A formula is equal to what is proved, or looser (exit code 0); sharper than proved, refuted with a witness, or
    unknown (exit code 2).
    """
    if mutants and (stray := [name for name in ("claim", "html") if given[name]] + ["record"] * record):
        raise InputError(f"--{stray[0]} does not go with --mutants", remedy="leave out one of the two")
    if given["cache"] is not None and (
        stray := [name for name in ("claim", "html") if given[name]] + ["record"] * record + ["mutants"] * mutants
    ):
        raise InputError(f"--cache does not go with --{stray[0]}", remedy="leave out one of the two")
    if given["claim"] is not None:
        return _formula(paths, record, as_json, latex, given)
    if stray := [name for name in _ONLY_WITH_CLAIM if given[name]] + (["latex"] if latex else []):
        raise InputError(f"--{stray[0]} is given without --claim", remedy="give --claim")
    from symdp.claims import root, write_index, write_verdicts
    from symdp.claims.records import read_verdicts
    from symdp.claims.run import changed, derivation_files, judge_all
    from symdp.render.claim_pages import write_pages
    from symdp.render.claims import claim_data, report
    from symdp.render.pages import require_converter

    seed = 0 if given["seed"] is None else whole(given["seed"], "--seed")
    jobs = None if given["jobs"] is None else whole(given["jobs"], "--jobs")
    if jobs is not None and not 1 <= jobs <= 256:
        raise InputError(f"{given['jobs']} files at a time", place="--jobs", remedy="give 1 to 256")
    if not 0 <= seed < 2**32:
        raise InputError("the seed is out of range", place="--seed", remedy="give 0 to 4294967295")
    if record and seed:
        raise InputError("--record is for the seed 0", remedy="leave out --seed")
    folder = root()
    if mutants:
        from symdp.cli.check_mutants import judge_mutants

        with progress_bar("judging") as progress:
            return judge_mutants(derivation_files(paths, folder), seed, jobs, as_json, progress)
    with progress_bar("judging") as progress:
        pages = given["html"] is not None
        if pages:
            require_converter()
        due = derivation_files(paths, folder)
        judged = judge_all(due, seed=seed, jobs=jobs, pages=pages, cache=given["cache"], progress=progress)
    recorded = {} if record and not paths else read_verdicts(folder)
    broken = [file for file in judged if file.error]
    if record and not broken:
        new = {verdict.id: verdict for file in judged for verdict in file.verdicts}
        recorded = (recorded | new) if paths else new
        write_verdicts(recorded.values(), folder)
        write_index(recorded.values(), folder)
    if pages:
        write_pages(given["html"], judged)
    rows = [
        (verdict, changed(verdict, recorded), file.seconds / len(file.verdicts))
        for file in judged
        for verdict in file.verdicts
    ]
    unknown = [verdict.id for verdict, _, _ in rows if verdict.verdict == "unknown"]
    other = [verdict.id for verdict, differing, _ in rows if differing]
    code, error = 0, ""
    if broken:
        code, error = BAD_INPUT, broken[0].error
    elif other:
        code, error = BAD_INPUT, f"not as recorded: {', '.join(other)}; symdp check --record records anew"
    elif unknown:
        code, error = REFUSED, f"unknown: {', '.join(unknown)}"
    if as_json:
        import json

        data: dict[str, Any] = {"schema": SCHEMA, "seed": seed, "claims": [claim_data(*row) for row in rows]}
        data["errors"] = [file.error for file in broken]
        return Outcome(json.dumps(data, indent=2, ensure_ascii=False) + "\n", code, error)
    lines = report(rows, seed)
    if kept := sum(file.kept for file in judged):
        lines.append(("", f"{kept} of {len(judged)} files as kept in {given['cache']}, since nothing has changed"))
    return Outcome(lines, code, error)


def _formula(paths: tuple[str, ...], record: bool, as_json: bool, latex: bool, given: Mapping[str, Any]) -> Outcome:
    """The verdict on a user's own formula."""
    if paths or record or given["html"]:
        raise InputError("--claim judges one formula", remedy="leave out PATH, --record and --html")
    typed = [name for name in _DIFFUSION if given[name]]
    if (given["against"] is None) == (not typed):
        remedy = "name a diffusion, a rule or a file of facts, or give --drift and --diffusion"
        raise InputError("what the formula is held against is not said once", place="--against", remedy=remedy)
    from symdp.claims.own import judge_formula
    from symdp.render.claims import formula_data, formula_report
    from symdp.text.latex import from_latex

    text = from_latex(given["claim"], place="--claim") if latex else given["claim"]
    theorem, field, truth = _theorem(given, text)
    verdict = judge_formula(text, theorem, where=given["where"] or "", field=given["field"] or field, truth=truth)
    code, error = (0, "") if verdict.holds else (REFUSED, f"{verdict.verdict}: {verdict.reason}")
    if as_json:
        import json

        return Outcome(json.dumps(formula_data(text, verdict), indent=2, ensure_ascii=False) + "\n", code, error)
    return Outcome(formula_report(text, verdict), code, error)


def _theorem(given: Mapping[str, Any], text: str) -> tuple[Theorem, str | None, Truth | None]:
    """The theorem that the formula is held against, the field of its conclusion, and the truth where it is known."""
    from symdp.diffusion.catalogue import CATALOGUE

    name = given["against"]
    if name is None or name in CATALOGUE:
        if given["with"]:
            raise InputError("a diffusion has no parameters of a rule", place="--with", remedy="leave it out")
        return _of_diffusion(given, text)
    if name.endswith(".toml"):
        from symdp.prover import prove
        from symdp.prover.facts import read_file

        facts, query = read_file(name)
        field = {"delta": "delta", "epsilon": "epsilon", "gdp": "mu"}.get(query.ask, "value")
        return prove(facts, query).best.theorem, field, None
    from symdp.claims.settings import symbolic

    return symbolic(name, given["where"] or "", given["with"] or ""), None, None


def _of_diffusion(given: Mapping[str, Any], text: str) -> tuple[Theorem, str, Truth | None]:
    """The bound of the diffusion: of two starts if the formula speaks of them, else of neighbours at distance Delta."""
    from symdp.ball import Enclosure
    from symdp.bound import derive
    from symdp.cli.diffusions import read_process
    from symdp.render.truth import truth_at, truth_values
    from symdp.rules.conditions import starts
    from symdp.text import identifiers

    process = read_process((given["against"],) if given["against"] else (), given["param"], given)
    bound = derive(process)
    named = {s.name for start in starts(process) for s in start}  # type: ignore[union-attr]
    if named & set(identifiers(text)):

        def truth(point: Mapping[Any, Any]) -> Enclosure:
            question = bound.ask({symbol.name: value for symbol, value in point.items()})
            return truth_values(truth_at(question), question, _TRUE_DIGITS)[0]

        return bound.theorem, "value", truth if process.dimension == 1 else None
    if bound.privacy is None:
        reason = bound.found.derivation.missing
        raise Refused(
            f"no bound in Delta: {reason}; a formula in {', '.join(sorted(named))} is judged", bound.hypotheses
        )
    return bound.privacy, "value", None
