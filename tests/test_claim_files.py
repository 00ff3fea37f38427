"""Derivation files: found, with all their parts, judged, recorded and indexed; no verdict is typed."""

import json
import os
import textwrap
import zlib
from dataclasses import replace

import pytest

import symdp.claims
from symdp.claims import (
    ClaimError,
    check,
    index,
    items,
    load,
    read_verdicts,
    root,
    write_index,
    write_verdicts,
)

GOOD = '''
    r"""A square is not negative.

    Setting: two numbers $x$ and $y$.
    Claim: $R_\\alpha \\le \\alpha d^2/(4t)$
    Bound: **tight**
    Citation: balle2019, Example 4
    Assumed: nothing
    """

    from symdp.claims import Claim, Counterexample, points
    from tests.toy import exact

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


def test_a_good_file_is_proved(tmp_path):
    path = place(tmp_path)
    (item,) = items(tmp_path)
    (row,) = check(item)
    assert (row.id, row.file, row.verdict, row.bound) == ("T-1", "toy2024/square", "proved", "tight")
    assert row.statement == r"$R_\alpha \le \alpha d^2/(4t)$"
    assert row.instances == 5
    assert row.seed == zlib.crc32(b"toy2024/square")
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


def test_a_negative_digit_string_is_compared_with_its_sign(tmp_path):
    (row,) = check(load(place(tmp_path, swap={"alpha=2,d=1,t=3": "alpha=2,d=1,t=-3", '"0.16': '"-0.16'})))
    assert row.verdict == "proved"
    wrong = place(tmp_path, swap={"alpha=2,d=1,t=3": "alpha=2,d=1,t=-3"})
    with pytest.raises(ClaimError, match=r"is -0\.1666666"):
        check(load(wrong))


def test_each_claim_of_a_file_has_its_own_statement(tmp_path):
    two = {
        'CLAIMS = {"T-1"': 'CLAIMS = {"T-2(i)": Claim("alpha*d**2/(2*t)"), "T-1"',
        "Claim: $R": "Claim: [T-1] $R",
        "(4t)$": "(4t)$ [T-2(i)] twice that, on $[0, 1]$",
        "rng, 5))": 'rng, 5)) and {"T-1": 2, "T-2(i)": 3}',
        'return [("T-1"': 'return [("T-2(i)", "alpha=2,d=1,t=3", "0.33"), ("T-1"',
    }
    place(tmp_path, swap=two)
    first, second = check(items(tmp_path)[0])
    assert (first.id, first.verdict, first.instances) == ("T-1", "proved", 2)
    assert first.statement == r"$R_\alpha \le \alpha d^2/(4t)$"
    assert (second.id, second.verdict, second.instances) == ("T-2(i)", "refuted", 3)
    assert second.statement == "twice that, on $[0, 1]$"
    for wrong in ({"[T-2(i)]": "[T-2(ii)]"}, {"[T-1] ": ""}, {" twice that, on $[0, 1]$": ""}):
        place(tmp_path, swap=two | wrong)
        with pytest.raises(ClaimError, match=r"\[id\]"):
            items(tmp_path)


def test_an_id_stands_in_one_file_only(tmp_path):
    place(tmp_path)
    place(tmp_path, name="again")
    with pytest.raises(ClaimError, match="T-1"):
        items(tmp_path)
    place(tmp_path, name="_again")
    (tmp_path / "toy2024" / "again.py").unlink()
    assert len(items(tmp_path)) == 1, "a leading underscore leaves a file out"


# Records


ONE = '{"T-1": Claim("alpha*d**2/(4*t)")}'
POINT = '("T-1", "alpha=2,d=1,t=3", "0.16666666666666666667")'
TRIED = 'return sum(1 for _ in points("1<alpha<=10, t>0", rng, 5))'
FOUND = 'Counterexample("T-1", {"t": 0}, "it has no value")'


def two(second, digits):
    """The good file with a second formula for its claim; at d = 0 both are 0, right or wrong."""
    points = [(f"T-1:{name}", "alpha=2,d=0,t=3", digits) for name in ("once", "twice")]
    return {
        ONE: f'{{"T-1:once": Claim("alpha*d**2/(4*t)"), "T-1:twice": Claim("{second}")}}',
        f"[{POINT}]": f"{points}",
    }


def test_a_claim_of_several_formulas_gets_the_worst_verdict(tmp_path):
    (row,) = check(load(place(tmp_path, swap=two("alpha*d**2/(2*t+2*t)", "0"))))
    assert (row.id, row.verdict, row.instances, row.witness) == ("T-1", "proved", 5, "")
    (row,) = check(load(place(tmp_path, swap=two("alpha*d**2/(8*t)", "0"))))
    assert (row.id, row.verdict) == ("T-1", "refuted")
    assert row.reason.startswith("once: ") and "; twice: " in row.reason
    assert row.witness and row.witness in row.reason
    (row,) = check(
        load(place(tmp_path, swap=two("alpha*d**2/(4*t)", "0") | {TRIED: 'return {"T-1:once": 4, "T-1:twice": 3}'}))
    )
    assert row.instances == 3


REPAIR = {ONE: '{"T-1": Claim("alpha*d**2/(4*t)", where="alpha>1, alpha<=10, t>=0", repair="t>0")}'}


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ('return {"T-1": 4, "T-1:repaired": 3}', "unknown"),
        ("return 7", "unknown"),
        (f'return {{"T-1": {FOUND}, "T-1:repaired": 3}}', "refuted"),
    ],
)
def test_a_claim_is_judged_as_printed_and_repaired(tmp_path, answer, verdict):
    (row,) = check(load(place(tmp_path, swap=REPAIR | {TRIED: answer})))
    assert (row.verdict, row.repair) == (verdict, "t>0")
    assert row.witness == ("t=0" if verdict == "refuted" else "")
    line = index([row]).splitlines()[-1]
    assert f"{verdict} as printed" in line and "proved with t>0" in line


@pytest.mark.parametrize(
    ("swap", "message"),
    [
        (REPAIR | {TRIED: f"raise {FOUND}"}, "no admissible instance of T-1:repaired"),
        (REPAIR | {TRIED: 'return {"T-1": 4}'}, "no admissible instance of T-1:repaired"),
        (REPAIR | {TRIED: f'return {{"T-1": 4, "T-1:repaired": {FOUND}}}'}, "one of the two is wrong"),
        (REPAIR | {"t>=0": "t>1"}, "needs no repair"),
        ({TRIED: 'return {"T-1": 4, "T-2": 4}'}, "answers for T-2"),
        ({'{"T-1": Claim': '{"T-1": Claim("x"), "T-1:more": Claim'}, "neither a claim's id nor"),
        ({'{"T-1": Claim': '{"T-1:repaired": Claim'}, "neither a claim's id nor"),
        ({'{"T-1": Claim': '{"T-1:a:b": Claim'}, "neither a claim's id nor"),
    ],
)
def test_repairs_and_formulas_must_make_sense(tmp_path, swap, message):
    with pytest.raises(ClaimError, match=message):
        check(load(place(tmp_path, swap=swap)))


def test_a_repair_that_does_not_help_is_not_recorded(tmp_path):
    changes = {
        'repair="t>0"': 'repair="t>=1, d<=3"',
        "/(4*t)": "/(3*t)",
        "0.16666666666666666667": "0.22222222222222222222",
    }
    (row,) = check(load(place(tmp_path, swap=REPAIR | changes | {TRIED: "return 3"})))
    assert row.repair == ""
    assert "with t>=1, d<=3 it is refuted" in row.reason


def test_a_repair_in_place_of_a_hypothesis(tmp_path):
    changes = {'repair="t>0"': 'repair="t>0", instead_of="t<=0"', "t>=0": "t<=0"}
    (row,) = check(load(place(tmp_path, swap=REPAIR | changes)))
    assert (row.verdict, row.repair) == ("unknown", "t>0 instead of t<=0")
    for instead in ("t<0", "t<=1"):
        wrong = {key: text.replace("t<=0", instead) if "repair" in key else text for key, text in changes.items()}
        with pytest.raises(ClaimError, match="is not among the hypotheses"):
            load(place(tmp_path, swap=REPAIR | wrong))


NEEDLESS = {ONE: '{"T-1": Claim("alpha*d**2/(4*t)", where="alpha>1, alpha<=10, t>0, t<5", needless="t<5")}'}


def test_a_hypothesis_that_is_not_needed(tmp_path):
    (row,) = check(load(place(tmp_path, swap=NEEDLESS)))
    assert (row.verdict, row.needless) == ("proved", "t < 5")
    assert "not needed: t < 5" in index([row])
    for old, new, message in (
        ('t>0, t<5"', 't>=0, t<5", repair="t>0"', ""),
        ('needless="t<5"', 'needless="t<6"', "has no hypothesis"),
        ('needless="t<5"', 'needless="t>0"', "without t>0 T-1 is unknown"),
    ):
        path = place(tmp_path, swap={key: text.replace(old, new) for key, text in NEEDLESS.items()})
        if not message:
            (row,) = check(load(path))
            assert (row.verdict, row.needless, row.repair) == ("unknown", "t < 5", "t>0")
            continue
        with pytest.raises(ClaimError, match=message):
            check(load(path))


SHARPER = {
    ONE: '{"T-1": Claim("alpha*d**2/(3*t)")}',
    "**tight**": "**upper**",
    "0.16666666666666666667": "0.22222222222222222222",
    "return exact()": 'return {"T-1": exact(), "T-1:sharper": exact()}',
}


def test_a_sharper_bound(tmp_path):
    (row,) = check(load(place(tmp_path, swap=SHARPER)))
    assert row.verdict == "proved" and row.sharper.startswith("alpha*d**2/(4*t) by toy.exact-rdp where ")
    assert f"sharper: {row.sharper}" in index([row])
    for old, new, message in (
        ("(3*t)", "(4*t)", "nowhere seen to be below"),
        ("(3*t)", "(5*t)", "not proved to be at most"),
        ("T-1:sharper", "T-2:sharper", "answers for T-1, T-2:sharper"),
    ):
        swap = {key.replace(old, new) if key == ONE else key: text.replace(old, new) for key, text in SHARPER.items()}
        digits = {"(4*t)": "0.16666666666666666667", "(5*t)": "0.13333333333333333333"}.get(new)
        if digits:
            swap["0.16666666666666666667"] = digits
        with pytest.raises(ClaimError, match=message):
            check(load(place(tmp_path, swap=swap)))


WEAKENED = {
    "from tests.toy import exact\n": textwrap.dedent(
        """
        from symdp import parse, symbol
        from symdp.region import Region
        from symdp.text import parse_relations
        from symdp.theorem import apply
        from tests.toy import exact


        def where(text, *names):
            return Region.from_relations(parse_relations(text, place="where"), map(symbol, names))


        def powers():
            slope = parse_relations("k*y**(k-1) >= 0", place="slope")[-1]
            steps = apply("inequality", relation=slope, region=where("k>0, y>0", "k", "y"))
            p, q, y = map(symbol, "pqy")
            rising = apply("increasing", steps, function=parse("y**k"), variable=y, lower=p, upper=q)
            better = exact("p**k", where("p>0, k>0, q>=p", "k", "p", "q"))
            return {"T-1": apply("weaker-rdp", better, rising, value=parse("q**k")), "T-1:sharper": better}
        """
    ).lstrip(),
    ONE: '{"T-1": Claim("q**k", where="p>0, k>0, q>=p")}',
    "**tight**": "**upper**",
    POINT: '("T-1", "q=2,k=3", "8")',
    "return exact()": "return powers()",
}


def test_a_sharper_bound_from_which_the_claimed_one_is_weakened(tmp_path):
    """No engine compares the two powers: the theorem behind the claim does, if it is made from the better one."""
    path = place(tmp_path, swap=WEAKENED)
    (row,) = check(load(path))
    assert (row.verdict, row.sharper.partition(" where ")[0]) == ("proved", "p**k by toy.exact-rdp")
    other = '"T-1:sharper": exact("p**k/2", better.region)'
    path.write_text(path.read_text(encoding="utf-8").replace('"T-1:sharper": better', other), encoding="utf-8")
    with pytest.raises(ClaimError, match="not proved to be at most"):
        check(load(path))


@pytest.mark.parametrize(("kind", "verdict"), [("definition", "consistent"), ("statement", "holds")])
def test_where_no_theorem_is_compared_the_falsifier_speaks(tmp_path, kind, verdict):
    silent = {ONE: f'{{"T-1": Claim("alpha >= 1", kind="{kind}")}}', "return exact()": "return {}", f"[{POINT}]": "[]"}
    (row,) = check(load(place(tmp_path, swap=silent)))
    assert (row.verdict, row.instances, row.reason) == (verdict, 5, "on 5 instances")
    assert f"{verdict} on 5 instances" in index([row])
    (row,) = check(load(place(tmp_path, swap=silent | {TRIED: f"raise {FOUND}"})))
    assert (row.verdict, row.witness) == ("refuted", "t=0")
    with pytest.raises(ClaimError, match="no admissible instance"):
        check(load(place(tmp_path, swap=silent | {TRIED: "return 0"})))
    with pytest.raises(ClaimError, match="answers for T-1"):
        check(load(place(tmp_path, swap=silent | {"return exact()": "return exact()"})))


def test_an_asymptotic_claim(tmp_path):
    (row,) = check(load(place(tmp_path, swap={ONE: '{"T-1": Claim("alpha*d**2/(4*t)", kind="asymptotic")}'})))
    assert row.verdict == "asymptotic"
    (row,) = check(
        load(
            place(
                tmp_path,
                swap={
                    ONE: '{"T-1": Claim("alpha*d**2/(3*t)", kind="asymptotic")}',
                    "0.16666666666666666667": "0.22222222222222222222",
                },
            )
        )
    )
    assert row.verdict == "refuted"
    with pytest.raises(ClaimError, match="kind"):
        load(place(tmp_path, swap={ONE: '{"T-1": Claim("alpha", kind="guess")}'}))


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


def test_another_project_in_the_current_directory_is_not_ours(tmp_path, monkeypatch):
    (tmp_path / "derivations").mkdir()
    monkeypatch.chdir(tmp_path)
    assert root() != tmp_path / "derivations"
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "other"\n')
    assert root() != tmp_path / "derivations"
    (tmp_path / "pyproject.toml").write_bytes(b"\xff")
    assert root() != tmp_path / "derivations"


def test_a_file_is_read_as_it_is_now(tmp_path):
    """Two edits of one length that carry the same time: a bytecode cache would take the second for the first."""
    path = tmp_path / "balle2019" / "edited.py"
    place(tmp_path)
    source = next(tmp_path.rglob("*.py")).read_text(encoding="utf-8")
    path.parent.mkdir(exist_ok=True)
    for title in ("One", "Two"):
        path.write_text(source.replace('r"""', f'r"""{title}. ', 1), encoding="utf-8")
        os.utime(path, (1, 1))
        assert load(path).title.startswith(title)


SUPPOSED = '''
    r"""A mixing kernel.

    Setting: a mechanism M and a kernel K.
    Claim: $(\\epsilon, \\gamma\\delta)$-DP
    Bound: **upper**
    Citation: balle2019, Theorem 1 (1)
    Assumed: nothing
    """

    from sympy import S

    from symdp import symbol
    from symdp.claims import Claim
    from symdp.judgments import ApproxDP, Dobrushin, Kernel, Mechanism
    from symdp.region import Interval, Region
    from symdp.theorem import apply

    UNIT = Region.make(
        {symbol("epsilon"): Interval.nonnegative(), symbol("delta"): Interval.closed(0, 1),
         symbol("gamma"): Interval.closed(0, 1)}
    )
    M = ApproxDP(Mechanism("M"), symbol("epsilon"), symbol("delta"), UNIT)
    K = Dobrushin(Kernel("K"), symbol("gamma"), S.One, UNIT)
    WHERE = "epsilon>=0, 0<=delta<=1, 0<=gamma<=1"
    CLAIMS = {"T-1": Claim("gamma*delta", where=WHERE, field="delta", given=(M, K))}


    def derive():
        given = [apply("given", fact=fact, assuming=("given",)) for fact in (M, K)]
        return apply("dp-after-dobrushin", *given)


    def falsify(rng):
        return 1


    def reference_points():
        return [("T-1", "gamma=1/2,delta=1/4", "0.125")]
'''


def test_what_the_paper_supposes_is_no_assumption_of_ours(tmp_path):
    (row,) = check(load(place(tmp_path, SUPPOSED)))
    assert (row.verdict, row.assumptions) == ("proved", ())
    (row,) = check(load(place(tmp_path, SUPPOSED, swap={"given=(M, K)": "given=(M,)"})))
    assert row.verdict == "conditional" and row.assumptions[0].startswith("given: K is gamma-Dobrushin")
    with pytest.raises(ClaimError, match="supposes more than the paper"):
        wrong = {
            "given=(M, K)": "given=(M,)",
            'return apply("dp-after-dobrushin", *given)': (
                'found = apply("dp-after-dobrushin", *given)\n    return {"T-1": found, "T-1:sharper": found}'
            ),
        }
        check(load(place(tmp_path, SUPPOSED, swap=wrong)))
    with pytest.raises(ClaimError, match="taken for granted"):
        check(load(place(tmp_path, SUPPOSED, swap={'return apply("dp-after-dobrushin", *given)': "return given[0]"})))
