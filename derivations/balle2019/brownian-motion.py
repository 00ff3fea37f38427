r"""Brownian motion is the Gaussian mechanism.

Setting: $dX = \sqrt2\,dW$ in $\mathbb R^d$, any $d$, started at $f(D)$, $f$ of sensitivity $\Delta$, seen at time $t$.
    $L$ and $\Gamma$ are sums over the coordinates of the part given; $xx, xy, yy$ are $|x|^2, \langle x, y\rangle,
    |y|^2$.
Claim: $P_t(x) = N(x, 2tI)$; $(\alpha, \alpha\Delta^2/(4t))$-RDP; $L = \nabla^2$;
    $\Gamma(f, g) = \langle\nabla f, \nabla g\rangle$; Lebesgue measure
    is the unique invariant measure; $p_t(x, y) \propto \exp(-|x - y|^2/(4t))$, symmetric
Bound: **tight**
Citation: balle2019, Example 4
Assumed: nothing
"""

from symdp import Diffusion, symbol
from symdp import derive as derive_bound
from symdp.claims import Claim, attack
from symdp.diffusion.operators import Copies
from symdp.theorem import apply

CLAIMS = {
    "B-Ex4:mean": Claim("1", where="t>0", field="scale"),
    "B-Ex4:variance": Claim("2*t", where="t>0", field="variance"),
    "B-Ex4:privacy": Claim("alpha*Delta**2/(4*t)", where="alpha>1, t>0, Delta>=0"),
    "B-Ex4:generator": Claim("f_xx"),
    "B-Ex4:gamma": Claim("f_x*g_x"),
    "B-Ex4:invariant": Claim("1", field="density"),
    "B-Ex4:kernel": Claim("-(xx - 2*xy + yy)/(4*t)", where="t>0"),
}


def derive():
    process, dimension = Diffusion("0", "sqrt(2)"), symbol("d")
    kernel = derive_bound(process).found.derivation.kernel
    mechanism = apply("linear-copies", kernel, dimension=dimension)
    invariant = apply("invariant-lebesgue", mechanism)
    return {
        "B-Ex4:mean": mechanism,
        "B-Ex4:variance": mechanism,
        "B-Ex4:privacy": apply("gaussian-rdp", mechanism),
        "B-Ex4:generator": apply("generator", process=Copies(process, dimension)),
        "B-Ex4:gamma": apply("carre-du-champ", process=Copies(process, dimension)),
        "B-Ex4:invariant": invariant,
        "B-Ex4:kernel": apply("symmetric-kernel", apply("transition-density", mechanism), invariant),
    }


def falsify(rng):
    """From the fundamental solution of the heat equation: its moments, its divergence, its action on polynomials."""

    def density(mp, t):
        return lambda z: mp.exp(-(z**2) / (4 * t)) / mp.sqrt(4 * mp.pi * t)

    def line(mp, f, centre, spread):
        """The trapezoidal rule: for a Gaussian of this centre and spread wrong by less than 1e-40."""
        step = spread / 3
        return step * mp.fsum(f(centre + k * step) for k in range(-45, 46))

    def integral(mp, t, f):
        p = density(mp, t)
        return line(mp, lambda z: f(z) * p(z), 0, mp.sqrt(2 * t))

    def privacy(mp, alpha, t, Delta):
        p = density(mp, t)
        whole = line(mp, lambda z: p(z) ** alpha * p(z - Delta) ** (1 - alpha), (1 - alpha) * Delta, mp.sqrt(2 * t))
        return mp.log(whole) / (alpha - 1)

    def generator(mp, f_xx):
        """E f(z) at t = 1 for f with f(0) = f'(0) = 0: linear in t."""
        return integral(mp, mp.mpf(1), lambda z: f_xx * z**2 / 2)

    def gamma(mp, f_x, g_x):
        """Half the covariance at t = 1 of two linear functions."""
        return integral(mp, mp.mpf(1), lambda z: f_x * z * g_x * z) / 2

    def kernel(mp, t, xx, xy, yy):
        """One coordinate for each of two orthogonal parts of y, so that the three numbers are met."""
        x, y = mp.sqrt(xx), (xy / mp.sqrt(xx), mp.sqrt(yy - xy**2 / xx))
        p = density(mp, t)
        return mp.log(p(y[0] - x) * p(y[1]) / p(mp.mpf(0)) ** 2)

    def mean(mp, t, x):
        return integral(mp, t, lambda z: x + z) / x

    tasks = {
        "B-Ex4:mean": (mean, "t>0, x>1, x<3"),
        "B-Ex4:variance": (lambda mp, t: integral(mp, t, lambda z: z**2), "t>0"),
        "B-Ex4:privacy": (privacy, "alpha>1, alpha<9, t>0, Delta>=0, Delta<4"),
        "B-Ex4:generator": (generator, "f_xx>-5, f_xx<5"),
        "B-Ex4:gamma": (gamma, "f_x>-5, f_x<5, g_x>-5, g_x<5"),
        "B-Ex4:invariant": (lambda mp, t, y: integral(mp, t, lambda z: 1), "t>0, y>0"),
        "B-Ex4:kernel": (kernel, "t>0, xx>0, xy>-2, xy<2, yy>4, xx*yy>xy**2"),
    }
    return {key: attack(key, CLAIMS[key], where, truth, rng, tight=True) for key, (truth, where) in tasks.items()}


def reference_points():
    return [
        ("B-Ex4:mean", "t=1", "1"),
        ("B-Ex4:variance", "t=3/7", "0.85714285714285714286"),
        ("B-Ex4:privacy", "alpha=5/2,t=1/3,Delta=sqrt(2)", "3.75"),
        ("B-Ex4:generator", "f_xx=-2", "-2"),
        ("B-Ex4:gamma", "f_x=3,g_x=-1/2", "-1.5"),
        ("B-Ex4:invariant", "x=1", "1"),
        ("B-Ex4:kernel", "t=3,xx=1,xy=2,yy=5", "-0.16666666666666666667"),
    ]
