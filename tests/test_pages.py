"""HTML: pages that need nothing else, with everything they must show; in a real browser where there is one."""

import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

import symdp
from symdp import Diffusion, InputError
from symdp.claims import items, root
from symdp.claims.run import judge
from symdp.claims.verdict import examine
from symdp.render.claim_pages import claim_page, file_name, index_page, write_pages
from symdp.render.html import bound_page
from symdp.render.json import bound_data
from symdp.render.pages import mathml, prose

pytest.importorskip("latex2mathml")
BROWSER = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
VOID = {"meta", "br", "hr", "img", "link"}


class Balanced(HTMLParser):
    """Every element is closed in its order, and nothing is loaded from elsewhere."""

    def __init__(self):
        super().__init__()
        self.open, self.elements = [], []

    def handle_starttag(self, tag, attrs):
        self.elements.append(tag)
        for name, value in attrs:
            assert name not in ("src", "srcset") and not (name == "href" and "//" in value), (tag, name, value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def parsed(page):
    reader = Balanced()
    reader.feed(page)
    assert not reader.open and "script" not in reader.elements
    return reader.elements


@pytest.fixture(scope="module")
def judged():
    return [
        judge(root() / name, pages=True)
        for name in ("mironov2019/closed-forms-compared.py", "balle2019/brownian-motion.py")
    ]


def test_a_page_shows_what_the_verdict_says(judged):
    (file, _) = judged
    (row,) = (verdict for verdict in file.verdicts if verdict.id == "S-Tab1.Abadi")
    page = file.pages[row.id]
    elements = parsed(page)
    assert elements.count("math") > 3 and "details" in elements
    assert "refuted as printed, proved with s&gt;=1" in page and row.witness in page
    assert "0.75" in page and "mironov2019, Table 1" in page and "sampled-gaussian-small-rate" in page


def test_the_index_leads_to_every_page(judged, tmp_path):
    index = write_pages(str(tmp_path / "report"), judged)
    text = index.read_text(encoding="utf-8")
    parsed(text)
    linked = set(re.findall(r'href="([^"]+)"', text))
    files = {path.name for path in index.parent.iterdir()}
    assert linked == files - {"index.html"} and len(files) == 1 + sum(len(file.verdicts) for file in judged)
    assert all('href="index.html"' in (index.parent / name).read_text(encoding="utf-8") for name in linked)
    with pytest.raises(InputError, match="no folder"):
        write_pages(str(index), judged)


def test_file_names_of_ids():
    ids = [verdict for item in items() for verdict in item.ids]
    names = {file_name(id) for id in ids}
    assert len(names) == len(ids) and all(re.fullmatch(r"[A-Za-z0-9_-]+\.html", name) for name in names)
    assert file_name("B-T1(1)") != file_name("B-T1[1]") != file_name("B-T1_281_29")


def test_text_is_escaped(tmp_path):
    (item,) = (item for item in items() if item.name == "balle2019/diffusion-property")
    (verdict,), theorems = examine(item)
    from dataclasses import replace

    page = claim_page(item, replace(verdict, reason="<script>alert(1)</script>", witness="a<b&c"), theorems)
    parsed(page)
    assert "&lt;script&gt;" in page and "a&lt;b&amp;c" in page
    parsed(index_page([replace(verdict, statement="1 < 2 & <b>")]))


@pytest.mark.parametrize("latex", [r"\frac{a}{b", r"\nonsense{x}", "_", "^", r"\left(", "&", "<", ""])
def test_what_is_no_formula_is_shown_as_text(latex):
    parsed(f"<p>{mathml(latex)}</p>")


def test_prose():
    html = prose(r"the claim $x^2 \ge 0$ is **tight**, by `rule` & more")
    assert html.count("<math") == 1 and "<em>tight</em>" in html and "<code>rule</code>" in html and "&amp;" in html


def test_a_derivation(call, tmp_path):
    file = tmp_path / "ou.html"
    at = "alpha=8,t=1/2,Delta=1,theta=1,rho=1"
    result = call("derive", "ornstein-uhlenbeck", "--at", at, "--digits", 10, "--html", file)
    assert result.code == 0
    page = file.read_text(encoding="utf-8")
    elements = parsed(page)
    assert elements.count("math") >= 3 and "2.327906827" in page and "details" in elements
    bound = symdp.derive(Diffusion("2*tanh(x)", "sqrt(2)"))
    parsed(bound_page(bound, bound_data(bound, theorems=False)))


def test_without_the_converter(call, tmp_path, monkeypatch):
    import symdp.render.pages as pages

    monkeypatch.setattr(pages, "find_spec", lambda name: None)
    for command in (("derive", "brownian-motion", "--html", tmp_path / "a.html"), ("check", "--html", tmp_path / "b")):
        result = call(*command)
        assert result.code == 1 and "symdp[html]" in result.err and result.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")
def test_in_a_browser(judged, tmp_path):
    """The page as a browser builds it: formulas are drawn, the proof unfolds, and nothing is asked of a network."""
    index = write_pages(str(tmp_path / "report"), judged)
    page = index.parent / file_name("S-Tab1.this")
    probe = tmp_path / "report" / "probe.html"
    probe.write_text(
        page.read_text(encoding="utf-8").replace(
            "</body>",
            "<script>document.body.dataset.drawn = [...document.querySelectorAll('math')]"
            ".filter(m => m.getBoundingClientRect().width > 0).length;"
            "document.body.dataset.loaded = performance.getEntriesByType('resource').length;"
            "document.body.dataset.folds = document.querySelectorAll('details').length;</script></body>",
        ),
        encoding="utf-8",
    )
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    seen = subprocess.run([BROWSER, *flags, "--dump-dom", probe.as_uri()], capture_output=True, text=True, timeout=120)
    numbers = dict(re.findall(r'data-(drawn|loaded|folds)="(\d+)"', seen.stdout))
    assert int(numbers["drawn"]) > 3 and int(numbers["folds"]) > 3 and numbers["loaded"] == "0"
