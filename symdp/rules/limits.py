"""The decider of limits at infinity: by an exact expansion of the difference, every sign of which is decided."""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Add, Dummy, Expr, Symbol, exp, log, oo

from symdp.decide import Proved, Refuted, Unknown, Verdict
from symdp.decide import sign as decided_sign
from symdp.diffusion.asymptotics import UNIT, Expander, Scale, Unclear
from symdp.evidence import register_decider
from symdp.region import Region
from symdp.rules.regions import without
from symdp.text import Relation, to_text


def tends_to(
    expr: Expr, value: Expr, variable: Symbol, region: Region, *, assuming: Sequence[Relation] = ()
) -> Verdict:
    """Whether ``expr -> value`` as ``variable -> infinity``, the other symbols fixed anywhere in the region."""
    region = region.intersect(assuming) if assuming else region
    if variable in value.free_symbols or region.interval(variable).upper is not oo:
        return Refuted({}, {"engine": "expansion", "reason": f"{variable} does not tend to infinity there"})
    parameters = without(region, [variable])
    z = Dummy("z", real=True)
    expander = Expander(z, lambda e: decided_sign(e, parameters))
    try:
        germ = expander.expand((expr - value).xreplace({variable: 1 / z}))
        largest = germ.terms[0][1] if germ.terms else germ.remainder
        if largest is None:
            return Proved({"engine": "expansion", "reason": "the two are equal"})
        if expander.compare(largest, UNIT) < 0:
            return Proved(
                {"engine": "expansion", "reason": f"the difference is of the order {_text(largest, variable)}"}
            )
        if germ.terms and expander.sign_of(germ.terms[0][0]):
            reason = f"the difference is of the order {_text(largest, variable)}"
            return Refuted({}, {"engine": "expansion", "reason": reason})
    except Unclear as error:
        return Unknown(str(error))
    return Unknown("the leading terms cancel")


def _text(scale: Scale, variable: Symbol) -> str:
    growth = Add(*[a * variable**q for q, a in scale.growth])
    return to_text(variable ** (-scale.power) * log(variable) ** scale.logs * exp(growth))


register_decider("limit at infinity", tends_to)
