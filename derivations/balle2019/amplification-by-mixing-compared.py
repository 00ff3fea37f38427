r"""The four bounds of amplification by mixing, compared.

Setting: Theorem 1 gives (1), (2): $(\varepsilon, \gamma\delta)$; (3): $(\varepsilon', \delta')$ with
    $\varepsilon' = \log(1 + \gamma(e^\varepsilon-1))$, $\delta' = \gamma(1 - e^{\varepsilon'-\varepsilon}(1-\delta))$;
    (4): $(\varepsilon', \gamma\delta e^{\varepsilon'-\varepsilon})$. A bound is stronger than another if neither its
    $\varepsilon$ nor its $\delta$ is larger. (2) asks for a $(\gamma, \tilde\varepsilon)$-Dobrushin kernel, (1) for a
    $\gamma$-Dobrushin one. $p$ and $r$ are the densities of two laws.
Claim: [B-R.2>1] (2) is stronger than (1): a $\gamma$-Dobrushin kernel is $(\gamma, \tilde\varepsilon)$-Dobrushin, since
    $\mathrm{TV} = D_1 \ge D_{e^{\tilde\varepsilon}}$
    [B-R.eps] $\varepsilon' \le \varepsilon$
    [B-R.doeblin] (3) does not raise $\delta$ if and only if $\gamma \le
    \frac{\delta e^\varepsilon}{(1-\delta)(e^\varepsilon-1)}$
    [B-R.delta0] $\delta' > 0$ in (3) can happen with $\delta = 0$
    [B-3.text2] the bounds (1) to (4) are increasingly stronger, and the last two also amplify $\varepsilon$
Bound: **upper**
Citation: balle2019, section 3, remarks on Theorem 1
Assumed: nothing
"""

from fractions import Fraction

from sympy import S

from symdp import parse, symbol
from symdp.claims import Claim, Counterexample, must_hold_at
from symdp.claims.finite import both, dobrushin, image, random_kernel, shown, value
from symdp.judgments import Dobrushin, Kernel
from symdp.region import Region
from symdp.text import parse_relations
from symdp.theorem import apply

WHERE = "epsilon>=0, 0<=delta<=1, 0<=gamma<=1"
FAR = "(1+(exp(epsilon)-1)/delta)"
EPSILON = "log(1+gamma*(exp(epsilon)-1))"
FIRST = "gamma*delta"
THIRD = f"gamma*(1-exp({EPSILON}-epsilon)*(1-delta))"
PURE = f"gamma*(1-exp({EPSILON}-epsilon)*(1-0))"
FOURTH = f"gamma*delta*exp({EPSILON}-epsilon)"
LARGEST = "delta*exp(epsilon)/((1-delta)*(exp(epsilon)-1))"
DEFINED = "epsilon>0, 0<=delta<1, 0<=gamma<=1"  # elsewhere the fraction is none
COMPARED = "epsilon>=0, 0<delta<=1, 0<=gamma<=1"


def region(text):
    relations = parse_relations(text, place="region")
    return Region.from_relations(relations, sorted({s for r in relations for s in r.free_symbols}, key=str))


TOTAL = Dobrushin(Kernel("K"), symbol("gamma"), S.One, region(COMPARED))
CLAIMS = {
    "B-R.2>1:kernel": Claim("gamma", where=COMPARED, field="gamma", given=(TOTAL,)),
    "B-R.2>1:divergence": Claim(f"max(p-r, 0) >= max(p-{FAR}*r, 0)", where="epsilon>=0, 0<delta<=1, p>=0, r>=0"),
    "B-R.eps": Claim(f"{EPSILON} <= epsilon", where="epsilon>=0, 0<=gamma<=1"),
    "B-R.doeblin:if": Claim(f"{THIRD} <= delta", where=f"{DEFINED}, gamma<={LARGEST}"),
    "B-R.doeblin:only if": Claim(f"gamma <= {LARGEST}", where=f"{DEFINED}, {THIRD}<=delta", repair="gamma<1"),
    "B-R.delta0": Claim(f"{PURE} > 0", where="epsilon>0, 0<gamma<1"),
    "B-3.text2:third against second": Claim(
        f"{THIRD} <= {FIRST}", where=WHERE, repair="gamma*(1-gamma)*(1-delta)*(exp(epsilon)-1)<=0"
    ),
    "B-3.text2:fourth against third": Claim(f"{FOURTH} <= {THIRD}", where=WHERE),
    "B-3.text2:fourth against second": Claim(f"{FOURTH} <= {FIRST}", where=WHERE),
    "B-3.text2:epsilon": Claim(f"{EPSILON} < epsilon", where="epsilon>0, 0<=gamma<1"),
}


def derive():
    def decided(key):
        claim = CLAIMS[key].repaired
        return apply("inequality", relation=parse_relations(claim.text)[-1], region=region(claim.where))

    kernel = apply("given", fact=TOTAL, assuming=("given",))
    of_kernel = {"B-R.2>1:kernel": apply("dobrushin-ratio", kernel, ratio=parse(FAR))}
    return {key: decided(key) for key in CLAIMS if key not in of_kernel} | of_kernel


def falsify(rng):
    """The bounds in exact fractions, computed from ``e^epsilon``; kernels by their coefficients over all events."""
    tried, found = dict.fromkeys([*CLAIMS, *(f"{key}:repaired" for key in CLAIMS if CLAIMS[key].repair)], 0), {}

    def attempt(key, true, why="it does not hold there", **point):
        tried[key] += 1
        if not true:
            found.setdefault(key, Counterexample(key, point, why))

    for _ in range(60):
        b = Fraction(rng.randint(10, 60), 10)
        gamma, delta = (rng.choice((Fraction(0), Fraction(1), Fraction(rng.randint(1, 19), 20))) for _ in range(2))
        a = 1 + gamma * (b - 1)  # e^epsilon'
        first, third, fourth = gamma * delta, gamma * (1 - a * (1 - delta) / b), gamma * delta * a / b
        at = {"gamma": gamma, "delta": delta, "exp(epsilon)": b}
        attempt("B-R.eps", a <= b, **at)
        attempt("B-3.text2:fourth against third", fourth <= third, **at)
        attempt("B-3.text2:fourth against second", fourth <= first, **at)
        attempt("B-3.text2:third against second", third <= first, f"(3) has delta' = {third}, (2) has {first}", **at)
        if gamma in (0, 1) or delta == 1 or b == 1:
            attempt("B-3.text2:third against second:repaired", third <= first, **at)
        if b > 1 and gamma < 1:
            attempt("B-3.text2:epsilon", a < b, **at)
        if b > 1 and delta < 1:
            largest = delta * b / ((1 - delta) * (b - 1))
            if gamma <= largest:
                attempt("B-R.doeblin:if", third <= delta, **at)
            if third <= delta:
                attempt("B-R.doeblin:only if", gamma <= largest, f"delta' = {third}, and gamma > {largest}", **at)
                if gamma < 1:
                    attempt("B-R.doeblin:only if:repaired", gamma <= largest, **at)
        if b > 1 and 0 < gamma < 1:
            # not the bound alone: what this kernel, gamma-Doeblin, makes of randomized response is not pure at epsilon'
            rows = [[gamma, Fraction(0), 1 - gamma], [Fraction(0), gamma, 1 - gamma]]
            p, q = [b / (1 + b), 1 / (1 + b)], [1 / (1 + b), b / (1 + b)]
            left = both(image(p, rows), image(q, rows), a)
            bound = gamma * (1 - a / b)
            attempt("B-R.delta0", 0 < left <= bound == value(PURE, b, gamma=gamma), gamma=gamma, **{"exp(epsilon)": b})
        if delta > 0:
            rows = random_kernel(rng)
            far = value(FAR, b, delta=delta)
            weaker = dobrushin(rows, far) <= dobrushin(rows)
            attempt("B-R.2>1:divergence", weaker, K=shown(rows), **at)
            for kernel in (rows, [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]):
                claimed = value(CLAIMS["B-R.2>1:kernel"].text, b, gamma=dobrushin(kernel), delta=delta)
                attempt("B-R.2>1:kernel", dobrushin(kernel, far) <= claimed, K=shown(kernel), **at)
    where = {key: (key, claim.where) for key, claim in CLAIMS.items() if claim.field is None}
    where["B-R.doeblin:only if:repaired"] = "B-R.doeblin:only if", CLAIMS["B-R.doeblin:only if"].repaired.where
    for name, (key, region_text) in where.items():
        try:
            tried[name] += must_hold_at(name, CLAIMS[key], rng, where=region_text, count=10)
        except Counterexample as other:
            found.setdefault(name, other)
    return tried | found


def reference_points():
    return [
        ("B-R.2>1:kernel", "gamma=1/4", "0.25"),
        ("B-R.eps", "gamma=1/4,epsilon=log(3)", "0.69314718055994530942"),
        ("B-R.doeblin:only if", "gamma=1/4,delta=1/10,epsilon=log(3)", "-0.083333333333333333333"),
        ("B-R.delta0", "gamma=1/4,epsilon=log(3)", "0.125"),
    ]
