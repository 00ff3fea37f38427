"""Citations point into a bibliography of our own wording."""

import pytest

from symdp.citations import BIBLIOGRAPHY, Citation, bibtex
from symdp.errors import InputError


def test_citations_point_into_the_bibliography():
    assert str(Citation("balle2019", "Corollary 7")) == "Balle, Barthe, Gaboardi, Geumlek (2019), Corollary 7"
    assert str(Citation("balle2019", "Corollary 7", "the rate")).endswith("Corollary 7: the rate")
    with pytest.raises(InputError, match="no work"):
        Citation("nobody1900", "Theorem 1")


def test_bibtex_has_each_work_once():
    text = bibtex(["mironov2019", "balle2019", "mironov2019"])
    assert text.count("@") == 2
    assert text.index("balle2019") < text.index("mironov2019")
    assert "author = {Mironov, Ilya and Talwar, Kunal and Zhang, Li}" in text
    everything = bibtex(BIBLIOGRAPHY)
    assert everything.count("@") == len(BIBLIOGRAPHY)
    assert everything.count("{") == everything.count("}")
    with pytest.raises(InputError):
        bibtex(["nobody1900"])
