r"""The point where the moment is split, and the elementary steps around it.

Setting: $\mu_0 = N(0,s^2)$, $\mu_1 = N(1,s^2)$, $\alpha > 1$, $q \in (0,1]$, $L = \ln(1 + 1/(q(\alpha-1)))$,
    $z_0 = \frac12 + s^2L$, $r_0 = \mu_1(z_0)/\mu_0(z_0)$; (4) is $\alpha \le s^2L/2 - 2\ln s$.
Claim: [S-z0] $r_0 = 1 + 1/(q(\alpha-1)) > 1$, $(1-q) + qr_0 = \alpha/(\alpha-1)$, $z_0 > \frac12$
    [S-L10.step] $(1-q) + qr \le \frac{\alpha}{(\alpha-1)r_0}r$ for $r \ge r_0$
    [S-L10.z0] $z_0 > 2\alpha$ under (4) for $s > 1$
    [S-L10.tail] $\int_t^\infty\mu_0 < e^{-t^2/(2s^2)}$ for $t \ge 0$
    [S-T11.step] $e^{1/s^2} - 1 \le 1.1/s^2$ for $s \ge 4$
Bound: **tight**
Citation: mironov2019, section 3.2
Assumed: nothing
"""

from symdp import parse, symbol
from symdp.ball import mp_context
from symdp.claims import Claim, Counterexample, must_hold, points
from symdp.derivation.inequalities import gaussian_tail, tail_step
from symdp.region import Region
from symdp.text import parse_relations
from symdp.theorem import apply

R0, RANGE = "(1 + 1/(q*(alpha-1)))", "alpha>1, q>0, q<=1, s>0"
L = f"log{R0}"
Z0 = f"(1/2 + s**2*{L})"
RATIO = f"exp(-({Z0}-1)**2/(2*s**2)) / exp(-{Z0}**2/(2*s**2))"
FOURTH = f"alpha>1, q>0, q<=1, s>1, alpha <= s**2*{L}/2 - 2*log(s)"
CLAIMS = {
    "S-z0:ratio": Claim(f"{RATIO} == {R0}", where=RANGE),
    "S-z0:mixture": Claim(f"(1-q) + q*({RATIO}) == alpha/(alpha-1)", where=RANGE),
    "S-z0:above one": Claim(f"{R0} > 1", where=RANGE),
    "S-z0:above half": Claim(f"{Z0} > 1/2", where=RANGE),
    "S-L10.step": Claim(f"(1-q) + q*r <= alpha/((alpha-1)*{R0})*r", where=f"alpha>1, q>0, q<=1, r>={R0}"),
    "S-L10.z0": Claim(f"{Z0} > 2*alpha", where=FOURTH),
    "S-L10.tail": Claim("erfc(t/(sqrt(2)*s))/2 < exp(-t**2/(2*s**2))", where="t>=0, s>0"),
    "S-T11.step": Claim("exp(1/s**2) - 1 <= 1.1/s**2", where="s>=4"),
}


def region(text):
    relations = parse_relations(text, place="region")
    return Region.from_relations(relations, sorted({s for r in relations for s in r.free_symbols}, key=str))


def derive():
    def decided(text, where):
        return apply("inequality", relation=parse_relations(text, place="step")[-1], region=region(where))

    def put(fact, where, **values):
        mapping = tuple((symbol(name), parse(text)) for name, text in values.items())
        return apply("substitution", fact, mapping=mapping, region=region(where))

    half = put(gaussian_tail(), "t>=0, s>0", x="t/(sqrt(2)*s)")
    below = parse_relations(CLAIMS["S-L10.tail"].text, place="step")[-1]
    return {
        "S-z0:ratio": apply("identity", left=parse(RATIO), right=parse(R0), region=region(RANGE)),
        "S-z0:mixture": apply(
            "identity", left=parse(f"(1-q) + q*({RATIO})"), right=parse("alpha/(alpha-1)"), region=region(RANGE)
        ),
        "S-z0:above one": decided(f"{R0} > 1", RANGE),
        "S-z0:above half": decided(f"{Z0} > 1/2", RANGE),
        "S-L10.step": tail_step(),
        "S-L10.z0": decided(f"{Z0} > 2*alpha", FOURTH),
        "S-L10.tail": apply("combination", half, weights=(parse("1/2"),), relation=below, region=region("t>=0, s>0")),
        "S-T11.step": put(decided("exp(v) - 1 <= 11/10*v", "v>=0, v<=1/16"), "s>=4", v="1/s**2"),
    }


def falsify(rng):
    """Densities and their integrals evaluated numerically, the split point found by bisection."""
    mp = mp_context(40)
    tried = dict.fromkeys(CLAIMS, 0)

    def drawn(key, where, count=25):
        for point in points(where, rng, count):
            tried[key] += 1
            if "==" not in CLAIMS[key].text:  # an exact zero has no digits to look at
                must_hold(key, CLAIMS[key], **{name.name: value for name, value in point.items()})
            yield point, {name.name: mp.mpf(value.p) / value.q for name, value in point.items()}

    def demand(truth, key, point):
        if not truth:
            raise Counterexample(key, point, "it does not hold there")

    def split(alpha, q, s):
        """Where ``(1-q) + q mu1/mu0`` is ``alpha/(alpha-1)``."""
        gap = lambda z: 1 - q + q * mp.npdf(z, 1, s) / mp.npdf(z, 0, s) - alpha / (alpha - 1)  # noqa: E731
        high = mp.mpf(1)
        while gap(high) < 0:
            high *= 2
        low = mp.mpf(0)
        for _ in range(140):
            middle = (low + high) / 2
            low, high = (middle, high) if gap(middle) < 0 else (low, middle)
        return low

    def close(left, right):
        return abs(left - right) <= mp.mpf(10) ** -25 * (1 + abs(right))

    moderate = "alpha>1, alpha<40, q>0, q<=1, s>1/2, s<9"
    for key in ("S-z0:ratio", "S-z0:mixture", "S-z0:above one", "S-z0:above half"):
        for point, at in drawn(key, moderate):
            z0 = split(**at)
            ratio = mp.npdf(z0, 1, at["s"]) / mp.npdf(z0, 0, at["s"])
            wanted = 1 + 1 / (at["q"] * (at["alpha"] - 1))
            mixture = close(z0, mp.mpf(1) / 2 + at["s"] ** 2 * mp.log(wanted))
            outcome = (close(ratio, wanted), mixture, ratio > 1, z0 > mp.mpf(1) / 2)
            demand(outcome[list(CLAIMS).index(key)], key, point)
    for point, at in drawn("S-L10.step", f"alpha>1, q>0, q<=1, r>={R0}"):
        ratio = 1 + 1 / (at["q"] * (at["alpha"] - 1))
        left, right = 1 + at["q"] * (at["r"] - 1), at["alpha"] / (at["alpha"] - 1) * at["r"] / ratio
        demand(left <= right * (1 + mp.mpf(10) ** -30), "S-L10.step", point)
    for point, at in drawn("S-L10.z0", f"{FOURTH}, s>4, s<40, alpha<30"):
        demand(split(**at) > 2 * at["alpha"], "S-L10.z0", point)
    for point, at in drawn("S-L10.tail", "t>=0, t<30, s>1/2, s<9"):
        t, s = at["t"], at["s"]
        pieces = mp.linspace(t, t + 20 * s, 8)
        demand(mp.quad(lambda x, s=s: mp.npdf(x, 0, s), pieces) < mp.exp(-(t**2) / (2 * s**2)), "S-L10.tail", point)
    for point, at in drawn("S-T11.step", "s>=4"):
        demand(mp.expm1(1 / at["s"] ** 2) * at["s"] ** 2 <= mp.mpf(11) / 10, "S-T11.step", point)
    return tried


def reference_points():
    return [
        ("S-L10.step", "alpha=2,q=1/2,r=4", "0.16666666666666666667"),
        ("S-L10.tail", "t=0,s=2", "0.5"),
    ]
