r"""Noisy projected stochastic gradient descent, the algorithm.

Setting: one step from $x$ with the noise $Z \sim N(0, \sigma^2I)$; *gradient* is $\nabla_x\ell(x, z_i)$. The projection
    on $K$ follows. The noise of a step has the deviation $\eta\sigma$.
Claim: $x_i \leftarrow \Pi_K(x_{i-1} - \eta(\nabla_x\ell(x_{i-1}, z_i) + Z))$ with $Z \sim N(0, \sigma^2I)$
Bound: **tight**
Citation: balle2019, Algorithm 1
Assumed: nothing
"""

from sympy import Integer

from symdp import parse, symbol
from symdp.claims import Claim, Counterexample, points
from symdp.judgments import NoisySGD
from symdp.region import Region
from symdp.theorem import apply

ID = "B-Alg1"
CLAIMS = {ID: Claim("x - eta*(gradient + Z)", kind="definition")}


def derive():
    return {}


def falsify(rng):
    """The formula run on quadratic losses ``h x^2/2 - z x``, where all laws are normal, against what our rules say of
    the algorithm: the noise of a step, and for the first element the exact distance of the last iterates.
    """
    formula, tried = parse(CLAIMS[ID].text), 0
    where = "h>=0, h<3, share>0, share<1, C>0, C<4, sigma>1/3, sigma<4, z>-2, z<2"
    for point in points(where, rng, 40):
        h, share, c, sigma, z = (point[symbol(name)] for name in ("h", "share", "C", "sigma", "z"))
        eta, n = share / (h + 1), rng.randint(1, 6)
        index = rng.randint(1, n)

        def step(x, data, noise, eta=eta, h=h):
            values = {"x": x, "eta": eta, "gradient": h * x - data, "Z": noise}
            return formula.subs({symbol(name): value for name, value in values.items()})

        scale = step(0, 0, 1) - step(0, 0, 0)
        gap, variance = Integer(0), Integer(0)
        for k in range(1, n + 1):
            slope = step(1, 0, 0) - step(0, 0, 0)
            gap = slope * gap + (step(0, c, 0) - step(0, -c, 0) if k == index else step(0, z, 0) - step(0, z, 0))
            variance = slope**2 * variance + (scale * sigma) ** 2
        numbers = map(Integer, (n, index))
        run = apply("described", fact=NoisySGD("S", c, h, h, eta, sigma, *numbers, Region()))
        ours = apply("sgd-path-optimum", run, steep=False).conclusion.mu ** 2
        noise = apply("gradient-step", run, steep=False).conclusion
        true = gap**2 / variance
        same = ours == true if index == 1 else ours >= true  # noise before the index hides too
        if not (same and noise.scale**2 == (scale * sigma) ** 2 and noise.lipschitz == abs(slope)):
            why = (
                f"a step has the noise {noise.scale} and the distance is {ours}, by the formula {scale * sigma}, {true}"
            )
            raise Counterexample(ID, point | {"n": n, "i": index}, why)
        tried += 1
    return tried


def reference_points():
    return [(ID, "x=2,eta=1/2,gradient=3,Z=-1", "1")]
