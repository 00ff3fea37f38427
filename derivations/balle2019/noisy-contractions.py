r"""Noisy projected Lipschitz maps, one after the other.

Setting: $Y_i = \Pi_K(\psi_i(x) + Z_i)$, $Z_i \sim N(0, \sigma^2I)$, on a convex set $K$, each $\psi_i$ $L$-Lipschitz;
    a path $\mu_0 = \mu, \dots, \mu_r = \nu$ with $W_\infty(\mu_i, \mu_{i-1}) = W_i$, here of one to three segments, or
    any number $r$ of them for the optimal path between laws at distance $\Delta$. *s* is $\sigma$. For $L > 1$ the sum
    grows without bound along equal segments, but falls with $r$ along segments that grow like $L^{2i}$.
Claim: [B-T4(2)] $R_\alpha(\mu K_1\cdots K_r\|\nu K_1\cdots K_r) \le
    \frac{\alpha L^2}{2\sigma^2}\sum_{i=1}^r L^{2(r-i)}W_\infty(\mu_i, \mu_{i-1})^2$
    [B-T4(3)] $\frac{\alpha\Delta^2L^{r+1}}{2r\sigma^2}$ if $L \le 1$ and $W_\infty(\mu, \nu) = \Delta$; it is
    $\frac{\alpha\Delta^2}{2r\sigma^2}$ for $L = 1$
    [B-T4.rate] the amplification rate is $O(L^{r+1}/r)$ for $L < 1$
    [B-T4.L>1] for $L > 1$ (2) is not useful, since the sum diverges: no path of length $\Delta$ makes the bound of
    $r \ge 2$ steps smaller than that of one step, $\alpha L^2\Delta^2/(2\sigma^2)$
Bound: **upper**
Citation: balle2019, Theorem 4
Assumed: nothing
"""

from fractions import Fraction
from functools import cache

import numpy as np
from sympy import Integer

from symdp import parse, symbol
from symdp.claims import Approximate, Claim, Counterexample, attack, must_hold, points
from symdp.claims.finite import value
from symdp.claims.projected import Projected
from symdp.judgments import NoisyIteration, UniformIteration
from symdp.region import Region
from symdp.text import parse_relations
from symdp.theorem import apply

STEPS = {"one step": 1, "two steps": 2, "three steps": 3}


def along(r):
    """(2) for r steps."""
    return "alpha*L**2/(2*s**2)*(" + " + ".join(f"L**(2*({r}-{i}))*W{i}**2" for i in range(1, r + 1)) + ")"


def lengths(r):
    return ", ".join(f"W{i}>=0" for i in range(1, r + 1))


EQUAL = "s>0, Delta>=0, r>=1"
RATE = "alpha*Delta**2*L**(r+1)/(2*r*s**2)"
#: (2) at the path for which it is least, for any L but 1
OPTIMUM = "alpha*Delta**2*L**(2*r)*(L**2-1)/(2*s**2*(L**(2*r)-1))"
CLAIMS = {
    **{f"B-T4(2):{name}": Claim(along(r), where=f"alpha>1, s>0, L>0, {lengths(r)}") for name, r in STEPS.items()},
    "B-T4(2):order one": Claim(along(1).replace("alpha", "1"), where=f"alpha==1, s>0, L>0, {lengths(1)}"),
    "B-T4(2):constant maps": Claim("alpha*0**2/(2*s**2)*(0**2*W1**2 + W2**2)", where=f"alpha>1, s>0, {lengths(2)}"),
    "B-T4(3):rate": Claim(RATE, where=f"alpha>1, {EQUAL}, L>0, L!=1, L<=1", needless="L<=1"),
    "B-T4(3):isometry": Claim("alpha*Delta**2*1**(r+1)/(2*r*s**2)", where=f"alpha>1, {EQUAL}"),
    "B-T4.rate": Claim("L**(r+1)/r*(alpha*Delta**2/(2*s**2))", where=f"alpha>1, {EQUAL}, L>0, L<1", kind="asymptotic"),
    "B-T4.L>1": Claim(f"{OPTIMUM} >= alpha*L**2*Delta**2/(2*s**2)", where="alpha>1, s>0, Delta>0, L>1, r>=2"),
}


def region(text):
    relations = parse_relations(text, place="region")
    return Region.from_relations(relations, sorted({s for r in relations for s in r.free_symbols}, key=str))


def chain(r, constant, where):
    """r steps from two starts at the distance that a path of lengths W1, ..., Wr has."""
    parts = tuple(symbol(f"W{i}") for i in range(1, r + 1))
    fact = NoisyIteration("Y", (constant,) * r, (symbol("s"),) * r, sum(parts[1:], parts[0]), region(where))
    return apply("described", fact=fact), parts


def path(r, constant=None):
    where = f"s>0, {lengths(r)}" if constant is not None else f"s>0, L>0, {lengths(r)}"
    steps, parts = chain(r, symbol("L") if constant is None else constant, where)
    return apply("iteration-path", steps, lengths=parts)


def best_path(r):
    steps, _ = chain(r, symbol("L"), f"s>0, L>0, {lengths(r)}")
    return apply("rdp-of-gdp", apply("path-optimum", steps))


@cache
def uniform(where, constant=None):
    constant = symbol("L") if constant is None else constant
    fact = UniformIteration("Y", constant, symbol("s"), symbol("r"), symbol("Delta"), region(where))
    return apply("described", fact=fact)


@cache
def rate_above_optimum():
    """(3) is at least (2) at the best path, for any L but 1: ``sinh(r y) >= r sinh(y)`` at ``y = |log L|``."""
    relation = parse_relations(f"{RATE} >= {OPTIMUM}", place="step")[-1]
    sinh = apply(
        "inequality", relation=parse_relations("sinh(r*y) >= r*sinh(y)", place="step")[-1], region=region("r>=1, y>=0")
    )

    def side(where, size):
        weight = parse(f"alpha*Delta**2*L**(r+1)/(2*s**2*r*sinh(r*{size}))")
        at = apply("substitution", sinh, mapping=((symbol("y"), parse(size)),), region=region(where))
        return apply("combination", at, weights=(weight,), relation=relation, region=region(where), exact=True)

    large, small = side(f"alpha>1, {EQUAL}, L>1", "log(L)"), side(f"alpha>1, {EQUAL}, L>0, L<1", "log(1/L)")
    split = parse_relations("L>1", place="step")[-1]
    return apply("cases", large, small, split=split, region=region(f"alpha>1, {EQUAL}, L>0, L!=1"))


def derive():
    optimum = apply("rdp-of-gdp", apply("path-optimum-uniform", uniform(f"{EQUAL}, L>0, L!=1")))
    rate = apply("weaker-rdp", optimum, rate_above_optimum(), value=parse(RATE))
    below = parse_relations(CLAIMS["B-T4.L>1"].text.replace(">=", "<"), place="step")[-1]
    return {
        **{f"B-T4(2):{name}": best_path(r) for name, r in STEPS.items()},
        **{f"B-T4(2):{name}:sharper": best_path(r) for name, r in STEPS.items() if r > 1},
        "B-T4(2):order one": apply("rdp-at-one", path(1)),
        "B-T4(2):constant maps": path(2, Integer(0)),
        "B-T4(3):rate": rate,
        "B-T4(3):rate:sharper": optimum,
        "B-T4(3):isometry": apply("rdp-of-gdp", apply("path-optimum-uniform", uniform(EQUAL, Integer(1)))),
        "B-T4.rate": optimum,
        "B-T4.rate:sharper": optimum,
        "B-T4.L>1": apply("inequality", relation=below, region=region(CLAIMS["B-T4.L>1"].where)),
    }


def falsify(rng):
    tried = dict.fromkeys(CLAIMS, 0)

    def linear(s, L, steps, distance, alpha):
        """Maps ``x -> L x``: two normal laws of one variance, step by step."""
        variance = 0
        for _ in range(steps):
            distance, variance = L * distance, L**2 * variance + s**2
        return alpha * distance**2 / (2 * variance)

    def of_path(mp, s, alpha, L=0, **parts):
        return linear(s, L, len(parts), sum(parts.values()), alpha)

    for key, claim in CLAIMS.items():
        if key.startswith("B-T4(2)"):
            order = "alpha>=1, alpha<=1" if key.endswith("order one") else "alpha>1, alpha<9"
            segments = lengths({**STEPS, "order one": 1, "constant maps": 2}[key.partition(":")[2]])
            slopes = ("", "") if key.endswith("maps") else (", L>1/4, L<1", ", L>1, L<4")
            for noise, slope in zip(("s>1/9, s<1/2", "s>2, s<4"), slopes, strict=True):
                where = f"{order}, {segments}, {noise}{slope}"
                tried[key] += attack(key, claim, where, of_path, rng, tight=False, count=12)
    for name, steps in STEPS.items():
        key = f"B-T4(2):{name}"
        for point in points("alpha>1, alpha<9, s>1/3, s<4, L>1/4, L<4, W>=0", rng, 8):
            at = {s.name: Fraction(str(number)) for s, number in point.items()}
            parts = {f"W{i}": at["W"] * at["L"] ** (2 * i) for i in range(1, steps + 1)}  # linear maps reach the bound
            true = linear(at["s"], at["L"], steps, sum(parts.values()), at["alpha"])
            if value(CLAIMS[key].text, **at, **parts) != true:
                raise Counterexample(key, at | parts, f"the divergence of linear maps is {true}")
            tried[key] += 1

    def equal_steps(mp, alpha, s, Delta, r, L=1):
        """The same with the variances summed, which makes sense for any r."""
        variances = r if L == 1 else (1 - L ** (2 * r)) / (1 - L**2)
        return alpha * (L**r * Delta) ** 2 / (2 * s**2 * variances)

    order = "alpha>1, alpha<9, s>1/3, s<4, Delta>=0, Delta<4, r>=1, r<20"
    small = "alpha>1, alpha<9, s>1/9, s<1/2, Delta>0, Delta<1/2, r>=1, r<3/2"
    large = "alpha>1, alpha<2, s>2, s<9, Delta>9, Delta<20, r>=1, r<3/2"
    for key, slope in (("B-T4(3):rate", "L>1/4, L<3, L!=1"), ("B-T4(3):isometry", ""), ("B-T4.rate", "L>1/4, L<1")):
        where = ", ".join(filter(None, (order, slope)))
        for box, below in ((order, ""), (small, "L<1"), (large, "")):
            inside = ", ".join(filter(None, (box, slope, slope and below)))
            tried[key] += attack(key, CLAIMS[key], inside, equal_steps, rng, tight=False, count=12)
        for steps in (1, 2, 3, 7, 20):
            for point in points(where, rng, 4):
                at = {s.name: Fraction(str(number)) for s, number in point.items()} | {"r": Fraction(steps)}
                true = linear(at["s"], at.get("L", Fraction(1)), steps, at["Delta"], at["alpha"])
                if value(CLAIMS[key].text, **at) < true:
                    raise Counterexample(key, at, f"the divergence of linear maps is {true}")
                tried[key] += 1
    for _ in range(12):
        key, true, claimed, point = bent(rng)
        if true > claimed * (1 + 1e-8) + 1e-12:
            raise Approximate(key, point, f"the divergence is {true}, claimed {claimed}")
        tried[key] += 1
    tried["B-T4.L>1"] = falling_path()
    return tried


def falling_path():
    """A path whose lengths grow like ``L^(2i)``: its bound falls with every further step, in exact fractions."""
    bounds = []
    for steps in range(1, 13):
        shares = [Fraction(2) ** (2 * i) for i in range(1, steps + 1)]
        parts = [share / sum(shares) for share in shares]
        bounds.append(4 * sum(Fraction(2) ** (2 * (steps - i)) * part**2 for i, part in enumerate(parts, 1)))
    at = {"L": 2, "Delta": 1, "s": 1, "alpha": 2}
    for steps, bound in enumerate(bounds, 1):
        try:
            must_hold("B-T4.L>1", CLAIMS["B-T4.L>1"], **at, r=steps)
        except Counterexample as found:
            if not bound < bounds[0]:
                raise
            why = (
                f"the sum does not diverge: the bound is {bounds[0]} for one step, {bound} for {steps}, then even less"
            )
            return Counterexample("B-T4.L>1", found.point, why)
    return len(bounds)


def bent(rng):
    """Two or three maps that bend, projected on [-1, 1]: their divergence, and (2) at some path."""
    line = Projected(-1, 1)
    shapes = (np.sin, np.abs, lambda x: np.exp(-np.abs(x)), lambda x: np.clip(x, -0.5, 0.5))
    steps, constant, s = rng.choice((2, 3)), rng.choice((0.5, 0.8, 1.5)), rng.choice((0.4, 0.7, 1.0))
    maps = [rng.choice(shapes) for _ in range(steps)]
    start, distance, alpha = rng.uniform(-1, 0.2), rng.uniform(0.1, 0.8), rng.choice((1.5, 2.0, 4.0))
    noisy = [(lambda x, shape=shape: constant * shape(x), s) for shape in maps]
    true = line.divergence(line.law(start, noisy), line.law(start + distance, noisy), alpha)
    shares = [rng.random() + 0.01 for _ in range(steps)]
    parts = [distance * share / sum(shares) for share in shares]
    point = {"L": constant, "s": s, "alpha": alpha, **{f"W{i}": part for i, part in enumerate(parts, 1)}}
    key = f"B-T4(2):{'two' if steps == 2 else 'three'} steps"
    exact = {name: Fraction(number) for name, number in (point | {"alpha": alpha}).items()}
    return key, true, float(value(CLAIMS[key].text, **exact)), point


def reference_points():
    at = "alpha=1,L=2,s=2,W1=1,W2=1,W3=1"
    return [
        ("B-T4(2):one step", at, "0.5"),
        ("B-T4(2):two steps", at, "2.5"),
        ("B-T4(2):three steps", at, "10.5"),
        ("B-T4(2):order one", "L=2,s=2,W1=1", "0.5"),
        ("B-T4(2):constant maps", "alpha=2,s=1,W1=1,W2=1", "0"),
        ("B-T4(3):rate", "alpha=4,Delta=1,L=1/2,r=2,s=1", "0.125"),
        ("B-T4(3):isometry", "alpha=4,Delta=1,r=2,s=1", "1"),
        ("B-T4.rate", "alpha=4,Delta=1,L=1/2,r=2,s=1", "0.125"),
    ]
