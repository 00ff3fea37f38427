"""Where a rule comes from: a short bibliography of our own wording, and citations that point into it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from symdp.errors import InputError


@dataclass(frozen=True)
class Work:
    """A paper or a book. ``kind`` is the BibTeX type, ``venue`` the journal, proceedings, publisher or preprint."""

    kind: str
    authors: tuple[str, ...]
    title: str
    venue: str
    year: int

    def short(self) -> str:
        """Family names and year: "Mironov, Talwar, Zhang (2019)"."""
        return f"{', '.join(author.split(', ')[0] for author in self.authors)} ({self.year})"


_VENUE_FIELD = {"article": "journal", "inproceedings": "booktitle", "book": "publisher", "misc": "howpublished"}

BIBLIOGRAPHY: dict[str, Work] = {
    "ahn1999": Work(
        "article",
        ("Ahn, Dong-Hyun", "Gao, Bin"),
        "A Parametric Nonlinear Model of Term Structure Dynamics",
        "Review of Financial Studies 12",
        1999,
    ),
    "asoodeh2022": Work(
        "misc",
        ("Asoodeh, Shahab", "Zhang, Huanyu"),
        "Contraction of Locally Differentially Private Mechanisms",
        "arXiv:2210.13386",
        2022,
    ),
    "bakry1986": Work(
        "article",
        ("Bakry, Dominique",),
        "Un critère de non-explosion pour certaines diffusions sur une variété riemannienne complète",
        "Comptes Rendus de l'Académie des Sciences 303",
        1986,
    ),
    "bakry2014": Work(
        "book",
        ("Bakry, Dominique", "Gentil, Ivan", "Ledoux, Michel"),
        "Analysis and Geometry of Markov Diffusion Operators",
        "Springer, Grundlehren der mathematischen Wissenschaften 348",
        2014,
    ),
    "balle2018": Work(
        "inproceedings",
        ("Balle, Borja", "Wang, Yu-Xiang"),
        "Improving the {Gaussian} Mechanism for Differential Privacy: Analytical Calibration and Optimal Denoising",
        "International Conference on Machine Learning (ICML)",
        2018,
    ),
    "balle2018sampling": Work(
        "inproceedings",
        ("Balle, Borja", "Barthe, Gilles", "Gaboardi, Marco"),
        "Privacy Amplification by Subsampling: Tight Analyses via Couplings and Divergences",
        "Advances in Neural Information Processing Systems (NeurIPS)",
        2018,
    ),
    "balle2019": Work(
        "inproceedings",
        ("Balle, Borja", "Barthe, Gilles", "Gaboardi, Marco", "Geumlek, Joseph"),
        "Privacy Amplification by Mixing and Diffusion Mechanisms",
        "Advances in Neural Information Processing Systems (NeurIPS)",
        2019,
    ),
    "balle2020": Work(
        "inproceedings",
        ("Balle, Borja", "Barthe, Gilles", "Gaboardi, Marco", "Hsu, Justin", "Sato, Tetsuya"),
        "Hypothesis Testing Interpretations and {Rényi} Differential Privacy",
        "International Conference on Artificial Intelligence and Statistics (AISTATS)",
        2020,
    ),
    "bok2024": Work(
        "inproceedings",
        ("Bok, Jinho", "Su, Weijie J.", "Altschuler, Jason M."),
        "Shifted Interpolation for Differential Privacy",
        "International Conference on Machine Learning (ICML)",
        2024,
    ),
    "borodin2002": Work(
        "book",
        ("Borodin, Andrei N.", "Salminen, Paavo"),
        "Handbook of {Brownian} Motion: Facts and Formulae",
        "Birkhäuser, second edition",
        2002,
    ),
    "bun2016": Work(
        "inproceedings",
        ("Bun, Mark", "Steinke, Thomas"),
        "Concentrated Differential Privacy: Simplifications, Extensions, and Lower Bounds",
        "Theory of Cryptography Conference (TCC)",
        2016,
    ),
    "bun2018": Work(
        "inproceedings",
        ("Bun, Mark", "Dwork, Cynthia", "Rothblum, Guy N.", "Steinke, Thomas"),
        "Composable and Versatile Privacy via Truncated {CDP}",
        "ACM Symposium on Theory of Computing (STOC)",
        2018,
    ),
    "canonne2020": Work(
        "inproceedings",
        ("Canonne, Clément L.", "Kamath, Gautam", "Steinke, Thomas"),
        "The Discrete {Gaussian} for Differential Privacy",
        "Advances in Neural Information Processing Systems (NeurIPS)",
        2020,
    ),
    "cohen1993": Work(
        "article",
        (
            "Cohen, Joel E.",
            "Iwasa, Yoh",
            "Rautu, Gh.",
            "Ruskai, Mary Beth",
            "Seneta, Eugene",
            "Zbaganu, Gh.",
        ),
        "Relative Entropy under Mappings by Stochastic Matrices",
        "Linear Algebra and its Applications 179",
        1993,
    ),
    "cox1985": Work(
        "article",
        ("Cox, John C.", "Ingersoll, Jonathan E.", "Ross, Stephen A."),
        "A Theory of the Term Structure of Interest Rates",
        "Econometrica 53",
        1985,
    ),
    "dalalyan2017": Work(
        "article",
        ("Dalalyan, Arnak S.",),
        "Theoretical Guarantees for Approximate Sampling from Smooth and Log-Concave Densities",
        "Journal of the Royal Statistical Society, Series B 79",
        2017,
    ),
    "dobrushin1956": Work(
        "article",
        ("Dobrushin, Roland L.",),
        "Central Limit Theorem for Nonstationary {Markov} Chains, I",
        "Theory of Probability and its Applications 1",
        1956,
    ),
    "dong2019": Work(
        "article",
        ("Dong, Jinshuo", "Roth, Aaron", "Su, Weijie J."),
        "Gaussian Differential Privacy",
        "arXiv:1905.02383",
        2019,
    ),
    "dwork2014": Work(
        "book",
        ("Dwork, Cynthia", "Roth, Aaron"),
        "The Algorithmic Foundations of Differential Privacy",
        "Foundations and Trends in Theoretical Computer Science 9",
        2014,
    ),
    "feller1952": Work(
        "article",
        ("Feller, William",),
        "The Parabolic Differential Equations and the Associated Semi-Groups of Transformations",
        "Annals of Mathematics 55",
        1952,
    ),
    "gordon1973": Work(
        "article",
        ("Gordon, William B.",),
        "An Analytical Criterion for the Completeness of {Riemannian} Manifolds",
        "Proceedings of the American Mathematical Society 37",
        1973,
    ),
    "hormander1967": Work(
        "article",
        ("Hörmander, Lars",),
        "Hypoelliptic Second Order Differential Equations",
        "Acta Mathematica 119",
        1967,
    ),
    "kairouz2015": Work(
        "inproceedings",
        ("Kairouz, Peter", "Oh, Sewoong", "Viswanath, Pramod"),
        "The Composition Theorem for Differential Privacy",
        "International Conference on Machine Learning (ICML)",
        2015,
    ),
    "karatzas1991": Work(
        "book",
        ("Karatzas, Ioannis", "Shreve, Steven E."),
        "Brownian Motion and Stochastic Calculus",
        "Springer, Graduate Texts in Mathematics 113, second edition",
        1991,
    ),
    "karlin1981": Work(
        "book",
        ("Karlin, Samuel", "Taylor, Howard M."),
        "A Second Course in Stochastic Processes",
        "Academic Press",
        1981,
    ),
    "khasminskii2012": Work(
        "book",
        ("Khasminskii, Rafail",),
        "Stochastic Stability of Differential Equations",
        "Springer, Stochastic Modelling and Applied Probability 66, second edition",
        2012,
    ),
    "lindvall1992": Work("book", ("Lindvall, Torgny",), "Lectures on the Coupling Method", "Wiley", 1992),
    "matsumoto2005": Work(
        "article",
        ("Matsumoto, Hiroyuki", "Yor, Marc"),
        "Exponential Functionals of {Brownian} Motion, I: Probability Laws at Fixed Time",
        "Probability Surveys 2",
        2005,
    ),
    "mironov2017": Work(
        "inproceedings",
        ("Mironov, Ilya",),
        "{Rényi} Differential Privacy",
        "IEEE Computer Security Foundations Symposium (CSF)",
        2017,
    ),
    "mironov2019": Work(
        "misc",
        ("Mironov, Ilya", "Talwar, Kunal", "Zhang, Li"),
        "{Rényi} Differential Privacy of the Sampled {Gaussian} Mechanism",
        "arXiv:1908.10530",
        2019,
    ),
    "pavliotis2014": Work(
        "book",
        ("Pavliotis, Grigorios A.",),
        "Stochastic Processes and Applications: Diffusion Processes, the {Fokker-Planck} and {Langevin} Equations",
        "Springer, Texts in Applied Mathematics 60",
        2014,
    ),
    "raginsky2016": Work(
        "article",
        ("Raginsky, Maxim",),
        "Strong Data Processing Inequalities and {Φ-Sobolev} Inequalities for Discrete Channels",
        "IEEE Transactions on Information Theory 62",
        2016,
    ),
    "song2021": Work(
        "inproceedings",
        (
            "Song, Yang",
            "Sohl-Dickstein, Jascha",
            "Kingma, Diederik P.",
            "Kumar, Abhishek",
            "Ermon, Stefano",
            "Poole, Ben",
        ),
        "Score-Based Generative Modeling through Stochastic Differential Equations",
        "International Conference on Learning Representations (ICLR)",
        2021,
    ),
    "symdp": Work(
        "misc", ("{The symdp authors}",), "symdp: a Symbolic-Numeric Engine for Privacy Bounds", "Software", 2026
    ),
    "trefethen2014": Work(
        "article",
        ("Trefethen, Lloyd N.", "Weideman, J. A. C."),
        "The Exponentially Convergent Trapezoidal Rule",
        "SIAM Review 56",
        2014,
    ),
    "vanerven2014": Work(
        "article",
        ("van Erven, Tim", "Harremoës, Peter"),
        "{Rényi} Divergence and {Kullback-Leibler} Divergence",
        "IEEE Transactions on Information Theory 60",
        2014,
    ),
    "wang1997": Work(
        "article",
        ("Wang, Feng-Yu",),
        "Logarithmic {Sobolev} Inequalities on Noncompact {Riemannian} Manifolds",
        "Probability Theory and Related Fields 109",
        1997,
    ),
    "wang2011": Work(
        "article",
        ("Wang, Feng-Yu",),
        "Harnack Inequality for {SDE} with Multiplicative Noise and Extension to {Neumann} Semigroup on Nonconvex "
        "Manifolds",
        "Annals of Probability 39",
        2011,
    ),
    "wang2014": Work(
        "book",
        ("Wang, Feng-Yu",),
        "Analysis for Diffusion Processes on {Riemannian} Manifolds",
        "World Scientific, Advanced Series on Statistical Science and Applied Probability 18",
        2014,
    ),
}


@dataclass(frozen=True, order=True)
class Citation:
    """A place in a work: its bibliography key, a locator ("Theorem 6") and, where it helps, what we take from it.

    Raises ``InputError`` for a key the bibliography does not have.
    """

    key: str
    locator: str
    text: str = ""

    def __post_init__(self) -> None:
        if self.key not in BIBLIOGRAPHY:
            raise InputError(f"no work has the key {self.key}", place="citation", remedy="add it to symdp/citations.py")

    def __str__(self) -> str:
        line = f"{BIBLIOGRAPHY[self.key].short()}, {self.locator}"
        return f"{line}: {self.text}" if self.text else line


def bibtex(keys: Iterable[str]) -> str:
    """BibTeX entries of the works with these keys, each once, sorted. Unknown keys raise ``InputError``."""
    entries = []
    for key in sorted(set(keys)):
        if key not in BIBLIOGRAPHY:
            raise InputError(f"no work has the key {key}", place="bibtex")
        work = BIBLIOGRAPHY[key]
        body = {
            "author": " and ".join(work.authors),
            "title": f"{{{work.title}}}",
            _VENUE_FIELD[work.kind]: work.venue,
            "year": str(work.year),
        }
        lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in body.items())
        entries.append(f"@{work.kind}{{{key},\n{lines}\n}}")
    return "\n\n".join(entries) + ("\n" if entries else "")
