r"""What the conditions of uniform mixing imply.

Setting: $K$ is a Markov operator that satisfies one of the conditions with a constant $\gamma \in [0, 1]$;
    $\varepsilon \ge 0$. A condition is weaker than another one that implies it with the same $\gamma$.
Claim: [B-Fig1/L9] $\gamma$-ultra-mixing implies $\gamma$-Doeblin, which implies $\gamma$-Dobrushin, which implies
    $(\gamma, \varepsilon)$-Dobrushin
    [B-3.text1] Dobrushin's is the weakest among these conditions
Bound: **upper**
Citation: balle2019, Figure 1 and Lemma 9
Assumed: nothing
"""

from fractions import Fraction

from sympy import Rational, S

from symdp import parse, symbol
from symdp.claims import Claim, Counterexample
from symdp.claims.finite import dobrushin, doeblin, random_kernel, shown, spread, ultra_mixing
from symdp.judgments import Dobrushin, Doeblin, Kernel, UltraMixing
from symdp.region import Interval, Region
from symdp.theorem import apply

K, GAMMA, EPSILON = Kernel("K"), symbol("gamma"), symbol("epsilon")
UNIT = Region.make({GAMMA: Interval.closed(0, 1)})
LEVELS = UNIT.extend({EPSILON: Interval.nonnegative()})
ULTRA, BLANKET = UltraMixing(K, GAMMA, UNIT), Doeblin(K, GAMMA, UNIT)
TOTAL, LEVEL = Dobrushin(K, GAMMA, S.One, UNIT), Dobrushin(K, GAMMA, parse("exp(epsilon)"), LEVELS)
AT_A_LEVEL = Dobrushin(K, GAMMA, S.One, LEVELS)


def implied(premise, where="0<=gamma<=1", **more):
    return Claim("gamma", where=where, field="gamma", given=(premise,), **more)


CLAIMS = {
    "B-Fig1/L9:ultra mixing to doeblin": implied(ULTRA),
    "B-Fig1/L9:doeblin to dobrushin": implied(BLANKET),
    "B-Fig1/L9:ultra mixing to dobrushin": implied(ULTRA),
    "B-Fig1/L9:dobrushin to a level": implied(AT_A_LEVEL, "0<=gamma<=1, epsilon>=0"),
    "B-3.text1:of ultra mixing": implied(ULTRA),
    "B-3.text1:of doeblin": implied(BLANKET),
    "B-3.text1:of dobrushin at a level": implied(LEVEL, "0<=gamma<=1, epsilon>=0", repair="epsilon<=0"),
}


def derive():
    ultra, blanket, level = (apply("given", fact=fact, assuming=("given",)) for fact in (ULTRA, BLANKET, LEVEL))
    total = apply("given", fact=AT_A_LEVEL, assuming=("given",))
    doeblin_too, sharper = apply("doeblin-of-ultra-mixing", ultra), apply("dobrushin-of-ultra-mixing", ultra)
    chain = apply("dobrushin-of-doeblin", doeblin_too)
    return {
        "B-Fig1/L9:ultra mixing to doeblin": doeblin_too,
        "B-Fig1/L9:doeblin to dobrushin": apply("dobrushin-of-doeblin", blanket),
        "B-Fig1/L9:ultra mixing to dobrushin": chain,
        "B-Fig1/L9:ultra mixing to dobrushin:sharper": sharper,
        "B-Fig1/L9:dobrushin to a level": apply("dobrushin-ratio", total, ratio=parse("exp(epsilon)")),
        "B-3.text1:of ultra mixing": chain,
        "B-3.text1:of ultra mixing:sharper": sharper,
        "B-3.text1:of doeblin": apply("dobrushin-of-doeblin", blanket),
        # the largest total variation distance: gamma + (1 - gamma) (b - 1)/(b + 1), b = e^epsilon
        "B-3.text1:of dobrushin at a level": apply(
            "dobrushin-of-profile", apply("kernel-profile-of-dobrushin", level), ratio=S.One, line=1
        ),
    }


def falsify(rng):
    """Kernels that satisfy a condition with its least constant, in exact fractions."""
    repaired = "B-3.text1:of dobrushin at a level:repaired"
    tried, found = dict.fromkeys([*CLAIMS, repaired], 0), {}

    def attempt(key, gamma, least, rows, **point):
        if gamma is None:
            return
        tried[key] += 1
        claimed = parse(CLAIMS[key.removesuffix(":repaired")].text).subs(GAMMA, Rational(gamma))
        if Rational(least) > claimed:
            point = {"K": shown(rows), "gamma": gamma, **point}
            found.setdefault(key, Counterexample(key, point, f"no constant below {least} will do"))

    for _ in range(80):
        states = rng.choice((2, 3))
        rows = random_kernel(rng, 3, states) if rng.random() < 0.7 else spread(rng, Fraction(rng.randint(0, 6), 6), 3)
        ratio = Fraction(rng.randint(10, 40), 10)
        ultra, total, level = ultra_mixing(rows), dobrushin(rows), dobrushin(rows, ratio)
        attempt("B-Fig1/L9:ultra mixing to doeblin", ultra, doeblin(rows), rows)
        attempt("B-Fig1/L9:doeblin to dobrushin", doeblin(rows), total, rows)
        attempt("B-Fig1/L9:ultra mixing to dobrushin", ultra, total, rows)
        attempt("B-Fig1/L9:dobrushin to a level", total, level, rows, **{"exp(epsilon)": ratio})
        attempt("B-3.text1:of ultra mixing", ultra, total, rows)
        attempt("B-3.text1:of doeblin", doeblin(rows), total, rows)
        attempt("B-3.text1:of dobrushin at a level", level, total, rows, **{"exp(epsilon)": ratio})
        attempt(repaired, dobrushin(rows, Fraction(1)), total, rows)
    return tried | found


def reference_points():
    return [(key, "gamma=1/4", "0.25") for key in CLAIMS]
