r"""The diffusion property, a chain rule of the second order.

Setting: $L$ is the generator of $dX = u(X)\,dt + v(X)\,dW$; at a point the plane with arbitrary numbers for $u$ and $v$
    stands for every dimension (see the generator of a diffusion). $\phi_1, \phi_2$ are $\phi'(f), \phi''(f)$, and
    *smoothness* is the number of continuous derivatives that $\phi$ has.
Claim: $L\phi(f) = \phi'(f)Lf + \phi''(f)\Gamma(f)$ for any differentiable $\phi\colon\mathbb R\to\mathbb R$
Bound: **tight**
Citation: balle2019, Assumption 1 (3)
Assumed: nothing
"""

from symdp import Diffusion, symbol
from symdp.ball import mp_context
from symdp.claims import Claim, Counterexample, points
from symdp.theorem import apply

NUMBERS = ("u1", "u2", "v11", "v12", "v21", "v22")
ID = "B-Ass1(3)"

CLAIMS = {ID: Claim("phi1*Lf + phi2*Gamma", where="smoothness>=1", repair="smoothness>=2")}


def derive():
    process = Diffusion("u1, u2", "v11, v12; v21, v22", params=", ".join(f"{name} real" for name in NUMBERS))
    return apply("diffusion-property", process=process)


def falsify(rng):
    return {ID: _rough(), f"{ID}:repaired": _powers(rng)}


def _rough():
    """``phi(y) = |y|^(3/2)`` has one continuous derivative. For Brownian motion from 0 and f(x) = x, ``L phi(f)`` would
    be the limit of ``E phi(X_t)/t``, which has none, and phi''(0) does not exist.
    """
    mp = mp_context(30)

    def quotient(t):
        moment = mp.quad(lambda z: abs(mp.sqrt(2 * t) * z) ** mp.mpf("1.5") * mp.exp(-(z**2) / 2), [-12, -1, 0, 1, 12])
        return moment / mp.sqrt(2 * mp.pi) / t

    growth = [quotient(mp.mpf(10) ** (-4 * k - 4)) / quotient(mp.mpf(10) ** (-4 * k)) for k in range(3)]
    if min(growth) < 9:
        return len(growth)
    why = "E phi(X_t)/t grows tenfold each time t is divided by 10000, and phi has no second derivative at f(x) = 0"
    point = {"smoothness": 1, "phi": "abs(y)**(3/2)", "f": "x", "x": 0, "u": 0, "v": "sqrt(2)"}
    return Counterexample(ID, point, why)


def _powers(rng):
    """``phi(y) = y^n``, ``f(x) = e^{kx}``, dX = u dt + v dW, a = v^2; ``d/dt E e^{mX} = (mu + m^2 a/2) e^{mx}``."""

    def rate(m, u, a):
        return m * u + m**2 * a / 2

    tried = 0
    for point in points("n>=2, k>-3, k<3, u>-3, u<3, a>0", rng, 20):
        n, k, u, a = (point[symbol(name)] for name in "nkua")
        image = rate(k, u, a)  # L f divided by f, at t = 0 as everything here
        gamma = (rate(2 * k, u, a) - 2 * image) / 2  # half the slope of the variance of f(X_t), divided by f^2
        left, right = rate(n * k, u, a), n * image + n * (n - 1) * gamma  # divided by f^n
        if left != right:
            raise Counterexample(f"{ID}:repaired", point, f"L phi(f) is {left} f^n, claimed {right} f^n")
        tried += 1
    return tried


def reference_points():
    return [(ID, "phi1=2,Lf=-3/4,phi2=5,Gamma=7/8", "2.875")]
