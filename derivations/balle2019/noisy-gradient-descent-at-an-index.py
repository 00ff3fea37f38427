r"""Noisy projected gradient descent at an index, for smooth and strongly convex losses.

Setting: $x_j = \Pi_K(x_{j-1} - \eta(\nabla\ell(x_{j-1}, z_j) + Z_j))$, $Z_j \sim N(0, \sigma^2I)$, $j = 1, \dots, n$;
    the losses are $C$-Lipschitz, $\beta$-smooth and $\rho$-strongly convex, convex in the theorem that is quoted. At an
    index $i$ neighbours differ in $z_i$ alone. Where $\eta\rho = 1$, that is $\beta = \rho = 1/\eta$, the step
    maps all points to one, and the bound is 0, here for $n - i = 3$.
Claim: [B-T5.n] at $i = n$ it is $(\alpha, \alpha\epsilon_n)$-RDP with $\epsilon_n = 2C^2/\sigma^2$
    [B-T5.i] for $i < n$, $\epsilon_i = \frac{2C^2}{(n-i)\sigma^2}
    \left(1 - \frac{2\eta\beta\rho}{\beta+\rho}\right)^{(n-i+1)/2}$ if $\eta \le \frac2{\beta+\rho}$
    [B-T5.contr] $x - \eta\nabla\ell(x)$ is $\sqrt{1 - 2\eta\beta\rho/(\beta+\rho)}$-Lipschitz if
    $\eta \le \frac2{\beta+\rho}$
    [B-T5.fmtt] for smooth convex losses $\epsilon_i = O(C^2/((n-i)\sigma^2))$
Bound: **upper**
Citation: balle2019, Theorem 5
Assumed: nothing
"""

from fractions import Fraction
from functools import cache

import numpy as np
from sympy import Rational

from symdp import parse, symbol
from symdp.claims import Approximate, Claim, Counterexample, attack, points
from symdp.claims.projected import Projected
from symdp.enclosure import evaluate_mp
from symdp.judgments import NoisySGD
from symdp.region import Region
from symdp.text import parse_relations
from symdp.theorem import apply

RUN = "C>=0, sigma>0, eta>0"
LOSS = "rho>0, beta>0, beta>=rho, eta<=2/(beta+rho)"
LATER = "i>=1, n>=2, n>=i+1"
FACTOR = "(1-2*eta*beta*rho/(beta+rho))"
PRINTED = f"alpha*(2*C**2/((n-i)*sigma**2)*{FACTOR}**((n-i+1)/2))"
#: LOSS, written without a fraction
STEPS = "rho>0, beta>0, beta>=rho, eta*(beta+rho)<=2"
CLAIMS = {
    "B-T5.n": Claim(
        "alpha*(2*C**2/sigma**2)", where=f"alpha>1, {RUN}, {LOSS}", needless="rho>0, beta>=rho, eta<=2/(beta+rho)"
    ),
    "B-T5.i:moving": Claim(PRINTED, where=f"alpha>1, {RUN}, {LOSS}, eta*rho<1, {LATER}"),
    "B-T5.i:constant map": Claim(
        "alpha*(2*C**2/(3*sigma**2)*(1-2*(1/rho)*rho*rho/(rho+rho))**((3+1)/2))",
        where="alpha>1, C>=0, sigma>0, rho>0, i>=1",
    ),
    "B-T5.contr": Claim(f"sqrt{FACTOR}", where=f"eta>0, {LOSS}", field="lipschitz"),
    "B-T5.fmtt": Claim(
        "2*alpha*(C**2/((n-i)*sigma**2))", where=f"alpha>1, {RUN}, beta>0, eta<=2/beta, {LATER}", kind="asymptotic"
    ),
}


def region(text):
    relations = parse_relations(text, place="region")
    return Region.from_relations(relations, sorted({s for r in relations for s in r.free_symbols}, key=str))


def relation(text):
    return parse_relations(text, place="step")[-1]


def descent(where, **other):
    """The algorithm; its constants are symbols, or what is given for them."""
    names = ("C", "beta", "rho", "eta", "sigma", "n", "i")
    return apply("described", fact=NoisySGD("S", *(parse(other.get(k, k)) for k in names), region(where)))


@cache
def best():
    """The best path: ``alpha (2C^2/sigma^2) c^(2m)/sum_{j<=m} c^(2j)`` with c = 1 - eta rho, m = n - i."""
    moving = descent(f"{RUN}, {STEPS}, eta*rho<1, {LATER}")
    return apply("rdp-of-gdp", apply("sgd-path-optimum", moving, steep=False))


@cache
def printed_above_best():
    """``q^((m+1)/2)/m >= c^(2m)/sum_{j<=m} c^(2j)`` for ``q >= c^2``, at the printed factor q and c = 1 - eta rho."""
    slope = apply("inequality", relation=relation("k*y**(k-1) >= 0"), region=region("k>0, y>0"))
    power = apply(
        "increasing", slope, function=parse("y**k"), variable=symbol("y"), lower=symbol("p"), upper=symbol("q")
    )
    ratios = "c**(2*m)*(1-c**2)/(1-c**(2*m+2))"
    sums = apply("inequality", relation=relation(f"c**(m+1)/m >= {ratios}"), region=region("c>0, c<1, m>=1"))
    where = region("alpha>1, C>=0, sigma>0, c>0, c<1, m>=1, q>0, q>=c**2")

    def put(fact, where, **values):
        mapping = tuple((symbol(name), parse(text)) for name, text in values.items())
        return apply("substitution", fact, mapping=mapping, region=where)

    grown, rate = put(power, where, k="(m+1)/2", p="c**2"), "2*alpha*C**2/sigma**2"
    weights, claimed = (parse(f"{rate}/m"), parse(rate)), relation(f"{rate}*(q**((m+1)/2)/m - {ratios}) >= 0")
    both = apply("combination", grown, sums, weights=weights, relation=claimed, region=where, exact=True)
    return put(both, best().conclusion.region, q=FACTOR, c="1-eta*rho", m="n-i")


def derive():
    step = apply("gradient-step", descent(f"{RUN}, {STEPS}", n="1", i="1"), steep=False)
    convex = descent(f"{RUN}, beta>0, eta<=2/beta, {LATER}", rho="0")
    return {
        "B-T5.n": apply("sgd-rate", descent(f"{RUN}, n>=1", i="n")),
        "B-T5.i:moving": apply("weaker-rdp", best(), printed_above_best(), value=parse(PRINTED)),
        "B-T5.i:moving:sharper": best(),
        "B-T5.i:constant map": apply(
            "sgd-rate", descent("C>=0, sigma>0, rho>0, i>=1", beta="rho", eta="1/rho", n="i+3")
        ),
        "B-T5.contr": step,
        "B-T5.contr:sharper": step,
        "B-T5.fmtt": apply("sgd-rate", convex),
        "B-T5.fmtt:sharper": apply("rdp-of-gdp", apply("sgd-path-optimum", convex, steep=False)),
    }


def claimed(key, **numbers):
    """The formula as it stands, at numbers."""
    exact = {symbol(name): Rational(*Fraction(number).as_integer_ratio()) for name, number in numbers.items()}
    formula = parse(CLAIMS[key].text)
    return float(evaluate_mp(formula, {name: exact[name] for name in formula.free_symbols}, 20))


def falsify(rng):
    tried = dict.fromkeys(CLAIMS, 0)
    tried["B-T5.contr"] = contractions(rng)
    for key in ("B-T5.n", "B-T5.i:moving", "B-T5.i:constant map", "B-T5.fmtt") * 15:
        true, point = projected(rng, key)
        bound = claimed(key, **point)
        if true > bound * (1 + 1e-7) + 1e-10:
            raise Approximate(key, point, f"the divergence is {true}, claimed {bound}")
        tried[key] += 1

    def linear(mp, alpha, C, sigma, eta, n=1, i=1):
        """Losses ``-z x`` on the line, ``|z| <= C``: every step from the index on adds its noise to a gap 2 eta C."""
        return alpha * (2 * eta * C) ** 2 / (2 * (n - i + 1) * (eta * sigma) ** 2)

    def slight(mp, alpha, C, sigma, eta, beta, rho, n, i):
        """Losses ``rho x^2/2 - z x`` on an interval of twelve noises to each side: rho times its end and z make C."""
        line, jump = Projected(-12, 12), float(C / sigma - 12 * rho * eta)  # in noises of a step
        if jump <= 0:
            return mp.mpf(0)
        maps = [lambda x, z=z: (1 - float(eta * rho)) * x + z for z in (jump, -jump, 0.0)]
        laws = [line.law(0.0, [(psi, 1.0) for psi in (maps[k], *[maps[2]] * int(mp.ceil(n - i)))]) for k in (0, 1)]
        return mp.mpf(line.divergence(*laws, float(alpha))) - mp.mpf(10) ** -6

    box = "alpha>1, alpha<9, C>=0, C<4, sigma>1/3, sigma<4, eta>1/9, eta<9"
    tried["B-T5.n"] += attack("B-T5.n", CLAIMS["B-T5.n"], box, linear, rng, tight=True)
    scales = "sigma>1/9, sigma<1/2, C>1/9, C<1/2", "sigma>2, sigma<5, C>5, C<9"
    for scale in scales:
        fmtt = f"alpha>1, alpha<4, {scale}, eta>1/9, eta<9, i>=1, i<9, n>=2, n<99, n>=i+1"
        flat = f"{fmtt}, n<9, n>=i+2, rho>1/9999, rho<1/999, beta>1/9999, beta<1/99, beta>=rho, eta<2"
        tried["B-T5.fmtt"] += attack("B-T5.fmtt", CLAIMS["B-T5.fmtt"], fmtt, linear, rng, tight=False, count=12)
        key = "B-T5.i:moving"
        tried[key] += attack(key, CLAIMS[key], flat, slight, rng, tight=False, count=8)
    return tried


def contractions(rng):
    """Steps in exact fractions: gradients with a kink on the line, and quadratic losses with a turned Hessian."""
    tried = 0
    where = "rho>0, rho<4, beta>0, beta<9, share>0, share<=1, bend>-3, bend<3, x>-4, x<4, y>-4, y<4, part>=0, part<=1"
    for point in points(where, rng, 60):
        at = {name.name: Fraction(str(value)) for name, value in point.items()}
        low, high = sorted((at["rho"], at["beta"]))
        eta = at["share"] * 2 / (low + high)

        def gradient(z, low=low, high=high, bend=at["bend"]):
            return low * z + (high - low) * max(z - bend, Fraction(0))

        gap = at["x"] - at["y"]
        moved = gap - eta * (gradient(at["x"]) - gradient(at["y"]))
        first, second = low, low + at["part"] * (high - low)  # eigenvalues along (3, 4)/5 and (-4, 3)/5
        along, across = (3 * at["x"] + 4 * at["y"]) / 5, (3 * at["y"] - 4 * at["x"]) / 5
        turned = ((1 - eta * first) * along) ** 2 + ((1 - eta * second) * across) ** 2
        formula = parse(CLAIMS["B-T5.contr"].text)
        constants = {"eta": eta, "beta": high, "rho": low}
        square = (formula**2).subs({symbol(k): Rational(e.numerator, e.denominator) for k, e in constants.items()})
        factor = Fraction(str(square))
        if moved**2 > factor * gap**2 or turned > factor * (at["x"] ** 2 + at["y"] ** 2):
            raise Counterexample(
                "B-T5.contr", constants, f"a step has the square {moved**2}, claimed {factor * gap**2}"
            )
        tried += 2
    return tried


def projected(rng, key):
    """A run on [-1, 1]: the divergence, and the constants. Gradients are ``rho x + (beta-rho)[x-b]_+ - z``."""
    line, bend = Projected(-1, 1), rng.uniform(-1, 1)
    later = 0 if key == "B-T5.n" else 3 if key.endswith("map") else rng.choice((1, 2, 4))
    low = 0.0 if key == "B-T5.fmtt" else rng.uniform(0.1, 1)
    high, share = low + rng.uniform(0.05, 1), rng.uniform(0.2, 1)
    if key.endswith("map"):
        high, share = low, 1.0
    if key == "B-T5.n":  # there nothing is needed of the loss: concave ones and long steps too
        low, share = low * rng.choice((-1, 1)), share * rng.choice((1, 4))
    eta = share * 2 / (abs(low) + high)
    sigma, alpha = rng.choice((0.4, 0.7, 1.0)) / eta, rng.choice((1.5, 2.0, 4.0))  # so that the noise is smooth
    before = [rng.uniform(-0.5, 0.5) for _ in range(rng.choice((0, 1)))]
    after = [rng.uniform(-0.5, 0.5) for _ in range(later)]

    def gradient(x, z):
        return low * x + (high - low) * np.maximum(x - bend, 0) - z

    data = [[*before, z, *after] for z in (1.0, -1.0)]
    largest = max(abs(gradient(np.array([x, bend]), z)).max() for row in data for z in row for x in (-1.0, 1.0))
    laws = []
    for row in data:
        steps = [(lambda x, z=z: x - eta * gradient(x, z), eta * sigma) for z in row]
        laws.append(line.law(0.2, steps))
    n, index = len(data[0]), len(before) + 1
    point = {"C": largest, "beta": high, "rho": low, "eta": eta, "sigma": sigma, "alpha": alpha, "n": n, "i": index}
    return line.divergence(*laws, alpha), point


def reference_points():
    return [
        ("B-T5.n", "alpha=2,C=3,sigma=2", "9"),
        ("B-T5.i:moving", "alpha=1,C=1,sigma=1,eta=4/3,beta=1,rho=1/2,n=10,i=6", "0.0020576131687242798354"),
        ("B-T5.i:constant map", "alpha=2,C=1,sigma=1,rho=1", "0"),
        ("B-T5.contr", "eta=4/3,beta=1,rho=1/2", "0.33333333333333333333"),
        ("B-T5.fmtt", "alpha=2,C=1,sigma=2,n=7,i=2", "0.2"),
    ]
