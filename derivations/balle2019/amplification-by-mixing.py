r"""Privacy amplification by uniform mixing.

Setting: $M$ is $(\varepsilon, \delta)$-DP and $K$ a Markov operator; $K \circ M$ hands the output of $M$ to $K$.
    *level* is $\tilde\varepsilon = \log(1 + (e^\varepsilon-1)/\delta)$, infinite for $\delta = 0$.
Claim: [B-T1(1)] $K \circ M$ is $(\varepsilon, \gamma\delta)$-DP if $K$ is $\gamma$-Dobrushin
    [B-T1(2)] $K \circ M$ is $(\varepsilon, \gamma\delta)$-DP if $K$ is $(\gamma, \tilde\varepsilon)$-Dobrushin
    [B-T1(3)] $(\varepsilon', \delta')$-DP, $\varepsilon' = \log(1 + \gamma(e^\varepsilon-1))$,
    $\delta' = \gamma(1 - e^{\varepsilon'-\varepsilon}(1-\delta))$ if $K$ is $\gamma$-Doeblin
    [B-T1(4)] $(\varepsilon', \delta')$-DP with this $\varepsilon'$ and
    $\delta' = \gamma\delta e^{\varepsilon'-\varepsilon}$ if $K$ is $\gamma$-ultra-mixing
Bound: **upper**
Citation: balle2019, Theorem 1
Assumed: nothing
"""

from fractions import Fraction

from sympy import S, log

from symdp import parse, symbol
from symdp.claims import Claim, Counterexample
from symdp.claims.finite import (
    both,
    dobrushin,
    doeblin,
    image,
    random_kernel,
    random_law,
    response,
    shown,
    spread,
    ultra_mixing,
    value,
)
from symdp.judgments import ApproxDP, Dobrushin, Doeblin, Kernel, Mechanism, UltraMixing
from symdp.region import Region
from symdp.text import parse_relations, to_text
from symdp.theorem import apply

K, GAMMA = Kernel("K"), symbol("gamma")
PRIVATE, MIXING = "epsilon>=0, 0<=delta<=1", "0<=gamma<=1"
WHERE = f"{PRIVATE}, {MIXING}"
LEVEL = "exp(level)==1+(exp(epsilon)-1)/delta"
EPSILON = "log(1+gamma*(exp(epsilon)-1))"


def region(text):
    relations = parse_relations(text, place="region")
    return Region.from_relations(relations, sorted({s for r in relations for s in r.free_symbols}, key=str))


def private(delta, where):
    return ApproxDP(Mechanism("M"), symbol("epsilon"), delta, region(where))


M, PURE = private(symbol("delta"), PRIVATE), private(S.Zero, "epsilon>=0")
TOTAL = Dobrushin(K, GAMMA, S.One, region(MIXING))
FAR = Dobrushin(K, GAMMA, parse("exp(level)"), region(f"{MIXING}, (exp(level)-1)*delta<=exp(epsilon)-1"))
NEVER = Dobrushin(K, GAMMA, S.Infinity, region(MIXING))
BLANKET, ULTRA = Doeblin(K, GAMMA, region(MIXING)), UltraMixing(K, GAMMA, region(MIXING))
CLAIMS = {
    "B-T1(1):epsilon": Claim("epsilon", where=WHERE, field="epsilon", given=(M, TOTAL)),
    "B-T1(1):delta": Claim("gamma*delta", where=WHERE, field="delta", given=(M, TOTAL)),
    "B-T1(2):epsilon": Claim("epsilon", where=f"{WHERE}, delta>0, {LEVEL}", field="epsilon", given=(M, FAR)),
    "B-T1(2):delta": Claim("gamma*delta", where=f"{WHERE}, delta>0, {LEVEL}", field="delta", given=(M, FAR)),
    "B-T1(2):pure": Claim("gamma*0", where=f"epsilon>=0, {MIXING}", field="delta", given=(PURE, NEVER)),
    "B-T1(3):epsilon": Claim(EPSILON, where=WHERE, field="epsilon", given=(M, BLANKET)),
    "B-T1(3):delta": Claim(
        f"gamma*(1-exp({EPSILON}-epsilon)*(1-delta))", where=WHERE, field="delta", given=(M, BLANKET)
    ),
    "B-T1(4):epsilon": Claim(EPSILON, where=WHERE, field="epsilon", given=(M, ULTRA)),
    "B-T1(4):delta": Claim(f"gamma*delta*exp({EPSILON}-epsilon)", where=WHERE, field="delta", given=(M, ULTRA)),
}


def given(fact):
    return apply("given", fact=fact, assuming=("given",))


def derive():
    """Sharper: what the kernel makes of the profile of M, that of both orders, at the same epsilon'."""

    def sharper(kernel):
        profile = apply("master", apply("profile-of-dp", given(M)), kernel)
        return apply("dp-of-profile", profile, epsilon=log(parse("1+gamma*(exp(epsilon)-1)")), line=None)

    total, far = apply("dp-after-dobrushin", given(M), given(TOTAL)), given(FAR)
    far = apply("dp-after-dobrushin-ratio", given(M), far)
    blanket, ultra = apply("dp-after-doeblin", given(M), given(BLANKET)), given(ULTRA)
    return {
        "B-T1(1):epsilon": total,
        "B-T1(1):delta": total,
        "B-T1(2):epsilon": far,
        "B-T1(2):delta": far,
        "B-T1(2):pure": apply("dp-after-dobrushin-ratio", given(PURE), given(NEVER)),
        "B-T1(3):epsilon": blanket,
        "B-T1(3):delta": blanket,
        "B-T1(3):delta:sharper": sharper(
            apply("kernel-profile-of-dobrushin", apply("dobrushin-of-doeblin", given(BLANKET)))
        ),
        "B-T1(4):epsilon": apply("dp-after-ultra-mixing", given(M), ultra),
        "B-T1(4):delta": apply("dp-after-ultra-mixing", given(M), ultra),
        "B-T1(4):delta:sharper": sharper(apply("kernel-profile-of-ultra-mixing", ultra)),
    }


def mechanisms(rng):
    """Two laws with an ``e^epsilon`` and the least delta for it: random ones, and those that are the worst."""
    ratio = Fraction(rng.randint(10, 60), 10)
    delta = rng.choice((Fraction(0), Fraction(rng.randint(1, 40), 60), Fraction(1)))
    kind = rng.randrange(4)
    if kind == 0:
        return *response(ratio, delta), ratio, delta
    if kind == 1:  # delta is all that tells the two apart at this ratio
        return [delta, 1 - delta], [Fraction(0), Fraction(1)], ratio, delta
    states, share = rng.choice((2, 3, 4)), Fraction(rng.randint(0, 9), 10)
    p, other = random_law(rng, states), random_law(rng, states)
    q = [share * x + (1 - share) * y for x, y in zip(p, other, strict=True)]
    return p, q, ratio, both(p, q, ratio)


def kernels(rng, states):
    if states == 2 and rng.random() < 0.5:  # randomized response, which both orders tell apart equally well
        share = Fraction(1, rng.randint(5, 90))
        return [[1 - share, share], [share, 1 - share]]
    if rng.random() < 0.3:
        return spread(rng, Fraction(rng.randint(0, 6), 6), states)
    return random_kernel(rng, states, rng.choice((2, 3, 4)))


def level_at(ratio, delta):
    """``e^level`` as the claim's own hypothesis has it; None if it is infinite."""
    if delta == 0:
        return None
    (relation,) = [r for r in parse_relations(CLAIMS["B-T1(2):delta"].where) if symbol("level") in r.free_symbols]
    text = to_text(relation.expr).replace("exp(level)", "z")  # linear in it
    at_0, at_1 = (value(text, ratio, delta=delta, z=Fraction(z)) for z in (0, 1))
    return at_0 / (at_0 - at_1)


def falsify(rng):
    """Random laws and kernels in exact fractions, each with its least constants: D of the images over all events.

    Of the two numbers of a guarantee each is tried as claimed beside the other one as computed here.
    """
    tried, found = dict.fromkeys(CLAIMS, 0), {}
    for _ in range(120):
        p, q, ratio, delta = mechanisms(rng)
        rows = kernels(rng, len(p))
        images = image(p, rows), image(q, rows)
        gammas = {
            "B-T1(1)": dobrushin(rows),
            "B-T1(2)": dobrushin(rows, level_at(ratio, delta)),
            "B-T1(3)": doeblin(rows),
            "B-T1(4)": ultra_mixing(rows),
        }
        for id, gamma in gammas.items():
            if gamma is None:
                continue
            a, least = printed(id, ratio, gamma, delta)
            at = {"gamma": gamma, "delta": delta}
            parts = ("pure",) if id == "B-T1(2)" and delta == 0 else ("epsilon", "delta")
            for key in (f"{id}:{part}" for part in parts):
                names = {name.name for name in parse(CLAIMS[key].text).free_symbols}
                known = {name: number for name, number in at.items() if name in names}
                power, claimed = a, least
                if key.endswith("epsilon"):
                    power = max(value(f"exp({CLAIMS[key].text})", ratio, **known), Fraction(0))
                else:
                    claimed = value(CLAIMS[key].text, ratio, **known)
                tried[key] += 1
                true = both(*images, power)
                if claimed < true:
                    point = {"M": shown((p, q)), "K": shown(rows), "exp(epsilon)": ratio, **at}
                    found.setdefault(key, Counterexample(key, point, f"delta' is {true}, claimed {claimed}"))
    return tried | found


def printed(id, ratio, gamma, delta):
    """``e^epsilon'`` and ``delta'`` of the theorem."""
    if id in ("B-T1(1)", "B-T1(2)"):
        return ratio, gamma * delta
    a = 1 + gamma * (ratio - 1)
    return a, gamma * (1 - a / ratio * (1 - delta)) if id == "B-T1(3)" else gamma * delta * a / ratio


def reference_points():
    return [
        ("B-T1(1):epsilon", "epsilon=log(3)", "1.09861228866810969140"),
        ("B-T1(1):delta", "gamma=1/4,delta=1/10", "0.025"),
        ("B-T1(2):epsilon", "epsilon=log(3)", "1.09861228866810969140"),
        ("B-T1(2):delta", "gamma=1/4,delta=1/10", "0.025"),
        ("B-T1(2):pure", "gamma=1/4", "0"),
        ("B-T1(3):epsilon", "gamma=1/4,epsilon=log(3)", "0.40546510810816438198"),
        ("B-T1(3):delta", "gamma=1/4,epsilon=log(3),delta=1/10", "0.1375"),
        ("B-T1(4):epsilon", "gamma=1/4,epsilon=log(3)", "0.40546510810816438198"),
        ("B-T1(4):delta", "gamma=1/4,epsilon=log(3),delta=1/10", "0.0125"),
    ]
