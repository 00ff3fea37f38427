"""What the frozen tables are of: plans, as ``symdp table`` takes them."""

from __future__ import annotations

from symdp.tables import Plan

DIGITS = 40

#: Rates near 0 and near 1, noises from where the curve is steep to where it is flat, orders from the limit at 1 on; all
#: are doubles, since that is what other accountants are given.
SAMPLED_GAUSSIAN = Plan(
    "sgm",
    "q=1e-8,1e-4,0.001,0.01,0.1,0.5,0.99,1; sigma=0.3,0.5,0.7,1,1.5,2,4,10,50; "
    "alpha=1,1.0001,1.01,1.1,1.25,1.5,1.75,2,2.5,3,3.5,4,5,6,8,10.5,16,20,32,64,100.5,256,512,1024; "
    "direction=forward,reverse",
    DIGITS,
    double=True,
)

_DISTANCES = "Delta=1/2,1; alpha=3/2,2,8,64"
_ORDERS = "alpha=3/2,2,8"


def _named(name: str, grid: str, *, truth: bool = False) -> Plan:
    return Plan("diffusion", grid, DIGITS, source={"name": name, "truth": truth})


#: Exact divergences of every kind of kernel that is known, then upper bounds without one; two starts in both orders.
DIFFUSIONS = (
    _named("brownian-motion", f"t=1/10,1,4; {_DISTANCES}"),
    _named("ornstein-uhlenbeck", f"theta=1/2,2; rho=1; t=1/10,1,4; {_DISTANCES}"),
    _named("drifted-brownian-motion", f"mu=-1,3; sigma=1; t=1/10,1; {_DISTANCES}"),
    _named("kinetic-langevin", f"gamma=1; k=2; s=1; t=1/2,2; {_DISTANCES}"),
    _named("rotational-ornstein-uhlenbeck", f"theta=1; omega=3; rho=1; t=1/2,2; {_DISTANCES}"),
    _named("vp-sde", f"beta0=1/10; beta1=1,20; t=1/2,1; {_DISTANCES}"),
    _named("ve-sde", f"gamma=1; sigma=1; t=1/2,1; {_DISTANCES}"),
    _named("geometric-brownian-motion", f"mu=1/2; sigma=1; t=1/2,2; x=1,3; xp=2; {_ORDERS}"),
    _named("benes", f"k=1,2; t=1/2,2; x=0,1; xp=2; {_ORDERS}"),
    _named("benes", f"k=1,2; t=1/2,2; x=2; xp=0,1; {_ORDERS}"),
    _named("cox-ingersoll-ross", f"a=1; k=1/2; sigma=1; t=1/2,2; x=1,3; xp=2; {_ORDERS}", truth=True),
    _named("radial-ornstein-uhlenbeck", f"n=3; theta=1; t=1/2,2; x=1,3; xp=2; {_ORDERS}", truth=True),
    _named("reflected-brownian-half-line", f"sigma=1; t=1/2,2; x=1/8,2; xp=1; {_ORDERS}", truth=True),
    _named("reflected-brownian-interval", f"sigma=1; t=1/50,1/5; x=1/8,1/2; xp=1/4; {_ORDERS}", truth=True),
    _named("reflected-ornstein-uhlenbeck", f"theta=1; rho=1; t=1/2,2; x=1/8,2; xp=1; {_ORDERS}", truth=True),
    _named("cox-ingersoll-ross", f"a=1; k=1/2; sigma=1; t=1/2,2; x=1,3; xp=2; {_ORDERS}"),
    _named("reflected-brownian-interval", f"sigma=1; t=1/50,1/5; {_DISTANCES}"),
    _named("cosh-langevin", f"a=1; t=1/2,2; {_DISTANCES}"),
    _named("double-well", f"a=1; b=1; t=1/2,2; {_DISTANCES}"),
    _named("logistic-posterior", f"t=1/2,2; {_DISTANCES}"),
)
