r"""Conditions of uniform mixing as local differential privacy.

Setting: $K$ is a Markov operator, taken as a mechanism all of whose inputs are neighbours: it is
    $(\varepsilon, \delta)$-LDP if $K(x)(E) \le e^\varepsilon K(x')(E) + \delta$ for all $x, x', E$.
Claim: [B-Tab1.a] $\gamma$-Dobrushin is $(0, \gamma)$-LDP, and $(\gamma, \varepsilon)$-Dobrushin is
    $(\varepsilon, \gamma)$-LDP
    [B-Tab1.b] $\gamma$-ultra-mixing is $(\log\frac1{1-\gamma}, 0)$-LDP, $\gamma < 1$
Bound: **tight**
Citation: balle2019, Table 1
Assumed: nothing
"""

from fractions import Fraction
from itertools import product

from sympy import S

from symdp import parse, symbol
from symdp.claims import Claim, Counterexample
from symdp.claims.finite import random_kernel, shown, ultra_mixing, value
from symdp.judgments import Dobrushin, Kernel, LocalDP, UltraMixing
from symdp.region import Interval, Region
from symdp.theorem import apply

K, GAMMA, EPSILON = Kernel("K"), symbol("gamma"), symbol("epsilon")
UNIT = Region.make({GAMMA: Interval.closed(0, 1)})
BELOW = Region.make({GAMMA: Interval(S.Zero, S.One, True, False)})
LEVELS = UNIT.extend({EPSILON: Interval.nonnegative()})
PURE = parse("log(1/(1-gamma))")
TOTAL, LEVEL = Dobrushin(K, GAMMA, S.One, UNIT), Dobrushin(K, GAMMA, parse("exp(epsilon)"), LEVELS)
TOTAL_LDP, LEVEL_LDP = LocalDP(K, S.Zero, GAMMA, UNIT), LocalDP(K, EPSILON, GAMMA, LEVELS)
ULTRA, ULTRA_LDP = UltraMixing(K, GAMMA, BELOW), LocalDP(K, PURE, S.Zero, BELOW)
ANY, ANY_LEVEL, LESS = "0<=gamma<=1", "0<=gamma<=1, epsilon>=0", "0<=gamma<1"

CLAIMS = {
    "B-Tab1.a:epsilon": Claim("0", where=ANY, field="epsilon", given=(TOTAL,)),
    "B-Tab1.a:delta": Claim("gamma", where=ANY, field="delta", given=(TOTAL,)),
    "B-Tab1.a:back": Claim("gamma", where=ANY, field="gamma", given=(TOTAL_LDP,)),
    "B-Tab1.a:ratio back": Claim("1", where=ANY, field="ratio", given=(TOTAL_LDP,)),
    "B-Tab1.a:epsilon at a level": Claim("epsilon", where=ANY_LEVEL, field="epsilon", given=(LEVEL,)),
    "B-Tab1.a:delta at a level": Claim("gamma", where=ANY_LEVEL, field="delta", given=(LEVEL,)),
    "B-Tab1.a:back at a level": Claim("gamma", where=ANY_LEVEL, field="gamma", given=(LEVEL_LDP,)),
    "B-Tab1.a:ratio back at a level": Claim("exp(epsilon)", where=ANY_LEVEL, field="ratio", given=(LEVEL_LDP,)),
    "B-Tab1.b:epsilon": Claim("log(1/(1-gamma))", where=LESS, field="epsilon", given=(ULTRA,)),
    "B-Tab1.b:delta": Claim("0", where=LESS, field="delta", given=(ULTRA,)),
    "B-Tab1.b:back": Claim("gamma", where=LESS, field="gamma", given=(ULTRA_LDP,)),
}


def derive():
    def by(rule, fact):
        return apply(rule, apply("given", fact=fact, assuming=("given",)))

    total, level, ultra = by("ldp-of-dobrushin", TOTAL), by("ldp-of-dobrushin", LEVEL), by("ldp-of-ultra-mixing", ULTRA)
    total_back, level_back = by("dobrushin-of-ldp", TOTAL_LDP), by("dobrushin-of-ldp", LEVEL_LDP)
    return {
        "B-Tab1.a:epsilon": total,
        "B-Tab1.a:delta": total,
        "B-Tab1.a:back": total_back,
        "B-Tab1.a:ratio back": total_back,
        "B-Tab1.a:epsilon at a level": level,
        "B-Tab1.a:delta at a level": level,
        "B-Tab1.a:back at a level": level_back,
        "B-Tab1.a:ratio back at a level": level_back,
        "B-Tab1.b:epsilon": ultra,
        "B-Tab1.b:delta": ultra,
        "B-Tab1.b:back": by("ultra-mixing-of-ldp", ULTRA_LDP),
    }


def falsify(rng):
    """Least constants of random kernels. The delta of local privacy over all events; a distance as half a sum, a
    divergence as a sum of positive parts, the constant of ultra-mixing as a ratio of densities.
    """
    tried = dict.fromkeys(CLAIMS, 0)

    def demand(key, true, rows):
        tried[key] += 1
        if not true:
            raise Counterexample(key, {"K": shown(rows)}, "the constants are not those of local privacy")

    for _ in range(50):
        rows = random_kernel(rng, 3, rng.choice((2, 3)))
        pairs, b = list(product(rows, repeat=2)), Fraction(rng.randint(10, 40), 10)
        half = max(sum(abs(x - y) for x, y in zip(p, q, strict=True)) / 2 for p, q in pairs)
        parts = max(sum(max(x - b * y, Fraction(0)) for x, y in zip(p, q, strict=True)) for p, q in pairs)
        for key, gamma in [("", half), (" at a level", parts)]:
            epsilon, delta = (CLAIMS[f"B-Tab1.a:{part}{key}"].text for part in ("epsilon", "delta"))
            private = local(rows, value(f"exp({epsilon})", b)) == value(delta, gamma=gamma)
            for part in ("epsilon", "delta", "back", "ratio back"):
                demand(f"B-Tab1.a:{part}{key}", private, rows)
        gamma = ultra_mixing(rows)
        if gamma is not None:
            ratio = value(f"exp({CLAIMS['B-Tab1.b:epsilon'].text})", gamma=gamma)
            private = local(rows, ratio) == value(CLAIMS["B-Tab1.b:delta"].text)
            smaller = ratio == 1 or local(rows, ratio - (ratio - 1) / 1000) > 0
            for part in ("epsilon", "delta", "back"):
                demand(f"B-Tab1.b:{part}", private and smaller, rows)
    return tried


def local(rows, ratio):
    """The least delta of local privacy, over all pairs of inputs and all events."""
    size, largest = len(rows[0]), Fraction(0)
    for p, q in product(rows, repeat=2):
        for event in product((0, 1), repeat=size):
            gap = sum((e * (x - ratio * y) for e, x, y in zip(event, p, q, strict=True)), Fraction(0))
            largest = max(largest, gap)
    return largest


def reference_points():
    return [
        ("B-Tab1.a:epsilon", "gamma=1/4", "0"),
        ("B-Tab1.a:delta", "gamma=1/4", "0.25"),
        ("B-Tab1.a:back", "gamma=1/4", "0.25"),
        ("B-Tab1.a:ratio back", "gamma=1/4", "1"),
        ("B-Tab1.a:epsilon at a level", "epsilon=1/4", "0.25"),
        ("B-Tab1.a:delta at a level", "gamma=1/4", "0.25"),
        ("B-Tab1.a:back at a level", "gamma=1/4", "0.25"),
        ("B-Tab1.a:ratio back at a level", "epsilon=log(3)", "3"),
        ("B-Tab1.b:epsilon", "gamma=1/4", "0.28768207245178092744"),
        ("B-Tab1.b:delta", "gamma=1/4", "0"),
        ("B-Tab1.b:back", "gamma=1/4", "0.25"),
    ]
