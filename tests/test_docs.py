"""The documentation: built by one command, its links lead somewhere, its examples are true."""

import doctest
import re
from importlib.resources import files
from pathlib import Path

import pytest

from symdp import InputError
from symdp.docs import GUIDE, build, markdown

NEEDED = ("markdown_it", "pdoc", "latex2mathml")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    for name in NEEDED:
        pytest.importorskip(name)
    return build(tmp_path_factory.mktemp("site") / "docs").parent


def test_links_lead_somewhere(site):
    pages = sorted(site.glob("*.html"))
    assert {page.stem for page in pages} >= {"index", "rules", "catalogue", "commands", "check-a-paper", *GUIDE}
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r'href="([^"#]+)', text):
            assert "//" not in target and (page.parent / target).exists(), (page.name, target)
        assert "<script" not in text and not re.search(r'src="(?!data:)', text)


def test_pages_say_what_the_program_does(site):
    rules, catalogue = ((site / f"{name}.html").read_text(encoding="utf-8") for name in ("rules", "catalogue"))
    assert "sampled-gaussian-theorem-11" in rules and "ornstein-uhlenbeck" in catalogue
    commands = (site / "commands.html").read_text(encoding="utf-8")
    assert "symdp derive --drift" in commands and "--against" in commands
    api = (site / "api" / "symdp.html").read_text(encoding="utf-8")
    assert all(f'id="{name}"' in api for name in ("derive", "Bound", "Diffusion", "prove"))
    assert "data:image/png" in (site / "derive-your-own-diffusion.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", GUIDE)
def test_the_examples_of_the_guide(name):
    text = (files("symdp.docs") / "guide" / f"{name}.md").read_text(encoding="utf-8")
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test)
    assert runner.failures == 0
    from symdp.cli import cli

    named = set(re.findall(r"(?<!from )symdp ([a-z]+)(?= |`)", text)) - {"into"}
    assert named <= set(cli.commands), named - set(cli.commands)


def test_markdown():
    pytest.importorskip("markdown_it")
    html = markdown("# A title\n\nSo $x^2$ and `code` <b>\n\n| a |\n|---|\n| 1 |\n")
    assert "<h1>A title</h1>" in html and "<math" in html and "&lt;b&gt;" in html and "<table>" in html


def test_what_is_missing_is_named(monkeypatch, tmp_path, call):
    import symdp.docs

    monkeypatch.setattr(symdp.docs, "find_spec", lambda name: None)
    result = call("docs", tmp_path / "site")
    assert result.code == 1 and "symdp[docs]" in result.err and not list(tmp_path.iterdir())


def test_a_file_is_no_folder(tmp_path):
    for name in NEEDED:
        pytest.importorskip(name)
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(InputError, match="no folder"):
        build(file, Path())
