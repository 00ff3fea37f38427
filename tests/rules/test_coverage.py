"""Every rule is attacked somewhere: a mutated copy, or one without a hypothesis, that a test shows to be false."""

import ast
from pathlib import Path

import pytest

import symdp.rules  # noqa: F401
from symdp.rule import rules
from tests.rules import test_gaussian_mechanisms, test_mutants, test_outputs, test_simple_rules, test_utility

CALLED = ("mutant", "mutated", "refuted", "caught")
"""A test that attacks rules has one of these words in its name."""

ALSO = {
    "test_inequalities": ("test_a_falsehood_is_refused_and_a_mutated_rule_believes_it",),
    "test_mixing": (
        "test_products",
        "test_renyi_after_a_dobrushin_kernel",
        "test_renyi_after_a_locally_private_kernel",
    ),
    "test_epsilon_composition": ("test_sums", "test_optimal_composition"),
    "test_pure": ("test_laplace_noise_is_concentrated",),
    "test_sampling": ("test_groups",),
}
"""Tests of a rule and its mutants in one, under another name."""

KEEPS_BOOKS = {
    "described": "says back what the user describes",
    "given": "says back what the user takes for granted, as an assumption",
    "error-at-values": "puts numbers for symbols",
    "gdp-at-values": "puts numbers for symbols",
    "least-error-at-values": "puts numbers for symbols",
    "rdp-at-values": "puts numbers for symbols",
    "identity": "concludes what the zero test decides, attacked in the tests of the engine",
    "inequality": "concludes what the engine decides, attacked in the tests of the engine",
}


def ours():
    """The rules of the package: tests register others, which are made to be wrong."""
    return {id for id, rule in rules().items() if rule.conclude.__module__.startswith("symdp.") and "mutant" not in id}


def named(path):
    """The rules that the attacks of a test file name: in themselves, and in the tables and parameters they take."""
    tree = ast.parse(path.read_text())
    tables = {}
    for node in tree.body:
        for target in node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]:
            if isinstance(target, ast.Name):
                tables.setdefault(target.id, []).append(node)
    tests = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    also = ALSO.get(path.stem, ())
    assert set(also) <= set(tests), "a test has another name now"
    attacks = [node for name, node in tests.items() if name.startswith("test_") and any(w in name for w in CALLED)]
    todo, seen, found = [*attacks, *(tests[name] for name in also)], set(), set()
    while todo:
        for node in ast.walk(todo.pop()):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
            if isinstance(node, ast.Name) and node.id in tables and node.id not in seen:
                seen.add(node.id)
                todo += tables[node.id]
    return found & ours()


def attacked():
    files = sorted(Path(__file__).parent.glob("test_*.py"))
    by_name = set().union(*(named(path) for path in files if path != Path(__file__)))
    derived = {node.rule.id for _, node in test_mutants.CASES}
    tables = (*test_simple_rules.FALSIFIERS, *test_gaussian_mechanisms.CASES, *test_outputs.CASES, *test_utility.CASES)
    return by_name | derived | {key.split(",")[0] for key in tables}


def test_every_rule_is_attacked():
    assert ours() - attacked() - set(KEEPS_BOOKS) == set()


@pytest.mark.parametrize("rule_id", KEEPS_BOOKS)
def test_what_only_keeps_books_is_registered(rule_id):
    assert rule_id in ours() and KEEPS_BOOKS[rule_id]


def test_a_file_without_attacks_names_no_rule(tmp_path):
    quiet, loud = tmp_path / "test_quiet.py", tmp_path / "test_loud.py"
    quiet.write_text('def test_values():\n    assert "master"\n')
    loud.write_text('T = ["heat-flow"]\ndef test_mutants():\n    assert T and "master" and "no rule"\n')
    assert (named(quiet), named(loud)) == (set(), {"heat-flow", "master"})
