r"""Transport operators of couplings.

Setting: $\pi$ is a coupling of $\mu$ and $\nu$, and $H_\pi$ has the kernel $h_\pi(x, y) = p_\pi(x, y)/p_\mu(x)$, with
    $0/0 = 0$. At one pair of points *p* is $p_\mu(x)$ and *w* is $p_\pi(x, y)$. On the way back two points of densities
    *p1*, *p2* send *w1*, *w2* to a point of $\omega$, that is all it has, and *u* is what goes on from there to a point
    of $\mu$; more points add to these.
Claim: $\mu H_\pi = \nu$, and $\mu H_{\pi'}H_\pi = \mu$ for couplings $\pi'$ of $\mu, \omega$ and $\pi$ of $\omega, \mu$
Bound: **tight**
Citation: balle2019, section 4 and Lemma 16
Assumed: nothing
"""

from fractions import Fraction

from symdp.claims import Claim, Counterexample, must_hold_at
from symdp.claims.finite import ZERO, image, random_law, shown
from symdp.region import Region
from symdp.text import parse_relations
from symdp.theorem import apply

CLAIMS = {
    "B-L16:transport": Claim("p*(w/p) == w", where="p>0, 0<=w<=p"),
    "B-L16:empty points": Claim("w <= 0", where="p==0, 0<=w<=p"),
    "B-L16:return": Claim(
        "(p1*(w1/p1) + p2*(w2/p2))*(u/(w1+w2)) == u", where="p1>0, p2>0, w1>=0, w2>=0, w1+w2>0, 0<=u<=w1+w2"
    ),
}


def derive():
    def decided(claim):
        relations = parse_relations(claim.where)
        region = Region.from_relations(relations, sorted({s for r in relations for s in r.free_symbols}, key=str))
        return apply("inequality", relation=parse_relations(claim.text)[-1], region=region)

    return {key: decided(claim) for key, claim in CLAIMS.items()}


def coupling(rng, mu, nu):
    """A random one: mass is moved in a random order until none is left, all of it, half of it or none."""
    share = Fraction(rng.randint(0, 2), 2)  # of the product
    table = [[share * x * y for y in nu] for x in mu]
    left, right = [(1 - share) * x for x in mu], [(1 - share) * y for y in nu]
    places = [(i, j) for i in range(len(mu)) for j in range(len(nu))]
    rng.shuffle(places)
    for i, j in places:
        moved = min(left[i], right[j])
        table[i][j] += moved
        left[i], right[j] = left[i] - moved, right[j] - moved
    return table


def transport(table, mu):
    """``H(x, y) = pi(x, y)/mu(x)``, 0 where mu has nothing."""
    return [[w / x if x else ZERO for w in row] for row, x in zip(table, mu, strict=True)]


def falsify(rng):
    """Random points; and random couplings of laws with empty points, in exact fractions."""
    tried = {key: 0 if "==" in claim.where else must_hold_at(key, claim, rng) for key, claim in CLAIMS.items()}
    for _ in range(60):
        mu, nu, omega = (random_law(rng, rng.choice((2, 3, 4))) for _ in range(3))
        table = coupling(rng, mu, nu)
        point = {"mu": shown([mu]), "pi": shown(table)}
        marginals = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
        assert marginals == (mu, nu)
        tried["B-L16:transport"] += 1
        if image(mu, transport(table, mu)) != nu:
            raise Counterexample("B-L16:transport", point, f"mu H is not {shown([nu])}")
        if 0 in mu:
            tried["B-L16:empty points"] += 1
            if any(any(row) for row, x in zip(table, mu, strict=True) if x == 0):
                raise Counterexample("B-L16:empty points", point, "the coupling has mass where mu has none")
        there, back = coupling(rng, mu, omega), coupling(rng, omega, mu)
        tried["B-L16:return"] += 1
        if image(image(mu, transport(there, mu)), transport(back, omega)) != mu:
            raise Counterexample("B-L16:return", point | {"omega": shown([omega])}, "it is not mu that comes back")
    return tried


def reference_points():
    return []
