r"""Concentrated, zero-concentrated and truncated privacy, and which of them implies which.

Setting: $D_\alpha$ is the divergence of the laws of two neighbours, in either order, L their privacy loss.
    $(\mu,\tau)$-CDP says that L has a mean of at most $\mu$ and is $\tau$-subgaussian about it, that is,
    $\ln E e^{(\alpha-1)L} \le (\alpha-1)\mu + (\alpha-1)^2\tau^2/2$ for $\alpha \ge 1$. The formulas of the
    definitions are what we call the least $\rho$ of a Gaussian and of a Laplace mechanism, and the bound at an order;
    those of the implications are what the right one asks for, above what the left one gives.
Claim: [S-4.CDP] $(\mu,\tau)$-CDP; $(\xi,\rho)$-zCDP: $D_\alpha \le \xi + \rho\alpha$ for $\alpha > 1$, $\rho$-zCDP with
    $\xi = 0$; $(\rho,\omega)$-tCDP: $D_\alpha \le \rho\alpha$ for $1 < \alpha < \omega$; $(\alpha,\varepsilon)$-RDP:
    $D_\alpha \le \varepsilon$
    [S-3.2.hier] going down the list, the definitions get less restrictive
Bound: **upper**
Citation: mironov2019, section 4
Assumed: nothing
"""

from fractions import Fraction

from sympy import Integer

from symdp import parse, symbol
from symdp.ball import mp_context
from symdp.claims import Approximate, Claim, Counterexample, attack, normal_mean
from symdp.decide import is_zero
from symdp.judgments import TCDP, ZCDP, GaussianDP, Mechanism, NoiseMechanism
from symdp.mechanisms.finite import renyi
from symdp.region import Interval, Region
from symdp.text import parse_relations
from symdp.theorem import apply

M, RHO, OMEGA = Mechanism("M"), symbol("rho"), symbol("omega")
PAIR = Region.from_relations(parse_relations("rho>=0, omega>1", place="region"), [RHO, OMEGA])
ZERO, TRUNCATED = ZCDP(M, RHO, PAIR), TCDP(M, RHO, OMEGA, PAIR)
CLAIMS = {
    "S-4.CDP:gaussian": Claim("mu**2/2", where="mu>0", kind="definition"),
    "S-4.CDP:laplace": Claim("epsilon + exp(-epsilon) - 1", where="epsilon>0", kind="definition"),
    "S-4.CDP:order": Claim("rho*alpha", where="rho>=0, alpha>1, omega>alpha", kind="definition"),
    "S-3.2.hier:first": Claim(
        "(mu - tau**2/2) + tau**2/2*alpha >= mu + (alpha-1)*tau**2/2", where="tau>=0, alpha>1, mu>=0"
    ),
    "S-3.2.hier:second": Claim("(max(xi, 0) + rho)*alpha >= xi + rho*alpha", where="rho>=0, alpha>1"),
    "S-3.2.hier:third": Claim("rho", where="rho>=0, omega>1", field="rho", given=(ZERO,)),
    "S-3.2.hier:fourth": Claim("rho*alpha", where="rho>=0, alpha>1, omega>alpha", given=(TRUNCATED,)),
}


def derive():
    def decided(key, names):
        region = Region.from_relations(parse_relations(CLAIMS[key].where, place="where"), map(symbol, names))
        return apply("inequality", relation=parse_relations(CLAIMS[key].text, place="claim")[-1], region=region)

    def given(fact):
        return apply("given", fact=fact, assuming=("given",))

    return {
        "S-3.2.hier:first": decided("S-3.2.hier:first", ("mu", "tau", "alpha")),
        "S-3.2.hier:second": decided("S-3.2.hier:second", ("xi", "rho", "alpha")),
        "S-3.2.hier:third": apply("tcdp-of-zcdp", given(ZERO), omega=OMEGA),
        "S-3.2.hier:fourth": apply("rdp-of-tcdp", given(TRUNCATED)),
    }


def ours():
    """What our judgments say of a Gaussian mechanism, a Laplace mechanism, and of an order."""
    positive = Interval.positive()
    gaussian = GaussianDP(M, symbol("mu"), Region.make({symbol("mu"): positive}))
    noise = NoiseMechanism(
        M, "laplace", Integer(1), symbol("epsilon"), "l1", Region.make({symbol("epsilon"): positive})
    )
    given = [apply("given", fact=fact, assuming=("given",)) for fact in (gaussian, TRUNCATED)]
    return {
        "S-4.CDP:gaussian": apply("zcdp-of-gdp", given[0]).conclusion.rho,
        "S-4.CDP:laplace": apply("zcdp-of-laplace", apply("described", fact=noise)).conclusion.rho,
        "S-4.CDP:order": apply("rdp-of-tcdp", given[1]).conclusion.value,
    }


def falsify(rng):
    """The least rho of a mechanism by integrals, as the largest ratio of divergence and order; else finite laws."""

    def gaussian(mp, mu, alpha=None):
        alpha = mp.mpf(7) / 3 if alpha is None else alpha
        ratio = lambda x: mp.exp(mu * x - mu**2 / 2)  # noqa: E731
        mean = normal_mean(mp, lambda x: ratio(x) ** alpha, 0, 1, -15, alpha * mu + 15)
        return mp.log(mean) / (alpha - 1) / alpha

    def laplace(mp, epsilon):
        """The limit of order 1, where the ratio is the largest: the mean loss, over three pieces without kinks."""
        loss = lambda x: mp.exp(-abs(x)) / 2 * (abs(x - epsilon) - abs(x))  # noqa: E731
        far = -epsilon * mp.exp(-epsilon) / 2 + epsilon / 2  # beyond both peaks the loss is epsilon or its negative
        return far + mp.quad(loss, [0, epsilon])

    def order(mp, rho, alpha):
        return gaussian(mp, mp.sqrt(2 * rho), alpha) * alpha

    tried = {}
    tasks = {"gaussian": (gaussian, "mu>0, mu<4"), "laplace": (laplace, "epsilon>0, epsilon<9")}
    for name, (truth, where) in (tasks | {"order": (order, "rho>0, rho<3, alpha>1, alpha<5")}).items():
        key = f"S-4.CDP:{name}"
        tried[key] = attack(key, CLAIMS[key], where, truth, rng, tight=True, count=8)
        if not is_zero(parse(CLAIMS[key].text) - ours()[key]):
            raise Counterexample(key, {}, f"our judgments say {ours()[key]}")
    mp = mp_context(40)
    # a Gaussian mechanism has what the last two premises say, and no less
    third, fourth = "S-3.2.hier:third", "S-3.2.hier:fourth"
    own = attack(third, CLAIMS[third], "rho>0, rho<3", lambda mp, rho: order(mp, rho, 2) / 2, rng, tight=False, count=4)
    own += attack(fourth, CLAIMS[fourth], "rho>0, rho<3, alpha>1, alpha<5", order, rng, tight=False, count=4)
    hierarchy = [key for key in CLAIMS if key.startswith("S-3.2.hier")]
    tried |= dict.fromkeys(hierarchy, own)
    for size in (2, 3, 3, 4, 5, 6):
        laws = []
        for _ in range(2):
            weights = [rng.randint(1, 20) for _ in range(size)]
            laws.append([Fraction(weight, sum(weights)) for weight in weights])
        numbers = [[mp.mpf(x.numerator) / x.denominator for x in law] for law in laws]
        losses = [mp.log(a / b) for a, b in zip(*numbers, strict=True)]
        # a bounded loss is subgaussian with half its range (Hoeffding)
        mu, tau = mp.mpf(renyi(*laws, 1).mid), (max(losses) - min(losses)) / 2
        rho = mp.mpf(rng.randint(0, 20)) / 10
        xi = max(losses) - rho
        for alpha in (Fraction(11, 10), Fraction(2), Fraction(7), Fraction(40)):
            at, true = mp.mpf(alpha.numerator) / alpha.denominator, mp.mpf(renyi(*laws, alpha).mid)
            bounds = (mu - tau**2 / 2 + tau**2 / 2 * at, (max(xi, 0) + rho) * at, max(losses) * at, max(losses) * at)
            for key, bound in zip(hierarchy, bounds, strict=True):
                if true > bound + mp.mpf(10) ** -30:
                    raise Approximate(key, {"laws": laws, "alpha": alpha}, f"the divergence is {mp.nstr(true, 20)}")
                tried[key] += 1
    return tried


def reference_points():
    return [
        ("S-4.CDP:laplace", "epsilon=1", "0.36787944117144232160"),
        ("S-3.2.hier:third", "rho=1/4", "0.25"),
        ("S-3.2.hier:fourth", "rho=1/4,alpha=3", "0.75"),
    ]
