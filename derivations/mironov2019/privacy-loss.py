r"""The privacy loss and the divergence as its moments.

Setting: a mechanism with the laws $P = M(S)$, $P' = M(S')$ for two neighbours; at an outcome z these have densities p
    and *pp*. The formula says that the two integrands are equal, at every outcome.
Claim: with $L(z) = \ln(P[M(S)=z]/P[M(S')=z])$,
    $D_\alpha(M(S)\|M(S')) = \frac1{\alpha-1}\ln E_{z\sim M(S)}e^{(\alpha-1)L(z)}$
Bound: **tight**
Citation: mironov2019, section 4, equation (14)
Assumed: nothing
"""

from fractions import Fraction

from symdp import parse
from symdp.ball import mp_context
from symdp.claims import Claim, Counterexample
from symdp.mechanisms.finite import renyi
from symdp.region import Region
from symdp.text import parse_relations
from symdp.theorem import apply

ID, WHERE = "S-4.loss", "p>0, pp>0, alpha!=1"
CLAIMS = {ID: Claim("pp*(p/pp)**alpha == p*exp((alpha-1)*log(p/pp))", where=WHERE)}


def derive():
    relations = parse_relations(WHERE, place="region")
    region = Region.from_relations(relations, sorted({s for r in relations for s in r.free_symbols}, key=str))
    return apply("identity", left=parse("pp*(p/pp)**alpha"), right=parse("p*exp((alpha-1)*log(p/pp))"), region=region)


def falsify(rng):
    """Means over outcomes of finite mechanisms against our divergences; one that only S has makes both infinite."""
    mp, tried = mp_context(40), 0

    def law(size):
        weights = [rng.randint(1, 20) for _ in range(size)]
        return [Fraction(weight, sum(weights)) for weight in weights]

    for size in (2, 3, 4, 7):
        for alpha in (Fraction(11, 10), Fraction(2), Fraction(13, 3)):
            p, other = law(size), law(size)
            numbers = [[mp.mpf(x.numerator) / x.denominator for x in one] for one in (p, other)]
            losses = [mp.log(a / b) for a, b in zip(*numbers, strict=True)]
            order = mp.mpf(alpha.numerator) / alpha.denominator
            mean = mp.fsum(a * mp.exp((order - 1) * loss) for a, loss in zip(numbers[0], losses, strict=True))
            true = mp.mpf(renyi(p, other, alpha).mid)
            if abs(mp.log(mean) / (order - 1) - true) > mp.mpf(10) ** -25:
                raise Counterexample(ID, {"P": p, "P'": other, "alpha": alpha}, f"the divergence is {true}")
            tried += 1
        split = [*law(size), Fraction(0)]
        if renyi([Fraction(1, 2) * x for x in split[:-1]] + [Fraction(1, 2)], split, 2).lower != mp.inf:
            raise Counterexample(ID, {"P'": split}, "an infinite loss has a finite divergence")
        tried += 1
    return tried


def reference_points():
    return []
