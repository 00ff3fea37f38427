r"""The infinite Wasserstein distance.

Setting: two laws on $\mathbb R^d$. *distance* is $\|X - Y\|$ at a pair of points that the coupling $\pi$ charges, and
    *W* the least bound that all of these have.
Claim: $W_\infty(\mu, \nu) = \inf_{\pi \in C(\mu,\nu)} \inf\{w \ge 0 : \|X-Y\| \le w$ almost surely for
    $(X, Y) \sim \pi\}$
Bound: **tight**
Citation: balle2019, section 2
Assumed: nothing
"""

from fractions import Fraction
from itertools import combinations, permutations

from symdp import Diffusion, symbol
from symdp import derive as derive_bound
from symdp.ball import mp_context
from symdp.claims import Claim, Counterexample
from symdp.enclosure import evaluate_mp

CLAIMS = {"B-2.Winf": Claim("distance <= W", where="W>=0", kind="definition")}


def derive():
    return {}


def squared(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b, strict=True))


def by_couplings(xs, ys):
    """Laws of n atoms of mass 1/n each: the couplings are mixtures of permutations, and a mixture charges what each of
    these charges. The square of the distance.
    """
    return min(max(squared(x, y) for x, y in zip(xs, order, strict=True)) for order in permutations(ys))


def by_sets(xs, ys):
    """The least w at which each set has no more mass under mu than what lies within w of it has under nu (Strassen)."""

    def enough(w):
        for size in range(1, len(xs) + 1):
            for chosen in combinations(xs, size):
                if sum(any(squared(x, y) <= w for x in chosen) for y in ys) < size:
                    return False
        return True

    return min(w for w in {squared(x, y) for x in xs for y in ys} if enough(w))


def falsify(rng):
    """Atoms on a grid in the plane, two definitions; shifted laws; and what our bound for starts at most Delta apart
    is about: Brownian motion from mu and from nu is no easier to tell apart than from two points at the distance W.
    """
    tried = 0

    def demand(true, xs, ys, why):
        nonlocal tried
        tried += 1
        if not true:
            raise Counterexample("B-2.Winf", {"mu": str(xs), "nu": str(ys)}, why)

    for _ in range(40):
        n, dimension = rng.randint(1, 5), rng.randint(1, 2)
        xs, ys = ([tuple(rng.randint(0, 6) for _ in range(dimension)) for _ in range(n)] for _ in range(2))
        least = by_couplings(xs, ys)
        demand(least == by_sets(xs, ys), xs, ys, f"by couplings the square is {least}, by sets {by_sets(xs, ys)}")
        shift = [rng.randint(-4, 4) for _ in range(dimension)]
        moved = [tuple(a + b for a, b in zip(x, shift, strict=True)) for x in xs]
        demand(by_couplings(xs, moved) == squared(shift, [0] * dimension), xs, moved, "a shifted law is not that far")
    mp = mp_context(30)
    divergence = derive_bound(Diffusion("0", "sqrt(2)")).found.derivation.divergence.conclusion
    for _ in range(12):
        n, t, alpha = rng.randint(1, 3), Fraction(rng.randint(4, 12), 4), Fraction(rng.randint(3, 6), 2)
        xs = [(rng.randint(0, 3),) for _ in range(n)]
        ys = [(x + rng.randint(-1, 1),) for (x,) in xs]
        far = int(mp.sqrt(by_couplings(xs, ys)) + mp.mpf(1) / 2)  # on the line it is a whole number
        at = {symbol("t"): t, symbol("alpha"): alpha, symbol("x"): Fraction(far), symbol("xp"): Fraction(0)}
        bound = mp.mpf(evaluate_mp(divergence.value, {name: at[name] for name in divergence.value.free_symbols}, 25))
        spread, order = mp.sqrt(mp.mpf(2 * t.numerator) / t.denominator), mp.mpf(alpha.numerator) / alpha.denominator

        def density(z, points, spread=spread):
            return mp.fsum(mp.npdf(z, x, spread) for (x,) in points) / len(points)

        step = spread / 6
        nodes = [k * step for k in range(int(-15 * spread / step) - 60, int((15 * spread + 12) / step) + 60)]
        terms = (density(z, xs) ** order * density(z, ys) ** (1 - order) for z in nodes)
        true = mp.log(step * mp.fsum(terms)) / (order - 1)
        demand(true <= bound + mp.mpf(10) ** -15, xs, ys, f"the divergence is {true}, at distance {far} it is {bound}")
    return tried


def reference_points():
    return []
