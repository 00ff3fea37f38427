"""The divergence itself: against independent quadrature, at the command line, and refused where it is not known."""

import json

import pytest
from sympy import Rational

import symdp
from symdp.ball import mp_context
from symdp.derivation.truth import find_truth
from symdp.diffusion.catalogue import lookup
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused, Undetermined
from symdp.text import symbol

MP = mp_context(35)


def at(alpha, t, x, xp, **more):
    return {symbol(k): Rational(str(v)) for k, v in {"alpha": alpha, "t": t, "x": x, "xp": xp, **more}.items()}


def quadrature(p, q, alpha, points):
    return MP.log(MP.quad(lambda y: p(y) ** alpha * q(y) ** (1 - alpha), points)) / (alpha - 1)


# --- independent densities ------------------------------------------------------------------------------------------


def noncentral_chi_square(a, k, sigma, t, start):
    """The law of Cox-Ingersoll-Ross at time t as a Poisson mixture of gamma laws, not by Bessel functions."""
    c = 2 * k / (sigma**2 * (1 - MP.exp(-k * t)))
    shape, mean = 2 * a / sigma**2, c * start * MP.exp(-k * t)
    weights = [MP.exp(-mean) * mean**n / MP.factorial(n) / MP.gamma(shape + n) for n in range(90)]

    def density(y):
        return c * MP.exp(-c * y) * (c * y) ** (shape - 1) * MP.polyval(weights[::-1], c * y)

    return density


@pytest.mark.parametrize(
    ("a", "domain", "alpha", "t", "x", "xp"),
    [
        ("0.75", "x>0", "2", "1", "1", "0.5"),
        ("0.5", "x>0", "3", "0.5", "0.25", "0.75"),
        ("1.25", "x>0", "1.5", "2", "2", "1"),
        ("0.25", "x>=0", "2", "1", "1", "0.5"),
        ("0.1", "x>=0", "2", "1", "0.5", "0.125"),
    ],
)
def test_cox_ingersoll_ross(a, domain, alpha, t, x, xp):
    process = Diffusion(f"{a} - x", "sqrt(x)", None, domain)
    found = find_truth(process).value(at(alpha, t, x, xp), 25)
    assert found.proved_digits >= 25
    a, alpha, t, x, xp = map(MP.mpf, (a, alpha, t, x, xp))
    p, q = (noncentral_chi_square(a, MP.mpf(1), MP.mpf(1), t, start) for start in (x, xp))
    power = 1 / (2 * a)  # y = w^power is smooth at 0

    def smooth(law):
        return lambda w: law(w**power) * power * w ** (power - 1)

    near = MP.quad(lambda w: smooth(p)(w) ** alpha * smooth(q)(w) ** (1 - alpha), [0, 0.25, 1])
    whole = near + MP.quad(lambda y: p(y) ** alpha * q(y) ** (1 - alpha), [1, 2, 4, 8, 16, 30])
    assert abs(found.mid - MP.log(whole) / (alpha - 1)) < 1e-12


def test_reflected_brownian_motion_and_a_wall_at_the_mean():
    for drift, mean, variance in (("0", lambda x: x, MP.mpf(1)), ("-x", lambda x: x * MP.exp(-0.5), 1 - MP.exp(-1))):
        process = Diffusion(drift, "sqrt(2)", None, "x>=0")
        found = find_truth(process).value(at("2.5", "1/2", "1", "3"), 25)

        def law(x, mean=mean, variance=variance):
            return lambda y: (
                (MP.exp(-((y - mean(x)) ** 2) / (2 * variance)) + MP.exp(-((y + mean(x)) ** 2) / (2 * variance)))
                / MP.sqrt(2 * MP.pi * variance)
            )

        one, other = MP.mpf(1), MP.mpf(3)
        assert abs(found.mid - quadrature(law(one), law(other), 2.5, [0, 0.5, 1, 2, 4, 8, 16])) < 1e-22


@pytest.mark.parametrize("drift", ["-2", "-1/2", "1", "3/2"])
def test_a_wall_with_a_drift(drift):
    """The density from the distribution function ``N((y-x-mt)/s) - e^{2my} N(-(y+x+mt)/s)`` of unit noise, 2m = mu."""
    found = find_truth(Diffusion(drift, "sqrt(2)", None, "x>=0")).value(at("2.5", "1/2", "1", "2"), 22)
    m, t = MP.mpf(Rational(drift).p) / Rational(drift).q, MP.mpf(1) / 2

    def law(x):
        return lambda y: MP.diff(
            lambda u: (
                MP.ncdf((u - x - m * t) / MP.sqrt(2 * t)) - MP.exp(m * u) * MP.ncdf(-(u + x + m * t) / MP.sqrt(2 * t))
            ),
            y,
        )

    reference = quadrature(law(MP.mpf(1)), law(MP.mpf(2)), 2.5, [0, 0.5, 1, 2, 4, 9])
    assert abs(found.mid - reference) < 1e-11


def test_a_wall_above_is_a_wall_below():
    below = find_truth(Diffusion("0", "1", None, "x>=0")).value(at("2", "1", "1", "3"), 20)
    above = find_truth(Diffusion("0", "1", None, "x<=5")).value(at("2", "1", "4", "2"), 20)
    assert below.overlaps(above)


@pytest.mark.parametrize("t", ["1/50", "1/4", "1", "4"])
def test_a_reflected_interval(t):
    found = find_truth(Diffusion("0", "1", None, "-1<=x<=1")).value(at("2", t, "-1/2", "1/3"), 25)
    time = MP.mpf(Rational(t).p) / Rational(t).q

    def law(start):
        images = [4 * k + side * (start + 1) - 1 for k in range(-9, 10) for side in (1, -1)]
        return lambda y: MP.fsum(MP.exp(-((y - c) ** 2) / (2 * time)) for c in images) / MP.sqrt(2 * MP.pi * time)

    reference = quadrature(law(MP.mpf("-0.5")), law(MP.mpf(1) / 3), 2, MP.linspace(-1, 1, 9))
    assert abs(found.mid - reference) < 1e-20 * max(1, reference)


def test_the_laplace_law():
    """Half the sum and difference of the kernels reflected and killed at 0, noise sqrt2, drift -3/2 towards 0."""
    process = Diffusion("-b*sign(x-1)", "sqrt(2)")
    found = find_truth(process).value(at("2", "1/2", "2", "1/2", b="3/2"), 25)
    t, b = MP.mpf(1) / 2, MP.mpf(3) / 2

    def law(x):
        def g(u):
            return MP.exp(-((u + b * t) ** 2) / (4 * t)) / MP.sqrt(4 * MP.pi * t)

        def density(y):
            size, far = abs(x), MP.exp(b * abs(x))
            stays = b * MP.exp(-b * abs(y)) * MP.erfc((abs(y) + size - b * t) / (2 * MP.sqrt(t))) / 4
            return stays + (g(abs(y) - size) if x * y >= 0 else far * g(abs(y) + size))

        return density

    reference = quadrature(law(MP.mpf(1)), law(MP.mpf("-0.5")), 2, [-9, -4, -2, -1, 0, 1, 2, 4, 10])
    assert abs(found.mid - reference) < 1e-12


@pytest.mark.parametrize("drift", ["-tanh(x/2)", "(1-exp(x))/(1+exp(x))"])
def test_the_logistic_law(drift):
    found = find_truth(Diffusion(drift, "sqrt(2)")).value(at("3", "2/5", "1/2", "-1/4"), 25)
    s = MP.mpf(1) / 10  # k^2 t with k = 1/2

    def law(x):
        def density(y):
            d = (y - x) / (4 * MP.sqrt(s))
            wells = (MP.erf(MP.sqrt(s) - d) + MP.erf(MP.sqrt(s) + d)) / (8 * MP.cosh(y / 2) ** 2)
            return wells + MP.exp(-s - d * d) / MP.sqrt(16 * MP.pi * s) * MP.cosh(x / 2) / MP.cosh(y / 2)

        return density

    reference = quadrature(law(MP.mpf("0.5")), law(MP.mpf("-0.25")), 3, [-8, -4, -2, 0, 2, 4, 6, 10])
    assert abs(found.mid - reference) < 1e-12


def test_another_precision_agrees():
    for name, more in (("laplace-law", {"b": "3/4"}), ("logistic-law", {})):
        truth = find_truth(lookup(name).build())
        few, many = (truth.value(at("5/2", "1/3", "1", "-1/2", **more), digits) for digits in (8, 40))
        assert many.proved_digits >= 40 and few.overlaps(many)


def test_exact_theorems_are_the_truth():
    benes = find_truth(Diffusion("2*tanh(x)", "sqrt(2)"))
    assert benes.value(at(2, "1/2", 1, 0), 20).to_decimal(20) == ("1.4574410863918100568", "1.4574410863918100569")
    plane = Diffusion("-2*x1+x2, -x1-x2", "1,0;0,2", "x1,x2")
    values = {
        symbol(k): Rational(v)
        for k, v in zip(("alpha", "t", "x1", "x2", "xp1", "xp2"), (2, 1, 1, 0, 0, 1), strict=True)
    }
    bound = symdp.derive(plane).evaluate(alpha=2, t=1, x=(1, 0), xp=(0, 1), digits=20)
    assert find_truth(plane).value(values, 20).overlaps(bound)


def test_coinciding_starts_and_starts_outside():
    truth = find_truth(Diffusion("0", "1", None, "x>=0"))
    assert truth.value(at(2, 1, 3, 3), 10).is_exact
    with pytest.raises(Undetermined, match="region"):
        truth.value(at(2, 1, -1, 3), 10)
    with pytest.raises(Undetermined, match="region"):
        truth.value(at(1, 1, 1, 3), 10)


@pytest.mark.parametrize(
    ("drift", "diffusion", "domain"),
    [
        ("x - x**3", "sqrt(2)", None),
        ("-sinh(x)", "sqrt(2)", None),
        ("-x", "sqrt(2)", "x>=1"),
        ("1", "sqrt(2)", "0<=x<=1"),
        ("-3/2*tanh(x)", "sqrt(2)", None),
        ("1 - 2*sign(x)", "sqrt(2)", None),
        ("1/5 - x", "sqrt(x)", "x>0"),
    ],
)
def test_what_is_not_known_is_refused(drift, diffusion, domain):
    with pytest.raises(Refused, match="not known"):
        find_truth(Diffusion(drift, diffusion, None, domain))


# --- the commands ---------------------------------------------------------------------------------------------------

COX = ("--drift", "a-x", "--diffusion", "sqrt(x)", "--domain", "x>0")
AT = ("--at", "alpha=2,t=1,x=1,xp=2,a=3/4")


def test_renyi_on_the_command_line(call):
    shown = call("renyi", *COX, *AT, "--digits", "20")
    assert shown.code == 0 and "Bessel diffusion of index 1/2" in shown.out and "value_reverse" in shown.out
    data = json.loads(call("renyi", *COX, *AT, "--digits", "20", "--json").out)
    assert data["status"] == "proved" and data["tightness"] == "exact" and data["kernel_class"] == "Bessel"
    assert set(data["value_directions"]) == {"value", "value_reverse", "value_rdp"}
    expected = find_truth(Diffusion("3/4-x", "sqrt(x)", None, "x>0")).value(at(2, 1, 1, 2), 20)
    assert data["value"] == expected.to_json(20)
    assert data["value_rdp"] in (data["value"], data["value_reverse"])


LAPLACE, LOGISTIC = (
    ("laplace-law", "--at", "alpha=2,t=1,x=1,xp=0,b=1"),
    ("logistic-law", "--at", "alpha=2,t=1,x=1,xp=0"),
)


@pytest.mark.parametrize(("args", "kernel"), [(LAPLACE, "two-valued drift"), (LOGISTIC, "hyperbolic tangent")])
def test_laws_on_the_line_on_the_command_line(call, args, kernel):
    data = json.loads(call("renyi", *args, "--digits", "12", "--json").out)
    assert (data["status"], data["tightness"], data["kernel_class"]) == ("proved", "exact", kernel)
    beside = json.loads(call("derive", *args, "--digits", "12", "--truth", "--json").out)
    assert beside["truth"] == data["value"] and beside["truth_reverse"] == data["value_reverse"]
    assert 0 < float(beside["ratio"]["lower"]) <= float(beside["ratio"]["upper"]) < 1


@pytest.mark.parametrize("args", [(*COX, *AT), LAPLACE, LOGISTIC, ("benes", "--at", "alpha=2,t=1,x=1,xp=0,k=1")])
def test_what_renyi_prints_is_replayed(call, args, tmp_path):
    file = tmp_path / "truth.json"
    file.write_text(call("renyi", *args, "--digits", "10", "--json").out)
    assert call("replay", str(file)).code == 0


def test_derive_with_the_truth(call):
    args = ("derive", *COX, *AT, "--assume", "2*a>=1", "--digits", "20", "--truth")
    shown = call(*args)
    assert shown.code == 0 and "truth_reverse" in shown.out and "ratio" in shown.out
    data = json.loads(call(*args, "--json").out)
    ratio = data["ratio"]
    assert 0 < float(ratio["lower"]) <= float(ratio["upper"]) <= 1
    largest = max(float(data[key]["upper"]) for key in ("truth", "truth_reverse"))
    assert abs(float(ratio["upper"]) - largest / float(data["value_rdp"]["lower"])) < 1e-12
    exact = json.loads(call("derive", "benes", "--at", "alpha=2,t=1,x=1,xp=0,k=1", "--truth", "--json").out)
    assert exact["truth"] == exact["value"] and float(exact["ratio"]["lower"]) == 1


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("renyi", "--drift", "x-x**3", "--diffusion", "sqrt(2)", "--at", "alpha=2,t=1,x=1,xp=0"), 2, "not known"),
        (("renyi", "--drift", "-x", "--diffusion", "1", "--at", "alpha=2,t=1,Delta=1"), 2, "two starts"),
        (("renyi", "--drift", "-x", "--diffusion", "1"), 1, "no --at"),
        (("renyi", *COX, "--at", "alpha=1,t=1,x=1,xp=2,a=1"), 1, "above 1"),
        (("renyi", *COX, "--at", "alpha=2,t=1,x=-1,xp=2,a=1"), 1, "outside the domain"),
        (
            ("derive", "--drift", "x-x**3", "--diffusion", "sqrt(2)", "--at", "alpha=2,t=1,x=1,xp=0", "--truth"),
            2,
            "not known",
        ),
        (("derive", "--drift", "-x", "--diffusion", "1", "--at", "alpha=2,t=1,Delta=1", "--truth"), 1, "two starts"),
        (("derive", "--drift", "-x", "--diffusion", "1", "--truth"), 1, "--truth"),
    ],
)
def test_exit_codes(call, args, code, said):
    shown = call(*args)
    assert shown.code == code and said in shown.err
