"""Curvature with any noise in several dimensions: spheres and hyperbolic spaces in charts; hypotheses; mutants."""

from dataclasses import replace
from random import Random

import pytest
from sympy import Rational

import symdp.rules  # noqa: F401
from symdp.decide import is_zero
from symdp.derivation.charts import propose_gauge, propose_path
from symdp.diffusion import calculus
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.region import Interval
from symdp.rule import get_rule
from symdp.text import parse, symbol
from symdp.theorem import apply, from_json, replay, to_json
from tests.guarantees import MP, conclude, value

HALF_PLANE = Diffusion("0, 0", "sqrt(2)*x2, 0; 0, sqrt(2)*x2", "x1, x2", "x2>0")
R2 = "(1+x1**2+x2**2)/sqrt(2)"
SPHERE = Diffusion("0, 0", f"{R2}, 0; 0, {R2}", "x1, x2")
R3 = "(1+x1**2+x2**2+x3**2)"
SPHERE3 = Diffusion(
    f"-{R3}*x1/2, -{R3}*x2/2, -{R3}*x3/2",
    f"{R3}/sqrt(2), 0, 0; 0, {R3}/sqrt(2), 0; 0, 0, {R3}/sqrt(2)",
    "x1, x2, x3",
)
HYPERBOLIC3 = Diffusion("0, 0, -x3", "sqrt(2)*x3, 0, 0; 0, sqrt(2)*x3, 0; 0, 0, sqrt(2)*x3", "x1, x2, x3", "x3>0")
MARKET = Diffusion("0, x2", "r*x1, 0; 0, q*x2", "x1, x2", "x1>0, x2>0")
GAUGE = {"factor": parse("1/(2*x2*xp2)"), "shape": "hyperbolic", "rate": parse("1")}


@pytest.mark.parametrize(
    ("process", "curvature"), [(HALF_PLANE, "-1"), (SPHERE, "1"), (SPHERE3, "2"), (HYPERBOLIC3, "-2"), (MARKET, "0")]
)
def test_curvature_of_charts(process, curvature):
    """n - 1 on the sphere of dimension n, 1 - n on hyperbolic space, 0 where noise is proportional to the state."""
    assert is_zero(calculus.curvature(process) - parse(curvature), process.interior)


@pytest.mark.parametrize(
    ("drift", "diffusion"),
    [
        ("-x1**3+x2, x1*x2", "1+x1**2, x2; 0, 2+x2**2"),
        ("-x1**3+x2, x1*x2", "exp(x1), x2; 0, cosh(x2)"),
        ("x2, -x1", "1, x1; x2, 3"),
        ("-x1, -x2", "1, 2; 2, 5"),
    ],
)
def test_the_form_is_what_the_definition_gives(drift, diffusion):
    process = Diffusion(drift, diffusion, "x1, x2")
    defect = calculus.bochner_defect(process)
    region = process.interior.extend(
        {s: Interval.real() for s in sorted(defect.free_symbols - set(process.state), key=str)}
    )
    assert is_zero(defect, region)
    x1 = symbol("x1")
    assert is_zero(defect + x1 * symbol("f_x1") ** 2, region.extend({}) if x1 in region.symbols else region) is False


@pytest.mark.parametrize(
    ("process", "bound", "gauge", "shape"),
    [
        (HALF_PLANE, "-1", "1/(2*x2*xp2)", "hyperbolic"),
        (SPHERE, "1", "2/((1+x1**2+x2**2)*(1+xp1**2+xp2**2))", "spherical"),
    ],
)
def test_gauges_are_found_and_proved(process, bound, gauge, shape):
    found = propose_gauge(process, ())
    assert found is not None and (found["shape"], found["rate"]) == (shape, 1)
    theorem = apply("harnack-gauge", process=process, bound=parse(bound), **found)
    assert theorem.status == "proved" and theorem.tightness == "upper"
    assert is_zero(found["factor"] - parse(gauge), theorem.region)
    assert replay(theorem) == theorem and from_json(to_json(theorem)) == theorem


def test_paths():
    found = propose_path(MARKET)
    assert found is not None
    theorem = apply("harnack-path", process=MARKET, bound=parse("0"), **found)
    wanted = parse("alpha*(log(x1/xp1)**2/r**2 + log(x2/xp2)**2/q**2)/(2*t)")
    assert is_zero(theorem.conclusion.value - wanted, theorem.region)
    s, (a, b) = symbol("s"), (parse("xp1+s*(x1-xp1)"), parse("xp2+s*(x2-xp2)"))
    energy = parse("s*((x1-xp1)**2+(x2-xp2)**2)/(xp2*(xp2+s*(x2-xp2)))")
    straight = {"path": (a, b), "energy": energy, "parameter": s}
    theorem = apply("harnack-path", process=HALF_PLANE, bound=parse("-1"), **straight)
    bent = apply("harnack-gauge", process=HALF_PLANE, bound=parse("-1"), **GAUGE)
    point = {"alpha": "2", "t": "1/3", "x1": "1", "x2": "2", "xp1": "-1/2", "xp2": "1/3"}
    assert value(bent.conclusion.value, **point) < value(theorem.conclusion.value, **point)
    for change, failed in (
        ({"energy": energy / 2}, "energy"),
        ({"path": (a, b + 1)}, "path from start"),
        ({"path": (a, parse("xp2*(1-s)**2+x2*s**2-s*(1-s)*(x2+xp2)"))}, "path inside"),
        ({"parameter": symbol("x1")}, "path"),
    ):
        with pytest.raises(Refused, match=failed):
            apply("harnack-path", process=HALF_PLANE, bound=parse("-1"), **(straight | change))


@pytest.mark.parametrize(
    ("process", "change", "failed"),
    [
        (HALF_PLANE, {"bound": "-1/2"}, "curvature"),
        (HALF_PLANE, {"factor": "1/(x2*xp2)"}, "gradient"),
        (HALF_PLANE, {"rate": "-1"}, "rate"),
        (HALF_PLANE, {"factor": "-1/(2*x2*xp2)"}, "gauge positive"),
        (HALF_PLANE, {"shape": "parabolic"}, "gauge"),
        (Diffusion("0, 0", "1, 0; 0, 1", "x1, x2", "x1>=0"), {"bound": "0"}, "complete"),  # a boundary
        (Diffusion("0, 0", "1, 0; 0, 1", "x1, x2", "x1>0"), {"bound": "0"}, "complete"),  # absorbed there
        (Diffusion("0, 0", "x1, 0; 0, 1", "x1, x2"), {"bound": "0"}, "elliptic"),
    ],
)
def test_hypotheses(process, change, failed):
    params = {"bound": "-1", "factor": "1/(2*x2*xp2)", "shape": "hyperbolic", "rate": "1"} | change
    shape = params.pop("shape")
    with pytest.raises(Refused, match=failed):
        apply("harnack-gauge", process=process, shape=shape, **{k: parse(v) for k, v in params.items()})


def test_a_chart_that_is_not_complete_needs_a_word_of_the_user():
    """Brownian motion killed at an end of the plane: undecided, and no theorem without the assumption."""
    process = Diffusion("0, 0", "1, 0; 0, 1", "x1, x2", "x1>0")
    params = {"bound": parse("0"), "factor": parse("2"), "shape": "flat", "rate": parse("1")}
    with pytest.raises(Refused, match="no exhaustion"):
        apply("harnack-gauge", process=process, **params)
    theorem = apply("harnack-gauge", process=process, assuming=["complete"], **params)
    assert theorem.status == "conditional" and theorem.assumptions


# --- truths: the heat kernel of hyperbolic three-space and of the three-sphere ----------------------------------------


def kernel(process, t, distance):
    """``(4 pi t)^{-3/2} (r/S) e^{-t -+ ...}``, S = sinh r; on the sphere S = sin r, summed over the windings."""
    front = (4 * MP.pi * t) ** MP.mpf("-1.5")
    if process is HYPERBOLIC3:
        ratio = distance / MP.sinh(distance) if distance else MP.mpf(1)
        return front * ratio * MP.exp(-t - distance**2 / (4 * t))
    terms = (((distance + 2 * MP.pi * n), n) for n in range(-4, 5))
    return front * MP.exp(t) * MP.fsum(r * MP.exp(-(r**2) / (4 * t)) for r, _ in terms) / MP.sin(distance)


def truth(process, t, alpha, gap):
    """The Renyi divergence of two starts at this distance, in polar coordinates around the first."""
    hyperbolic = process is HYPERBOLIC3
    cosine, sine, arc = (MP.cosh, MP.sinh, MP.acosh) if hyperbolic else (MP.cos, MP.sin, MP.acos)
    sign = 1 if hyperbolic else -1
    end = 6 + 4 * t if hyperbolic else MP.pi

    def other(r, c):
        return arc(cosine(r) * cosine(gap) - sign * sine(r) * sine(gap) * c)

    nodes = [((k + MP.mpf(1) / 2) * end / 60, end / 60) for k in range(60)]
    angles = [((k + MP.mpf(1) / 2) / 12 - 1, MP.mpf(1) / 12) for k in range(24)]
    whole = MP.mpf(0)
    for r, dr in nodes:
        p = kernel(process, t, r)
        inner = MP.fsum(kernel(process, t, other(r, c)) ** (1 - alpha) * dc for c, dc in angles)
        whole += 2 * MP.pi * sine(r) ** 2 * p**alpha * inner * dr
    return MP.log(whole) / (alpha - 1)


def violations(rule, process, bound, gauge):
    claim = conclude(rule, process=process, bound=parse(bound), **gauge).value
    draw, found = Random(7), 0
    with MP.workdps(15):
        for _ in range(5):
            t, gap, alpha = MP.mpf(draw.randint(1, 6)) / 5, MP.mpf(draw.randint(2, 6)) / 5, draw.choice((1.5, 2))
            if process is HYPERBOLIC3:  # along the axis the distance is the logarithm of the ratio
                ends = {"x1": 0, "x2": 0, "x3": float(MP.exp(gap)), "xp1": 0, "xp2": 0, "xp3": 1}
            else:  # from the origin the radius r is at distance 2 atan(r)
                ends = {"x1": float(MP.tan(gap / 2)), "x2": 0, "x3": 0, "xp1": 0, "xp2": 0, "xp3": 0}
            point = {"t": float(t), "alpha": alpha} | ends
            claimed = value(claim, **{name: Rational(v) for name, v in point.items()})
            found += claimed < truth(process, t, MP.mpf(alpha), gap) * (1 - MP.mpf("0.01"))
    return found


CASES = [
    (HYPERBOLIC3, "-2", {"factor": parse("1/(2*x3*xp3)"), "shape": "hyperbolic", "rate": parse("1")}),
    (
        SPHERE3,
        "2",
        {
            "factor": parse("2/((1+x1**2+x2**2+x3**2)*(1+xp1**2+xp2**2+xp3**2))"),
            "shape": "spherical",
            "rate": parse("1"),
        },
    ),
]


def straight(process):
    """The segment between the two starts of the half space, and its energy."""
    s = symbol("s")
    path = tuple(parse(f"xp{i}+s*(x{i}-xp{i})") for i in (1, 2, 3))
    energy = parse("s*((x1-xp1)**2+(x2-xp2)**2+(x3-xp3)**2)/(xp3*(xp3+s*(x3-xp3)))")
    return {"path": path, "energy": energy, "parameter": s}


@pytest.mark.parametrize("rule_id", ["harnack-gauge", "harnack-path"])
def test_no_instance_violates_and_mutants_do(rule_id):
    rule, t = get_rule(rule_id), symbol("t")
    cases = CASES if rule_id == "harnack-gauge" else [(HYPERBOLIC3, "-2", straight(HYPERBOLIC3))]
    for process, bound, distance in cases:
        assert violations(rule, process, bound, distance) == 0
        for change in (lambda f: replace(f, value=f.value / 2), lambda f: replace(f, value=f.value.subs(t, 4 * t))):
            mutant = replace(rule, id=f"{rule_id} (mutant)", conclude=lambda a, b, c=change: c(rule.conclude(a, b)))
            assert violations(mutant, process, bound, distance)
