r"""The sampled Gaussian mechanism.

Setting: f maps sets of records to $\mathbb R^d$. The formula is the density at x where f counts the one record that
    there is.
Claim: $SG_{q,s}(S) = f(\{x : x \in S \text{ is sampled with probability } q\}) + N(0, s^2I)$, each record
    independently, $0 < q \le 1$, $s > 0$
Bound: **tight**
Citation: mironov2019, Definition 3
Assumed: nothing
"""

from fractions import Fraction
from itertools import combinations

from symdp.ball import mp_context
from symdp.claims import Approximate, Claim, attack, normal_mean
from symdp.claims.numbers import ExactNumbers
from symdp.derivation.sampled_gaussian import dominating_pair
from symdp.enclosure import enclose
from symdp.mechanisms.sampled_gaussian import renyi
from symdp.text import parse_values

ID = "S-D3"
CLAIMS = {
    ID: Claim(
        "((1-q)*exp(-x**2/(2*s**2)) + q*exp(-(x-1)**2/(2*s**2)))/(s*sqrt(2*pi))",
        where="q>0, q<=1, s>0",
        kind="definition",
    ),
}


def derive():
    return {}


def samples(records, q):
    """Every sample with its chance."""
    chosen = (frozenset(c) for size in range(len(records) + 1) for c in combinations(sorted(records), size))
    return [(T, q ** len(T) * (1 - q) ** (len(records) - len(T))) for T in chosen]


def density(mp, query, records, q, s, x):
    return mp.fsum(chance * mp.npdf(x, query(T), s) for T, chance in samples(records, q))


def falsify(rng):
    """Densities from all samples; our pair of laws for no record and one, our divergences for three and four."""
    pair = dominating_pair().conclusion

    def one_record(mp, q, s, x):
        def at(expr):
            values = parse_values(f"q={mp.nstr(q, 38)},s={mp.nstr(s, 38)}")
            found = enclose(expr, values, 38)
            return mp.mpf(found if isinstance(mp, ExactNumbers) else found.mid)

        weight, shift, noise = at(pair.weight), at(pair.shift), at(pair.sigma)
        return (1 - weight) * mp.npdf(x, 0, noise) + weight * mp.npdf(x, shift, noise)

    tried = attack(ID, CLAIMS[ID], "q>0, q<=1, s>1/2, s<9, x>-9, x<9", one_record, rng, tight=True)
    mp = mp_context(40)
    query = lambda T: 1 if "x" in T else 0  # noqa: E731  (the others count nothing)
    for _ in range(6):
        q, s = Fraction(rng.randint(1, 9), 10), Fraction(rng.randint(2, 6), 2)
        alpha = Fraction(rng.randint(3, 9), 2)
        rate, noise, order = (mp.mpf(v.numerator) / v.denominator for v in (q, s, alpha))
        for name, (first, second) in {"forward": ("abx", "ab"), "reverse": ("ab", "abx")}.items():

            def ratio(x, first=first, second=second, rate=rate, noise=noise):
                return density(mp, query, first, rate, noise, x) / density(mp, query, second, rate, noise, x)

            def integrand(x, second=second, rate=rate, noise=noise, order=order, ratio=ratio):
                return ratio(x) ** order * density(mp, query, second, rate, noise, x) / mp.npdf(x, 0, noise)

            mean = normal_mean(mp, integrand, 0, noise, -12 * noise, order + 12 * noise)
            true, ours = mp.log(mean) / (order - 1), renyi(q, s, alpha, direction=name)
            if abs(true - mp.mpf(ours.mid)) > mp.mpf(10) ** -20:
                raise Approximate(ID, {"q": q, "s": s, "alpha": alpha}, f"{mp.nstr(true, 20)} is not ours, {name}")
            tried += 1
    return tried


def reference_points():
    return [(ID, "q=1/2,s=1,x=0", "0.32045650246028801387")]
