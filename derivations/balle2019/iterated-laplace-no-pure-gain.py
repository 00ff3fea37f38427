r"""Laplace noise after a Laplace mechanism gains nothing for pure privacy.

Setting: $M(D) = \mathrm{Lap}(f(D), \lambda_1)$ for $f$ of $\ell_1$ sensitivity $\Delta$, $K(x) = \mathrm{Lap}(x,
    \lambda_2)$. The least $\varepsilon$ for which $K\circ M$ is $(\varepsilon, 0)$-DP is claimed to be the smaller of
    $\Delta/\lambda_1$ and $\Delta/\lambda_2$, which $M$ and $K$ have alone.
Claim: $K\circ M$ is not $(\varepsilon, 0)$-DP for any $\varepsilon < \Delta/\max\{\lambda_1, \lambda_2\}$
Bound: **tight**
Citation: balle2019, Lemma 3
Assumed: nothing
"""

from fractions import Fraction

from symdp import parse, symbol
from symdp.ball import mp_context
from symdp.claims import Approximate, Claim, attack, points
from symdp.claims.finite import value
from symdp.judgments import NoiseKernel, NoiseMechanism
from symdp.region import Region
from symdp.text import parse_relations
from symdp.theorem import apply

ID, WHERE = "B-L3", "l1>0, l2>0, Delta>=0"
WIDER_FIRST, WIDER_LATER = f"{WHERE}, l1>=l2", f"{WHERE}, l2>=l1"
CLAIMS = {
    f"{ID}:wider mechanism": Claim("Delta/max(l1, l2)", where=WIDER_FIRST),
    f"{ID}:wider kernel": Claim("Delta/max(l1, l2)", where=WIDER_LATER),
}


def least(where, step):
    l1, l2, delta = names = tuple(map(symbol, ("l1", "l2", "Delta")))
    region = Region.from_relations(parse_relations(where, place="where"), names)
    mechanism = apply("described", fact=NoiseMechanism("M", "laplace", l1, delta, "l1", region))
    kernel = apply("described", fact=NoiseKernel("K", "laplace", l2, parse("1"), "l1", region))
    return apply("laplace-pure", apply("noise-step", apply("noise-start", mechanism), kernel), step=step)


def derive():
    return {f"{ID}:wider mechanism": least(WIDER_FIRST, 1), f"{ID}:wider kernel": least(WIDER_LATER, 2)}


def falsify(rng):
    def truth(mp, l1, l2, Delta):
        """The largest loss of the true law: the density of the sum of the noises, on a grid and far out."""
        wide, narrow = max(l1, l2), min(l1, l2)

        def factor(z):
            """The logarithm of the density times ``e^(|z|/wide)``, but for a constant."""
            if wide == narrow:
                return mp.log1p(abs(z) / wide)
            return mp.log(wide - narrow * mp.exp(abs(z) / wide - abs(z) / narrow))

        far = mp.mpf(10) ** 35 if wide == narrow else 200 / (1 / narrow - 1 / wide)
        places = [*(Delta * mp.mpf(k) / 3 for k in range(-30, 31)), far]
        further = [Delta if z >= 0 else abs(z + Delta) - abs(z) for z in places]
        return max(d / wide + factor(z) - factor(z + Delta) for z, d in zip(places, further, strict=True))

    where = "l1<5, l2<5, Delta<5, l1>1/9, l2>1/9"
    tried, mp = {}, mp_context(40)
    for (key, claim), widest in zip(CLAIMS.items(), (WIDER_FIRST, WIDER_LATER), strict=True):
        tried[key] = attack(key, claim, f"{widest}, {where}", truth, rng, tight=True)
        for point in points("l1>1/9, l1<5, Delta>=0, Delta<5", rng, 20):
            exact = {name.name: Fraction(str(number)) for name, number in point.items()}
            exact["l2"] = exact["l1"]
            numbers = {name: mp.mpf(number.numerator) / number.denominator for name, number in exact.items()}
            claimed, true = value(claim.text, **exact), truth(mp, **numbers)
            if abs(true - mp.mpf(claimed.numerator) / claimed.denominator) > mp.mpf(10) ** -25:
                raise Approximate(key, exact, f"the largest loss is {mp.nstr(true, 12)}, claimed {claimed}")
            tried[key] += 1
    return tried


def reference_points():
    return [
        (f"{ID}:wider mechanism", "Delta=1,l1=4,l2=3", "0.25"),
        (f"{ID}:wider kernel", "Delta=3,l1=1,l2=2", "1.5"),
    ]
