"""Noise of either sign, for W and -W are one law; and the printed equation, which has to say what was typed."""

import pytest
from click.testing import CliRunner
from flint import Ordering, fmpz_mpoly_ctx

from symdp.cli import cli
from symdp.derivation import derive
from symdp.derivation.bessel import kernel_with_end
from symdp.diffusion.process import Diffusion
from symdp.errors import Refused
from symdp.text import parse, symbol
from symdp.theorem import apply
from symdp.tower.generators import factored

PAIRS = {
    "Cox-Ingersoll-Ross": ("1-x", "sqrt(x)", "x>0"),
    "a parameter": ("a-k*x", "sigma*sqrt(x)", "x>=0"),
    "two walls": ("0", "sqrt(2)", "0<=x<=1"),
    "a wall and a drift": ("1", "sqrt(2)", "x<=0"),
    "Ornstein-Uhlenbeck": ("-x", "sqrt(2)*rho", None),
    "a double well": ("x-x**3", "2", None),
    "noise with a turn": ("-x", "sqrt(1-x**2)", "-1<x<1"),
}
PARAMS = {"a parameter": "4*a>=sigma**2"}


@pytest.mark.parametrize("name", PAIRS)
def test_the_sign_of_the_noise_does_not_matter(name: str) -> None:
    drift, noise, domain = PAIRS[name]
    as_typed, turned = (
        derive(Diffusion(drift, v, domain=domain, params=PARAMS.get(name, ()))) for v in (noise, f"-({noise})")
    )
    assert turned.divergence.conclusion.value == as_typed.divergence.conclusion.value
    assert (turned.privacy is None) == (as_typed.privacy is None)
    if as_typed.privacy is not None and turned.privacy is not None:
        assert turned.privacy.conclusion.value == as_typed.privacy.conclusion.value


@pytest.mark.parametrize("name", ["two walls", "a wall and a drift", "Cox-Ingersoll-Ross"])
def test_the_kernel_is_found_for_either_sign(name: str) -> None:
    drift, noise, domain = PAIRS[name]
    one, other = (kernel_with_end(Diffusion(drift, v, domain=domain), ()).conclusion for v in (noise, f"-{noise}"))
    assert one.coordinate == other.coordinate


def test_an_interval_of_negative_length_is_refused() -> None:
    process = Diffusion("0", "sqrt(2)", domain="0<=x<=1")
    apply("reflected-interval-kernel", process=process, coordinate=symbol("x"), length=parse("1"))
    with pytest.raises(Refused, match="'length'"):
        apply("reflected-interval-kernel", process=process, coordinate=-symbol("x"), length=parse("-1"))


@pytest.mark.parametrize(
    ("drift", "noise", "equation"),
    [
        ("1-x", "x+1", "dx = (1 - x) dt + (x + 1) dW"),
        ("-x", "-sqrt(2)", "dx = -x dt + (-sqrt(2)) dW"),
        ("-x", "sqrt(2)", "dx = -x dt + sqrt(2) dW"),
        ("x*(1-x)", "1, 2", "dx = x*(1 - x) dt + (1, 2) dW"),
        ("-x1, -x2", "1, 0; 0, 1", "d(x1, x2) = (-x1, -x2) dt + (1, 0; 0, 1) dW"),
    ],
)
def test_sums_in_the_equation_have_their_parentheses(drift: str, noise: str, equation: str) -> None:
    assert Diffusion(drift, noise, domain="x>0" if noise == "x+1" else None).equation() == equation


def test_factors_with_long_coefficients() -> None:
    """Here the factors differ in coefficients that no machine integer holds."""
    noise = "(1+x1**2+x2**2)/sqrt(2)"
    drift = "-x1*(1+x1**2+x2**2),-x2*(1+x1**2+x2**2)"
    args = ["derive", f"--drift={drift}", "--diffusion", f"{noise},0;0,{noise}"]
    result = CliRunner().invoke(cli, args, standalone_mode=False)
    assert not isinstance(result.exception, OverflowError)


def test_factors_that_cannot_be_sorted_multiply_to_their_product() -> None:
    x, _ = fmpz_mpoly_ctx.get(["x", "y"], Ordering.lex).gens()
    for product in ((x + 10**30) * (x + 10**31), (x + 10**30) ** 2 * (x + 10**31)):
        content, parts = factored(product)
        for part, exponent in parts:
            content *= part ** int(exponent)
        assert content == product
