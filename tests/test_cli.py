"""The command line: what it prints, where, and with which exit code."""

import errno
import json
import subprocess
import sys
from fractions import Fraction

import click
import pytest

import symdp
from symdp import bound as bound_module
from symdp.console import Outcome, run
from symdp.diffusion.catalogue import CATALOGUE
from symdp.errors import Undetermined
from symdp.text import parse, parse_relations, to_text
from tests.commands import AT, OU, command, one_line

# --- what it prints -------------------------------------------------------------------------------------------------


def test_the_report(call):
    result = call(*OU, "--at", AT)
    assert (result.code, result.err) == (0, "")
    assert "\x1b" not in result.out  # no colours when piped
    for part in (
        "dx = -theta*x dt + rho*sqrt(2) dW",
        "Generator",
        "Carré du champ",
        "3. Curvature          theta",
        "Gaussian class",
        "theta*(x - xp)**2/(2*rho**2*(exp(2*t*theta) - 1))",
        "Theorem 6         R_alpha(P_t(x) || P_t(xp)) <= alpha*Lambda + R_alpha(oo)",
        "R_alpha(P_t(x) || P_t(xp)) = alpha*theta*(x - xp)**2/(2*rho**2*(exp(2*t*theta) - 1))",
        "exact, proved; in this order; for ",
        "R_alpha in both orders, for every pair of starts with |x - xp| <= Delta",
        "At alpha = 8, t = 1/2, Delta = 1, rho = 1, theta = 1 (50 digits, rounded outward)",
        "2.32790682747730569754000802043604623418747720430",
        "What it rests on",
        "by default parameters are positive: rho, theta",
        "nothing is assumed",
        "Balle, Barthe, Gaboardi, Geumlek (2019)",
    ):
        assert part in result.out, part


def test_both_directions_are_named(call):
    at = "x=1,xp=0,t=1/2,alpha=2"
    result = call("derive", "--drift", "2*tanh(x)", "--diffusion", "sqrt(2)", "--at", at)
    assert result.code == 0
    lines = {line.split()[0]: line for line in result.out.splitlines() if line.startswith("  value")}
    assert "R_alpha(P_t(x) || P_t(xp)) = [1.45744108639181005688" in lines["value"]
    assert "R_alpha(P_t(xp) || P_t(x)) = [1.86756166096605437405" in lines["value_reverse"]
    assert "the larger of both orders = [1.86756166096605437405" in lines["value_rdp"]
    assert "the start is never forgotten" in result.out
    swapped = call("derive", "--drift=2*tanh(x)", "--diffusion=sqrt(2)", "--at=x=0,xp=1,t=1/2,alpha=2", "--json")
    assert json.loads(swapped.out)["value"]["lower"].startswith("1.86756166096605437405")


def test_json_schema(call):
    result = call(*OU, "--at", AT, "--json", "--digits", "30", "--delta", "1e-5", "--steps", "10")
    assert (result.code, result.err) == (0, "")
    data = json.loads(result.out)
    texts = ["generator", "carre_du_champ", "curvature", "invariant_density", "kappa", "Lambda", "divergence", "rdp"]
    for key in texts:
        assert to_text(parse(data[key])) == data[key]
    assert set(map(str, parse(data["divergence"]).free_symbols)) == {"alpha", "t", "theta", "rho", "x", "xp"}
    assert set(map(str, parse(data["rdp"]).free_symbols)) == {"alpha", "t", "theta", "rho", "Delta"}
    assert (data["schema"], data["status"], data["tightness"]) == (1, "proved", "exact")
    assert (data["reversible"], data["kernel_class"], data["steps"]) == (True, "Gaussian", 10)
    assert parse_relations(data["region"]) and data["assumptions"] == []
    for item in data["hypotheses"]:
        assert set(item) == {"name", "verdict", "reason", "statement"}
    for name in ("value", "epsilon"):
        low, high = data[name]["lower"], data[name]["upper"]
        assert 0 < Fraction(high) - Fraction(low) <= Fraction(1, 10**27)
    # mu = sqrt(10 * 2 Lambda), Lambda = 1/(2(e - 1)): delta(epsilon) = 1e-5
    assert data["epsilon"]["lower"].startswith("12.6257131608964444")


def test_several_dimensions(call):
    args = ["--drift", "-a*x1, -b*x2", "--diffusion", "r,0; 0,r", "--at", "alpha=2,t=1,x=(1,0),xp=(0,-1),a=1,b=2,r=1"]
    result = call("derive", *args, "--json")
    data = json.loads(result.out)
    assert result.code == 0
    assert {"x1", "x2", "xp1", "xp2"} <= set(map(str, parse(data["divergence"]).free_symbols))
    assert data["at"]["x"] == "(1, 0)" and data["at"]["xp"] == "(0, -1)"
    assert data["value"] == data["value_reverse"] == data["value_rdp"]


def test_values_may_begin_with_a_minus(call):
    plain = call(*OU, "--at", AT).out
    assert call("derive", "--drift=-theta*x", "--diffusion", "sqrt(2)*rho", "--at", AT).out == plain
    assert (
        call("derive", "--diffusion", "-sqrt(2)*rho", "--drift", "--theta*x-theta*2*x", "--at", AT, "--json").code == 0
    )
    negative = call("derive", "--drift", "-x", "--diffusion", "1", "--at", "x=-1,xp=-1/2,t=1,alpha=2")
    assert negative.code == 0 and "x = -1, xp = -1/2" in negative.out


def test_any_name_may_be_the_state_and_a_parameter(call):
    result = call(
        "derive",
        "--drift",
        "-lambda*I",
        "--diffusion",
        "E",
        "--state",
        "I",
        "--at",
        "lambda=1,E=1,t=1,alpha=2,x=1,xp=0",
    )
    assert result.code == 0 and "dI = -I*lambda dt + E dW" in result.out


def test_at_may_be_repeated(call):
    result = call(*OU, "--at", "alpha=8,t=1/2,Delta=1", "--at", "theta=1,rho=1", "--json")
    assert json.loads(result.out)["value"] == json.loads(call(*OU, "--at", AT, "--json").out)["value"]
    assert "'t' is given twice" in one_line(call(*OU, "--at", AT, "--at", "t=1"))


def test_latex(call):
    result = call(*OU, "--latex")
    assert result.code == 0 and result.out.count(r"\[") == 3


def test_conditional_only_through_assume(call):
    coupled = ["derive", "--drift", "c*x2, -x2", "--diffusion", "0; 1", "--param", "c real"]
    refused = call(*coupled, "--json")
    assert refused.code == 2 and json.loads(refused.out)["status"] == "refused"
    result = call(*coupled, "--assume", "c != 0", "--json")
    data = json.loads(result.out)
    assert result.code == 0 and data["status"] == "conditional" and data["assumptions"]
    text = call(*coupled, "--assume", "c != 0")
    assert "you assumed  c != 0" in text.out and "conditional" in text.out


@pytest.mark.parametrize("name", CATALOGUE)
def test_catalogue(call, name):
    result = call("derive", name)
    assert result.code == 0, result.err
    entry = CATALOGUE[name]
    assert "What it rests on" in result.out and entry.citation.locator


def test_a_declaration_replaces_the_catalogues(call):
    result = call("derive", "geometric-brownian-motion", "--param", "0<mu<1")
    assert result.code == 0 and "0 < mu < 1" in result.out


def test_rules():
    """In processes of their own: other tests register rules that are made to be wrong."""
    text, data, cited = (command("rules", *extra, text=True) for extra in ((), ("--json",), ("--cite",)))
    listed = json.loads(data.stdout)["rules"]
    assert {rule["id"] for rule in listed} >= {"heat-flow", "linear-kernel"}
    assert all(rule["tightness"] in ("exact", "upper") and rule["citations"] for rule in listed)
    assert all(rule["id"] in text.stdout for rule in listed)
    assert not [rule["id"] for rule in listed if rule["statement"] in ("", rule["title"])]
    assert all("\n" not in rule["statement"] and f"  {rule['statement']}\n" in text.stdout for rule in listed)
    (master,) = (rule["statement"] for rule in listed if rule["id"] == "master")
    assert master.startswith("h'(a) = h(a) eta(1 + (a-1)/h(a))")
    assert "@inproceedings{balle2019," in cited.stdout
    assert (text.returncode, data.returncode, cited.returncode) == (0, 0, 0)


def test_replay(call, tmp_path):
    file = tmp_path / "bound.json"
    file.write_text(call(*OU, "--json").out)
    result = call("replay", file)
    assert result.code == 0 and "divergence: proved" in result.out and "rules replayed" in result.out
    text = file.read_text()
    for old, new in (("exp(2*t*theta) - 1", "exp(2*t*theta) + 1"), ('"proved"', '"certified"')):
        assert old in text
        file.write_text(text.replace(old, new))
        forged = call("replay", file)
        assert forged.code == 1 and one_line(forged).startswith("not a proof: ")


@pytest.mark.parametrize(
    "content", ["", "{}", "[]", "3", '{"theorem": 1}', '{"theorem": {"schema": 1, "nodes": [{}]}}', "[" * 100_000]
)
def test_replay_of_something_else(call, tmp_path, content):
    file = tmp_path / "other.json"
    file.write_text(content)
    result = call("replay", file)
    assert result.code == 1 and one_line(result)
    assert "cannot read" in one_line(call("replay", tmp_path / "nothing"))


def test_cite(call, tmp_path):
    everything = call("cite").out
    assert everything == call("rules", "--cite").out and "@inproceedings{balle2019," in everything
    file = tmp_path / "bound.json"
    file.write_text(call(*OU, "--json").out)
    used = call("cite", file).out
    assert "@inproceedings{balle2019," in used and used.count("@") < everything.count("@")
    assert "mironov2019" not in used, "what the proof does not use is not cited"
    assert call("cite", tmp_path / "nothing").code == 1


# --- refused --------------------------------------------------------------------------------------------------------


def test_a_refusal_prints_what_was_looked_at(call):
    result = call("derive", "--drift", "x**3", "--diffusion", "1")
    assert result.code == 2
    assert result.err.startswith("symdp: refused: ") and result.err.count("\n") == 1
    assert "refuted" in result.out and "What was looked at" in result.out and "Generator" in result.out


def test_a_refusal_in_json(call):
    result = call("derive", "--drift", "x**3", "--diffusion", "1", "--json")
    data = json.loads(result.out)
    assert result.code == 2 and data["status"] == "refused" and "attained in finite time" in data["reason"]
    assert data["generator"] == "f_x*x**3 + f_xx/2" and data["carre_du_champ"] == "f_x**2/2"
    assert data["divergence"] is None and data["rdp"] is None
    assert "refuted" in {item["verdict"] for item in data["hypotheses"]}
    assert not {"value", "theorem"} & set(data)


def test_no_bound_in_delta(call):
    args = ["derive", "geometric-brownian-motion", "--at"]
    result = call(*args, "alpha=2,t=1,Delta=1,mu=0,sigma=1", "--json")
    data = json.loads(result.out)
    assert result.code == 2 and data["status"] == "refused" and "constant noise" in data["reason"]
    assert data["divergence"] is not None and "two starts work" in result.err
    assert call(*args, "alpha=2,t=1,x=1,xp=2,mu=0,sigma=1").code == 0


def test_digits_that_cannot_be_proved_are_a_refusal(call, monkeypatch):
    def hopeless(*_, **__):
        raise Undetermined("more bits than there are")

    monkeypatch.setattr(bound_module.Found, "value", hopeless)
    result = call(*OU, "--at", AT)
    assert result.code == 2 and "more bits than there are" in result.err


def test_the_help_of_derive_lists_the_catalogue(call):
    from symdp.diffusion.catalogue import CATALOGUE

    result = call("derive", "--help")
    assert result.code == 0 and all(name in result.out for name in CATALOGUE)


def test_the_digits_of_epsilon_are_limited_before_anything_is_derived(call):
    result = call(
        "derive", "ornstein-uhlenbeck", "--at", "t=1,Delta=1,theta=1,rho=1", "--digits", "5000", "--delta", "1e-5"
    )
    assert result.code == 1 and "--digits: epsilon is computed to at most 4000 digits" in result.err


def test_derived_at_the_values(call):
    drift, values = "--drift=b*x2 - x1, -x2", "b=3,x=(1,0),xp=(0,0),alpha=2,t=1"
    result = call("derive", drift, "--diffusion", "0; 1", "--param", "b real", "--at", values)
    assert result.code == 0 and "derived at the given parameter values: b = 3" in result.out


# --- running --------------------------------------------------------------------------------------------------------


def _failing(error):
    @click.command()
    def broken():
        raise error

    return broken


def test_interrupted(capsys):
    assert run(_failing(KeyboardInterrupt()), []) == 130
    assert capsys.readouterr().err == "symdp: interrupted\n"


def test_internal_errors_are_one_line(capsys, monkeypatch):
    assert run(_failing(ValueError("odd\nthing\x1b[31m")), []) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "please report it" in err and "\x1b" not in err
    assert run(_failing(RecursionError()), []) == 1
    assert "too deeply nested" in capsys.readouterr().err
    monkeypatch.setenv("SYMDP_DEBUG", "1")
    with pytest.raises(ValueError, match="odd"):
        run(_failing(ValueError("odd")), [])


def test_errors_of_the_output(capsys, monkeypatch):
    @click.command()
    def speak():
        return Outcome("words\n")

    class Full:
        def write(self, _):
            raise OSError(errno.ENOSPC, "No space left on device")

    class Gone(Full):
        def write(self, _):
            raise BrokenPipeError

    for stream, code in ((Full(), 1), (Gone(), 141), (None, 0)):
        monkeypatch.setattr(sys, "stdout", stream)
        assert run(speak, []) == code
    monkeypatch.undo()
    assert capsys.readouterr().err == "symdp: cannot write: No space left on device\n"


def test_colours_only_on_a_terminal(monkeypatch):
    from io import StringIO

    from symdp.render.text import show

    class Terminal(StringIO):
        def isatty(self):
            return True

    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    lines = [("head", "a [bold] title"), ("good", "  proved")]
    terminal, piped = Terminal(), StringIO()
    show(lines, terminal)
    show(lines, piped)
    assert piped.getvalue() == "a [bold] title\n  proved\n"
    assert "\x1b[" in terminal.getvalue() and "a [bold] title" in terminal.getvalue()


# --- as a user runs it ----------------------------------------------------------------------------------------------


def test_the_help_says_what_each_command_does_in_a_whole_sentence(call):
    listed = call("--help").out.split("Commands:\n")[1].splitlines()
    assert len(listed) >= 13 and all(line.endswith(".") and not line.endswith("...") for line in listed)


def test_help_is_light():
    code = (
        "import sys; from symdp.cli import main; assert main(['--help']) == 0 == main(['derive', '--help'])\n"
        "assert main(['--version']) == 0 and main([]) == 0\n"
        "heavy = {'sympy', 'mpmath', 'flint', 'z3', 'numpy', 'rich'} & set(sys.modules); assert not heavy, heavy"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert f"symdp {symdp.__version__}" in found.stdout and "--drift" in found.stdout


def test_an_ascii_terminal_does_not_matter():
    env = {"LANG": "C", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    found = command(*OU, env=env)
    assert found.returncode == 0 and "Carré du champ".encode() in found.stdout and found.stderr == b""
    bad = command("derive", "--drift", "-θ*x", "--diffusion", "1", env=env)
    assert bad.returncode == 1 and bad.stderr.startswith(b"symdp: ") and bad.stderr.count(b"\n") == 1


def test_a_reader_that_leaves():
    process = subprocess.Popen(
        [sys.executable, "-m", "symdp", "rules", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.close()
    _, err = process.communicate()
    assert process.returncode == 141 and err == b""


def test_exit_codes_of_the_process():
    assert command("derive", "--drift", "x**3", "--diffusion", "1").returncode == 2
    usage = command("derive", "--nope")
    assert usage.returncode == 1 and usage.stdout == b"" and usage.stderr.count(b"\n") == 1
