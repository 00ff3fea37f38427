"""``symdp derive --utility``: bias, variance and error beside the bound, against matrix exponentials; bad input."""

import json
from decimal import Decimal

import pytest
from mpmath import MPContext

from tests.commands import one_line

MP = MPContext()
MP.dps = 40
OU = ("derive", "ornstein-uhlenbeck", "--utility")
AT = "t=1/2,theta=3/2,rho=5/4"
TUNED = "t=1,theta=log(7/4),rho=sqrt(log(7/4)/(33/16))"


def utility(call, *args):
    result = call(*args, "--json")
    assert (result.code, result.err) == (0, "")
    return json.loads(result.out)["utility"]


def inside(found, truth):
    """Whether the decimals enclose a truth of 40 digits."""
    slack = MP.mpf(10) ** -35
    return MP.mpf(found["lower"]) <= truth + slack and truth - slack <= MP.mpf(found["upper"])


def law():
    flow = MP.expm(MP.matrix([[-1.5, 0, 0], [0, -3, 2 * MP.mpf(25) / 16], [0, 0, 0]]) / 2)
    return flow[0, 0], flow[1, 2]


def test_the_public_problem_to_twenty_digits(call):
    values = utility(call, *OU, "--radius", "2", "--dimension", "3", "--at", TUNED, "--digits", "21")["values"]
    for name, truth in (("mse", 12), ("best_multiple_mse", 12), ("unbiased_mse", 21)):
        low, high = (Decimal(values[name][end]) for end in ("lower", "upper"))
        assert low * 7 <= truth <= high * 7 and high - low <= Decimal("1e-19")
    assert values["mse"]["lower"].startswith("1.71428571428571428571")


@pytest.mark.parametrize(("radius", "dimension", "more"), [("2", "3", ""), ("q", "n", ",q=2,n=3")])
def test_copies_in_several_dimensions(call, radius, dimension, more):
    found = utility(call, *OU, "--radius", radius, "--dimension", dimension, "--at", AT + more, "--digits", "30")
    scale, variance = law()
    noise = 3 * variance / scale**2
    truth = {
        "bias_squared": 4 * (1 - scale) ** 2,
        "variance": 3 * variance,
        "mse": 4 * (1 - scale) ** 2 + 3 * variance,
        "unbiased_mse": noise,
        "best_multiple_factor": 4 / (4 + noise),
        "best_multiple_mse": 4 * noise / (4 + noise),
    }
    assert set(found["values"]) == set(truth)
    assert all(inside(found["values"][name], value) for name, value in truth.items())
    assert found["mse"] and found["tightness"] == "exact" and found["status"] == "proved"


def test_every_answer_is_a_case_of_its_own_without_a_radius(call):
    found = utility(call, *OU, "--at", f"x=-3,{AT}", "--digits", "30")
    scale, variance = law()
    assert inside(found["values"]["bias_squared"], 9 * (1 - scale) ** 2)
    assert inside(found["values"]["mse"], 9 * (1 - scale) ** 2 + variance)
    assert found["best_multiple_mse"] is None and found["query"] == "every f(D)"
    assert set(utility(call, *OU, "--at", AT)["values"]) == {"variance", "unbiased_mse"}  # no answer is named


def test_a_process_whose_closed_form_depends_on_the_parameters(call):
    found = utility(
        call,
        "derive",
        "kinetic-langevin",
        "--utility",
        "--radius",
        "1",
        "--at",
        "t=1,gamma=1,k=2,s=1",
        "--digits",
        "25",
    )
    flow = MP.expm(MP.matrix([[0, 1], [-2, -1]]))
    excess = flow - MP.eye(2)
    square = excess.T * excess
    mean, gap = (square[0, 0] + square[1, 1]) / 2, (square[0, 0] - square[1, 1]) / 2
    block = MP.matrix([[0, -1, 0, 0], [2, 1, 0, 2], [0, 0, 0, -2], [0, 0, 1, -1]])
    whole = MP.expm(block)
    covariance = flow * MP.matrix([[whole[0, 2], whole[0, 3]], [whole[1, 2], whole[1, 3]]])
    assert inside(found["values"]["bias_squared"], mean + MP.sqrt(gap**2 + square[0, 1] ** 2))
    assert inside(found["values"]["variance"], covariance[0, 0] + covariance[1, 1])


def test_the_bound_is_asked_for_only_with_an_order_or_a_distance(call):
    alone = json.loads(call(*OU, "--at", AT, "--json").out)
    both = json.loads(call(*OU, "--at", f"alpha=2,Delta=1,{AT}", "--json").out)
    assert "value" not in alone and "value" in both
    assert alone["utility"]["values"] == both["utility"]["values"] and alone["utility"]["at"] == both["utility"]["at"]


def test_text(call):
    shown = call(*OU, "--radius", "2", "--dimension", "3", "--at", TUNED, "--digits", "10").out
    assert "squared bias" in shown and "mse                   = [1.714285714, 1.714285715]" in shown
    assert "Utility" not in call("derive", "ornstein-uhlenbeck").out


def test_it_is_replayed_and_an_edited_one_is_not(call, tmp_path):
    file = tmp_path / "proof.json"
    data = json.loads(call(*OU, "--radius", "R", "--dimension", "d", "--json").out)
    file.write_text(json.dumps(data))
    result = call("replay", str(file))
    assert result.code == 0 and "utility best_multiple" in result.out
    for key, value in (("mse", "0"), ("variance", "0"), ("tightness", "upper"), ("best_multiple_factor", "1")):
        file.write_text(json.dumps(data | {"utility": data["utility"] | {key: value}}))
        assert f"utility, {key}" in one_line(call("replay", str(file)))
    for broken in ({}, {"theorems": {}}, None):
        file.write_text(json.dumps(data | {"utility": broken}))
        assert "utility" in one_line(call("replay", str(file)))


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["derive", "ornstein-uhlenbeck", "--radius", "2"], 1, "--radius is given without --utility"),
        ([*OU, "--latex"], 1, "--utility is not written in LaTeX"),
        ([*OU, "--radius", "-1"], 1, "--radius: -1 is not above 0"),
        ([*OU, "--radius", "theta"], 1, "--radius: 'theta' is already in use"),
        ([*OU, "--dimension", "1/2"], 1, "--dimension: 1/2 is not a dimension"),
        ([*OU, "--dimension", "R", "--radius", "R"], 1, "--dimension: the radius has this name"),
        ([*OU, "--radius", "R", "--at", "t=1,theta=1,rho=1,Q=2"], 1, "unknown name 'Q'"),
        ([*OU, "--radius", "R", "--at", f"R=0,{AT}"], 1, "--radius: 0 is not above 0"),
        ([*OU, "--radius", "2 +", "--at", AT], 1, "--radius"),
        (
            ["derive", "integrated-brownian-motion", "--utility", "--dimension", "3"],
            1,
            "--dimension: the process has 2",
        ),
    ],
)
def test_bad_input_is_one_line(call, args, code, said):
    result = call(*args)
    assert result.code == code and said in one_line(result)


@pytest.mark.parametrize(
    "args", [["benes"], ["kinetic-langevin"], ["--drift", "1-x", "--diffusion", "1", "--dimension", "2"]]
)
def test_what_is_not_linear_or_not_centred_is_refused(call, args):
    result = call("derive", *args, "--utility")
    assert result.code == 2 and result.err.startswith("symdp: refused: ") and "Refused" in result.out
