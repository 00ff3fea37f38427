r"""A quadratic bound of a power, and of the two powers of a likelihood ratio.

Setting: $q \in (0,1]$, $\alpha > 1$, $r_0 = 1 + 1/(q(\alpha-1))$ (for $q(\alpha-1) = 0$ the lemma is an equality and
    there is no $r_0$); $0^\alpha = 0$; $1/(\alpha-1)$ is infinite for $\alpha = 1$.
Claim: [S-L8] $x((1-q)+qy/x)^\alpha + y((1-q)+qx/y)^\alpha \le x+y+q^2\alpha(\alpha-1)(x^2/y+y^2/x-x-y)$
    for $1/r_0 \le x/y \le r_0$
    [S-Bun15] $(1+w)^\alpha \le 1+\alpha w+\alpha(\alpha-1)w^2$ for $\alpha \ge 1$, $-1 \le w \le 1/(\alpha-1)$
    [S-(3)] $x^2/y + y^2/x \ge x+y$ for $x, y > 0$
Bound: **upper**
Citation: mironov2019, Lemma 8
Assumed: nothing
"""

from fractions import Fraction

from symdp import symbol
from symdp.ball import mp_context
from symdp.claims import Approximate, Claim, must_hold
from symdp.derivation.inequalities import bernoulli_quadratic, quadratic_bound
from symdp.region import Interval, Region
from symdp.text import parse_relations
from symdp.theorem import apply

R0 = "(1 + 1/(q*(alpha-1)))"
CLAIMS = {
    "S-L8": Claim(
        "x*((1-q) + q*y/x)**alpha + y*((1-q) + q*x/y)**alpha <= x + y + q**2*alpha*(alpha-1)*(x**2/y + y**2/x - x - y)",
        where=f"x>0, y>0, alpha>1, q>0, q<=1, 1/{R0} <= x/y, x/y <= {R0}",
    ),
    "S-Bun15:inside": Claim(
        "(1+w)**alpha <= 1 + alpha*w + alpha*(alpha-1)*w**2", where="alpha>=1, w>-1, w*(alpha-1)<=1"
    ),
    "S-Bun15:end": Claim("0 <= 1 + alpha*(-1) + alpha*(alpha-1)*(-1)**2", where="alpha>=1"),
    "S-(3)": Claim("x**2/y + y**2/x >= x + y", where="x>0, y>0"),
}


def derive():
    positive = {symbol("x"): Interval.positive(), symbol("y"): Interval.positive()}
    orders = Interval(1, Interval.positive().upper, True)
    return {
        "S-L8": quadratic_bound(),
        "S-Bun15:inside": bernoulli_quadratic(),
        "S-Bun15:end": _decided("(alpha-1)**2 >= 0", Region.make({symbol("alpha"): orders})),
        "S-(3)": _decided("x**2/y + y**2/x >= x + y", Region.make(positive)),
    }


def _decided(text, region):
    return apply("inequality", relation=parse_relations(text, place="step")[-1], region=region)


def falsify(rng):
    """Both sides with 60 digits at random points, at the ends of the ranges and close to them."""
    mp, tried = mp_context(60), dict.fromkeys(CLAIMS, 0)

    def small():
        return Fraction(rng.randint(1, 9), rng.randint(1, 9)) * Fraction(1, 10) ** rng.randint(0, 6)

    def between(low, high):
        share = small()
        return low + (high - low) * rng.choice((Fraction(0), Fraction(1), share / (1 + share), 1 / (1 + share)))

    def compare(key, left, right, **point):
        tried[key] += 1
        must_hold(key, CLAIMS[key], **point)
        if left > right + mp.mpf(10) ** -45 * max(1, abs(right)):
            raise Approximate(key, point, f"{mp.nstr(left, 20)} is more than {mp.nstr(right, 20)}")

    def number(value):
        return mp.mpf(value.numerator) / value.denominator

    def power(base, alpha):
        return mp.exp(alpha * mp.log(base)) if base else mp.mpf(0)

    for _ in range(80):
        alpha, q = 1 + small(), between(Fraction(1, 10**6), Fraction(1))
        r0 = 1 + 1 / (q * (alpha - 1))
        y = small()
        x = y * between(1 / r0, r0)
        a, rate, first, second = map(number, (alpha, q, x, y))
        left = first * power(1 - rate + rate * second / first, a) + second * power(1 - rate + rate * first / second, a)
        chi = number(x**2 / y + y**2 / x - x - y)
        right = first + second + rate**2 * a * (a - 1) * chi
        compare("S-L8", left, right, x=x, y=y, q=q, alpha=alpha)
        compare("S-(3)", mp.mpf(0), chi, x=x, y=y)
        w = between(Fraction(-1), 1 / (alpha - 1))
        key = "S-Bun15:end" if w == -1 else "S-Bun15:inside"
        compare(key, power(number(1 + w), a), number(1 + alpha * w + alpha * (alpha - 1) * w**2), w=w, alpha=alpha)
        compare("S-Bun15:end", mp.mpf(0), number(1 - alpha + alpha * (alpha - 1)), alpha=alpha)
    return tried


def reference_points():
    return [
        ("S-L8", "x=2,y=1,q=1/2,alpha=2", "0.375"),
        ("S-Bun15:inside", "w=1/2,alpha=2", "0.25"),
        ("S-(3)", "x=2,y=1", "1.5"),
    ]
