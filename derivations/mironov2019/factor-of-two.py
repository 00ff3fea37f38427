r"""By which factor the bound of the moment below the split point exceeds the truth.

Setting: the sampled Gaussian mechanism of rate $q$ and noise $s$, sensitivity 1, as $q = 1/n \to 0$. Lemma 9 without
    what lies beyond $z_0$ is $\ln(1 + q^2\alpha(\alpha-1)(e^{1/s^2}-1))/(\alpha-1)$ for the divergence. The formulas
    are the limits of the bound and of the truth, divided by $q^2$, and that of their quotient.
Claim: after taking the logarithm, Lemma 9 is non-tight by a factor close to 2
Bound: **tight**
Citation: mironov2019, remark after Lemma 9
Assumed: nothing
"""

from symdp import parse, symbol
from symdp.claims import Claim, attack, normal_mean
from symdp.derivation.sampled_gaussian import small_rate
from symdp.region import Region
from symdp.text import parse_relations
from symdp.theorem import apply

WHERE = "alpha>1, s>0"
CLAIMS = {
    "S-L9.factor:bound": Claim("alpha*(exp(1/s**2)-1)", where=WHERE, field="value"),
    "S-L9.factor:truth": Claim("alpha*(exp(1/s**2)-1)/2", where=WHERE, field="value"),
    "S-L9.factor:quotient": Claim("2", where=WHERE, field="value"),
}


def derive():
    n, names = symbol("n"), [symbol(name) for name in ("alpha", "s", "n")]
    bound = apply(
        "expansion",
        expr=parse("log(1 + alpha*(alpha-1)*(exp(1/s**2)-1)/n**2)/(alpha-1)*n**2"),
        value=parse("alpha*(exp(1/s**2)-1)"),
        variable=n,
        region=Region.from_relations(parse_relations(f"{WHERE}, n>1", place="region"), names),
    )
    truth = small_rate()
    quotient = apply("limit-quotient", bound, truth)
    return {"S-L9.factor:bound": bound, "S-L9.factor:truth": truth, "S-L9.factor:quotient": quotient}


def falsify(rng):
    """Both at a rate so small that the next order is out of sight, the truth by an integral."""
    rate = "1e-28"

    def bound(mp, alpha, s):
        q = mp.mpf(rate)
        return mp.log1p(q**2 * alpha * (alpha - 1) * mp.expm1(1 / s**2)) / (alpha - 1) / q**2

    def truth(mp, alpha, s):
        """The second difference in q of ``E[(1 + q(r-1))^alpha]``, whose first vanishes."""
        q = mp.mpf(rate)
        excess = lambda v: mp.expm1(alpha * mp.log1p(q * v)) - alpha * q * v  # noqa: E731
        with mp.extradps(80):
            ends = -14 * s, 4 + 14 * s
            mean = normal_mean(mp, lambda x: excess(mp.expm1((2 * x - 1) / (2 * s * s))), 0, s, *ends)
            return mp.log1p(mean) / (alpha - 1) / q**2

    where = "alpha>1, alpha<5, s>1, s<5"
    tasks = {"bound": bound, "truth": truth, "quotient": lambda mp, alpha, s: bound(mp, alpha, s) / truth(mp, alpha, s)}
    return {
        f"S-L9.factor:{name}": attack(
            f"S-L9.factor:{name}", CLAIMS[f"S-L9.factor:{name}"], f"{where}", true, rng, tight=True, count=8
        )
        for name, true in tasks.items()
    }


def reference_points():
    return [
        ("S-L9.factor:bound", "alpha=3,s=1", "5.1548454853771357061"),
        ("S-L9.factor:truth", "alpha=3,s=1", "2.5774227426885678530"),
        ("S-L9.factor:quotient", "alpha=2,s=1", "2"),
    ]
