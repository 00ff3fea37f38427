"""What is fuzzed: for each reader a function of bytes that raises if the reader misbehaves, and texts to start from."""

from __future__ import annotations

import json
import tempfile
import tomllib
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path

import symdp.rules  # noqa: F401  (registers them)
from symdp import derive
from symdp.audit.grid import read_grid as read_audit_grid
from symdp.cli import main
from symdp.diffusion.catalogue import lookup
from symdp.errors import SymdpError
from symdp.prover import NoAnswer, prove
from symdp.prover.facts import read_facts
from symdp.render.json import bound_data, replayed
from symdp.render.proof import proof_data
from symdp.tables.grid import read_grid
from symdp.text import parse, parse_matrix, parse_relations, parse_values, to_text
from symdp.text.definitions import define
from symdp.text.latex import from_latex

LONGEST_LINE = 2000


@dataclass(frozen=True)
class Target:
    """A reader. ``seeds``: what a fuzzer starts from; some of it is read, so that more than refusals is reached."""

    read: Callable[[bytes], None]
    seeds: tuple[bytes, ...]


def _refused(error: SymdpError) -> None:
    line = str(error)
    assert line.strip() and "\n" not in line and len(line) <= LONGEST_LINE, line


def expression(data: bytes) -> None:
    """A formula, a matrix, relations, values: what is read and printed is read again as the same."""
    text = data.decode("utf-8", "surrogateescape")
    for reader in (parse_matrix, parse_relations, parse_values):
        try:
            reader(text)
        except SymdpError as error:
            _refused(error)
    try:
        tree = parse(text)
    except SymdpError as error:
        _refused(error)
    else:
        assert parse(to_text(tree)) == tree


def schedule(data: bytes) -> None:
    """A definition of ``--let``."""
    try:
        define(data.decode("utf-8", "surrogateescape"), {})
    except SymdpError as error:
        _refused(error)


def latex(data: bytes) -> None:
    """LaTeX becomes a formula of the grammar, or is refused."""
    try:
        parse(from_latex(data.decode("utf-8", "replace")))
    except SymdpError as error:
        _refused(error)


def grid(data: bytes) -> None:
    """The grid of a table: as many points as it counts, its first and last among them."""
    try:
        for axis in read_grid(data.decode("utf-8", "replace")):
            assert axis.count >= 1
            axis.at(0), axis.at(axis.count - 1)
    except SymdpError as error:
        _refused(error)


def audit_grid(data: bytes) -> None:
    """The CSV file of an audit."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "points.csv"
        path.write_bytes(data)
        try:
            assert read_audit_grid(str(path), "rdp")
        except SymdpError as error:
            _refused(error)


def facts(data: bytes) -> None:
    """A file of facts, and the question if it is a small one."""
    try:
        table = tomllib.loads(data.decode("utf-8"), parse_float=str)
    except (ValueError, RecursionError):
        return
    try:
        known, query = read_facts(table)
        if len(known) <= 2:
            prove(known, query, 10)
    except NoAnswer as answer:
        assert str(answer)
    except SymdpError as error:
        _refused(error)


def theorem(data: bytes) -> None:
    """A proof in JSON: what is accepted says what the rules conclude."""
    try:
        read = json.loads(data)
    except (ValueError, RecursionError):
        return
    try:
        accepted = replayed(read)
    except SymdpError as error:
        _refused(error)
        return
    for found in accepted.values():
        assert found.conclusion in _conclusions()


def arguments(data: bytes) -> None:
    """A command line, one argument a line: exit code 0, 1 or 2, and a mistake is one line."""
    words = data.decode("utf-8", "replace").replace("\0", "").split("\n")
    out, err = StringIO(), StringIO()
    if words[0] not in _COMMANDS or any(word in _WRITES for word in words):
        return
    with redirect_stdout(out), redirect_stderr(err):
        code = main(words)
    message = err.getvalue()
    assert code in (0, 1, 2), code
    assert "internal error" not in message and "Traceback" not in message, message
    if code == 1:
        assert not out.getvalue() and message.startswith("symdp: ") and message.count("\n") == 1, message


_COMMANDS = ("derive", "renyi", "sgm", "calibrate", "rules", "cite")
_WRITES = ("--output", "-o", "--html")


@cache
def _proofs() -> tuple[bytes, ...]:
    bound = bound_data(derive(lookup("ornstein-uhlenbeck").build()))
    best = proof_data(prove(*read_facts(tomllib.loads(_FACTS[0].decode())), 10), 10)
    return tuple(json.dumps(data).encode() for data in (bound, best))


@cache
def _conclusions() -> set[object]:
    return {found.conclusion for proof in _proofs() for found in replayed(json.loads(proof)).values()}


_FORMULAS = (
    b"alpha*theta*Delta**2/(2*rho**2*(exp(2*theta*t)-1))",
    b"min(1, x**(1/2), -y), sqrt(1+x**2); 1e-5, tanh(x)/2",
    b"x=1/2, xp=(1,0), t=0.1",
    b"alpha>1, t>=0, x**2+y**2<1, a!=b",
)
_FACTS = (
    b'mechanism.M.dp = {epsilon = "log(3)", delta = "1/100"}\nkernel.K.doeblin = "1/4"\n'
    b'chain.C = {start = "M", steps = ["K"]}\nquery = {of = "C", ask = "delta", epsilon = "log(3/2)"}\n',
    b'[mechanism.M]\nrdp = "alpha/8"\n[query]\nof = "M"\nask = "epsilon"\ndelta = 0.001\norders = [2, "5/2"]\n',
    b'[mechanism.M]\nsgm = {q = "1/100", sigma = 4}\n[query]\nof = "M"\nask = "rdp"\nalpha = 8\n',
    b'mechanism.M.gdp = 1\n[kernel.K]\nmatrix = [["3/4","1/4"],["1/4","3/4"]]\n'
    b'[chain.C]\nstart = "M"\nsteps = ["K", "K"]\n[query]\nof = "C"\nask = "delta"\nepsilon = 0\n',
)
_LINES = (
    b"derive\nornstein-uhlenbeck\n--at\nalpha=8,t=1/2,Delta=1,theta=1,rho=1\n--digits\n20",
    b"derive\n--drift=-x\n--diffusion\nsqrt(2)\n--domain\nx>=0\n--json",
    b"sgm\n--q\n0.01\n--sigma\n4\n--alpha\n1.5,2:8\n--steps\n10",
    b"calibrate\nsgm\n--q\n0.01\n--epsilon\n1\n--delta\n1e-5\n--digits\n5",
    b"renyi\nbrownian-motion\n--at\nalpha=2,t=1,x=1,xp=0",
    b"rules\n--json",
)
TARGETS = {
    "expression": Target(expression, _FORMULAS),
    "schedule": Target(schedule, (b"beta(t)=1/10+t/2", b"s(t) = exp(-t)*min(t,1)")),
    "latex": Target(
        latex, (rb"\frac{\alpha\theta\Delta^2}{2\rho^2(e^{2\theta t}-1)}", rb"\gamma \cdot \sqrt[3]{x_{1}} - \|x'\|")
    ),
    "grid": Target(grid, (b"q=1e-8,0.01; sigma=0.5:20:log40; alpha=1.1:64:0.1", b"alpha=2:64; direction=forward")),
    "audit_grid": Target(audit_grid, (b"q,sigma,alpha\n0.01,4,2\n", b'sigma,q,alpha,"x"\n1e-3,.5,1e6,\n')),
    "facts": Target(facts, _FACTS),
    "theorem": Target(theorem, _proofs()),
    "arguments": Target(arguments, _LINES),
}
