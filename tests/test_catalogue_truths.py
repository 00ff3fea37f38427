"""Forty digits of the divergence itself, for the entries of the catalogue that have it by a kernel, in no closed form.

The digits come from mpmath's quadrature at 60 digits of densities written with images, error functions, Bessel
and theta functions; those in closed form are the reference points of their derivations.
"""

from fractions import Fraction

import pytest
from sympy import Rational

import symdp
from symdp.derivation.truth import find_truth
from symdp.diffusion.catalogue import lookup
from symdp.judgments import Divergence
from symdp.text import symbol

TRUTHS = {
    "circle": (
        "alpha=5/2,t=2,x=3/4,xp=-1,sigma=1",
        "0.7422371667945788660744030360708551437652",
        "0.7422371667945788660744030360708551437652",
    ),
    "laplace-law": (
        "alpha=2,t=2/5,x=1/2,xp=-1/4,b=1",
        "0.3922270543431833913242128163615292439112",
        "0.3430797198873235599892874609240946205273",
    ),
    "logistic-law": (
        "alpha=2,t=2/5,x=1/2,xp=-1/4",
        "0.5842650365768214008483551757889989198436",
        "0.5810455212452995776460001974026249510383",
    ),
    "reflected-brownian-half-line": (
        "alpha=2,t=1/4,x=3/4,xp=1/4,sigma=1",
        "0.9105694648030737780656993418932409093643",
        "0.4910176193139632465024666048943970458053",
    ),
    "reflected-brownian-interval": (
        "alpha=2,t=1/4,x=3/4,xp=1/3,sigma=1",
        "0.2359084590694322556518414514531660979265",
        "0.2488688991243714201488785108679858695958",
    ),
    "reflected-ornstein-uhlenbeck": (
        "alpha=2,t=1/4,x=3/4,xp=1/4,theta=1,rho=1",
        "0.2252486472754426203709424388445199102791",
        "0.1276797423774442172076604994135329381171",
    ),
    "cox-ingersoll-ross": (
        "alpha=2,t=1,x=1,xp=1/4,a=3/4,k=1,sigma=1",
        "0.3262775566764326985840767629629812422747",
        "0.2270091706677596712476971915463562445540",
    ),
    "bessel-process": (
        "alpha=2,t=1/4,x=3/4,xp=1/4,n=2",
        "0.6472086441207683475012839226421967267907",
        "0.3730149733605781299724236136583872585215",
    ),
    "radial-ornstein-uhlenbeck": (
        "alpha=2,t=1/4,x=3/4,xp=1/4,n=3,theta=1",
        "0.3211945708467955100023866021904478472392",
        "0.2044868414312684108949272635998997243624",
    ),
    "three-halves": (
        "alpha=2,t=1,x=1,xp=4,a=1,b=1,sigma=1",
        "0.1609312845084125395240596582426252631907",
        "0.1257766376435726160006715890791265307934",
    ),
}


@pytest.mark.parametrize("name", TRUTHS)
def test_forty_digits_of_both_orders_below_the_bound(name):
    at, *digits = TRUTHS[name]
    values = {symbol(k): Rational(v) for k, v in (item.split("=") for item in at.split(","))}
    process = lookup(name).build()
    truth, found = find_truth(process.at(values)), []
    assert truth.theorem.status == "proved" and not isinstance(truth.theorem.conclusion, Divergence)
    here = {s: v for s, v in values.items() if s not in process.params.symbols}
    x, xp = symbol("x"), symbol("xp")
    for starts, expected in zip(({}, {x: here[xp], xp: here[x]}), digits, strict=True):
        found.append(truth.value(here | starts, 42))
        assert found[-1].proved_digits >= 42
        low, high = (Fraction(end) for end in found[-1].to_decimal(60))
        assert max(abs(low - Fraction(expected)), abs(high - Fraction(expected))) <= Fraction(1, 2 * 10**40)
    bound = symdp.derive(process).evaluate({s.name: v for s, v in values.items()}, digits=12)
    assert max(one.lower for one in found) < bound.upper < 4 * max(one.upper for one in found)
