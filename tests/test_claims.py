"""A verdict on a claim is computed: replayed, compared, attacked, checked in its digits, recorded; never typed."""

import json
import textwrap
from dataclasses import replace
from random import Random

import pytest
from sympy import Integer, exp, oo

import symdp.claims
from symdp.claims import (
    Claim,
    ClaimError,
    ClaimVerdict,
    attack,
    check,
    compare,
    index,
    items,
    load,
    points,
    read_verdicts,
    root,
    write_index,
    write_verdicts,
)
from symdp.claims import __main__ as program
from symdp.errors import InputError
from symdp.judgments import GaussianKernel
from symdp.region import Interval, Region
from symdp.text import Relation, parse, symbol
from symdp.theorem import Rule, apply, register
from tests.toy import PLANE, POSITIVE, WORK, a, s, square, x, y

alpha, t, d = map(symbol, ("alpha", "t", "d"))
RANGE = Region.make({alpha: Interval(Integer(1), Integer(10), False, True), t: Interval.positive(), d: Interval.real()})

register(
    Rule(
        id="toy.kernel",
        title="A kernel is what it is",
        citation=WORK,
        premises=(),
        conditions=lambda *_: (),
        conclude=lambda _, p: GaussianKernel("toy", backward=p["matrix"], gramian=((x,),)),
        tightness="exact",
    )
)


def exact(value="alpha*d**2/(4*t)", region=RANGE, **options):
    return apply("toy.exact-rdp", value=parse(value), region=region, **options)


def verdict(theorem, text, tight=True, **where):
    return compare(theorem, Claim(text, **where), tight=tight)[0]


# Comparing a theorem with a formula


@pytest.mark.parametrize(
    ("text", "tight", "expected"),
    [
        ("alpha*d**2/(4*t)", True, "proved"),
        ("d*d*alpha/(2*t+2*t)", True, "proved"),
        ("alpha*d**2/(4*t)", False, "proved"),
        ("alpha*d**2/(2*t)", True, "refuted"),
        ("alpha*d**2/(2*t)", False, "proved"),
        ("alpha*d**2/(8*t)", False, "refuted"),
        ("alpha**2*d**2/(4*t)", True, "refuted"),
        ("alpha**2*d**2/(4*t)", False, "proved"),
        ("-alpha*d**2/(4*t)", False, "refuted"),
    ],
)
def test_a_formula_against_an_exact_bound(text, tight, expected):
    assert verdict(exact(), text, tight) == expected


def test_a_refutation_has_a_witness_and_a_reason():
    kind, reason, witness = compare(exact(), Claim("alpha*d**2/(8*t)"), tight=False)
    assert kind == "refuted"
    assert "d = " in witness
    assert witness in reason


@pytest.mark.parametrize(
    ("text", "tight", "expected"),
    [
        ("2*(x-y)**2", False, "proved"),
        ("3*(x-y)**2", False, "proved"),
        ("(x-y)**2", False, "unknown"),
        ("2*(x-y)**2", True, "unknown"),
        ("3*(x-y)**2", True, "unknown"),
    ],
)
def test_a_bound_that_may_lose_something_neither_refutes_nor_is_tight(text, tight, expected):
    theorem = apply("toy.rdp", square(), factor=Integer(2))
    assert verdict(theorem, text, tight) == expected


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("", "proved"),
        ("alpha>1, alpha<=10", "proved"),
        ("2<alpha<3, t>1", "proved"),
        ("alpha>1", "unknown"),
        ("alpha>=1, alpha<2", "unknown"),
        ("t>=0, alpha>2, alpha<3", "unknown"),
        ("t<-1", "unknown"),
    ],
)
def test_the_theorem_must_hold_wherever_the_paper_claims(where, expected):
    assert verdict(exact(), "alpha*d**2/(4*t)", where=where) == expected


def test_a_claim_may_be_narrower_than_false():
    theorem = exact("alpha*d**2", region=RANGE)
    assert verdict(theorem, "2*d**2", tight=False) == "refuted"
    assert verdict(theorem, "2*d**2", tight=False, where="1<alpha<2") == "proved"


def test_a_conditional_theorem_refutes_nothing():
    feller = Relation(4 * a - s**2, ">=")
    theorem = apply("toy.exact-rdp", value=8 * a - s**2, region=POSITIVE, assuming=(feller,))
    assert theorem.status == "conditional"
    assert verdict(theorem, "8*a - s**2") == "proved"
    assert verdict(theorem, "7*a - s**2") == "unknown"


def test_names_and_text_are_checked():
    with pytest.raises(ClaimError, match="beta"):
        verdict(exact(), "beta*d**2/(4*t)")
    with pytest.raises(InputError, match="column"):
        verdict(exact(), "alpha*d**2/(4*t")
    with pytest.raises(InputError, match="empty"):
        verdict(exact(), "alpha", where="alpha>3, alpha<2")
    with pytest.raises(ClaimError, match="called mu"):
        verdict(exact(), "alpha", field="mu")
    assert verdict(exact(), "Delta", field="sensitivity", where="Delta>0") == "proved"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(x-y)**2 >= 0", "proved"),
        ("(x-y)**2 >= -1", "proved"),
        ("x**2 + y**2 >= 2*x*y", "proved"),
        ("2*x*y <= x**2 + y**2, (y-x)**2 > -1", "proved"),
        ("(x-y)**2 > 0", "refuted"),
        ("(x-y)**2 >= 1", "refuted"),
        ("x >= y", "refuted"),
    ],
)
def test_a_relation_must_follow(text, expected):
    assert verdict(square(), text) == expected


def test_an_identity_is_compared_as_a_relation():
    theorem = apply("toy.identity", left=exp(x + y), right=exp(x) * exp(y), region=PLANE)
    assert verdict(theorem, "exp(x+y) == exp(x)*exp(y)") == "proved"
    assert verdict(theorem, "exp(x+y) == exp(x)+exp(y)") == "refuted"


def test_a_matrix_is_compared_entry_by_entry():
    theorem = apply("toy.kernel", matrix=((exp(x), Integer(0)), (x, Integer(1))))
    where = "x > -5, x < 5"
    assert verdict(theorem, "exp(x), 0; x, 1", where=where) == "proved"
    assert verdict(theorem, "exp(x), 0; x, 2", where=where) == "refuted"
    assert verdict(theorem, "exp(2*x)/exp(x), 0; x, 1", where=where) == "proved"
    assert verdict(theorem, "x", field="gramian", where=where) == "proved"
    with pytest.raises(ClaimError, match="shape"):
        verdict(theorem, "exp(x), 0", where=where)


# Attacking a formula


def test_points_satisfy_the_relations_and_repeat_with_the_seed():
    where = "x>0, 0<y<1, y<x"
    drawn = list(points(where, Random(3), 30))
    assert len(drawn) == 30
    assert all(at[x] > 0 and 0 < at[y] < 1 and at[y] < at[x] for at in drawn)
    assert drawn == list(points(where, Random(3), 30))
    assert drawn != list(points(where, Random(4), 30))
    with pytest.raises(ClaimError, match="no point"):
        next(points("x>0, x**2 + 1 < 0", Random(3), 1))


@pytest.mark.parametrize(
    ("text", "tight", "fails"), [("x**2", True, False), ("x**2+1", False, False), ("x**2+1", True, True)]
)
def test_attack_finds_what_is_wrong(text, tight, fails):
    def truth(mp, x):
        return mp.mpf(x) ** 2

    if fails:
        with pytest.raises(symdp.claims.Counterexample, match="claimed"):
            attack("C", Claim(text), "x>0", truth, Random(1), tight=tight)
    else:
        assert attack("C", Claim(text), "x>0", truth, Random(1), tight=tight, count=7) == 7


def test_attack_sees_one_part_in_ten_to_the_twenty():
    with pytest.raises(symdp.claims.Counterexample):
        attack("C", Claim("x*(1-1e-20)"), "x>1", lambda mp, x: x, Random(1), tight=False)


# Files

GOOD = '''
    r"""A square is not negative.

    Setting: two numbers $x$ and $y$.
    Claim: $R_\\alpha \\le \\alpha d^2/(4t)$
    Bound: **tight**
    Citation: balle2019, Example 4
    Assumed: nothing
    """

    from symdp.claims import Claim, Counterexample, points
    from tests.test_claims import exact

    CLAIMS = {"T-1": Claim("alpha*d**2/(4*t)")}


    def derive():
        return exact()


    def falsify(rng):
        return sum(1 for _ in points("1<alpha<=10, t>0", rng, 5))


    def reference_points():
        return [("T-1", "alpha=2,d=1,t=3", "0.16666666666666666667")]
'''


def place(folder, text=GOOD, name="square", **changes):
    """Write a derivation file with some of its text replaced; returns its path."""
    text = textwrap.dedent(text).lstrip()
    for old, new in changes.pop("swap", {}).items():
        assert old in text
        text = text.replace(old, new)
    path = folder / "toy2024" / f"{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_good_file_is_proved(tmp_path, capsys):
    path = place(tmp_path)
    (item,) = items(tmp_path)
    (row,) = check(item)
    assert (row.id, row.file, row.verdict, row.bound) == ("T-1", "toy2024/square", "proved", "tight")
    assert row.statement == r"$R_\alpha \le \alpha d^2/(4t)$"
    assert row.instances == 5
    assert f"seed {row.seed}" in capsys.readouterr().out
    assert row.source == load(path).digest
    assert check(item) == (row,), "the same verdict again"
    assert replace(check(item, seed=7)[0], seed=row.seed) == row


def test_the_template_in_the_documentation_works(tmp_path):
    text = symdp.claims.__doc__.split("::\n", 1)[1].split("\n* The docstring", 1)[0]
    path = tmp_path / "balle2019" / "ornstein_uhlenbeck.py"
    path.parent.mkdir()
    path.write_text(textwrap.dedent(text).lstrip(), encoding="utf-8")
    (row,) = check(load(path))
    assert (row.verdict, row.bound, row.instances) == ("proved", "tight", 20)
    path.write_text(path.read_text().replace("2*rho**2*(exp(2*theta*t)-1)", "2*rho**2*exp(2*theta*t)"))
    with pytest.raises(ClaimError, match=r"0\.15651764"):
        check(load(path))
    path.write_text(path.read_text().replace("0.15651764274966565182", "0.13533528323661269189"))
    (row,) = check(load(path))
    assert row.verdict == "refuted"
    assert "t=" in row.witness


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("    Setting: two numbers $x$ and $y$.\n".strip(), "", "Setting"),
        ("Assumed: nothing", "Assumed:", "Assumed"),
        ("Claim: $", "Claims: $", "Claim"),
        ("**tight**", "tight", "Bound"),
        ("**tight**", "**sharp**", "Bound"),
        ("balle2019", "balle1919", "balle1919"),
        ("A square is not negative.", "", "title"),
        ("CLAIMS =", "CLAIM =", "CLAIMS"),
        ('{"T-1": Claim("alpha*d**2/(4*t)")}', '{"T-1": "alpha*d**2/(4*t)"}', "CLAIMS"),
        ('{"T-1": Claim("alpha*d**2/(4*t)")}', "{}", "CLAIMS"),
        ("def derive", "def derived", "derive"),
        ("def falsify", "def falsified", "falsify"),
        ("def reference_points", "def points_of_reference", "reference_points"),
    ],
)
def test_a_file_without_one_of_its_parts_is_an_error(tmp_path, old, new, message):
    place(tmp_path, swap={old: new})
    with pytest.raises(ClaimError, match=message):
        items(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rng, 5", "rng, 0", "no admissible instance"),
        ("return sum(1 for _ in points(\"1<alpha<=10, t>0\", rng, 5))", "return None", "no admissible instance"),
        ("return sum(1 for _ in points(\"1<alpha<=10, t>0\", rng, 5))", "return {}", "no admissible instance"),
        ("0.16666666666666666667", "0.16666666666666666669", "0.1666666666"),
        ("0.16666666666666666667", "nan", "not a decimal"),
        ('return [("T-1", "alpha=2,d=1,t=3", "0.16666666666666666667")]', "return []", "no reference point"),
        ('("T-1", "alpha', '("T-2", "alpha', "T-2"),
        ("return exact()", 'return {"T-9": exact()}', "T-9"),
        ("return sum(", 'raise Counterexample("T-1", {"d": 0}, "no")\n    return sum(', "one of the two is wrong"),
        ("return sum(", 'raise Counterexample("T-9", {"d": 0}, "of course")\n    return sum(', "T-9"),
    ],
)  # fmt: skip
def test_a_file_that_contradicts_itself_is_an_error(tmp_path, old, new, message):
    place(tmp_path, swap={old: new})
    with pytest.raises(ClaimError, match=message):
        check(items(tmp_path)[0])


def test_a_refused_derivation_is_unknown_unless_the_falsifier_finds_something(tmp_path):
    refused = {"return exact()": 'return exact("-alpha*d**2/(4*t)")'}
    place(tmp_path, swap=refused)
    (row,) = check(items(tmp_path)[0])
    assert row.verdict == "unknown"
    assert "not negative" in row.reason
    attacked = {"return sum(": 'raise Counterexample("T-1", {"t": "1/2", "d": 0}, "found")\n    return sum('}
    place(tmp_path, swap=refused | attacked)
    (row,) = check(items(tmp_path)[0])
    assert (row.verdict, row.witness, row.reason, row.instances) == ("refuted", "d=0,t=1/2", "found", 1)


def test_a_theorem_edited_by_its_file_is_rejected(tmp_path):
    forged = """theorem = exact()
    object.__setattr__(theorem.conclusion, "value", theorem.conclusion.value / 2)
    return theorem"""
    place(tmp_path, swap={"return exact()": forged})
    with pytest.raises(symdp.errors.Forged):
        check(items(tmp_path)[0])


def test_an_id_stands_in_one_file_only(tmp_path):
    place(tmp_path)
    place(tmp_path, name="again")
    with pytest.raises(ClaimError, match="T-1"):
        items(tmp_path)
    place(tmp_path, name="_again")
    (tmp_path / "toy2024" / "again.py").unlink()
    assert len(items(tmp_path)) == 1, "a leading underscore leaves a file out"


# Records


@pytest.fixture
def rows(tmp_path):
    place(tmp_path)
    place(
        tmp_path,
        name="other",
        swap={"T-1": "T-0", '"alpha*d**2/(4*t)"': '"alpha*d**2/(2*t)"', "0.16666666666666666667": "0.3333"},
    )
    return [row for item in items(tmp_path) for row in check(item)]


def test_verdicts_are_written_at_once_and_read_back(tmp_path, rows):
    assert read_verdicts(tmp_path) == {}
    path = write_verdicts(rows, tmp_path)
    assert read_verdicts(tmp_path) == {row.id: row for row in rows}
    assert [entry["id"] for entry in json.loads(path.read_text())["claims"]] == ["T-0", "T-1"]
    first = path.read_bytes()
    assert write_verdicts(reversed(rows), tmp_path).read_bytes() == first
    assert sorted(p.name for p in tmp_path.iterdir()) == ["toy2024", "verdicts.json"], "nothing is left behind"


def test_a_failed_write_leaves_the_old_file(tmp_path, rows, monkeypatch):
    path = write_verdicts(rows, tmp_path)
    before = path.read_bytes()
    with pytest.raises(UnicodeEncodeError):
        write_verdicts([replace(rows[0], reason="\ud800")], tmp_path)
    assert path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["toy2024", "verdicts.json"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": 2, "claims": []}', '{"schema": 1, "claims": [{"id": "T-1"}]}', '{"schema": 1, "claims": 3}'])  # fmt: skip  # noqa: E501
def test_a_record_of_another_form_is_an_error(tmp_path, text):
    (tmp_path / "verdicts.json").write_text(text)
    with pytest.raises(ClaimError, match="verdicts"):
        read_verdicts(tmp_path)


def test_the_index_is_a_table_of_the_verdicts(tmp_path, rows):
    lines = index(rows).splitlines()
    assert lines[0] == "| id | file | statement | verdict |"
    assert lines[2].startswith("| T-0 | [toy2024/other](toy2024/other.py) | ")
    assert "| refuted; at " in lines[2]
    assert lines[3].endswith("| proved; tight |")
    pipes = index([replace(rows[0], statement="$|x| \\le 1$", assumptions=("a > 0",), verdict="conditional")])
    assert "$\\|x\\| \\le 1$" in pipes
    assert "if a > 0" in pipes
    assert index(rows) in write_index(rows, tmp_path).read_text()


def test_the_program_records_every_file(tmp_path, monkeypatch, capsys):
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "symdp"\n')
    folder = tmp_path / "derivations"
    place(folder)
    monkeypatch.chdir(tmp_path)
    assert root() == folder
    assert program.main() == 0
    assert isinstance(read_verdicts(folder)["T-1"], ClaimVerdict)
    assert "T-1: proved" in capsys.readouterr().out
    place(folder, swap={"rng, 5": "rng, 0"})
    assert program.main() == 1
    assert "no admissible instance" in capsys.readouterr().err


def test_another_project_in_the_current_directory_is_not_ours(tmp_path, monkeypatch):
    (tmp_path / "derivations").mkdir()
    monkeypatch.chdir(tmp_path)
    assert root() != tmp_path / "derivations"
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "other"\n')
    assert root() != tmp_path / "derivations"
    (tmp_path / "pyproject.toml").write_bytes(b"\xff")
    assert root() != tmp_path / "derivations"


def test_a_range_without_end_is_drawn_from_too():
    assert Interval.real().upper is oo
    assert {at[x] > 0 for at in points("x != 0", Random(2), 30)} == {True, False}
    assert all(at[x] < 3 for at in points("x < 3", Random(2), 10))
