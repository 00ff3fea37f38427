r"""Gaussian noise after a Gaussian mechanism, by a translation.

Setting: $M(D) = N(f(D), \sigma_1^2I)$ for $f$ of sensitivity $\Delta$, $K(x) = N(x, \sigma_2^2I)$; $\omega$ is the
    noise of $M$ at $w = \theta u + (1-\theta)v$. *theta* is any weight, *s1* and *s2* are the noises.
Claim: $K\circ M$ satisfies $(\alpha, \alpha\Delta^2/(2(\sigma_1^2+\sigma_2^2)))$-RDP, with equality; the coupling
    theorem gives $\frac\alpha2(\theta^2\Delta^2/\sigma_1^2 + (1-\theta)^2\Delta^2/\sigma_2^2)$, the same at
    $\theta = (1 + \sigma_2^2/\sigma_1^2)^{-1}$
Bound: **tight**
Citation: balle2019, Example 1
Assumed: nothing
"""

from fractions import Fraction

from symdp import parse, symbol
from symdp.claims import Claim, Counterexample, attack, points
from symdp.claims.finite import value
from symdp.judgments import NoiseKernel, NoiseMechanism
from symdp.region import Region
from symdp.text import parse_relations
from symdp.theorem import apply

ID, NOISES = "B-Ex1", "s1>0, s2>0, Delta>=0"
BEST = "alpha*Delta**2/(2*(s1**2+s2**2))"
CLAIMS = {
    f"{ID}:rdp": Claim(BEST, where=NOISES),
    f"{ID}:weight": Claim(
        f"alpha/2*((1+s2**2/s1**2)**(-2)*Delta**2/s1**2 + (1-(1+s2**2/s1**2)**(-1))**2*Delta**2/s2**2) == {BEST}",
        where=f"alpha>1, {NOISES}",
    ),
    f"{ID}:other weights": Claim(
        f"alpha/2*(theta**2*Delta**2/s1**2 + (1-theta)**2*Delta**2/s2**2) >= {BEST}", where=f"alpha>1, {NOISES}"
    ),
}


def derive():
    names = map(symbol, ("alpha", "s1", "s2", "Delta", "theta"))
    where = Region.from_relations(parse_relations(f"alpha>1, {NOISES}", place="where"), names)
    noises = Region.make({s: where.interval(s) for s in where.symbols if s.name not in ("alpha", "theta")})
    s1, s2, delta = map(symbol, ("s1", "s2", "Delta"))
    mechanism = apply("described", fact=NoiseMechanism("M", "gaussian", s1, delta, "l2", noises))
    kernel = apply("described", fact=NoiseKernel("K", "gaussian", s2, parse("1"), "l2", noises))
    together = apply("noise-step", apply("noise-start", mechanism), kernel)
    relation = {
        key: parse_relations(claim.text, place="claim")[-1] for key, claim in CLAIMS.items() if "=" in claim.text
    }
    coupled = apply("coupling-gaussian", mechanism, kernel, theta=parse("(1+s2**2/s1**2)**(-1)")).conclusion.value
    return {
        f"{ID}:rdp": apply("rdp-of-gdp", apply("path-optimum", together)),
        f"{ID}:weight": apply("identity", left=coupled, right=parse(BEST), region=where),
        f"{ID}:other weights": apply("inequality", relation=relation[f"{ID}:other weights"], region=where),
    }


def falsify(rng):
    """The two laws are normal of one variance, the sum of both: their divergence by the trapezoidal rule."""

    def truth(mp, alpha, Delta, s1, s2):
        spread = mp.sqrt(s1**2 + s2**2)
        far = int(3 * (15 + alpha * Delta / spread))
        nodes = [k * spread / 3 for k in range(-far, far + 1)]  # wrong by less than 1e-40
        exponents = [(-alpha * (z - Delta) ** 2 - (1 - alpha) * z**2) / (2 * spread**2) for z in nodes]
        return mp.log(mp.fsum(map(mp.exp, exponents)) / (3 * mp.sqrt(2 * mp.pi))) / (alpha - 1)

    small = "alpha>1, alpha<9, Delta>=0, Delta<2, s1>1/3, s1<4, s2>1/3, s2<4"
    tried = {f"{ID}:rdp": attack(f"{ID}:rdp", CLAIMS[f"{ID}:rdp"], small, truth, rng, tight=True)}
    for point in points(f"{small}, theta>-2, theta<2", rng, 40):
        at = {name.name: Fraction(str(number)) for name, number in point.items()}

        def split(theta, at=at):
            return theta**2 / at["s1"] ** 2 + (1 - theta) ** 2 / at["s2"] ** 2

        # a parabola: where it is least, from three of its values
        a, b, c = split(Fraction(0)), split(Fraction(1, 2)), split(Fraction(1))
        vertex = Fraction(1, 2) - (c - a) / (4 * (a - 2 * b + c))
        best, claimed = at["alpha"] / 2 * at["Delta"] ** 2 * split(vertex), value(CLAIMS[f"{ID}:rdp"].text, **at)
        if claimed != best:
            raise Counterexample(f"{ID}:weight", point, f"the least value {best} is at {vertex}, claimed {claimed}")
    for key in (f"{ID}:weight", f"{ID}:other weights"):
        relation = parse_relations(CLAIMS[key].text, place="claim")[-1]
        tried[key] = 0
        for point in points(f"{small}, theta>-2, theta<2", rng, 40):
            gap = relation.expr.subs(point)  # a rational number
            if (gap != 0) if relation.op == "==" else (gap < 0):
                raise Counterexample(key, point, f"{relation} fails: the left side is {gap}")
            tried[key] += 1
    return tried


def reference_points():
    return [(f"{ID}:rdp", "alpha=3,Delta=1,s1=1,s2=2", "0.3")]
