"""Diffusions by name: what the user would otherwise type, and nothing that the engine has to find out itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from symdp.citations import Citation
from symdp.errors import InputError

if TYPE_CHECKING:
    from symdp.diffusion.process import Diffusion


@dataclass(frozen=True)
class Entry:
    """A diffusion in the text form of the command line.

    ``params`` declares parameters that need not be positive, ``let`` the functions of the time that coefficients call.
    """

    name: str
    drift: str
    diffusion: str
    citation: Citation
    domain: str = ""
    params: Mapping[str, str] = field(default_factory=dict)
    let: Mapping[str, str] = field(default_factory=dict)

    def build(self, params: Sequence[str] = (), let: Sequence[str] = ()) -> Diffusion:
        """The diffusion; declarations and functions of the time that are given replace those of the entry.

        Raises :class:`InputError` as :class:`Diffusion` does.
        """
        from symdp.diffusion.process import Diffusion
        from symdp.text import identifiers

        mine = {word for text in params for word in identifiers(text)}
        declared = [f"{name} {text}" for name, text in self.params.items() if name not in mine]
        heads = {text.split("=", 1)[0].replace(" ", "") for text in let}
        kept = [f"{head}={body}" for head, body in self.let.items() if head not in heads]
        texts = self.drift, self.diffusion
        return Diffusion(*texts, None, self.domain or None, [*declared, *params], let=[*kept, *let])


_ENTRIES = (
    Entry("brownian-motion", "0", "sqrt(2)", Citation("balle2019", "Example 5")),
    Entry("ornstein-uhlenbeck", "-theta*x", "sqrt(2)*rho", Citation("balle2019", "Corollary 7")),
    Entry(
        "drifted-brownian-motion",
        "mu",
        "sigma",
        Citation("borodin2002", "appendix 1", "Brownian motion with drift"),
        params={"mu": "real"},
    ),
    Entry(
        "geometric-brownian-motion",
        "mu*x",
        "sigma*x",
        Citation("borodin2002", "appendix 1", "geometric Brownian motion"),
        domain="x>0",
        params={"mu": "real"},
    ),
    Entry(
        "benes",
        "k*tanh(k*x)",
        "1",
        Citation("bakry2014", "section 1.15", "the Doob transform of Brownian motion by a hyperbolic cosine"),
    ),
    Entry(
        "kinetic-langevin",
        "x2, -gamma*x2 - k*x1",
        "0; sqrt(2*gamma)*s",
        Citation("pavliotis2014", "chapter 6", "the underdamped Langevin equation in a quadratic potential"),
    ),
    Entry(
        "integrated-brownian-motion",
        "x2, 0",
        "0; sigma",
        Citation("pavliotis2014", "chapter 6", "the underdamped Langevin equation without friction and force"),
    ),
    Entry(
        "vp-sde",
        "-beta(t)/2*x",
        "sqrt(beta(t))",
        Citation("song2021", "section 3.4", "the variance preserving SDE, with a rate beta that grows linearly"),
        let={"beta(t)": "beta0+beta1*t"},
    ),
    Entry(
        "ve-sde",
        "0",
        "g(t)",
        Citation("song2021", "section 3.4", "the variance exploding SDE, s = sigma*exp(gamma*t) and g = sqrt(2*s*s')"),
        let={"g(t)": "sqrt(2*gamma)*sigma*exp(gamma*t)"},
    ),
    Entry(
        "anisotropic-ornstein-uhlenbeck",
        "-theta*x1, -eta*x2",
        "sqrt(2)*rho, 0; 0, sqrt(2)*tau",
        Citation(
            "pavliotis2014", "chapter 3", "the Ornstein-Uhlenbeck process, a rate and a noise for each coordinate"
        ),
    ),
    Entry(
        "rotational-ornstein-uhlenbeck",
        "-theta*x1 - omega*x2, omega*x1 - theta*x2",
        "sqrt(2)*rho, 0; 0, sqrt(2)*rho",
        Citation("pavliotis2014", "chapter 4", "a linear drift that is not reversible"),
    ),
    Entry(
        "cox-ingersoll-ross",
        "a - k*x",
        "sigma*sqrt(x)",
        Citation("cox1985", "section 3", "the square root diffusion; of dimension one and more"),
        domain="x>=0",
        params={"a": ">=sigma**2/4"},
    ),
    Entry(
        "bessel-process",
        "(n-1)/(2*x)",
        "1",
        Citation("borodin2002", "appendix 1", "the Bessel process, of any dimension from two on"),
        domain="x>0",
        params={"n": ">=2"},
    ),
    Entry(
        "radial-ornstein-uhlenbeck",
        "(n-1)/(2*x) - theta*x",
        "1",
        Citation("borodin2002", "appendix 1", "the radial Ornstein-Uhlenbeck process"),
        domain="x>0",
        params={"n": ">=2"},
    ),
    Entry(
        "three-halves",
        "x*(a - b*x)",
        "sigma*x**(3/2)",
        Citation("ahn1999", "section 1", "the reciprocal of a square root diffusion"),
        domain="x>0",
    ),
    Entry(
        "jacobi",
        "a*(1-x) - b*x",
        "sqrt(2*x*(1-x))",
        Citation("bakry2014", "section 2.7", "the Jacobi or Wright-Fisher diffusion"),
        domain="0<=x<=1",
        params={"a": ">1/2", "b": ">1/2"},
    ),
    Entry(
        "reflected-brownian-half-line",
        "0",
        "sigma",
        Citation("borodin2002", "appendix 1", "reflecting Brownian motion"),
        domain="x>=0",
    ),
    Entry(
        "reflected-brownian-interval",
        "0",
        "sigma",
        Citation("bakry2014", "section 2.4", "Neumann conditions at both ends"),
        domain="0<=x<=1",
    ),
    Entry(
        "reflected-brownian-box",
        "0, 0",
        "sigma, 0; 0, sigma",
        Citation("wang2014", "chapter 3", "reflection in a convex domain"),
        domain="0<=x1<=1, x2>=0",
    ),
    Entry(
        "reflected-ornstein-uhlenbeck",
        "-theta*x",
        "sqrt(2)*rho",
        Citation("borodin2002", "appendix 1", "the Ornstein-Uhlenbeck process, reflected at its centre"),
        domain="x>=0",
    ),
    Entry(
        "circle",
        "0",
        "sigma",
        Citation("bakry2014", "section 2.4", "periodic conditions"),
        domain="x mod 2*pi",
    ),
    Entry(
        "torus",
        "0, 0",
        "sigma, 0; 0, sigma",
        Citation("bakry2014", "section 2.4", "periodic conditions in each coordinate: a flat torus"),
        domain="x1 mod 2*pi, x2 mod 2*pi",
    ),
    Entry(
        "sphere",
        "0, 0",
        "(1+x1**2+x2**2)/sqrt(2), 0; 0, (1+x1**2+x2**2)/sqrt(2)",
        Citation("bakry2014", "section 2.2", "the unit sphere of dimension two in stereographic coordinates"),
    ),
    Entry(
        "hyperbolic-plane",
        "0, 0",
        "sqrt(2)*x2, 0; 0, sqrt(2)*x2",
        Citation("bakry2014", "section 2.3", "the upper half plane"),
        domain="x2>0",
    ),
    Entry(
        "cosh-langevin",
        "-a*sinh(x)",
        "sqrt(2)",
        Citation("pavliotis2014", "chapter 4", "the overdamped Langevin equation, V = a*cosh(x)"),
    ),
    Entry(
        "logistic-posterior",
        "-x1/4 + 1/(1+exp(x1+x2)) - 2/(1+exp(x2-2*x1)), -x2/4 + 1/(1+exp(x1+x2)) + 1/(1+exp(x2-2*x1))",
        "sqrt(2), 0; 0, sqrt(2)",
        Citation(
            "dalalyan2017",
            "section 6",
            "logistic regression with a Gaussian prior; two observations, (1, 1) and (-2, 1)",
        ),
    ),
    Entry(
        "double-well",
        "a*x - b*x**3",
        "sqrt(2)",
        Citation("pavliotis2014", "chapter 7", "the bistable potential b*x^4/4 - a*x^2/2"),
    ),
    Entry(
        "gaussian-mixture",
        "-x + m*tanh(m*x)",
        "sqrt(2)",
        Citation("dalalyan2017", "section 6", "the mixture of N(m, 1) and N(-m, 1), with two modes"),
        params={"m": ">1"},
    ),
    Entry(
        "logistic-law",
        "-tanh(x/2)",
        "sqrt(2)",
        Citation("bakry2014", "section 4.4", "the logistic law: log-concave, with exponential tails"),
    ),
    Entry(
        "laplace-law",
        "-b*sign(x)",
        "sqrt(2)",
        Citation("karatzas1991", "section 6.5", "Brownian motion with two-valued drift"),
    ),
    Entry(
        "student",
        "-(n+1)*x/(n+x**2)",
        "sqrt(2)",
        Citation("pavliotis2014", "chapter 4", "the Langevin equation of Student's law of n degrees of freedom"),
    ),
    Entry(
        "morse",
        "a - b*exp(x)",
        "sqrt(2)",
        Citation(
            "matsumoto2005",
            "section 5",
            "the Langevin equation of the logarithm of a gamma variable, with the Morse potential",
        ),
    ),
    Entry(
        "trigonometric-langevin",
        "-a*x + b*sin(x)",
        "sqrt(2)",
        Citation("pavliotis2014", "chapter 4", "a quadratic potential with a trigonometric perturbation"),
        params={"b": "<a"},
    ),
    Entry(
        "coupled-langevin",
        "-x1 - x1**3 - x2/2, -x1/2 - x2 - x2**3",
        "sqrt(2), 0; 0, sqrt(2)",
        Citation("pavliotis2014", "chapter 4", "two quartic oscillators with a bilinear coupling"),
    ),
)

CATALOGUE: Mapping[str, Entry] = MappingProxyType({entry.name: entry for entry in _ENTRIES})
"""Every entry by its name."""


def lookup(name: str) -> Entry:
    """The entry of this name. Raises :class:`InputError` with the nearest known name."""
    if name in CATALOGUE:
        return CATALOGUE[name]
    from difflib import get_close_matches

    near = get_close_matches(name.lower().replace("_", "-"), CATALOGUE, n=1, cutoff=0.5)
    remedy = f"did you mean {near[0]}?" if near else f"there are: {', '.join(CATALOGUE)}"
    raise InputError(f"no diffusion is called '{name[:60]}'", place="catalogue", remedy=remedy)
