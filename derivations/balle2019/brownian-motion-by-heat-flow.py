r"""Brownian motion by the heat flow argument.

Setting: $dX = \sqrt2\,dW$ in $\mathbb R^d$, any $d$, started at $f(D)$; $\Delta = |x - x'|$, or the sensitivity of $f$.
Claim: $\kappa_{x,x'}(t) = |x-x'|^2/(4t^2)$ and $\Lambda(t) = \Delta^2/(4t)$, the guarantee of Example 4
Bound: **tight**
Citation: balle2019, Example 5
Assumed: nothing
"""

from symdp import Diffusion, symbol
from symdp import derive as derive_bound
from symdp.claims import Claim, attack
from symdp.theorem import apply

CLAIMS = {
    "B-Ex5:kappa": Claim("Delta**2/(4*t**2)", where="t>0, Delta>=0", field="kappa"),
    "B-Ex5:sensitivity": Claim("Delta**2/(4*t)", where="t>0, Delta>=0", field="Lambda"),
    "B-Ex5:privacy": Claim("alpha*Delta**2/(4*t)", where="alpha>1, t>0, Delta>=0"),
}


def derive():
    found, dimension = derive_bound(Diffusion("0", "sqrt(2)")).found.derivation, symbol("d")
    sensitivity = apply("intrinsic-sensitivity", found.flow, dimension=dimension)
    return {
        "B-Ex5:kappa": sensitivity,
        "B-Ex5:sensitivity": sensitivity,
        "B-Ex5:privacy": apply("gaussian-rdp", apply("linear-copies", found.kernel, dimension=dimension)),
    }


def falsify(rng):
    """The kernel ``exp(-|y|^2/(4t))`` differentiated numerically in three coordinates, kappa integrated numerically."""

    def kappa(mp, t, Delta):
        x = [Delta * k / 7 for k in (2, -3, 6)]  # 4 + 9 + 36 = 49

        def ratio(y):
            return sum(b**2 - (b - a) ** 2 for a, b in zip(x, y, strict=True)) / (4 * t)

        y, h = [mp.mpf(1), mp.mpf(-2), mp.mpf(1) / 3], mp.mpf(1)  # the ratio is affine in y: no error at any step
        slopes = [ratio([b + h * (i == j) for j, b in enumerate(y)]) - ratio(y) for i in range(3)]
        return sum((slope / h) ** 2 for slope in slopes)

    def sensitivity(mp, t, Delta):
        """With s = t/r the integral over [t, oo) becomes one over (0, 1]."""
        return mp.quad(lambda r: kappa(mp, t / r, Delta) * t / r**2, [0, mp.mpf(1) / 2, 1])

    def privacy(mp, alpha, t, Delta):
        def p(z):
            return mp.exp(-(z**2) / (4 * t)) / mp.sqrt(4 * mp.pi * t)

        step = mp.sqrt(2 * t) / 3  # the trapezoidal rule, for a Gaussian of this spread wrong by less than 1e-40
        nodes = [(1 - alpha) * Delta + k * step for k in range(-45, 46)]
        return mp.log(step * mp.fsum(p(z) ** alpha * p(z - Delta) ** (1 - alpha) for z in nodes)) / (alpha - 1)

    tasks = {
        "B-Ex5:kappa": (kappa, "t>0, Delta>=0"),
        "B-Ex5:sensitivity": (sensitivity, "t>0, Delta>=0"),
        "B-Ex5:privacy": (privacy, "alpha>1, alpha<9, t>0, Delta>=0, Delta<4"),
    }
    return {key: attack(key, CLAIMS[key], where, truth, rng, tight=True) for key, (truth, where) in tasks.items()}


def reference_points():
    return [
        ("B-Ex5:kappa", "t=3/2,Delta=2", "0.44444444444444444444"),
        ("B-Ex5:sensitivity", "t=3/2,Delta=2", "0.66666666666666666667"),
        ("B-Ex5:privacy", "alpha=8,t=1/2,Delta=1", "4"),
    ]
