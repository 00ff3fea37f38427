r"""The Renyi divergence.

Setting: two laws $\mu \ll \nu$; the orders 1 and $\infty$ are limits. At one point *p* and *r* are the densities.
Claim: $R_\alpha(\mu\|\nu) = \frac1{\alpha-1}\log\int\bigl(\tfrac{d\mu}{d\nu}\bigr)^\alpha d\nu$
Bound: **tight**
Citation: balle2019, section 2
Assumed: nothing
"""

from fractions import Fraction

from symdp import Diffusion, symbol
from symdp import derive as derive_bound
from symdp.ball import mp_context
from symdp.claims import Claim, Counterexample, normal_mean
from symdp.claims.finite import lost, random_law, shown
from symdp.enclosure import evaluate_mp
from symdp.mechanisms.finite import renyi

CLAIMS = {"B-2.renyi": Claim("(p/r)**alpha*r", where="alpha>1, p>=0, r>0", kind="definition")}


def derive():
    return {}


def falsify(rng):
    """Our divergence of laws on a finite set and of Gaussian laws against sums and integrals in floating point of 40
    digits; the orders 1 and infinity against divergences of orders that come near them.
    """
    mp, tried = mp_context(40), 0

    def number(x):
        return mp.mpf(x.numerator) / x.denominator

    def defined(p, q, alpha):
        total = mp.fsum(number(y) * (number(x) / number(y)) ** number(alpha) for x, y in zip(p, q, strict=True) if y)
        return mp.log(total) / (number(alpha) - 1)

    def demand(true, point, why):
        nonlocal tried
        tried += 1
        if not true:
            raise Counterexample("B-2.renyi", point, why)

    near = mp.mpf(10) ** -28
    for _ in range(30):
        size = rng.choice((2, 3, 4))
        p, other, share = random_law(rng, size), random_law(rng, size), Fraction(rng.randint(1, 9), 10)
        q, alpha = (
            [share * x + (1 - share) * y for x, y in zip(p, other, strict=True)],
            Fraction(rng.randint(11, 80), 10),
        )
        point = {"mu, nu": shown((p, q)), "alpha": alpha}
        own = renyi(p, q, alpha, 35)
        demand(abs(mp.mpf(own.lower) - defined(p, q, alpha)) < near, point, f"ours is {own}")
        one, step = renyi(p, q, 1, 35), Fraction(1, 10**12)
        left, right = mp.mpf(one.lower), defined(p, q, 1 + step)
        close = left <= right + near * 10**12 and right - left < mp.mpf(10) ** -9
        demand(close, point | {"alpha": 1}, f"ours is {one}, near it is {right}")
        top, right = mp.mpf(renyi(p, q, "inf", 35).upper), defined(p, q, Fraction(10**6))
        largest = mp.log(max(number(x) / number(y) for x, y in zip(p, q, strict=True) if y))
        close = abs(top - largest) < near and right <= top + near and top - right < mp.mpf(10) ** -4
        demand(close, point | {"alpha": "oo"}, f"ours is {top}, at a large order it is {right}")
    a, b = [Fraction(1, 2), Fraction(1, 2)], [Fraction(1), Fraction(0)]
    demand(lost(a, b) > 0 and mp.isinf(mp.mpf(renyi(a, b, 2).lower)), {"mu, nu": shown((a, b))}, "ours is finite")
    found = derive_bound(Diffusion("0", "sqrt(2)")).found.derivation.divergence.conclusion
    for _ in range(10):
        t, alpha, gap = (Fraction(rng.randint(1, 12), 4) + k for k in (0, 1, 0))
        at = {symbol("t"): t, symbol("alpha"): alpha, symbol("x"): gap, symbol("xp"): Fraction(0)}
        own = mp.mpf(evaluate_mp(found.value, at, 35))
        spread, order = mp.sqrt(2 * number(t)), number(alpha)
        ends = -14 * spread, 14 * spread + order * number(gap)

        def ratio(z, gap=gap, order=order, spread=spread):
            return mp.exp(order * (number(gap) * z - number(gap) ** 2 / 2) / spread**2)

        true = mp.log(normal_mean(mp, ratio, mp.mpf(0), spread, *ends)) / (order - 1)
        demand(abs(own - true) < near * (1 + true), {"t": t, "alpha": alpha, "x-xp": gap}, f"ours is {own}")
    return tried


def reference_points():
    return []
