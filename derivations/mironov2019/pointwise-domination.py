r"""The integrand of one direction dominates that of the other at every point.

Setting: $u, v > 0$ are the densities $P(x)$, $Q(x)$; $P_q = (1-q)u + qv$, $Q_q = (1-q)v + qu$;
    $y = (1-q) + qu/v$, $z = (1-q) + qv/u$.
Claim: [S-L6] $u(P_q/u)^\alpha + v(Q_q/v)^\alpha \ge P_q(u/P_q)^\alpha + Q_q(v/Q_q)^\alpha$ for $\alpha > 1$,
    $q \in [0,1]$
    [S-L6.yz] $y \ge 1/z \ge 1 \ge z$ if $u \ge v$
    [S-L6.sinh] $\sinh(a\ln y)/a$ increases in $a > 0$ for $y \ge 1$
Bound: **upper**
Citation: mironov2019, Lemma 6
Assumed: nothing
"""

from fractions import Fraction

from symdp import parse, symbol
from symdp.ball import mp_context
from symdp.claims import Approximate, Claim
from symdp.derivation.inequalities import pointwise_domination
from symdp.region import Region
from symdp.text import Relation, parse_relations
from symdp.theorem import apply

P, Q, Y, Z = "((1-q)*u + q*v)", "((1-q)*v + q*u)", "((1-q) + q*u/v)", "((1-q) + q*v/u)"
ORDERED = "v>0, u>=v, q>=0, q<=1"
CLAIMS = {
    "S-L6": Claim(
        f"u*({P}/u)**alpha + v*({Q}/v)**alpha >= {P}*(u/{P})**alpha + {Q}*(v/{Q})**alpha",
        where="u>0, v>0, q>=0, q<=1, alpha>1",
    ),
    "S-L6.yz:first": Claim(f"{Y} >= 1/{Z}", where=ORDERED),
    "S-L6.yz:second": Claim(f"1/{Z} >= 1", where=ORDERED),
    "S-L6.yz:third": Claim(f"1 >= {Z}", where=ORDERED),
    "S-L6.sinh": Claim("sinh(b*log(y))/b >= sinh(a*log(y))/a", where="a>0, b>=a, y>=1"),
}


def region(text):
    relations = parse_relations(text, place="region")
    return Region.from_relations(relations, sorted({s for r in relations for s in r.free_symbols}, key=str))


def derive():
    ordered = region(ORDERED)
    decided = {
        f"S-L6.yz:{name}": apply("inequality", relation=parse_relations(text, place="step")[-1], region=ordered)
        for name, text in (("first", f"{Y} >= 1/{Z}"), ("second", f"1/{Z} >= 1"), ("third", f"1 >= {Z}"))
    }
    f, a = parse("sinh(a*t)/a"), symbol("a")
    slope = apply("inequality", relation=Relation(f.diff(a), ">="), region=region("a>0, t>=0"))
    rising = apply("increasing", slope, function=f, variable=a, lower=a, upper=symbol("b"))
    logarithm = ((symbol("t"), parse("log(y)")),)
    rising = apply("substitution", rising, mapping=logarithm, region=region("a>0, b>=a, y>=1"))
    return {"S-L6": pointwise_domination(), "S-L6.sinh": rising, **decided}


def falsify(rng):
    """Both sides with 60 digits at random points and close to equality: q = 0 or 1, u = v, alpha = 1, y = 1, a = b."""
    mp, tried = mp_context(60), dict.fromkeys(CLAIMS, 0)

    def small():
        return Fraction(rng.randint(1, 9), rng.randint(1, 9)) * Fraction(1, 10) ** rng.randint(0, 8)

    def number(value):
        return mp.mpf(value.numerator) / value.denominator

    def lemma(u, v, q, alpha):
        p, r = (1 - q) * u + q * v, (1 - q) * v + q * u
        return u * (p / u) ** alpha + v * (r / v) ** alpha, p * (u / p) ** alpha + r * (v / r) ** alpha

    def chain(u, v, q):
        y, z = (1 - q) + q * u / v, (1 - q) + q * v / u
        return (y, 1 / z), (1 / z, mp.mpf(1)), (mp.mpf(1), z)

    def steeper(a, b, y):
        """The mean of cosh(c log y) for c up to b against that for c up to a, by Gauss's rule."""
        means = [mp.quad(lambda c, end=end: mp.cosh(c * end * mp.log(y)), [0, 1]) for end in (b, a)]
        return tuple(mean * mp.log(y) for mean in means)

    def compare(key, sides, **point):
        left, right = sides
        tried[key] += 1
        if left < right - mp.mpf(10) ** -45 * max(1, abs(right)):
            raise Approximate(key, point, f"{mp.nstr(left, 20)} is less than {mp.nstr(right, 20)}")

    for count in range(60):
        share = small()
        q = rng.choice((Fraction(0), Fraction(1), share / (1 + share), 1 / (1 + share)))
        v, alpha, a, more = small(), 1 + small(), small(), small()
        u = v * (1 + more) if count % 2 else v + more
        for first, second in ((u, v), (v, u)):
            point = {"u": first, "v": second, "q": q, "alpha": alpha}
            compare("S-L6", lemma(*map(number, point.values())), **point)
        for name, sides in zip(("first", "second", "third"), chain(*map(number, (u, v, q))), strict=True):
            compare(f"S-L6.yz:{name}", sides, u=u, v=v, q=q)
        point = {"a": a, "b": a + more, "y": 1 + small()}
        compare("S-L6.sinh", steeper(*map(number, point.values())), **point)
    return tried


def reference_points():
    return [
        ("S-L6", "u=2,v=1,q=1/2,alpha=2", "0.041666666666666666667"),
        ("S-L6.yz:first", "u=2,v=1,q=1/2", "0.16666666666666666667"),
        ("S-L6.sinh", "a=1,b=2,y=2", "0.1875"),
    ]
