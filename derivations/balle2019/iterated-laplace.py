r"""Laplace noise after a Laplace mechanism, by a translation.

Setting: $M(D) = \mathrm{Lap}(f(D), \lambda_1)$ for $f$ of $\ell_1$ sensitivity $\Delta$, $K(x) = \mathrm{Lap}(x,
    \lambda_2)$, $\mu$ and $\nu$ the laws of $M$ at $u$ and $v$. *d1*, *d2*, *Delta* are $|w-v|$, $|u-w|$, $|u-v| \le
    d_1 + d_2$, for any $w$; *l*, *l1*, *l2* are the noises. The limit is squeezed: the moment, e to the bound times
    $\alpha-1$, is at the best end at most $e^{(\alpha-1)\Delta/\max}$, and nowhere below a quarter of that.
Claim: [B-Ex2.bound] $R_\alpha(\mu K\|\nu K) \le
    \frac1{\alpha-1}\log(g_\alpha(|w-v|/\lambda_1)g_\alpha(|u-w|/\lambda_2))$; for equal noises
    the best $w$ is in the middle
    [B-Ex2.logconv] $g_\alpha$ is log-convex, and $g_\alpha(a)g_\alpha(b) \le g_\alpha(a+b)$
    [B-Ex2.inf] the lowest bound tends to $\Delta/\max\{\lambda_1, \lambda_2\}$ as $\alpha \to \infty$
Bound: **upper**
Citation: balle2019, Example 2
Assumed: nothing
"""

from functools import cache
from itertools import pairwise

from sympy import Integer, Rational

from symdp import parse, symbol
from symdp.ball import mp_context
from symdp.claims import Approximate, Claim, Counterexample, attack, must_hold, points
from symdp.claims.falsify import must_hold_at
from symdp.derivation.inequalities import rising_exponential
from symdp.judgments import NoiseKernel, NoiseMechanism
from symdp.region import Interval, Region
from symdp.text import parse_relations
from symdp.theorem import apply


def g(z):
    return f"(alpha/(2*alpha-1)*exp(({z})*(alpha-1)) + (alpha-1)/(2*alpha-1)*exp(-({z})*alpha))"


NOISES = "l1>0, l2>0, d1>=0, d2>=0"
EQUAL, ALL = "alpha>1, l>0, d1>=0, d2>=0", f"alpha>1, {NOISES}, Delta>=0, Delta<=d1+d2"
CLAIMS = {
    "B-Ex2.bound:any shift": Claim(f"log({g('d1/l1')}*{g('d2/l2')})/(alpha-1)", where=f"alpha>1, {NOISES}"),
    "B-Ex2.bound:best shift": Claim(f"{g('d1/l')}*{g('d2/l')} >= {g('(d1+d2)/(2*l)')}**2", where=EQUAL),
    "B-Ex2.logconv:convex": Claim(f"{g('a')}*{g('b')} >= {g('(a+b)/2')}**2", where="alpha>1"),
    "B-Ex2.logconv:product": Claim(f"{g('a')}*{g('b')} <= {g('a+b')}", where="alpha>1", repair="a*b>=0"),
    "B-Ex2.inf:best end": Claim(
        f"{g('Delta/max(l1, l2)')} <= exp((alpha-1)*Delta/max(l1, l2))", where="alpha>1, l1>0, l2>0, Delta>=0"
    ),
    "B-Ex2.inf:any shift": Claim(f"{g('d1/l1')}*{g('d2/l2')} >= exp((alpha-1)*Delta/max(l1, l2))/4", where=ALL),
}


def region(text, free=""):
    relations = parse_relations(text, place="region")
    found = Region.from_relations(relations, sorted({s for r in relations for s in r.free_symbols}, key=str))
    return found.extend({symbol(name): Interval.real() for name in free.split() if symbol(name) not in found.symbols})


def relation(text):
    return parse_relations(text, place="step")[-1]


def put(fact, where, **values):
    mapping = tuple((symbol(name), parse(text)) for name, text in values.items())
    return apply("substitution", fact, mapping=mapping, region=region(where))


def decided(text, where):
    return apply("inequality", relation=relation(text), region=where)


@cache
def coupled():
    where, names = region(NOISES), map(symbol, ("l1", "l2", "d1", "d2"))
    l1, l2, d1, d2 = names
    mechanism = apply("described", fact=NoiseMechanism("M", "laplace", l1, d1 + d2, "l1", where))
    kernel = apply("described", fact=NoiseKernel("K", "laplace", l2, parse("1"), "l1", where))
    return apply("coupling-laplace", mechanism, kernel, shift=d1)


def derive():
    """``g(z) >= e^((alpha-1) z)/2``, at both distances, and ``d1/l1 + d2/l2 >= Delta/max(l1, l2)``."""
    half = decided(f"{g('z')} >= exp(z*(alpha-1))/2", region("alpha>1, z>=0"))
    ends = decided(f"{g('z')} <= exp(z*(alpha-1))", region("alpha>1, z>=0"))
    lengths = decided("(alpha-1)*(d1/l1 + d2/l2) >= (alpha-1)*Delta/max(l1, l2)", region(ALL))
    grown = apply(
        "substitution",
        rising_exponential(),
        lengths,
        mapping=(
            (symbol("x"), parse("(alpha-1)*Delta/max(l1, l2)")),
            (symbol("y"), parse("(alpha-1)*(d1/l1 + d2/l2)")),
        ),
        region=region(ALL),
    )
    facts = [put(half, ALL, z="d1/l1"), put(half, ALL, z="d2/l2"), grown]
    weights = parse(g("d2/l2")), parse("exp(d1/l1*(alpha-1))/2"), parse("1/4")
    key, product = "B-Ex2.inf:any shift", CLAIMS["B-Ex2.logconv:product"]
    least = apply(
        "combination", *facts, weights=weights, relation=relation(CLAIMS[key].text), region=region(ALL), exact=True
    )
    return {
        "B-Ex2.bound:any shift": coupled(),
        "B-Ex2.bound:best shift": decided(CLAIMS["B-Ex2.bound:best shift"].text, region(EQUAL)),
        "B-Ex2.logconv:convex": decided(CLAIMS["B-Ex2.logconv:convex"].text, region("alpha>1", "a b")),
        "B-Ex2.logconv:product": decided(product.text, region(product.repaired.where, "a b")),
        "B-Ex2.inf:best end": put(ends, "alpha>1, l1>0, l2>0, Delta>=0", z="Delta/max(l1, l2)"),
        key: least,
    }


def falsify(rng):
    mp = mp_context(40)

    def moment(alpha, z):
        """``E_Q[(P/Q)^alpha]`` of two Laplace laws at distance z >= 0: left of both, between, and right of both."""
        rest = mp.exp(-alpha * z)
        return rest / 2 + (mp.exp((2 * alpha - 1) * z) - 1) * rest / (2 * (2 * alpha - 1)) + mp.exp((alpha - 1) * z) / 2

    def binned(mp, alpha, l1, l2, d1, d2):
        """The divergence of the laws of a grid's cells, from the tail of the sum of the noises: below the true one."""

        def below(z):
            far, narrow, wide = abs(z), min(l1, l2), max(l1, l2)
            if wide == narrow:
                tail = (2 + far / wide) * mp.exp(-far / wide) / 4
            else:
                tail = (wide**2 * mp.exp(-far / wide) - narrow**2 * mp.exp(-far / narrow)) / (2 * (wide**2 - narrow**2))
            return tail if z < 0 else 1 - tail

        edges = [(d1 + d2) * mp.mpf(k) / 12 for k in range(-36, 49)]
        laws = [[below(z - shift) for z in edges] for shift in (d1 + d2, 0)]
        cells = [[0, *ends, 1] for ends in laws]
        p, q = ([right - left for left, right in pairwise(ends)] for ends in cells)
        return mp.log(mp.fsum(a**alpha * b ** (1 - alpha) for a, b in zip(p, q, strict=True))) / (alpha - 1)

    def exact(point):
        return {name.name: number for name, number in point.items()}

    def shifts(key, claim, where):
        """The relation at the claimed place, and there the moments by integration against the formula's."""
        tried = must_hold_at(key, claim, rng, where=where)
        for point in points(where, rng, 20):
            alpha, l, d1, d2 = (mp.mpf(point[s].p) / point[s].q for s in map(symbol, ("alpha", "l", "d1", "d2")))
            ends, half = moment(alpha, d1 / l) * moment(alpha, d2 / l), moment(alpha, (d1 + d2) / (2 * l)) ** 2
            if ends < half * (1 - mp.mpf(10) ** -30):
                raise Counterexample(
                    key, point, f"the moment is {mp.nstr(ends, 12)}, in the middle {mp.nstr(half, 12)}"
                )
            tried += 1
        return tried

    def large_orders(key, claim, where):
        """At growing orders, where the bound of the true moments is lowest among sixty-one shifts."""
        tried = 0
        for k, point in enumerate(points("l1>1/3, l1<4, l2>1/3, l2<4, Delta>0, Delta<4", rng, 18)):
            l1, l2, delta = (mp.mpf(point[s].p) / point[s].q for s in map(symbol, ("l1", "l2", "Delta")))
            order = Integer(10) ** (1 + k % 6)
            shares = [Rational(j, 60) for j in range(61)]
            costs = {
                share: moment(mp.mpf(int(order)), delta * share.p / share.q / l1)
                * moment(mp.mpf(int(order)), delta * (share.q - share.p) / share.q / l2)
                for share in shares
            }
            share = min(costs, key=costs.get)
            best, limit = mp.log(costs[share]) / (int(order) - 1), delta / max(l1, l2)
            if not limit - 2 * mp.log(2) / (int(order) - 1) <= best <= limit + mp.mpf(10) ** -20:
                raise Approximate(key, {**point, "alpha": order}, f"the lowest bound is {mp.nstr(best, 12)}")
            whole = point[symbol("Delta")]
            parts = {"d1": whole * share, "d2": whole * (1 - share)} if key.endswith("shift") else {}
            must_hold(key, claim, alpha=order, **exact(point), **parts)
            tried += 1
        return tried

    def related(key, claim, where):
        return must_hold_at(key, claim, rng, where=where, count=40)

    def below_truth(key, claim, where):
        narrow = "alpha>1, alpha<6, l1>1, l1<2, l2>1/99, l2<1/30, d1>2, d1<3, d2>0, d2<1/200"  # K adds nearly nothing
        return sum(attack(key, claim, box, binned, rng, tight=False, count=10) for box in (where, narrow))

    order, any_sign = "alpha>1, alpha<9", "a>-3, a<3, b>-3, b<3"
    small = "alpha>1, alpha<6, l1>1/3, l1<4, l2>1/3, l2<4, d1>0, d1<3, d2>0, d2<3"
    tasks = {
        "B-Ex2.bound:any shift": (below_truth, small),
        "B-Ex2.bound:best shift": (shifts, f"{order}, l>1/3, l<4, d1>=0, d1<4, d2>=0, d2<4"),
        "B-Ex2.logconv:convex": (related, f"{order}, {any_sign}"),
        "B-Ex2.logconv:product": (related, f"{order}, {any_sign}"),
        "B-Ex2.logconv:product:repaired": (related, f"{order}, {any_sign}, a*b>=0"),
        "B-Ex2.inf:best end": (large_orders, ""),
        "B-Ex2.inf:any shift": (large_orders, ""),
    }
    found = {}
    for key, (task, where) in tasks.items():
        try:
            found[key] = task(key, CLAIMS[key.removesuffix(":repaired")], where)
        except Counterexample as counterexample:
            found[key] = counterexample
    return found


def reference_points():
    return [("B-Ex2.bound:any shift", "alpha=4,l1=1,l2=1,d1=1/2,d2=1/2", "0.64185306035743501416")]
