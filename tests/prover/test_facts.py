"""Facts files: every key is read, and what is wrong is one line that names the key's path; fuzzed with tables."""

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sympy import Integer, Rational, S, log

from symdp.errors import InputError, SymdpError
from symdp.judgments import (
    ZCDP,
    ApproxDP,
    BoundedIteration,
    Dobrushin,
    Doeblin,
    FiniteMatrix,
    GaussianDP,
    LocalDP,
    NoiseKernel,
    NoiseMechanism,
    NoisyIteration,
    NoisySGD,
    PureDP,
    RenyiDP,
    UltraMixing,
    links,
)
from symdp.prover import prove
from symdp.prover.facts import read_facts
from symdp.rules.composition import Composition
from symdp.theorem import Theorem

SGD = {"lipschitz_constant": 1, "smoothness": 1, "strong_convexity": "1/2", "step_size": 1, "sigma": 1, "n": 10}
SGD |= {"index": 6}
DP, HALF = {"dp": {"epsilon": "log(3)", "delta": "1/100"}}, {"doeblin": "1/2"}


def table(mechanism=None, kernel=None, chain=None, query=None):
    """A file that is well, but for what is put into it."""
    return {
        "mechanism": {"M": DP if mechanism is None else mechanism},
        "kernel": {"K": HALF if kernel is None else kernel},
        "chain": {"C": {"start": "M", "steps": ["K"]} if chain is None else chain},
        "query": {"of": "C", "ask": "delta", "epsilon": 1, **(query or {})},
    }


def facts(**parts):
    return [fact.conclusion if isinstance(fact, Theorem) else fact for fact in read_facts(table(**parts))[0]]


# --- what is read -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "kind", "values"),
    [
        ({"dp": {"epsilon": "log(3)"}}, PureDP, {"epsilon": log(3)}),
        (DP, ApproxDP, {"epsilon": log(3), "delta": Rational(1, 100)}),
        ({"dp": {"epsilon": "0.1", "delta": 1}}, ApproxDP, {"epsilon": Rational(1, 10), "delta": 1}),
        ({"rdp": "alpha/8"}, RenyiDP, {"sensitivity": 1}),
        ({"gdp": "1/3"}, GaussianDP, {"mu": Rational(1, 3)}),
        ({"zcdp": 0}, ZCDP, {"rho": 0}),
        ({"gaussian": {"sigma": 2}}, NoiseMechanism, {"law": "gaussian", "scale": 2, "sensitivity": 1, "norm": "l2"}),
        ({"laplace": {"scale": 2, "sensitivity": "1/3"}}, NoiseMechanism, {"law": "laplace", "norm": "l1"}),
    ],
)
def test_mechanisms(said, kind, values):
    fact = facts(mechanism={**said, "relation": "replace-one"})[0]
    assert type(fact) is kind and fact.relation == "replace-one"
    assert all(getattr(fact, name) == value for name, value in values.items())


@pytest.mark.parametrize(
    ("said", "kind", "values"),
    [
        ({"dobrushin": 1}, Dobrushin, {"gamma": 1, "ratio": 1}),
        ({"doeblin": "0.25"}, Doeblin, {"gamma": Rational(1, 4)}),
        ({"ultra_mixing": "sqrt(2)/2"}, UltraMixing, {}),
        ({"ldp": {"epsilon": 1}}, LocalDP, {"epsilon": 1, "delta": 0}),
        ({"matrix": [["3/4", "1/4"], [0, 1]]}, FiniteMatrix, {"rows": ((S(3) / 4, S(1) / 4), (S(0), S(1)))}),
        ({"gaussian": {"sigma": 2, "lipschitz": 0}}, NoiseKernel, {"law": "gaussian", "lipschitz": 0}),
        ({"laplace": {"scale": 2}}, NoiseKernel, {"law": "laplace", "lipschitz": 1}),
    ],
)
def test_kernels(said, kind, values):
    fact = facts(kernel=said)[1]
    assert type(fact) is kind and all(getattr(fact, name) == value for name, value in values.items())


def test_chains():
    data = table()
    data["kernel"]["L"] = {"dobrushin": "1/2"}
    data["chain"] = {
        "E": {"start": "D", "steps": ["L"]},  # before what it is made of
        "D": {"compose": ["M", "C"], "times": 3},
        "C": {"start": "M", "steps": ["K", "L", "K"]},
    }
    data["query"]["of"] = "E"
    subject = read_facts(data)[1].subject
    composed, last = links(subject)
    assert last.name == "L" and composed.steps == 3
    (once,) = composed.parts
    assert isinstance(once, Composition) and [part.name for part in links(once.parts[1])] == ["M", "K", "L", "K"]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ({"iteration": {"lipschitz": ["1/2", 1], "sigma": 1, "sensitivity": 1}}, NoisyIteration),
        ({"iteration": {"lipschitz": 1, "sigma": 1, "steps": 3, "shift": 1, "diameter": 2}}, BoundedIteration),
        ({"noisy_sgd": SGD}, NoisySGD),
    ],
)
def test_iterations(said, kind):
    assert type(facts(chain=said)[-1]) is kind


def test_two_sampled_gaussians_of_different_sensitivity_are_two():
    data = {
        "mechanism": {
            name: {"sgm": {"q": "1/10", "sigma": 1, "sensitivity": size}} for name, size in (("A", 1), ("B", 2))
        }
    }
    bounds = []
    for name in "AB":
        known, query = read_facts({**data, "query": {"of": name, "ask": "rdp", "alpha": 4}})
        bounds.append(prove(known, query, 20).best.value)
    assert bounds[1].lower > 50 * bounds[0].upper


def test_a_diffusion_at_two_times_is_two():
    noise = {"drift": "-theta*x", "diffusion": "sqrt(2)*rho", "theta": 1, "rho": 1, "sensitivity": 1}
    data = {"mechanism": {name: {"diffusion": {**noise, "t": time}} for name, time in (("A", 1), ("B", 2))}}
    bounds = []
    for name in "AB":
        known, query = read_facts({**data, "query": {"of": name, "ask": "rdp", "alpha": 2}})
        bounds.append(prove(known, query, 20).best.bound)
    assert [(1 / (bound)).equals(size) for bound, size in zip(bounds, (S.Exp1**2 - 1, S.Exp1**4 - 1), strict=True)] == [
        True,
        True,
    ]


# --- the sampled Gaussian mechanism at its ends -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("q", "query", "bound"),
    [
        (0, {"ask": "rdp", "alpha": 4}, 0),
        (0, {"ask": "epsilon", "delta": 0}, 0),
        (0, {"ask": "gdp"}, 0),
        (1, {"ask": "gdp"}, Rational(1, 2)),
        (1, {"ask": "rdp", "alpha": 4}, Rational(1, 2)),
        (1, {"ask": "rdp", "alpha": 1}, Rational(1, 8)),
    ],
)
def test_rates_of_a_sampled_gaussian(q, query, bound):
    known, asked = read_facts({"mechanism": {"M": {"sgm": {"q": q, "sigma": 2}}}, "query": {"of": "M", **query}})
    assert prove(known, asked, 20).best.bound == bound


# --- ends of ranges ---------------------------------------------------------------------------------------------------

ENDS = [(0, 0), (0, "1/10"), ("log(3)", 0), ("log(3)", "1/10"), ("log(3)", 1), (0, 1)]
KERNELS = {
    "forgets": [{"dobrushin": 0}, {"doeblin": 0}, {"ultra_mixing": 0}, {"ldp": {"epsilon": 0}}, {"matrix": [[1], [1]]}],
    "keeps": [{"dobrushin": 1}, {"doeblin": 1}, {"ultra_mixing": 1}, {"matrix": [[1, 0], [0, 1]]}],
}


@pytest.mark.parametrize(("epsilon", "delta"), ENDS)
@pytest.mark.parametrize("what", KERNELS)
def test_conditions_at_their_ends(epsilon, delta, what):
    """A kernel that forgets leaves nothing, one that keeps all leaves the mechanism's own profile."""
    for kernel in KERNELS[what]:
        for asked, number in (("delta", 0), ("delta", "log(2)"), ("epsilon", 0), ("epsilon", 1)):
            given_ = {"delta": "epsilon", "epsilon": "delta"}[asked]
            data = table(mechanism={"dp": {"epsilon": epsilon, "delta": delta}}, kernel=kernel)
            data["query"] = {"of": "C", "ask": asked, given_: number}
            alone = {**data, "query": {**data["query"], "of": "M"}}
            try:
                of_the_mechanism = prove(*read_facts(alone), 20).best.bound
            except SymdpError:
                of_the_mechanism = None
            if what == "forgets":
                assert prove(*read_facts(data), 20).best.bound == 0
            elif of_the_mechanism is None:
                with pytest.raises(SymdpError, match="no rule leads"):
                    prove(*read_facts(data), 20)
            else:
                assert (prove(*read_facts(data), 20).best.bound - of_the_mechanism).equals(0)


@pytest.mark.parametrize(
    ("iteration", "mu"),
    [
        ({"lipschitz": 0, "steps": 3, "sensitivity": 1}, 0),
        ({"lipschitz": 1, "steps": 4, "sensitivity": 1}, Rational(1, 2)),
        ({"lipschitz": 2, "steps": 1, "sensitivity": 1}, 2),
        ({"lipschitz": "1/2", "steps": 1, "sensitivity": 0}, 0),
        ({"lipschitz": [0, 1], "sensitivity": 1}, 0),
        ({"lipschitz": 1, "steps": 4, "shift": 0}, 0),
        ({"lipschitz": 1, "steps": 4, "shift": 1}, 2),
        ({"lipschitz": 1, "steps": 1, "sensitivity": 0, "shift": 0, "diameter": 0}, 0),
    ],
)
def test_iterations_at_their_ends(iteration, mu):
    data = table(chain={"iteration": {"sigma": 1, **iteration}})
    data["query"] = {"of": "C", "ask": "gdp"}
    assert prove(*read_facts(data), 20).best.bound == mu


# --- what is wrong ----------------------------------------------------------------------------------------------------

BAD = {
    "mechanism.M": {"mechanism": {}},
    "mechanism.M.dp": {"mechanism": {"dp": 1}},
    "mechanism.M.dp.epsilon": {"mechanism": {"dp": {"epsilon": "-1/2"}}},
    "mechanism.M.dp.delta": {"mechanism": {"dp": {"epsilon": 1, "delta": "101/100"}}},
    "mechanism.M.dp.gamma": {"mechanism": {"dp": {"epsilon": 1, "gamma": 1}}},
    "mechanism.M.rdp": {"mechanism": {"rdp": ["alpha"]}},
    "mechanism.M.gdp": {"mechanism": {"gdp": -1}},
    "mechanism.M.zcdp": {"mechanism": {"zcdp": True}},
    "mechanism.M.gaussian": {"mechanism": {"gaussian": {"sensitivity": 1}}},
    "mechanism.M.gaussian.sigma": {"mechanism": {"gaussian": {"sigma": 0}}},
    "mechanism.M.laplace.sensitivity": {"mechanism": {"laplace": {"scale": 1, "sensitivity": -1}}},
    "mechanism.M.laplace": {"mechanism": {"gaussian": {"sigma": 1}, "laplace": {"scale": 1}}},
    "mechanism.M.sgm.q": {"mechanism": {"sgm": {"q": 2, "sigma": 1}}},
    "mechanism.M.sgm": {"mechanism": {"sgm": {"q": 1, "sigma": 1}, "gdp": 1}},
    "mechanism.M.diffusion": {"mechanism": {"diffusion": {"drift": "-x", "diffusion": "1", "t": 1}}},
    "mechanism.M.relation": {"mechanism": {"gdp": 1, "relation": 3}},
    "mechanism.M.dq": {"mechanism": {"dq": 1}},
    "kernel.K": {"kernel": {}},
    "kernel.K.doeblin": {"kernel": {"doeblin": "3/2"}},
    "kernel.K.dobrushin": {"kernel": {"dobrushin": {}}},
    "kernel.K.ultra_mixing": {"kernel": {"ultra_mixing": "1/2", "matrix": [[1, 0], [0, 1]]}},
    "kernel.K.ldp": {"kernel": {"ldp": {"epsilon": "log(2)"}, "matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}},
    "kernel.K.ldp.epsilon": {"kernel": {"ldp": {"epsilon": "1e9"}}},
    "kernel.K.matrix": {"kernel": {"matrix": [1, 0]}},
    "kernel.K.matrix, row 1": {"kernel": {"matrix": [[1, 0], ["1/2", "1/3"]]}},
    "kernel.K.matrix[0][1]": {"kernel": {"matrix": [["1/2", -1]]}},
    "kernel.K.matrix[1][0]": {"kernel": {"matrix": [[1, 0], ["sqrt(2)/2", "1/2"]]}},
    "kernel.K.matrix, row 0": {"kernel": {"matrix": [[]]}},
    "kernel.K.gaussian": {"kernel": {"gaussian": {"sigma": 1}, "matrix": [[1]]}},
    "kernel.K.laplace": {"kernel": {"laplace": {"scale": "1e-30"}}},
    "chain.C": {"chain": {}},
    "chain.C.start": {"chain": {"start": "Z", "steps": ["K"]}},
    "chain.C.steps": {"chain": {"start": "M", "steps": []}},
    "chain.C.steps[1]": {"chain": {"start": "M", "steps": ["K", "M"]}},
    "chain.C.compose": {"chain": {"compose": []}},
    "chain.C.compose[0]": {"chain": {"compose": ["K"]}},
    "chain.C.times": {"chain": {"compose": ["M"], "times": 0}},
    "chain.C.iteration": {"chain": {"iteration": {"lipschitz": [1, 2], "sigma": [1], "sensitivity": 1}}},
    "chain.C.iteration.steps": {"chain": {"iteration": {"lipschitz": 1, "sigma": 1, "steps": "3/2", "sensitivity": 1}}},
    "chain.C.iteration.sigma[1]": {"chain": {"iteration": {"lipschitz": 1, "sigma": [1, 0], "sensitivity": 1}}},
    "chain.C.noisy_sgd.index": {"chain": {"noisy_sgd": {**SGD, "index": 11}}},
    "query": {"query": {"ask": "epsilon", "epsilon": None}},
    "query.of": {"query": {"of": "K"}},
    "query.ask": {"query": {"ask": "privacy"}},
    "query.epsilon": {"query": {"epsilon": "nan"}},
    "query.delta": {"query": {"delta": 1}},
    "query.alpha": {"query": {"alpha": "1/2"}},
    "query.orders": {"query": {"orders": []}},
    "query.orders[1]": {"query": {"orders": [2, "pi"]}},
}


@pytest.mark.parametrize("place", BAD)
def test_a_wrong_value_is_named_by_its_path(place):
    parts = dict(BAD[place])
    data = table(**parts)
    data["query"] = {key: value for key, value in data["query"].items() if value is not None}
    with pytest.raises(InputError) as caught:
        read_facts(data)
    assert caught.value.place == place and "\n" not in str(caught.value)


OU = {"name": "ornstein-uhlenbeck", "t": 1, "sensitivity": 1, "theta": 1, "rho": 1}


@pytest.mark.parametrize("kind, value", [("sgm", {"q": "1/10", "sigma": 2}), ("diffusion", OU)])
def test_neighbours_that_the_bounds_are_not_about(kind, value):
    """A sampled Gaussian mechanism leaks more to who may replace a record: its bounds are for one more or less."""
    with pytest.raises(InputError, match="other neighbours: ") as caught:
        read_facts(table(mechanism={kind: value, "relation": "replace-one"}))
    own = str(caught.value).split("other neighbours: ")[1].split(";")[0]
    assert caught.value.place == "mechanism.M.relation"
    read_facts(table(mechanism={kind: value, "relation": own}))


@pytest.mark.parametrize("curve", ["alpha-5", "1/(alpha-2)", "-1", "log(alpha)/2-1/10"])
def test_no_divergence_is_negative(curve):
    with pytest.raises(InputError, match="negative at alpha") as caught:
        read_facts(table(mechanism={"rdp": curve}))
    assert caught.value.place == "mechanism.M.rdp"


@pytest.mark.parametrize("curve", ["0", "alpha**2/8", "log(alpha)", "alpha**alpha**alpha", "1/(5-alpha)**2"])
def test_a_bound_that_may_hold_is_read(curve):
    assert read_facts(table(mechanism={"rdp": curve}))


def test_names_and_cycles():
    cases = [
        ({"kernel": {"M": HALF}}, "kernel.M"),
        ({"chain": {"C": {"start": "C", "steps": ["K"]}}}, "chain.C"),
        ({"chain": {"C": {"start": "D", "steps": ["K"]}, "D": {"compose": ["M", "C"]}}}, "chain.C"),
        ({"chian": {}}, "chian"),
        ({"chain": 3}, "chain"),
        ({"mechanism": {"M": "private"}}, "mechanism.M"),
    ]
    for change, place in cases:
        with pytest.raises(InputError) as caught:
            read_facts({**table(), **change})
        assert caught.value.place == place
    with pytest.raises(InputError, match="there is no query"):
        read_facts({"mechanism": {"M": DP}})


# --- anything ---------------------------------------------------------------------------------------------------------

TEXTS = ["", "x", "alpha", "alpha/8", "1/(alpha-1)", "-1", "nan", "inf", "1e400", "1e-400", "log(0)", "0/0", "sqrt(-1)"]
TEXTS += ["1/2", "log(3)", "pi", "exp(1000)", "exp(exp(10))", "M", "K", "C", "\u00e9", "delta", "gdp", "9" * 3000]
texts = st.sampled_from(TEXTS)
numbers = st.integers(-3, 3) | st.sampled_from([10**400, 10**4000, True, 2.5, None]) | texts
values = st.recursive(
    numbers,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["epsilon", "delta", "sigma", "scale", "q", "t", "drift"]), inner, max_size=3)
    ),
    max_leaves=6,
)
KEYS = {
    "mechanism": ["dp", "rdp", "gdp", "zcdp", "gaussian", "laplace", "sgm", "diffusion", "relation", "bogus"],
    "kernel": ["dobrushin", "doeblin", "ultra_mixing", "ldp", "matrix", "gaussian", "laplace", "bogus"],
    "chain": ["start", "steps", "compose", "times", "iteration", "noisy_sgd", "bogus"],
    "query": ["of", "ask", "epsilon", "delta", "alpha", "orders", "bogus"],
}
SECTIONS = {name: st.dictionaries(st.sampled_from(keys), values, max_size=3) for name, keys in KEYS.items()}


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_any_table_is_read_or_refused_in_one_line(data):
    section = data.draw(st.sampled_from(list(KEYS)))
    content = data.draw(SECTIONS[section])
    file = table(**{section: content})
    try:
        known, query = read_facts(file)
        prove(known, query, 10)
    except SymdpError as error:
        assert "\n" not in str(error)
        if isinstance(error, InputError):
            assert error.place and len(str(error)) < 5000


gammas = st.fractions(0, 1, max_denominator=50)


@settings(max_examples=30, deadline=None)
@given(st.lists(gammas, min_size=2, max_size=2), st.lists(gammas, min_size=2, max_size=2), gammas)
def test_a_condition_is_held_against_the_matrix(first, second, gamma):
    """Refused just if the gamma is below the least one of the two rows."""
    rows = [[p, 1 - p] for p in (first[0], second[0])]
    least = {
        "dobrushin": abs(rows[0][0] - rows[1][0]),
        "doeblin": 1 - sum(min(a, b) for a, b in zip(*rows, strict=True)),
    }
    for key, size in least.items():
        said = {"matrix": [[str(p) for p in row] for row in rows], key: str(gamma)}
        try:
            read_facts(table(kernel=said))
        except InputError as error:
            assert error.place == f"kernel.K.{key}" and gamma < Fraction(size)
        else:
            assert gamma >= size


def test_numbers_are_exact():
    fact = facts(mechanism={"dp": {"epsilon": "0.1", "delta": "1e-5"}})[0]
    assert (fact.epsilon, fact.delta) == (Rational(1, 10), Rational(1, 10**5))
    assert facts(mechanism={"gdp": Integer(1).p})[0].mu == 1


@pytest.mark.parametrize(
    ("place", "parts"),
    [
        ("mechanism.M.gdp", {"mechanism": {"gdp": 10**5000}}),
        ("kernel.K.matrix[0][0]", {"kernel": {"matrix": [[10**5000]]}}),
        ("query.alpha", {"query": {"alpha": 10**5000}}),
        ("chain.C.times", {"chain": {"compose": ["M"], "times": 10**5000}}),
    ],
)
def test_whole_numbers_longer_than_python_writes(place, parts):
    with pytest.raises(InputError) as caught:
        read_facts(table(**parts))
    assert caught.value.place == place and len(str(caught.value)) < 200
