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
from symdp.claims import Claim, Counterexample
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
    """Random laws and kernels on two or three points; moments of whole orders are exact fractions."""
    mp = mp_context(30)

    def law(size, lowest=0):
        weights = [rng.randint(lowest, 7) for _ in range(size)]
        weights[rng.randrange(size)] += 1
        return [Fraction(weight, sum(weights)) for weight in weights]

    def image(start, rows):
        return [sum(w * row[y] for w, row in zip(start, rows, strict=True)) for y in range(len(rows[0]))]

    def moment(p, q, order):
        """``sum p^order q^(1-order)``, e to the divergence times order - 1; order 1: e to the divergence."""
        pairs = [(a, b) for a, b in zip(p, q, strict=True) if a > 0]
        if any(b == 0 for _, b in pairs):
            return None
        if order == 1:
            return mp.exp(mp.fsum(real(a) * mp.log(real(a / b)) for a, b in pairs))
        if isinstance(order, int):
            return sum(a**order / b ** (order - 1) for a, b in pairs)
        return mp.fsum(real(a) ** order * real(b) ** (1 - order) for a, b in pairs)

    def real(value):
        return mp.mpf(value.numerator) / value.denominator

    def instance(key, order):
        size, width = rng.choice((2, 3)), rng.choice((2, 3))
        omega, nu, kernel = law(size), law(size), [law(width, 1) for _ in range(size)]
        moves = [
            [Fraction(x == y) for y in range(size)] if key.endswith("processing") else law(size) for x in range(size)
        ]
        moved = [image(row, kernel) for row in moves]
        start = moment(omega, nu, order)
        true = moment(image(omega, moved), image(nu, kernel), order)
        costs = [moment(moved[x], kernel[x], order) for x in range(size) if nu[x] > 0 and omega[x] > 0]
        if start is None or true is None:
            return False
        slack = 1 if isinstance(order, int) and order > 1 else 1 + mp.mpf(10) ** -25
        if true > start * max(costs) * slack:
            point = {"alpha": order, "omega": omega, "nu": nu, "H": moves, "K": kernel}
            raise Counterexample(key, point, f"the moment is {true}, claimed {start * max(costs)}")
        return True

    orders = (1, mp.mpf("1.5"), 2, 3, 7)
    return {key: sum(instance(key, order) for order in orders for _ in range(80)) for key in CLAIMS}


def reference_points():
    return [
        (f"{ID}:bound", "alpha=2,R1=1/2,R2=1/3", "0.83333333333333333333"),
        (f"{ID}:data processing", "R1=1/2", "0.5"),
    ]
