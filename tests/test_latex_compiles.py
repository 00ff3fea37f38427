"""LaTeX compiles in a plain article, where a LaTeX is installed."""

import shutil
import subprocess

import pytest

import symdp
from symdp import Diffusion
from symdp.diffusion.catalogue import lookup

LATEX = shutil.which("pdflatex")
PROCESSES = {
    "scalar": lambda: Diffusion("-theta*x", "sqrt(2)*rho"),
    "transient": lambda: Diffusion("2*tanh(x)", "sqrt(2)"),
    "kinetic": lambda: lookup("kinetic-langevin").build(),
    "control energy": lambda: Diffusion("x2, -x1 - 2*x2, x1 - x3", "0; s; 0"),
    "least of two": lambda: Diffusion("0", "sqrt(2)", domain="0<=x<=1"),
    "ends": lambda: Diffusion("1-2*x", "sqrt(x*(1-x))", domain="0<x<1"),
    "schedule": lambda: Diffusion("-beta(t)/2*x", "sqrt(beta(t))", let={"beta(t)": "1/10+t/2"}),
    "odd names": lambda: Diffusion("-lambda_1*S_0", "I*sqrt(2)", state="S_0"),
    "chart": lambda: lookup("hyperbolic-plane").build(),
}


@pytest.mark.skipif(LATEX is None, reason="no pdflatex is installed")
def test_every_bound_compiles(tmp_path):
    texts = [symdp.derive(make()).latex() for make in PROCESSES.values()]
    file = tmp_path / "bounds.tex"
    body = "\n\n".join(texts)
    file.write_text(f"\\documentclass{{article}}\n\\begin{{document}}\n{body}\n\\end{{document}}\n", encoding="utf-8")
    command = [LATEX, "-interaction=nonstopmode", "-halt-on-error", file.name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", timeout=120)
    assert done.returncode == 0, done.stdout[-1500:]
    assert (tmp_path / "bounds.pdf").stat().st_size > 10_000
