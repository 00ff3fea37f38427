r"""Amplification by coupling: a divergence after a kernel, by any law on the way and any coupling with it.

Setting: a kernel $K$ and laws $\mu, \nu, \omega$; $H_\pi$ is the transport of a coupling $\pi$ of $\omega$ with $\mu$.
    *R1* is $R_\alpha(\omega\|\nu)$, *R2* the supremum of $R_\alpha((H_\pi K)(x)\|K(x))$. It is needed only over the
    $x$ that both $\omega$ and $\nu$ charge, which is less than the support of $\nu$. At $\alpha = 1$ the divergence is
    that of Kullback and Leibler. With $\omega = \mu$ and the identity coupling *R2* is 0.
Claim: $R_\alpha(\mu K\|\nu K) \le R_\alpha(\omega\|\nu)
    + \sup_{x \in \mathrm{supp}(\nu)} R_\alpha((H_\pi K)(x)\|K(x))$; with $\omega = \mu$ and the identity coupling
    this is $R_\alpha(\mu K\|\nu K) \le R_\alpha(\mu\|\nu)$
Bound: **tight**
Citation: balle2019, Theorem 2
Assumed: nothing
"""

from fractions import Fraction

from symdp import parse, symbol
from symdp.ball import mp_context
from symdp.claims import Approximate, Claim
from symdp.claims.finite import image, random_kernel, random_law, shown, value
from symdp.judgments import LawDivergence, Transport
from symdp.region import Region
from symdp.text import parse_relations
from symdp.theorem import apply

ID, WHERE = "B-T2", "alpha>=1, R1>=0, R2>=0"
REGION = Region.from_relations(parse_relations(WHERE, place="where"), map(symbol, ("alpha", "R1", "R2")))
START = LawDivergence("omega", "nu", parse("R1"), REGION)
MOVED = Transport("K", "omega", "mu", "nu", parse("R2"), REGION)
STAYS = LawDivergence("mu", "nu", parse("R1"), REGION)
STILL = Transport("K", "mu", "mu", "nu", parse("0"), REGION)

CLAIMS = {
    f"{ID}:bound": Claim("R1 + R2", where=WHERE, given=(START, MOVED)),
    f"{ID}:data processing": Claim("R1", where=WHERE, given=(STAYS, STILL)),
}


def supposed(fact):
    return apply("given", fact=fact, assuming=["given"])


def derive():
    return {
        f"{ID}:bound": apply("coupling", supposed(START), supposed(MOVED)),
        f"{ID}:data processing": apply("coupling", supposed(STAYS), supposed(STILL)),
    }


def falsify(rng):
    """Random laws and kernels on three points: the divergences of both sides, and the formula at those of the right."""
    mp = mp_context(40)

    def real(fraction):
        return mp.mpf(fraction.numerator) / fraction.denominator

    def divergence(p, q, order):
        order = real(Fraction(order))
        pairs = [(real(a), real(b)) for a, b in zip(p, q, strict=True) if a > 0]
        if any(b == 0 for _, b in pairs):
            return mp.inf
        if order == 1:
            return mp.fsum(a * mp.log(a / b) for a, b in pairs)
        return mp.log(mp.fsum(a**order * b ** (1 - order) for a, b in pairs)) / (order - 1)

    def instance(key, order):
        omega, nu, kernel = random_law(rng, 3), random_law(rng, 3), random_kernel(rng)
        still = key.endswith("processing")
        moves = [[Fraction(x == y) for y in range(3)] if still else random_law(rng, 3) for x in range(3)]
        moved = [image(row, kernel) for row in moves]
        charged = [x for x in range(3) if nu[x] > 0 and omega[x] > 0]
        costs = [divergence(moved[x], kernel[x], order) for x in charged]
        sides = divergence(omega, nu, order), max(costs, default=mp.mpf(0))
        if mp.inf in sides:
            return 0
        exact = [Fraction(mp.nstr(side, 38)) for side in sides]
        claimed = real(value(CLAIMS[key].text, R1=exact[0], R2=exact[1], alpha=Fraction(order)))
        true = divergence(image(omega, moved), image(nu, kernel), order)
        if true > claimed + mp.mpf(10) ** -30:
            point = {"alpha": order, "omega": omega, "nu": nu, "H": shown(moves), "K": shown(kernel)}
            raise Approximate(key, point, f"the divergence is {mp.nstr(true, 12)}, claimed {mp.nstr(claimed, 12)}")
        return 1

    orders = (1, Fraction(3, 2), 2, 3, 7)
    return {key: sum(instance(key, order) for order in orders for _ in range(60)) for key in CLAIMS}


def reference_points():
    return [
        (f"{ID}:bound", "alpha=2,R1=1/2,R2=1/3", "0.83333333333333333333"),
        (f"{ID}:data processing", "R1=1/2", "0.5"),
    ]
