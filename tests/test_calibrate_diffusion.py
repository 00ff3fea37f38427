"""``symdp calibrate NAME``: the target is met and the next decimal fails, by formulas of their own; the optimum against
a dense grid; what has no answer.
"""

import json
from fractions import Fraction

import pytest
from mpmath import MPContext

from symdp.epsilon.decimals import Goal, least_decimal
from symdp.errors import Undetermined
from tests.commands import one_line

MP = MPContext()
MP.dps = 60
OU = ("ornstein-uhlenbeck", "--at")


def calibrated(call, *args):
    result = call("calibrate", *args, "--json")
    assert (result.code, result.err) == (0, "")
    return json.loads(result.out)


def profile(mu, epsilon):
    """The least delta of mu-Gaussian DP at epsilon."""
    below = lambda x: MP.ncdf(x)  # noqa: E731
    return below(mu / 2 - epsilon / mu) - MP.exp(epsilon) * below(-mu / 2 - epsilon / mu)


def law(theta, rho, t):
    """Scale and variance of the Ornstein-Uhlenbeck mechanism, by the matrix exponential."""
    flow = MP.expm(MP.matrix([[-theta, 0, 0], [0, -2 * theta, 2 * rho**2], [0, 0, 0]]) * t)
    return flow[0, 0], flow[1, 2]


def mu_of(theta, rho, t, delta=1):
    scale, variance = law(MP.mpf(theta), MP.mpf(rho), MP.mpf(t))
    return scale * delta / MP.sqrt(variance)


@pytest.mark.parametrize(("epsilon", "delta", "steps"), [("1", "1e-5", 1), ("0.1", "1e-9", 100), ("0", "0.01", 3)])
def test_the_time_of_brownian_motion(call, epsilon, delta, steps):
    data = calibrated(
        call, "brownian-motion", "--epsilon", epsilon, "--delta", delta, "--steps", str(steps), "--digits", "20"
    )
    assert data["parameter"] == "t" and data["safe_side"] == "larger" and data["every_value_beyond_fails"]
    good, bad = (MP.sqrt(steps / (2 * MP.mpf(text))) for text in (data["value"], data["next"]["value"]))
    assert profile(good, MP.mpf(epsilon)) <= MP.mpf(delta) < profile(bad, MP.mpf(epsilon))
    assert Fraction(data["value"]) - Fraction(data["next"]["value"]) <= Fraction(data["value"]) / 10**19
    assert data["error_grows"] is True  # of Brownian motion the error is 2t at every answer
    assert Fraction(data["reached"]["upper"]) <= Fraction(epsilon) < Fraction(data["next"]["reached"]["lower"])


@pytest.mark.parametrize(
    ("free", "at"), [("rho", "t=1/2,theta=2,Delta=3"), ("theta", "t=1/2,rho=1"), ("t", "theta=2,rho=1")]
)
def test_each_parameter_of_an_ornstein_uhlenbeck_mechanism(call, free, at):
    data = calibrated(call, *OU, at, "--for", free, "--epsilon", "1/2", "--delta", "1e-3", "--digits", "12")
    given = {"t": MP.mpf(1) / 2, "theta": MP.mpf(2), "rho": MP.mpf(1)}
    size = 3 if free == "rho" else 1
    for text, meets in ((data["value"], True), (data["next"]["value"], False)):
        mu = mu_of(**{**given, free: MP.mpf(text)}, delta=size)
        assert (profile(mu, MP.mpf("0.5")) <= MP.mpf("1e-3")) is meets
    assert data["every_value_beyond_fails"] is True


@pytest.mark.parametrize("digits", [1, 7, 40])
def test_one_renyi_order_by_its_closed_form(call, digits):
    """``5 * 8 theta/(2 rho^2 (e^{2 theta t} - 1)) = 4`` at theta = 1, t = log(3)/2 for rho^2 = 5/2."""
    at = ("t=log(3)/2,theta=1", "--steps", "5", "--rdp", "alpha=8,value=4", "--digits", str(digits))
    data = calibrated(call, *OU, *at)
    assert MP.mpf(data["next"]["value"]) < MP.sqrt(MP.mpf(5) / 2) <= MP.mpf(data["value"])


def test_a_target_that_is_met_exactly(call):
    """``8/(4t) = 4`` at t = 1/2: a decimal of any number of digits."""
    data = calibrated(call, "brownian-motion", "--rdp", "alpha=8,value=4", "--digits", "5")
    assert Fraction(data["value"]) == Fraction(1, 2) and data["next"]["value"] == "0.49999"
    data = calibrated(call, *OU, "t=log(3)/2,theta=1", "--rdp", "alpha=8,value=4")
    assert MP.mpf(data["next"]["value"]) < MP.sqrt(MP.mpf(1) / 2) < MP.mpf(data["value"])
    data = calibrated(call, *OU, "t=log(3)/2,theta=1", "--rdp", "alpha=8,value=2", "--digits", "4")
    assert (
        data["value"] == "1.000" and data["next"]["value"] == "0.9999"
    )  # the enclosure does not tell, exact zero does


def test_where_less_is_safer_the_largest_is_found(call):
    """A repelling drift spreads two starts: ``k/(1 - e^{-2kt}) = 1`` for the law ``e^{kt} x``, noise 1, t = 1."""
    data = calibrated(call, "diffusion", "--drift", "k*x", "--diffusion", "1", "--rdp", "alpha", "--at", "t=1")
    curve = lambda k: MP.mpf(k) / (1 - MP.exp(-2 * MP.mpf(k)))  # noqa: E731
    assert curve(data["value"]) <= 1 < curve(data["next"]["value"]) and data["safe_side"] == "smaller"
    assert Fraction(data["next"]["value"]) > Fraction(data["value"])


def test_a_process_in_the_plane_is_searched_by_numbers(call):
    args = ("kinetic-langevin", "--epsilon", "1", "--delta", "1e-3", "--at", "t=1,gamma=1,k=2", "--digits", "6")
    data = calibrated(call, *args, "--radius", "1")
    for text, meets in ((data["value"], True), (data["next"]["value"], False)):
        block = MP.matrix([[0, -1, 0, 0], [2, 1, 0, 2 * MP.mpf(text) ** 2], [0, 0, 0, -2], [0, 0, 1, -1]])
        whole = MP.expm(block)
        mixed, back = (MP.matrix([[whole[i, k + j] for j in range(2)] for i in range(2)]) for k in (2, 0))
        precision = (mixed * back.T) ** -1
        mean, gap = (precision[0, 0] + precision[1, 1]) / 2, (precision[0, 0] - precision[1, 1]) / 2
        mu = MP.sqrt(mean + MP.sqrt(gap**2 + precision[0, 1] ** 2))
        assert (profile(mu, MP.mpf(1)) <= MP.mpf("1e-3")) is meets
    assert data["utility"]["values"]["mse"] and data["every_value_beyond_fails"] is False


def test_what_is_derived_only_at_the_values_given(call):
    """For b = 0 the noise does not reach x1, so that nothing is derived for every real b."""
    process = ("diffusion", "--drift=b*x2 - x1, -x2", "--diffusion", "0; s", "--param", "b real")
    data = calibrated(call, *process, "--at", "b=3,t=1", "--rdp", "alpha", "--digits", "6")
    whole = MP.expm(MP.matrix([[1, -3, 0, 0], [0, 1, 0, 1], [0, 0, -1, 0], [0, 0, 3, -1]]))
    mixed, back = (MP.matrix([[whole[i, k + j] for j in range(2)] for i in range(2)]) for k in (2, 0))
    precision = (mixed * back.T) ** -1
    mean, gap = (precision[0, 0] + precision[1, 1]) / 2, (precision[0, 0] - precision[1, 1]) / 2
    least = MP.sqrt((mean + MP.sqrt(gap**2 + precision[0, 1] ** 2)) / 2)
    assert MP.mpf(data["next"]["value"]) < least < MP.mpf(data["value"]) and data["at"]["t"] == "1"


def test_a_search_stays_in_the_range_of_its_parameter(call):
    process = ("diffusion", "--drift=-q*x", "--diffusion", "1", "--at", "t=1")
    data = calibrated(call, *process, "--param", "-1<q<1", "--rdp", "alpha/4", "--digits", "9")
    curve = lambda q: MP.mpf(q) / (MP.exp(2 * MP.mpf(q)) - 1)  # noqa: E731
    assert curve(data["value"]) <= 0.25 < curve(data["next"]["value"])
    result = call("calibrate", *process, "--param", "-1<q<1", "--rdp", "alpha/40")
    assert result.code == 2 and "the range of q" in one_line(result)
    result = call("calibrate", *process, "--param", "-2<q<-1", "--rdp", "alpha")
    assert result.code == 2 and "q is not positive" in one_line(result)


# --- two parameters --------------------------------------------------------------------------------------------------


def test_the_tuning_of_the_paper(call):
    args = (*OU, "t=1", "--rdp", "alpha/2", "--radius", "2", "--dimension", "3", "--digits", "25")
    data = calibrated(call, *args)
    theta, rho = (MP.mpf(data["values"][name]) for name in ("theta", "rho"))
    best = MP.log(MP.mpf(7) / 4)
    assert abs(theta - best) < MP.mpf("1e-24") and abs(rho - MP.sqrt(best * 16 / 33)) < MP.mpf("1e-24")
    assert data["tuning"]["exact"] == {"theta": "log(7/4)", "rho": "4*sqrt(33)*sqrt(log(7/4))/33"}
    assert mu_of(theta, rho, 1) <= 1 < mu_of(theta, data["next"]["value"], 1)
    for name in ("least_error", "gaussian_error"):
        low, high = (Fraction(data[name][end]) for end in ("lower", "upper"))
        truth = Fraction(12, 7) if name == "least_error" else Fraction(3)
        assert low <= truth <= high and high - low < Fraction(1, 10**20)
    assert Fraction(data["utility"]["values"]["mse"]["upper"]) - Fraction(12, 7) < Fraction(1, 10**20)


@pytest.mark.parametrize(("radius", "dimension", "steps"), [("5", "2", 1), ("1/2", "10", 20)])
def test_the_optimum_is_that_of_a_dense_grid(call, radius, dimension, steps):
    target = ("--epsilon", "2", "--delta", "1e-4", "--steps", str(steps))
    data = calibrated(call, *OU, "t=1/2,Delta=2", *target, "--radius", radius, "--dimension", dimension)
    size, d, root = MP.mpf(Fraction(radius).numerator) / Fraction(radius).denominator, int(dimension), MP.sqrt(steps)
    error = lambda scale, variance: (1 - scale) ** 2 * size**2 + d * variance  # noqa: E731
    best = {name: MP.mpf(data["values"][name]) for name in ("theta", "rho")}
    assert profile(root * mu_of(**best, t=0.5, delta=2), MP.mpf(2)) <= MP.mpf("1e-4")
    ours, tried = error(*law(**best, t=MP.mpf("0.5"))), 0
    for i in range(-6, 7):
        for j in range(-1, 7):
            theta, rho = best["theta"] * MP.mpf(1.2) ** i, best["rho"] * MP.mpf(1.2) ** j
            if profile(root * mu_of(theta, rho, 0.5, 2), MP.mpf(2)) <= MP.mpf("1e-4"):
                assert error(*law(theta, rho, MP.mpf("0.5"))) >= MP.mpf(data["least_error"]["lower"])
                tried += 1
    least = MP.mpf(data["least_error"]["lower"])
    assert tried > 40 and least <= ours * (1 + MP.mpf("1e-40")) and ours - least < least * MP.mpf("1e-12")
    assert MP.mpf(data["gaussian_error"]["lower"]) > ours


# --- what is printed, replayed, refused ------------------------------------------------------------------------------


def test_text(call):
    shown = call("calibrate", *OU, "t=1", "--rdp", "alpha/2", "--radius", "2", "--dimension", "3").out
    assert "  theta               0.559615787935423, rounded, for the least error\n" in shown
    assert "0.520892375522796, the least of 15 digits" in shown and "least possible" in shown and "log(7/4)" in shown


def test_the_theorems_are_replayed(call, tmp_path):
    file = tmp_path / "proof.json"
    data = calibrated(call, *OU, "t=1", "--rdp", "alpha/2", "--radius", "2", "--dimension", "3")
    file.write_text(json.dumps(data))
    assert call("replay", str(file)).code == 0
    for wrong in (
        {"tuning": data["tuning"] | {"statement": "all is well"}},
        {"utility": data["utility"] | {"mse": "0"}},
        {"utility": None, "tuning": {"theorem": {}}},
    ):
        file.write_text(json.dumps(data | wrong))
        assert call("replay", str(file)).code == 1


def test_it_is_written_to_a_file(call, tmp_path):
    file = tmp_path / "out.json"
    result = call("calibrate", "brownian-motion", "--rdp", "alpha", "--json", "--output", str(file))
    assert (result.code, result.out) == (0, "") and json.loads(file.read_text())["parameter"] == "t"


TARGET = ("--epsilon", "1", "--delta", "1e-5")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nope", *TARGET], "nope"),
        (["brownian-motion"], "no --epsilon; give --epsilon"),
        (["brownian-motion", "--epsilon", "1"], "no --delta; give --delta"),
        (["brownian-motion", "--epsilon", "-1", "--delta", "0.1"], "--epsilon: epsilon is negative"),
        (["brownian-motion", "--epsilon", "1", "--delta", "0"], "--delta: no noise gives a finite epsilon"),
        (["brownian-motion", "--epsilon", "1", "--delta", "1"], "--delta: every noise does from delta = 1 on"),
        (["brownian-motion", "--rdp", "alpha", *TARGET], "--rdp is given beside --epsilon or --delta"),
        (["brownian-motion", "--rdp", "alpha**2"], "--rdp: the bound is not a multiple of alpha"),
        (["brownian-motion", "--rdp", "alpha=8"], "--rdp: alpha and value are expected"),
        (["brownian-motion", "--rdp", "alpha=1,value=2"], "--rdp: a Renyi order"),
        (["brownian-motion", "--rdp", "alpha=8,value=0"], "--rdp: no noise gives a divergence of 0"),
        (["brownian-motion", "--rdp", "alpha=8,value=log(2)"], "--rdp: "),
        (["brownian-motion", *TARGET, "--digits", "0"], "--digits"),
        (["brownian-motion", *TARGET, "--steps", "0"], "--steps"),
        (["brownian-motion", *TARGET, "--at", "t=1"], "--at: nothing is left to choose"),
        (["brownian-motion", *TARGET, "--at", "alpha=2"], "--at: alpha plays no part"),
        (["brownian-motion", *TARGET, "--at", "Delta=0"], "--at: every noise does for Delta = 0"),
        (["brownian-motion", *TARGET, "--at", "q=1"], "unknown name 'q'"),
        (["ornstein-uhlenbeck", *TARGET, "--at", "t=1"], "no value for rho, theta; give all but one, or --radius"),
        (["ornstein-uhlenbeck", *TARGET, "--for", "rho"], "--at: no value for t, theta; give t=..., theta=..."),
        (["ornstein-uhlenbeck", *TARGET, "--for", "sigma"], "--for: sigma is no parameter"),
        (["ornstein-uhlenbeck", *TARGET, "--for", "rho", "--at", "rho=1"], "--for: rho is given too"),
        (["ornstein-uhlenbeck", *TARGET, "--at", "t=1", "--radius", "R"], "--radius: the radius has no value"),
        (["ornstein-uhlenbeck", *TARGET, "--radius", "1"], "give t=..., and both parameters are chosen"),
    ],
)
def test_bad_input_is_one_line(call, args, said):
    result = call("calibrate", *args)
    assert result.code == 1 and said in one_line(result)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["benes", "--rdp", "alpha=2,value=1/100", "--at", "k=1"], "none of those tried meets the target"),
        (["benes", "--rdp", "alpha", "--at", "k=1"], "the bound is not a multiple of alpha"),
        (
            ["ornstein-uhlenbeck", "--rdp", "alpha=8,value=9", "--at", "t=1,rho=1"],
            "each of those tried meets the target",
        ),
        (["drifted-brownian-motion", *TARGET, "--at", "t=1,sigma=1"], "the bound does not depend on mu"),
        (["geometric-brownian-motion", *TARGET, "--at", "t=1,mu=0"], "no bound in Delta"),
    ],
)
def test_what_has_no_answer_is_refused(call, args, said):
    result = call("calibrate", *args)
    assert result.code == 2 and said in one_line(result)


def test_a_goal_that_falls_and_one_that_grows():
    """``1/x`` falls to 7/22 at 22/7, ``x`` grows to it at 7/22: the decimals on its two sides."""
    from symdp.ball import Enclosure

    class Reciprocal(Goal):
        name, target, falls = "x", Fraction(7, 22), True

        def at(self, number, digits):
            value = 1 / number if self.falls else number
            found = Enclosure.from_fraction(value, 4 * digits + 40)
            return type("Found", (), {"epsilon": found})()

    number, _, beyond, _ = least_decimal(Reciprocal(), 4)
    assert (str(number), str(beyond)) == ("3.143", "3.142")
    Reciprocal.falls = False
    number, _, beyond, _ = least_decimal(Reciprocal(), 4)
    assert (str(number), str(beyond)) == ("0.3181", "0.3182")
    Reciprocal.at = lambda self, number, digits: type("Found", (), {"epsilon": Enclosure(1, 1)})()
    with pytest.raises(Undetermined, match="the largest x is not between"):
        least_decimal(Reciprocal(), 4)
