"""Faults that once proved a falsehood or showed one: each stays refused, named or right."""

from decimal import Decimal
from fractions import Fraction

import numpy
import pytest
from sympy import Integer, Rational

from symdp.bound import derive as bound
from symdp.decide import is_zero
from symdp.derivation import derive
from symdp.diffusion.asymptotics import Expander
from symdp.diffusion.calculus import curvature, generator_jet
from symdp.diffusion.facts import facts
from symdp.diffusion.process import Diffusion
from symdp.errors import Forged, InputError, Refused
from symdp.render.json import replayed
from symdp.text import parse, symbol
from symdp.theorem import apply


@pytest.mark.parametrize("name", ["z_end", "z", "w", "s", "s0", "e", "g", "lambda"])
@pytest.mark.parametrize("domain", ["x>0", "0<x<1"])
def test_no_name_of_a_parameter_is_one_of_ours(name: str, domain: str) -> None:
    """Brownian motion reaches the end of a half line, whatever its volatility is called."""
    with pytest.raises(Refused, match="attained"):
        derive(Diffusion("0", name, domain=domain))


def test_parameters_named_like_derivatives() -> None:
    process = Diffusion("-f_x1*x1, -x2", "1,0;0,1")
    f = symbol("f_x1")
    k = curvature(process)
    assert k is not None and k.free_symbols == {f}
    for value in (Integer(1) / 2, Integer(3)):
        assert k.subs(f, value) == min(value, 1)
    assert generator_jet(process).diff(f).free_symbols.isdisjoint({f})
    for state in ("a,aa", "x,y,xy"):
        n = state.count(",") + 1
        drift = ", ".join("0" for _ in range(n))
        noise = "; ".join(", ".join("1" if i == j else "0" for j in range(n)) for i in range(n))
        assert curvature(Diffusion(drift, noise, state=state)) == 0


def test_the_premises_of_the_heat_flow_are_one_process() -> None:
    kernel = derive(Diffusion("-x", "sqrt(2)")).kernel
    other = derive(Diffusion("theta*x", "sqrt(2)/100")).limit
    with pytest.raises(Refused, match="one process"):
        apply("heat-flow-linear", kernel, other)


@pytest.mark.parametrize(
    "jump", ["x - abs(x)/x", "x + sign(x)", "x - atan(x) - atan(1/x)", "x + 0*log(x)/log(x) + sign(x-1)"]
)
def test_a_coordinate_that_jumps_is_refused(jump: str) -> None:
    """Its derivative is 1 wherever it is defined."""
    process = Diffusion("0", "sqrt(2)")
    with pytest.raises(Refused, match="smooth coordinate"):
        apply("brownian-doob-kernel", process=process, coordinate=parse(jump), rate=Integer(0), constant=True)


def test_a_gramian_that_jumps_is_refused() -> None:
    gramian = parse("exp(2*t) - 1 + 5*(abs(t-1)/(t-1) + 1)")
    with pytest.raises(Refused, match="smooth solution"):
        apply(
            "linear-kernel",
            process=Diffusion("-x", "sqrt(2)"),
            backward=((parse("exp(t)"),),),
            gramian=((gramian,),),
            precision=((1 / gramian,),),
        )


HIDDEN = "-(exp(x/(sqrt(2)-1))-exp(x*(1+sqrt(2))))+(exp(-x/(sqrt(2)-1))-exp(-x*(1+sqrt(2))))"


@pytest.mark.parametrize("drift", ["tanh(x)" + HIDDEN, "tanh(x)-(" + HIDDEN + ")"])
def test_exponentials_that_cancel_in_disguise(drift: str) -> None:
    """``1/(sqrt2 - 1) = 1 + sqrt2``: the drift is tanh x, which escapes to infinity on both sides."""
    process = Diffusion(drift, "1")
    assert is_zero(process.drift[0] - parse("tanh(x)"))
    with pytest.raises(Refused, match="recurrent"):
        apply("merging-recurrent", process=process)
    with pytest.raises(Refused) as caught:
        apply("merging-recurrent", process=process)
    assert "attained" not in str(caught.value)


def test_equal_scales_are_added_up() -> None:
    z = symbol("z")
    f = parse("exp(1/(z*(sqrt(2)-1))) - exp((1+sqrt(2))/z) + 3 + z")
    germ = Expander(z, lambda e: 0 if is_zero(e) else (1 if e.evalf(30) > 0 else -1)).expand(f)
    assert next(c for c, _ in germ.terms) == 3


def test_an_invariant_density_is_positive() -> None:
    process = Diffusion("-2*x*(1-x**2)", "sqrt(2)*(1-x**2)", domain="-1<x<1")
    density = facts(process).invariant_density
    assert density is not None and density.subs(symbol("x"), 0) > 0
    assert is_zero(density.diff(symbol("x")) * (1 - symbol("x") ** 2) - 2 * symbol("x") * density)


def test_a_negative_half_line() -> None:
    """The formula is real where it is said to hold."""
    found = bound(Diffusion("x", "x", domain="x<0"))
    value = found.evaluate(x=-2, xp=-1, t=1, alpha=2, digits=20)
    mirrored = bound(Diffusion("x", "x", domain="x>0")).evaluate(x=2, xp=1, t=1, alpha=2, digits=20)
    assert value.overlaps(mirrored)


def test_what_was_assumed_bounds_the_region() -> None:
    found = bound(Diffusion("x2, -k*x1-g*x2", "0; sqrt(2*g)"), assume="k < g**2/4")
    assert found.status == "conditional"
    assert found.region.contains(dict.fromkeys(found.region.symbols, Integer(2))) is False


def test_contradictory_assumptions_prove_nothing() -> None:
    process = Diffusion("x2, -k*x1-g*x2", "0; sqrt(2*g)")
    found = bound(process, assume=["k == g**2/4", "k > g**2/4"])
    assert found.status == "proved" and found.assumptions == ()  # neither was used
    assert found.region == bound(process).region


@pytest.mark.parametrize(
    "drift, params", [("-a*x1+x2, -b*x2", ()), ("x2, -k*x1-g*x2", "0<k<1, g>2"), ("c*x1+x2, x2", "c real")]
)
def test_the_formula_is_defined_on_its_region(drift: str, params: str) -> None:
    """Where two eigenvalues meet a closed form reads 0/0: then the control energy is taken, which does not."""
    from symdp.decide import Proved, decide
    from symdp.text import definedness

    found = derive(Diffusion(drift, "1,0;0,1", params=params))
    for theorem in (found.divergence, found.privacy):
        for relation in definedness(theorem.conclusion.value):
            assert isinstance(decide(relation, theorem.region), Proved)


def test_equal_eigenvalues_get_their_own_value() -> None:
    apart = bound(Diffusion("-a*x1+x2, -b*x2", "1,0;0,1"))
    meeting = bound(Diffusion("-x1+x2, -x2", "1,0;0,1"))
    point = {"alpha": 2, "t": "1/2", "x": (1, 0), "xp": (0, "1/3")}
    ours = apart.evaluate(point, a=1, b=1, digits=25)
    assert ours.overlaps(meeting.evaluate(point, digits=25))
    nearby = apart.evaluate(point, a=1, b="1000000001/1000000000", digits=25)
    assert abs(nearby.mid - ours.mid) < 1e-6 * ours.mid


@pytest.mark.parametrize(
    "diffusion, domain",
    [
        ("cos(x)**2+sin(x)**2-1", None),
        ("(x+1)**2-x**2-2*x-1", None),
        ("tanh(x)*cosh(x)-sinh(x)", None),
        ("sinh(2*x)-2*sinh(x)*cosh(x)", None),
        ("abs(x)-x", "x>0"),
    ],
)
def test_noise_that_is_zero_in_disguise(diffusion: str, domain: str | None) -> None:
    with pytest.raises(InputError, match="identically zero"):
        Diffusion("-x", diffusion, domain=domain)


def test_singular_noise_in_disguise_is_refused() -> None:
    process = Diffusion("-x1, -x2", "1,1; 1,cos(x1)**2+sin(x1)**2")
    assert curvature(process) is None
    with pytest.raises(Refused):
        derive(process)


@pytest.mark.parametrize("rate, value", [("1/sqrt(a)", Rational(1, 2)), ("1/sqrt(pi)", None), ("sqrt(a)", Integer(2))])
def test_rates_that_are_no_rational_functions(rate: str, value: Rational | None) -> None:
    found = bound(Diffusion(f"-x*{rate}", "sqrt(2)"))
    at = {"alpha": 2, "t": 1, "x": 1, "xp": 0, "a": 4}
    if value is None:
        at.pop("a")
        plain = bound(Diffusion("-theta*x", "sqrt(2)")).evaluate(at, theta="1/sqrt(pi)", digits=20)
    else:
        plain = bound(Diffusion("-theta*x", "sqrt(2)")).evaluate({k: v for k, v in at.items() if k != "a"}, theta=value)
    assert found.evaluate(at, digits=20).overlaps(plain)


@pytest.mark.parametrize("drift", ["(x+1)**1000", "sin(x)**50*cos(x)**50", "(x+a+b+c+d)**200", "(1+exp(x))**99"])
def test_powers_whose_derivatives_do_not_end_are_bad_input(drift: str) -> None:
    with pytest.raises(InputError, match="exponent"):
        Diffusion(drift, "1")


@pytest.mark.parametrize("name", ["nan", "inf", "oo"])
def test_what_looks_like_a_number_must_be_declared(name: str) -> None:
    with pytest.raises(InputError, match="no number"):
        Diffusion(f"{name}*x", "1")
    assert derive(Diffusion(f"-{name}*x", "1", params=f"{name}>0")).divergence.status == "proved"


def test_coefficients_are_numbers_of_any_exact_kind() -> None:
    half = Diffusion("-x", "1/2")
    for value in (0.5, Fraction(1, 2), Decimal("0.5"), [[0.5]]):
        assert Diffusion("-x", value) == half
    assert Diffusion(["-x1", "-x2"], numpy.eye(2)) == Diffusion("-x1, -x2", [[1, 0], [0, 1]])


@pytest.mark.parametrize("field, value", [("schema", 2), ("process", {"drift": "0"})])
def test_edits_beside_the_proof_are_rejected(field: str, value: object) -> None:
    data = bound(Diffusion("-x", "1")).to_json()
    assert replayed(data)
    with pytest.raises(Forged):
        replayed({**data, field: value})


def test_a_conditional_bound_replays_with_its_region() -> None:
    data = bound(Diffusion("x2, -k*x1-g*x2", "0; sqrt(2*g)"), assume="k < g**2/4").to_json()
    assert data["status"] == "conditional" and replayed(data)
