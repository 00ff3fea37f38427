r"""Joint convexity and data processing of divergences.

Setting: $D_\phi(\mu\|\nu) = \int\phi(d\mu/d\nu)\,d\nu$, $\phi$ convex, $\mu \ll \nu$. At one point *q1*, *q2* are the
    densities of $\nu_1, \nu_2$, *r1*, *r2* those of $\mu_1, \mu_2$ with respect to them, *r* that of the mixtures;
    *phi1*, *phi2*, *phi* are the values of $\phi$ there, and *s* is the slope of a line that supports $\phi$ at *r*.
    For data processing two inputs of weight *q1*, *q2* come to one output with the probabilities *k1*, *k2*; what holds
    of two inputs holds of their sums and integrals, as each adds its own supporting line.
Claim: [B-2.joint] $D((1-\gamma)\mu_1 + \gamma\mu_2 \| (1-\gamma)\nu_1 + \gamma\nu_2) \le (1-\gamma)D(\mu_1\|\nu_1) +
    \gamma D(\mu_2\|\nu_2)$
    [B-2.dpi] $D(\mu K\|\nu K) \le D(\mu\|\nu)$ for any Markov operator $K$, and the same of $R_\alpha$
Bound: **upper**
Citation: balle2019, section 2
Assumed: nothing
"""

from fractions import Fraction

from sympy import Integer

from symdp import parse, symbol
from symdp.ball import mp_context
from symdp.claims import Approximate, Claim, Counterexample, must_hold
from symdp.claims.finite import apart, image, lost, random_kernel, random_law, shown, value
from symdp.judgments import ApproxDP, Kernel, Mechanism, RenyiDP
from symdp.region import Interval, Region
from symdp.text import parse_relations
from symdp.theorem import apply

SUPPORT = "phi1 >= phi+s*(r1-r), phi2 >= phi+s*(r2-r)"
MIXED = "((1-gamma)*q1+gamma*q2)*r == (1-gamma)*q1*r1+gamma*q2*r2"
IMAGE = "(q1*k1+q2*k2)*r == q1*k1*r1+q2*k2*r2"
RATES = Region.make({symbol("epsilon"): Interval.nonnegative(), symbol("delta"): Interval.closed(0, 1)})
ORDERS = Region.from_relations(parse_relations("alpha>1, R>=0"), map(symbol, ("alpha", "R")))
PRIVATE = ApproxDP(Mechanism("M"), symbol("epsilon"), symbol("delta"), RATES)
RENYI = RenyiDP(Mechanism("M"), symbol("R"), Integer(1), "neighbours", ORDERS)
CLAIMS = {
    "B-2.joint": Claim(
        "((1-gamma)*q1+gamma*q2)*phi <= (1-gamma)*q1*phi1 + gamma*q2*phi2",
        where=f"0<=gamma<=1, q1>=0, q2>=0, {SUPPORT}, {MIXED}",
    ),
    "B-2.dpi:csiszar": Claim(
        "(q1*k1+q2*k2)*phi <= q1*k1*phi1 + q2*k2*phi2",
        where=f"q1>=0, q2>=0, k1>=0, k2>=0, {SUPPORT}, {IMAGE}",
    ),
    "B-2.dpi:hockey stick": Claim("delta", where="epsilon>=0, 0<=delta<=1", field="delta", given=(PRIVATE,)),
    "B-2.dpi:renyi": Claim("R", where="alpha>1, R>=0", field="value", given=(RENYI,)),
}


def derive():
    relations = parse_relations(f"w1>=0, w2>=0, {SUPPORT}, (w1+w2)*r == w1*r1+w2*r2")
    plane = Region.from_relations(relations, sorted({s for r in relations for s in r.free_symbols}, key=str))
    jensen = apply("inequality", relation=parse_relations("(w1+w2)*phi <= w1*phi1 + w2*phi2")[-1], region=plane)

    def put(where, **weights):
        relations = parse_relations(where)
        region = Region.from_relations(relations, sorted({s for r in relations for s in r.free_symbols}, key=str))
        mapping = tuple((symbol(name), parse(text)) for name, text in weights.items())
        return apply("substitution", jensen, mapping=mapping, region=region)

    def kept(rule, fact):
        return apply(rule, apply("given", fact=fact, assuming=("given",)), kernel=Kernel("K"))

    return {
        "B-2.joint": put(CLAIMS["B-2.joint"].where, w1="(1-gamma)*q1", w2="gamma*q2"),
        "B-2.dpi:csiszar": put(CLAIMS["B-2.dpi:csiszar"].where, w1="q1*k1", w2="q2*k2"),
        "B-2.dpi:hockey stick": kept("post-processing-dp", PRIVATE),
        "B-2.dpi:renyi": kept("post-processing-rdp", RENYI),
    }


def pointwise(rng, key):
    """The relation at points of a parabola with the slope s at r, or at points of its tangent there."""
    for _ in range(20):
        at = {name: Fraction(rng.randint(1, 9), 10) for name in ("q1", "q2", "r1", "r2")}
        shares = [Fraction(rng.randint(1, 9), 10) for _ in range(2)]
        if key == "B-2.joint":
            shares[1] = 1 - shares[0]
            at["gamma"] = shares[1]
        else:
            at["k1"], at["k2"] = shares
        one, other = at["q1"] * shares[0], at["q2"] * shares[1]
        at |= {"r": (one * at["r1"] + other * at["r2"]) / (one + other), "s": Fraction(rng.randint(-4, 4))}
        at["phi"] = Fraction(rng.randint(-4, 4))
        for place in ("1", "2"):
            gap = at[f"r{place}"] - at["r"]
            at[f"phi{place}"] = at["phi"] + at["s"] * gap + rng.choice((0, gap**2 / 2))
        must_hold(key, CLAIMS[key], **at)
    return 20


def falsify(rng):
    """Random laws and kernels. In exact fractions: total variation, hockey sticks, chi^2, Le Cam's and Vincze's
    divergence, whole orders of Renyi's; in floating point of 30 digits Kullback and Leibler's and broken orders.
    """
    mp, b = mp_context(30), Fraction(rng.randint(11, 40), 10)
    exact = {
        "(x-1)^2": lambda x: (x - 1) ** 2,
        "abs(x-1)/2": lambda x: abs(x - 1) / 2,
        "max(x-b,0)": lambda x: max(x - b, Fraction(0)),
        "(x-1)^2/(x+1)": lambda x: (x - 1) ** 2 / (x + 1),
        "x^3-1": lambda x: x**3 - 1,
        "x^(5/2)-1": lambda x: mp.sqrt(mp.mpf(x.numerator) / x.denominator) ** 5 - 1,
        "x log(x)": lambda x: (
            mp.mpf(x.numerator) / x.denominator * mp.log(mp.mpf(x.numerator) / x.denominator) if x else mp.mpf(0)
        ),
    }

    def distance(phi, p, q):
        terms = [(y, phi(x / y)) for x, y in zip(p, q, strict=True) if y]
        if all(isinstance(f, Fraction) for _, f in terms):
            return sum((y * f for y, f in terms), Fraction(0))
        return mp.fsum(mp.mpf(y.numerator) / y.denominator * f for y, f in terms)

    def exceeds(left, right):
        return left > right if isinstance(left, Fraction) else left > right + mp.mpf(10) ** -20

    def renyi(moment, order):
        """Of the divergence of x^alpha - 1, to 25 digits."""
        total = mp.mpf(moment.numerator) / moment.denominator if isinstance(moment, Fraction) else moment
        return Fraction(mp.nstr(mp.log(1 + total) / (mp.mpf(order.numerator) / order.denominator - 1), 25))

    def mixture(g, one, other):
        return [(1 - g) * x + g * y for x, y in zip(one, other, strict=True)]

    tried = dict.fromkeys(CLAIMS, 0) | {key: pointwise(rng, key) for key in ("B-2.joint", "B-2.dpi:csiszar")}
    for _ in range(25):
        size, gamma = rng.choice((2, 3, 4)), Fraction(rng.randint(0, 8), 8)
        p1, p2 = random_law(rng, size), random_law(rng, size)
        q1, q2 = (mixture(Fraction(rng.randint(1, 9), 10), p, random_law(rng, size)) for p in (p1, p2))
        if lost(p1, q1) or lost(p2, q2):
            continue
        whole = [[Fraction(i == j) for j in range(size)] for i in range(size)]  # it loses nothing
        rows = rng.choice((random_kernel(rng, size, rng.choice((2, 3))), whole))
        images = image(p1, rows), image(q1, rows)
        for name, phi in exact.items():
            joint = distance(phi, mixture(gamma, p1, p2), mixture(gamma, q1, q2))
            apiece = [distance(phi, p1, q1), distance(phi, p2, q2)]
            tried["B-2.joint"] += 1
            point = {"mu, nu": shown((p1, q1)), "others": shown((p2, q2)), "gamma": gamma, "phi": name}
            weights = [
                share if isinstance(joint, Fraction) else mp.mpf(int(8 * share)) / 8 for share in (1 - gamma, gamma)
            ]
            if exceeds(joint, sum(w * d for w, d in zip(weights, apiece, strict=True))):
                raise Counterexample("B-2.joint", point, f"the mixtures are {joint} apart")
            point = {"mu, nu": shown((p1, q1)), "K": shown(rows), "phi": name}
            tried["B-2.dpi:csiszar"] += 1
            if exceeds(distance(phi, *images), apiece[0]):
                raise Counterexample("B-2.dpi:csiszar", point, "the images are farther apart")
            if order := {"x^3-1": Fraction(3), "x^(5/2)-1": Fraction(5, 2)}.get(name):
                tried["B-2.dpi:renyi"] += 1
                claimed = value(CLAIMS["B-2.dpi:renyi"].text, R=renyi(apiece[0], order))
                if renyi(distance(phi, *images), order) > claimed + Fraction(1, 10**20):
                    raise Approximate("B-2.dpi:renyi", point, "the images are farther apart")
        tried["B-2.dpi:hockey stick"] += 1
        if apart(*images, b) > value(CLAIMS["B-2.dpi:hockey stick"].text, delta=apart(p1, q1, b)):
            raise Counterexample("B-2.dpi:hockey stick", {"mu, nu": shown((p1, q1)), "K": shown(rows)}, "it grows")
    return tried


def reference_points():
    return [("B-2.dpi:hockey stick", "delta=1/4", "0.25"), ("B-2.dpi:renyi", "R=1/4", "0.25")]
