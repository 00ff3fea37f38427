r"""Laws that an involution exchanges.

Setting: laws P, Q on $\mathcal X$ with densities u, v such that $P(x) = Q(\nu(x))$, $\nu(\nu(x)) = x$;
    $P_q = (1-q)P + qQ$. The formulas are the integrands of $E_P[(P_q/P)^\alpha]$ and $E_{P_q}[(P/P_q)^\alpha]$; the
    theorem is that the integral of the first is the larger one. *smoothness* counts the derivatives that P, Q and $\nu$
    have; *jacobian* is the factor $|\det J_\nu|$ by which $\nu$ changes volumes. J and K are $\det J_\nu$ at x and at
    $\nu(x)$: $JK = 1$.
Claim: [S-T5] $D_\alpha((1-q)P+qQ\|P) \ge D_\alpha(P\|(1-q)P+qQ)$ for $\alpha \ge 1$, $q \in [0,1]$
    [S-T5.J] since the inverse of $\nu$ is $\nu$, its Jacobian satisfies $\det J_\nu = \pm1$
Bound: **tight**
Citation: mironov2019, Theorem 5
Assumed: nothing
"""

from fractions import Fraction

from symdp import symbol
from symdp.ball import mp_context
from symdp.claims import Claim, Counterexample
from symdp.derivation.inequalities import pointwise_domination
from symdp.region import Region
from symdp.text import parse_relations
from symdp.theorem import apply

PRINTED, VOLUME = "alpha>=1, q>=0, q<=1, u>0, v>0, smoothness>=1, jacobian>0", "jacobian==1"
SAME = "J==K"
CLAIMS = {
    "S-T5:larger": Claim(
        "u*(((1-q)*u + q*v)/u)**alpha", where=PRINTED, field="larger", repair=VOLUME, needless="smoothness>=1"
    ),
    "S-T5:smaller": Claim(
        "((1-q)*u + q*v)*(u/((1-q)*u + q*v))**alpha",
        where=PRINTED,
        field="smaller",
        repair=VOLUME,
        needless="smoothness>=1",
    ),
    "S-T5.J:least": Claim("J**2 >= 1", where="J*K==1", repair=SAME),
    "S-T5.J:most": Claim("J**2 <= 1", where="J*K==1", repair=SAME),
}


def derive():
    exchanged = apply("involution-larger-direction", pointwise_domination())
    region = Region.from_relations(parse_relations(f"J*K==1, {SAME}", place="region"), [symbol("J"), symbol("K")])
    ends = {
        f"S-T5.J:{name}": apply("inequality", relation=parse_relations(text, place="step")[0], region=region)
        for name, text in (("least", "J**2 >= 1"), ("most", "J**2 <= 1"))
    }
    return {"S-T5:larger": exchanged, "S-T5:smaller": exchanged, **ends}


def product(*factors):
    """Of polynomials, lists of coefficients."""
    result = [Fraction(1)]
    for factor in factors:
        sums = [Fraction(0)] * (len(result) + len(factor) - 1)
        for i, a in enumerate(result):
            for j, b in enumerate(factor):
                sums[i + j] += a * b
        result = sums
    return result


def integral(coefficients):
    """Over [0, 1]."""
    return sum((c / (k + 1) for k, c in enumerate(coefficients)), Fraction(0))


def over_one_plus_nine(polynomial):
    """The integral of polynomial/(1+9y) over [0, 1] as a + b log(10)."""
    rest, quotient = list(polynomial), [Fraction(0)] * (len(polynomial) - 1)
    for k in range(len(polynomial) - 1, 0, -1):
        quotient[k - 1] = rest[k] / 9
        rest[k - 1] -= quotient[k - 1]
    return integral(quotient), rest[0] / 9


def log_10():
    """A rational below and one above, by ``log 10 = 2 artanh(9/11)``: what its series omits is at most geometric."""
    x = Fraction(9, 11)
    below = 2 * sum(x ** (2 * k + 1) / (2 * k + 1) for k in range(60))
    return below, below + 2 * x**121 / (121 * (1 - x * x))


def witness():
    """On (0, 1), ``nu(x) = (1-x)/(1+x)``: Q(y) = (1+y)^2 (5-4y)/6 and P(x) = Q(nu(x)) = 2 (1+9x)/(3 (1+x)^3) have
    mass 1. At q = 1 and alpha = 2 the two moments are ``int Q^2/P`` and ``int P^2/Q``, the latter after ``x = nu(y)``
    ``int Q^2/P 2/(1+y)^2``: rational functions with the denominator 1 + 9y.
    """
    one, two = [Fraction(1), Fraction(1)], [Fraction(5), Fraction(-4)]
    density = [c / 6 for c in product(one, one, two)]
    # int P = int Q 2/(1+y)^2
    masses = integral(density), integral([c / 3 for c in two])
    base = product(*[one] * 5, two, two)
    larger = over_one_plus_nine([c / 24 for c in product(base, one, one)])
    smaller = over_one_plus_nine([c / 12 for c in base])
    gap = larger[0] - smaller[0], larger[1] - smaller[1]
    most = max(gap[0] + gap[1] * end for end in log_10())
    if masses != (1, 1) or most >= 0:
        return 1
    mp = mp_context(30)
    point = {
        "q": 1,
        "alpha": 2,
        "nu": "(1-x)/(1+x)",
        "P": "2*(1+9*x)/(3*(1+x)**3)",
        "Q": "(1+x)**2*(5-4*x)/6",
        "space": "(0, 1)",
    }
    value = mp.nstr(mp.mpf(most.numerator) / most.denominator, 6)
    return Counterexample("S-T5:larger", point, f"the first moment is the smaller one, by {value}, exactly")


def falsify(rng):
    """Exact finite spaces on which a permutation without fixed points exchanges the laws, and one smooth space on
    which nu stretches; involutions of the plane by matrices, and ``nu(x) = 1/x``.
    """
    tried = 0
    for _ in range(60):
        weights = [rng.randint(1, 20) for _ in range(2 * rng.randint(1, 4))]
        p = [Fraction(w, sum(weights)) for w in weights]
        q = [p[i ^ 1] for i in range(len(p))]
        rate, alpha = Fraction(rng.randint(0, 10), 10), rng.randint(1, 5)
        mixed = [(1 - rate) * a + rate * b for a, b in zip(p, q, strict=True)]
        larger = sum(a * (m / a) ** alpha for a, m in zip(p, mixed, strict=True))
        smaller = sum(m * (a / m) ** alpha for a, m in zip(p, mixed, strict=True))
        if larger < smaller:
            raise Counterexample("S-T5:larger:repaired", {"P": p, "q": rate, "alpha": alpha}, "the other is larger")
        tried += 1
    affine = 0
    for _ in range(40):
        a, b = (Fraction(rng.randint(-9, 9), rng.randint(1, 9)) for _ in range(2))
        if b == 0:
            continue
        rows = [[a, b], [(1 - a * a) / b, -a]]  # its square is the identity
        image = [[sum(rows[i][k] * rows[k][j] for k in range(2)) for j in range(2)] for i in range(2)]
        determinant = rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]
        if image != [[1, 0], [0, 1]] or determinant**2 != 1:
            raise Counterexample("S-T5.J:least:repaired", {"nu": rows}, f"the determinant is {determinant}")
        affine += 1
    # nu(x) = 1/x: J = -1/x^2 at x, and K = -x^2 at 1/x
    stretched = {}
    for name, x in (("least", Fraction(2)), ("most", Fraction(1, 2))):
        point = {"nu": "1/x", "x": x, "J": -1 / x**2, "K": -(x**2)}
        stretched[f"S-T5.J:{name}"] = Counterexample(f"S-T5.J:{name}", point, f"the Jacobian is {-1 / x**2}")
    found = witness()
    return {
        "S-T5:larger": found,
        "S-T5:smaller": found,
        "S-T5:larger:repaired": tried,
        "S-T5:smaller:repaired": tried,
        "S-T5.J:least:repaired": affine,
        "S-T5.J:most:repaired": affine,
        **stretched,
    }


def reference_points():
    return [
        ("S-T5:larger", "u=1,v=2,q=1/2,alpha=2", "2.25"),
        ("S-T5:smaller", "u=1,v=2,q=1/2,alpha=2", "0.66666666666666666667"),
    ]
