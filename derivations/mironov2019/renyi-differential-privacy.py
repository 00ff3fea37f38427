r"""Renyi differential privacy of a mechanism.

Setting: data sets are neighbours if one is the other and one record more; a mechanism M has a law M(S) for each data
    set S. *forward* and *reverse* are the divergences of order $\alpha$ of two neighbours, in the two orders.
Claim: M satisfies $(\alpha, \varepsilon)$-RDP if $D_\alpha(M(S)\|M(S')) \le \varepsilon$ for any adjacent S, S'
Bound: **tight**
Citation: mironov2019, Definition 2
Assumed: nothing
"""

from fractions import Fraction
from itertools import combinations

from symdp import parse
from symdp.ball import mp_context
from symdp.claims import Approximate, Claim, normal_mean
from symdp.derivation.sampled_gaussian import exact_curve
from symdp.enclosure import enclose
from symdp.judgments import PureDP
from symdp.mechanisms.finite import FiniteKernel
from symdp.region import Region
from symdp.text import parse_values
from symdp.theorem import apply

ID = "S-D2"
CLAIMS = {ID: Claim("epsilon >= max(forward, reverse)", where="alpha>1", kind="definition")}


def derive():
    return {}


def subsets(records):
    return [frozenset(c) for size in range(len(records) + 1) for c in combinations(records, size)]


def falsify(rng):
    """What our judgments call the least epsilon, against the largest divergence over all neighbours, in both orders."""
    mp, tried = mp_context(40), 0

    def number(value):
        return mp.mpf(Fraction(value).numerator) / Fraction(value).denominator

    def moment(q, s, power):
        """``E[(mu/mu0)^power]``, x normal with mean 0 and spread s."""
        ratio = lambda x: (1 - q) + q * mp.exp((2 * x - 1) / (2 * mp.mpf(s) ** 2))  # noqa: E731
        return normal_mean(mp, lambda x: ratio(x) ** power, 0, s, -20 * s, 10 + 20 * s)

    def divergence(p, q, alpha):
        moment = mp.fsum(number(y) * (number(x) / number(y)) ** number(alpha) for x, y in zip(p, q, strict=True))
        return mp.log(moment) / number(alpha - 1)

    def demand(largest, ours, **point):
        if abs(largest - ours) > mp.mpf(10) ** -25:
            raise Approximate(ID, point, f"neighbours differ by {mp.nstr(largest, 20)}, ours is {mp.nstr(ours, 20)}")

    # any mechanism on a finite set: our kernels compare two rows in both orders
    for _ in range(8):
        alpha = 1 + Fraction(rng.randint(1, 40), 9)
        data = subsets("abc")
        weights = {S: [rng.randint(1, 9) for _ in range(3)] for S in data}
        laws = {S: [Fraction(w, sum(row)) for w in row] for S, row in weights.items()}
        pairs = [(S, S | {x}) for S in data for x in "abc" if x not in S]
        both = [(laws[S], laws[T]) for S, T in pairs] + [(laws[T], laws[S]) for S, T in pairs]
        ours = max(mp.mpf(FiniteKernel([laws[S], laws[T]]).renyi(alpha).mid) for S, T in pairs)
        demand(max(divergence(p, q, alpha) for p, q in both), ours, alpha=alpha)
        tried += 1
    # randomized response, where the guarantee of our rule for pure privacy is attained
    loss = parse("log(3)")
    pure = apply("given", fact=PureDP("M", loss, Region()), assuming=("given",))
    curve = apply("rdp-of-pure", pure).conclusion.value
    for alpha in (Fraction(3, 2), Fraction(4), Fraction(19, 3)):
        p, q = (Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))
        ours = mp.mpf(enclose(curve, parse_values(f"alpha={alpha}"), 35).mid)
        demand(max(divergence(p, q, alpha), divergence(q, p, alpha)), ours, alpha=alpha)
        tried += 1
    # a query that counts one record: of all neighbours those that differ in it are the worst
    for q, s, alpha in ((Fraction(1, 4), 2, Fraction(5, 2)), (Fraction(2, 3), 1, Fraction(3, 2)), (Fraction(1), 3, 4)):
        moments = [moment(number(q), s, number(power)) for power in (alpha, 1 - alpha)]
        value = exact_curve().conclusion.value
        ours = mp.mpf(enclose(value, parse_values(f"q={q},s={s},alpha={alpha}"), 35).mid)
        demand(max(map(mp.log, moments)) / number(alpha - 1), ours, q=q, s=s, alpha=alpha)
        tried += 1
    return {ID: tried}


def reference_points():
    return []
