"""Toy rules for the tests of the kernel and of the claims: small, honest, and about nothing."""

import json
from dataclasses import dataclass, replace

from sympy import Integer, exp

from symdp import codec
from symdp.citations import Citation
from symdp.decide import Proved, Refuted, Unknown
from symdp.judgments import ZCDP, GaussianKernel, Identity, Inequality, RenyiDP
from symdp.region import Interval, Region
from symdp.text import Relation, parse, symbol
from symdp.theorem import Condition, Rule, apply, register, register_decider, to_json

a, b, s, x, y = map(symbol, ("a", "b", "s", "x", "y"))
alpha, t, d = map(symbol, ("alpha", "t", "d"))
PLANE = Region.make({x: Interval.real(), y: Interval.real()})
POSITIVE = Region.make({a: Interval.positive(), s: Interval.positive()})
RANGE = Region.make({alpha: Interval(Integer(1), Integer(10), False, True), t: Interval.positive(), d: Interval.real()})
WORK, OTHER = Citation("balle2019", "Theorem 6"), Citation("mironov2017", "Definition 4")


@codec.register
@dataclass(frozen=True)
class ToyProcess:
    """A subject with parameters, as a diffusion is."""

    name: str
    rate: object
    region: Region


def relation(name, expr, op, region):
    return Condition(name, str(Relation(expr, op)), "relation", (Relation(expr, op), region))


def _known(value, *, assuming):
    """Knows small integers only; the assumption x > 7 settles 7."""
    if value == 7 and Relation(x - 7, ">") in assuming:
        return Proved({"engine": "known", "reason": "7 is what it is"})
    answers = {1: Proved({"engine": "known", "value": 1}), 0: Refuted({x: Integer(0)}, {"engine": "known"})}
    return answers.get(value, Unknown(f"{value} is not known"))


register_decider("toy-known", _known)

register(
    Rule(
        id="toy.identity",
        title="Two sides are the same",
        citation=WORK,
        premises=(),
        conditions=lambda _, p: [relation("equal", p["left"] - p["right"], "==", p["region"])],
        conclude=lambda _, p: Identity(p["left"], p["right"], p["region"]),
        tightness="exact",
    )
)
register(
    Rule(
        id="toy.fact",
        title="A relation holds",
        citation=OTHER,
        premises=(),
        conditions=lambda _, p: [Condition("holds", str(p["relation"]), "relation", (p["relation"], p["region"]))],
        conclude=lambda _, p: Inequality(p["relation"], p["region"]),
        tightness="exact",
    )
)
register(
    Rule(
        id="toy.rdp",
        title="A bound from a fact",
        citation=(WORK, OTHER),
        premises=(Inequality,),
        conditions=lambda _, p: [relation("factor at least one", p["factor"] - 1, ">=", PLANE)],
        conclude=lambda f, p: RenyiDP("toy", f[0].relation.expr * p["factor"], symbol("Delta"), "a pair", f[0].region),
        tightness="upper",
    )
)
register(
    Rule(
        id="toy.exact-rdp",
        title="A bound that is attained",
        citation=WORK,
        premises=(),
        conditions=lambda _, p: [relation("not negative", p["value"], ">=", p["region"])],
        conclude=lambda _, p: RenyiDP("toy", p["value"], symbol("Delta"), "a pair", p["region"]),
        tightness="exact",
    )
)
register(
    Rule(
        id="toy.compose",
        title="Bounds add up",
        citation=(),
        premises=(RenyiDP, ...),
        conditions=lambda *_: (),
        conclude=lambda fs, _: replace(fs[0], value=sum(f.value for f in fs)),
        tightness="exact",
    )
)
register(
    Rule(
        id="toy.known",
        title="An oracle speaks",
        citation=WORK,
        premises=(),
        conditions=lambda _, p: [
            Condition(f"known {i}", f"{v} is known", "toy-known", (v,)) for i, v in enumerate(p["values"])
        ],
        conclude=lambda _, p: ZCDP("toy", Integer(len(p["values"])), PLANE),
        tightness="exact",
    )
)
register(
    Rule(
        id="toy.vouched",
        title="A modelling assumption",
        citation=WORK,
        premises=(),
        conditions=lambda *_: (),
        conclude=lambda *_: ZCDP("toy", Integer(1), PLANE),
        tightness="exact",
        assumed=(("smooth loss", "the loss is smooth"),),
    )
)
register(
    Rule(
        id="toy.process",
        title="A process has its rate",
        citation=WORK,
        premises=(),
        conditions=lambda _, p: [relation("rate", p["process"].rate, ">", p["process"].region)],
        conclude=lambda _, p: ZCDP(p["process"], p["process"].rate, p["process"].region),
        tightness="exact",
    )
)
register(
    Rule(
        id="toy.kernel",
        title="A kernel is what it is",
        citation=WORK,
        premises=(),
        conditions=lambda *_: (),
        conclude=lambda _, p: GaussianKernel("toy", backward=p["matrix"], gramian=((x,),), precision=((1 / x,),)),
        tightness="exact",
    )
)


def square():
    return apply("toy.fact", relation=Relation((x - y) ** 2, ">="), region=PLANE)


def bound(factor=2):
    return apply("toy.rdp", square(), factor=Integer(factor))


def tree():
    """Two bounds over one shared fact, composed."""
    fact = square()
    return apply("toy.compose", *(apply("toy.rdp", fact, factor=Integer(k)) for k in (2, 3)))


def transcendental():
    """A fact that needs more than polynomials."""
    gap = exp(a) - 1 - a + s
    return apply("toy.fact", relation=Relation(gap, ">"), region=POSITIVE)


def conditional():
    """A fact that needs what the user assumes."""
    feller = Relation(4 * a - s**2, ">=")
    return apply("toy.fact", relation=Relation(8 * a - s**2, ">"), region=POSITIVE, assuming=(feller,))


def stored(theorem):
    return json.loads(json.dumps(to_json(theorem)))


def exact(value="alpha*d**2/(4*t)", region=RANGE, **options):
    return apply("toy.exact-rdp", value=parse(value), region=region, **options)
