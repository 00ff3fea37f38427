r"""Four conditions of uniform mixing.

Setting: $K$ is a Markov operator, $\gamma \in [0, 1]$, $\varepsilon \ge 0$. *TV* and *D* are the largest total
    variation distance and the largest $D_{e^\varepsilon}$ of two laws $K(x)$, $K(x')$; *k*, *kp* and *w* are the
    densities of $K(x)$, $K(x')$ and a law $\omega$ at one point.
Claim: $K$ is $\gamma$-Dobrushin if $\sup_{x,x'} \mathrm{TV}(K(x), K(x')) \le \gamma$,
    $(\gamma, \varepsilon)$-Dobrushin if $\sup_{x,x'} D_{e^\varepsilon}(K(x)\|K(x')) \le \gamma$,
    $\gamma$-Doeblin if $K(x) \ge (1-\gamma)\omega$ for a law $\omega$ and all $x$, and $\gamma$-ultra-mixing if
    $K(x) \ll K(x')$ and $dK(x)/dK(x') \ge 1-\gamma$ for all $x, x'$
Bound: **tight**
Citation: balle2019, Definition 1
Assumed: nothing
"""

from fractions import Fraction
from itertools import product

from sympy import Rational

from symdp.claims import Claim, Counterexample
from symdp.claims.finite import apart, random_kernel, random_law, shown
from symdp.errors import Refused
from symdp.judgments import FiniteMatrix, Kernel
from symdp.region import Region
from symdp.theorem import apply

CLAIMS = {
    "B-Def1:dobrushin": Claim("TV <= gamma", where="0<=gamma<=1", kind="definition"),
    "B-Def1:dobrushin at a level": Claim("D <= gamma", where="0<=gamma<=1, epsilon>=0", kind="definition"),
    "B-Def1:doeblin": Claim("k >= (1-gamma)*w", where="0<=gamma<=1", kind="definition"),
    "B-Def1:ultra mixing": Claim("k/kp >= 1-gamma", where="0<=gamma<=1, kp>0", kind="definition"),
}


def derive():
    return {}


def falsify(rng):
    """The least constants that the rules draw from a matrix, held against the definitions, at and just below them."""
    tried = dict.fromkeys(CLAIMS, 0)

    def demand(key, truth, rows, gamma, why):
        tried[key] += 1
        if not truth:
            raise Counterexample(key, {"K": shown(rows), "gamma": gamma}, why)

    def number(value):
        return Rational(value.numerator, value.denominator)

    for _ in range(40):
        rows = random_kernel(rng, 3, rng.choice((2, 3, 4)))
        entries = tuple(tuple(map(number, row)) for row in rows)
        matrix = apply("described", fact=FiniteMatrix(Kernel("K"), entries, Region()))
        ratio, less = Fraction(rng.randint(10, 50), 10), Fraction(1, 1000)
        pairs = list(product(rows, repeat=2))
        half_sums = max(sum(abs(x - y) for x, y in zip(p, q, strict=True)) / 2 for p, q in pairs)
        gamma = fraction(apply("matrix-dobrushin", matrix).conclusion.gamma)
        demand("B-Def1:dobrushin", 0 <= gamma == half_sums <= 1, rows, gamma, f"the largest distance is {half_sums}")
        profile = apply("matrix-profile", matrix)
        level = max(fraction(u - number(ratio) * v) for u, v in profile.conclusion.lines)
        worst = max(apart(p, q, ratio) for p, q in pairs)
        demand("B-Def1:dobrushin at a level", 0 <= level == worst <= 1, rows, level, f"D_{ratio} is {worst}")
        gamma = fraction(apply("matrix-doeblin", matrix).conclusion.gamma)
        below = [min(column) for column in zip(*rows, strict=True)]
        law = [weight / (1 - gamma) for weight in below] if gamma < 1 else random_law(rng, len(below))
        enough = sum(law) == 1 and min(law) >= 0 and all(_above(row, law, gamma) for row in rows)
        demand("B-Def1:doeblin", enough, rows, gamma, "there is no such law")
        for other in [law, *(random_law(rng, len(below)) for _ in range(5))]:
            fails = gamma < less or not all(_above(row, other, gamma - less) for row in rows)
            demand("B-Def1:doeblin", fails, rows, gamma, "a smaller gamma will do")
        continuous = all(y > 0 or x == 0 for p, q in pairs for x, y in zip(p, q, strict=True))
        try:
            gamma = fraction(apply("matrix-ultra-mixing", matrix).conclusion.gamma)
        except Refused:
            demand("B-Def1:ultra mixing", not continuous, rows, "none", "the rows are absolutely continuous")
            continue
        enough = continuous and all(_above(p, q, gamma) for p, q in pairs)
        demand("B-Def1:ultra mixing", enough, rows, gamma, "two rows do not satisfy it")
        fails = gamma < less or not all(_above(p, q, gamma - less) for p, q in pairs)
        demand("B-Def1:ultra mixing", fails, rows, gamma, "a smaller gamma will do")
    return tried


def fraction(value):
    return Fraction(int(value.p), int(value.q))


def _above(p, q, gamma):
    return all(x >= (1 - gamma) * y for x, y in zip(p, q, strict=True))


def reference_points():
    return []
