"""``ask = "error"``: mechanisms of a facts file and how far they err, against matrix exponentials; what is refused."""

import json

import pytest
from mpmath import MPContext
from sympy import Rational

from symdp.errors import InputError
from symdp.prover import prove
from symdp.prover.facts import read_facts

MP = MPContext()
MP.dps = 40
OU = {"name": "ornstein-uhlenbeck", "t": "1/2", "sensitivity": 1, "theta": "3/2", "rho": "5/4"}


def ask(mechanism, what="error", **query):
    facts, asked = read_facts({"mechanism": {"M": mechanism}, "query": {"of": "M", "ask": what, **query}})
    return prove(facts, asked, 30)


def law(theta, rho, t):
    flow = MP.expm(MP.matrix([[-theta, 0, 0], [0, -2 * theta, 2 * rho**2], [0, 0, 0]]) * t)
    return flow[0, 0], flow[1, 2]


def near(found, truth):
    low, high = MP.mpf(found.value.lower), MP.mpf(found.value.upper)
    return low * (1 - MP.mpf(10) ** -25) <= truth <= high * (1 + MP.mpf(10) ** -25)


@pytest.mark.parametrize(("radius", "dimension"), [("2", 3), ("1/3", 1), (7, 20)])
def test_an_ornstein_uhlenbeck_mechanism(radius, dimension):
    scale, variance = law(MP.mpf(3) / 2, MP.mpf(5) / 4, MP.mpf(1) / 2)
    size = MP.mpf(radius) if "/" not in str(radius) else MP.mpf(1) / 3
    best = ask({"diffusion": OU | {"radius": radius, "dimension": dimension}}).best
    assert near(best, (1 - scale) ** 2 * size**2 + dimension * variance)
    assert best.rule_chain[-1] == "error-at-values" and best.theorem.tightness == "exact"


def test_a_diffusion_in_the_plane():
    """The bias is ``t x2``, so that it is largest for x = (0, R); the variance is the trace of Van Loan's block."""
    plane = {"drift": "x2, 0", "diffusion": "0; s", "t": 2, "sensitivity": 1, "s": "1/2", "radius": 3}
    best = ask({"diffusion": plane}).best
    block = MP.matrix([[0, -1, 0, 0], [0, 0, 0, MP.mpf(1) / 4], [0, 0, 0, 0], [0, 0, 1, 0]])
    whole, flow = MP.expm(block * 2), MP.expm(MP.matrix([[0, 1], [0, 0]]) * 2)
    covariance = flow * MP.matrix([[whole[0, 2], whole[0, 3]], [whole[1, 2], whole[1, 3]]])
    assert near(best, 36 + covariance[0, 0] + covariance[1, 1])


def test_brownian_motion_needs_no_radius():
    motion = {"name": "brownian-motion", "t": "3/4", "sensitivity": 1, "dimension": 4}
    assert ask({"diffusion": motion}).best.bound == 6


def test_noise_errs_alike_at_every_answer():
    noise = {"sigma": "1/2", "sensitivity": 1, "dimension": 6}
    assert ask({"gaussian": noise}).best.bound == ask({"gaussian": noise | {"radius": 9}}).best.bound == Rational(3, 2)
    assert ask({"gaussian": noise}, "rdp", alpha=3).best.bound == 6  # as without a dimension


TUNED = {"name": "ornstein-uhlenbeck", "t": 1, "sensitivity": 1, "radius": 2, "dimension": 3, "rdp": "alpha/2"}


def test_a_tuned_mechanism_has_the_guarantee_it_is_tuned_to_and_errs_least():
    best = ask({"diffusion": TUNED}).best
    assert str(best.bound) == "12/7" and "least-error" in best.rule_chain and "gaussian-rdp" in best.rule_chain
    assert str(ask({"diffusion": TUNED}, "rdp").best.bound) == "1/2"
    plain = {"sigma": 1, "sensitivity": 1, "dimension": 3}  # the Gaussian mechanism of that guarantee
    assert str(ask({"gaussian": plain}, "rdp").best.bound) == "1/2" and ask({"gaussian": plain}).best.bound == 3


def test_any_time_and_names_are_tuned_alike():
    typed = {key: value for key, value in TUNED.items() if key != "name"}
    typed |= {"drift": "-3*k*x", "diffusion": "R*s", "t": "1/5", "R": 2}
    with pytest.raises(InputError, match="radius"):
        ask({"diffusion": {key: value for key, value in typed.items() if key != "radius"}})
    assert str(ask({"diffusion": typed}).best.bound) == "12/7"


@pytest.mark.parametrize(
    ("mechanism", "said"),
    [
        ({"diffusion": OU}, "query.of: no range of the query is known for M"),
        ({"dp": {"epsilon": 1}}, "query.of: no range of the query is known for M"),
        ({"diffusion": OU | {"radius": -1}}, "mechanism.M.diffusion.radius"),
        ({"diffusion": OU | {"radius": 1, "dimension": "1/2"}}, "mechanism.M.diffusion.dimension"),
        ({"diffusion": TUNED | {"rdp": "alpha**2"}}, "mechanism.M.diffusion.rdp: is not a multiple of alpha"),
        ({"diffusion": TUNED | {"rdp": "-alpha"}}, "mechanism.M.diffusion.rdp"),
        ({"diffusion": OU | {"rdp": "alpha", "radius": 1}}, "mechanism.M.diffusion.rdp: every parameter has a value"),
        ({"diffusion": {**TUNED, "rho": 1}}, "mechanism.M.diffusion.rdp: no choice of theta is found"),
        ({"gaussian": {"sigma": 1, "radius": 2}}, "mechanism.M.gaussian: there is no dimension"),
        ({"laplace": {"scale": 1, "dimension": 2}}, "mechanism.M.laplace.dimension: unknown key"),
        (
            {"diffusion": {"drift": "x2,0", "diffusion": "0;1", "t": 1, "sensitivity": 1, "radius": 1, "dimension": 3}},
            "2",
        ),
    ],
)
def test_what_is_wrong_is_one_line(call, tmp_path, mechanism, said):
    file = tmp_path / "facts.toml"
    (key, table), *_ = mechanism.items()
    entries = ", ".join(f"{name} = {json.dumps(value)}" for name, value in table.items())
    file.write_text(f'[mechanism.M]\n{key} = {{{entries}}}\n[query]\nof = "M"\nask = "error"\n')
    result = call("prove", str(file))
    assert result.code in (1, 2) and result.out == "" and result.err.count("\n") == 1 and said in result.err


def test_an_edited_error_is_not_replayed(call, tmp_path):
    file, proof = tmp_path / "facts.toml", tmp_path / "proof.json"
    entries = ", ".join(f"{name} = {json.dumps(value)}" for name, value in TUNED.items())
    file.write_text(f'[mechanism.M]\ndiffusion = {{{entries}}}\n[query]\nof = "M"\nask = "error"\n')
    data = json.loads(call("prove", str(file), "--json").out)
    proof.write_text(json.dumps(data))
    assert call("replay", str(proof)).code == 0
    proof.write_text(json.dumps(data | {"answer": "11/7"}))
    assert call("replay", str(proof)).code == 1
