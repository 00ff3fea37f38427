r"""The generator and the carre du champ of a diffusion.

Setting: $dX = u(X)\,dt + v(X)\,dW$. $L$ and $\Gamma$ at a point are linear in $u$ and $vv^\top$ there and contain no
    derivative of them, and each term speaks of at most two coordinates: the plane with arbitrary numbers for $u$ and
    $v$ stands for every dimension and every point. $f_{x_1}, f_{x_1x_2}, \dots$ are the derivatives of $f$.
Claim: $Lf = \langle u, \nabla f\rangle + \tfrac12\langle vv^\top, H(f)\rangle$,
    $\Gamma(f, g) = \tfrac12(L(fg) - fLg - gLf)$, and $\Gamma = 0$ if $L = \sum_i a_i\,\partial/\partial x_i$.
Bound: **tight**
Citation: balle2019, section 5
Assumed: nothing
"""

from itertools import product

from symdp import Diffusion, Interval, Region, symbol
from symdp.claims import Claim, attack
from symdp.diffusion.operators import VectorField
from symdp.theorem import apply

NUMBERS = ("u1", "u2", "v11", "v12", "v21", "v22")
FLOW = ("a1", "a2")

CLAIMS = {
    "B-5.gen:generator": Claim(
        "u1*f_x1 + u2*f_x2 + ((v11**2+v12**2)*f_x1x1 + 2*(v11*v21+v12*v22)*f_x1x2 + (v21**2+v22**2)*f_x2x2)/2"
    ),
    "B-5.gen:gamma": Claim(
        "((u1*(f_x1*g+f*g_x1) + u2*(f_x2*g+f*g_x2)"
        " + ((v11**2+v12**2)*(f_x1x1*g+2*f_x1*g_x1+f*g_x1x1)"
        " + 2*(v11*v21+v12*v22)*(f_x1x2*g+f_x1*g_x2+f_x2*g_x1+f*g_x1x2)"
        " + (v21**2+v22**2)*(f_x2x2*g+2*f_x2*g_x2+f*g_x2x2))/2)"
        " - f*(u1*g_x1 + u2*g_x2"
        " + ((v11**2+v12**2)*g_x1x1 + 2*(v11*v21+v12*v22)*g_x1x2 + (v21**2+v22**2)*g_x2x2)/2)"
        " - g*(u1*f_x1 + u2*f_x2"
        " + ((v11**2+v12**2)*f_x1x1 + 2*(v11*v21+v12*v22)*f_x1x2 + (v21**2+v22**2)*f_x2x2)/2))/2"
    ),
    "B-5.gen:first order": Claim("0"),
}


def derive():
    process = Diffusion("u1, u2", "v11, v12; v21, v22", params=", ".join(f"{name} real" for name in NUMBERS))
    components, state = tuple(map(symbol, FLOW)), tuple(map(symbol, ("x1", "x2")))
    field = VectorField(components, state, Region.make(dict.fromkeys(components, Interval.real())))
    return {
        "B-5.gen:generator": apply("generator", process=process),
        "B-5.gen:gamma": apply("carre-du-champ", process=process),
        "B-5.gen:first order": apply("carre-du-champ", process=field),
    }


def falsify(rng):
    """Moments of the process itself: ``L f = d/dt E f(X_t)``, ``2 Gamma(f, g) = d/dt Cov(f(X_t), g(X_t))`` at t = 0.

    f and g are the quadratic polynomials with the given derivatives at the start, so that the moments are polynomials
    of degree 4 at most in t, and three nodes for each Brownian motion integrate them exactly.
    """

    def polynomial(n, name):
        jet = {index: n.get(f"{name}_{index}", 0) for index in ("x1", "x2", "x1x1", "x1x2", "x2x2")}
        constant = n.get(name, 0)
        return lambda x, y: (
            constant
            + jet["x1"] * x
            + jet["x2"] * y
            + (jet["x1x1"] * x * x + 2 * jet["x1x2"] * x * y + jet["x2x2"] * y * y) / 2
        )

    def mean(mp, n, function, t):
        total = mp.mpf(0)
        for (z, p), (w, q) in product(zip((-1, 0, 1), (1, 4, 1), strict=True), repeat=2):
            a, b = (k * mp.sqrt(3 * t) for k in (z, w))
            place = [
                n.get(f"u{i}", n.get(f"a{i}")) * t + n.get(f"v{i}1", 0) * a + n.get(f"v{i}2", 0) * b for i in (1, 2)
            ]
            total += p * q * function(*place) / 36
        return total

    def slope(mp, curve):
        """The derivative at 0 of a polynomial of degree 4 at most, from five of its values."""
        weights = (mp.mpf(-25) / 12, 4, -3, mp.mpf(4) / 3, mp.mpf(-1) / 4)
        return sum(weight * curve(mp.mpf(t)) for t, weight in enumerate(weights))

    def generator(mp, **n):
        return slope(mp, lambda t: mean(mp, n, polynomial(n, "f"), t))

    def gamma(mp, **n):
        f, g = polynomial(n, "f"), polynomial(n, "g")

        def covariance(t):
            return mean(mp, n, lambda x, y: f(x, y) * g(x, y), t) - mean(mp, n, f, t) * mean(mp, n, g, t)

        return slope(mp, covariance) / 2

    def ranges(names):
        return ", ".join(f"{name}>-9, {name}<9" for name in names)

    jet = [f"{name}{index}" for name in "fg" for index in ("", "_x1", "_x2", "_x1x1", "_x1x2", "_x2x2")]
    tasks = {
        "B-5.gen:generator": (generator, [*NUMBERS, *jet[:6]]),
        "B-5.gen:gamma": (gamma, [*NUMBERS, *jet]),
        "B-5.gen:first order": (gamma, [*FLOW, *jet]),
    }
    return {
        key: attack(key, CLAIMS[key], ranges(names), truth, rng, tight=True) for key, (truth, names) in tasks.items()
    }


def reference_points():
    numbers = "u1=1,u2=-2,v11=3,v12=1/2,v21=-1,v22=2"
    f = "f=5,f_x1=1,f_x2=-3,f_x1x1=2,f_x1x2=1/4,f_x2x2=-1"
    g = "g=-2,g_x1=4,g_x2=1/5,g_x1x1=1,g_x1x2=7,g_x2x2=3"
    return [
        ("B-5.gen:generator", f"{numbers},{f}", "13.25"),
        ("B-5.gen:gamma", f"{numbers},{f},{g}", "28.8"),
        ("B-5.gen:first order", "a1=1,a2=2", "0"),
    ]
