r"""The Rényi divergence of a Laplace mechanism.

Setting: $M(D) = \mathrm{Lap}(f(D), \lambda_1)$ for $f$ of $\ell_1$ sensitivity $\Delta$; *l1* is $\lambda_1$.
Claim: $M$ satisfies $(\alpha, \frac1{\alpha-1}\log g_\alpha(\Delta/\lambda_1))$-RDP with
    $g_\alpha(z) = \frac\alpha{2\alpha-1}e^{z(\alpha-1)} + \frac{\alpha-1}{2\alpha-1}e^{-z\alpha}$
Bound: **tight**
Citation: balle2019, Example 2
Assumed: nothing
"""

from symdp import symbol
from symdp.claims import Claim, attack
from symdp.judgments import NoiseMechanism
from symdp.region import Region
from symdp.text import parse_relations
from symdp.theorem import apply

ID, WHERE = "B-Ex2.g", "l1>0, Delta>=0"
CLAIMS = {
    ID: Claim(
        "log(alpha/(2*alpha-1)*exp(Delta/l1*(alpha-1)) + (alpha-1)/(2*alpha-1)*exp(-Delta/l1*alpha))/(alpha-1)",
        where=f"alpha>1, {WHERE}",
    )
}


def derive():
    l1, delta = symbol("l1"), symbol("Delta")
    region = Region.from_relations(parse_relations(WHERE, place="where"), (l1, delta))
    mechanism = apply("described", fact=NoiseMechanism("M", "laplace", l1, delta, "l1", region))
    return apply("laplace-rdp", mechanism)


def falsify(rng):
    def truth(mp, alpha, Delta, l1):
        """The moment of the two densities, integrated piece by piece between their kinks at 0 and Delta."""

        def moment(z):
            return mp.exp(-alpha * abs(z - Delta) / l1 - (1 - alpha) * abs(z) / l1) / (2 * l1)

        far = 100 * l1
        pieces = [-far, -far / 3, -far / 9, 0, Delta, Delta + far / 9, Delta + far / 3, Delta + far]
        return mp.log(mp.quad(moment, pieces, maxdegree=7)) / (alpha - 1)

    return attack(ID, CLAIMS[ID], "alpha>1, alpha<5, l1>1/3, l1<5, Delta>0, Delta<3", truth, rng, tight=True, count=12)


def reference_points():
    return [(ID, "alpha=2,Delta=1,l1=1", "0.61912362999859288340")]
