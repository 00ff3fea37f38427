r"""Doeblin's condition and the privacy blanket.

Setting: $K$ is a Markov operator. The *blanket* of $K$ is the largest mass $\int \inf_x k(x, y)\,dy$ that all laws
    $K(x)$ share; $\gamma$ is the least constant for which $K$ is $\gamma$-Doeblin.
Claim: Doeblin's is the blanket condition, of mass $1-\gamma$, and it is necessary for local privacy: an
    $(\varepsilon, 0)$-LDP kernel has a blanket of mass at least $e^{-\varepsilon}$.
Bound: **upper**
Citation: balle2019, Table 1 and footnote 4
Assumed: nothing
"""

from fractions import Fraction

from sympy import S

from symdp import symbol
from symdp.claims import Claim, Counterexample
from symdp.claims.finite import random_kernel, random_law, shown, spread, value
from symdp.judgments import Kernel, LocalDP
from symdp.mechanisms.finite import FiniteKernel
from symdp.region import Interval, Region
from symdp.theorem import apply

PRIVATE = LocalDP(Kernel("K"), symbol("epsilon"), S.Zero, Region.make({symbol("epsilon"): Interval.nonnegative()}))
CLAIMS = {
    "B-Tab1.c/fn4:mass": Claim("blanket == 1-gamma", where="0<=gamma<=1", kind="definition"),
    "B-Tab1.c/fn4:local privacy": Claim("1-exp(-epsilon)", where="epsilon>=0", field="gamma", given=(PRIVATE,)),
}


def derive():
    private = apply("given", fact=PRIVATE, assuming=("given",))
    return {"B-Tab1.c/fn4:local privacy": apply("doeblin-of-ultra-mixing", apply("ultra-mixing-of-ldp", private))}


def falsify(rng):
    """The shared mass as what remains of a law after taking the least density, on random kernels; those that are
    nearly the worst, n inputs with n outputs of which each makes one a little less likely, too.
    """
    tried = dict.fromkeys(CLAIMS, 0)
    for _ in range(80):
        if rng.random() < 0.4:
            n, b = rng.randint(2, 7), Fraction(rng.randint(10, 40), 10)
            rows = [[(1 if x == y else b) / (b * (n - 1) + 1) for y in range(n)] for x in range(n)]
        elif rng.random() < 0.3:
            rows = spread(rng, Fraction(rng.randint(0, 6), 6), 3)
        else:
            rows = random_kernel(rng)
        gamma = FiniteKernel(rows).doeblin()
        blanket = sum(min(row[y] for row in rows) for y in range(len(rows[0])))
        law = [min(row[y] for row in rows) / blanket for y in range(len(rows[0]))] if blanket else random_law(rng, 3)
        rest = [[x - (1 - gamma) * w for x, w in zip(row, law, strict=True)] for row in rows]  # what K(x) has besides
        used = all(min(row[y] for row in rest) == 0 for y in range(len(law))) and min(map(min, rest)) >= 0
        tried["B-Tab1.c/fn4:mass"] += 1
        if blanket != 1 - gamma or (blanket and not used):
            raise Counterexample("B-Tab1.c/fn4:mass", {"K": shown(rows)}, f"it shares {blanket}, and gamma is {gamma}")
        if all(x > 0 for row in rows for x in row):
            worst = max(row[y] / other[y] for row in rows for other in rows for y in range(len(law)))
            claimed = value(CLAIMS["B-Tab1.c/fn4:local privacy"].text, worst)
            tried["B-Tab1.c/fn4:local privacy"] += 1
            if 1 - blanket > claimed:
                point = {"K": shown(rows), "exp(epsilon)": worst}
                raise Counterexample("B-Tab1.c/fn4:local privacy", point, f"its blanket has the mass {blanket}")
    return tried


def reference_points():
    return [("B-Tab1.c/fn4:local privacy", "epsilon=log(4)", "0.75")]
