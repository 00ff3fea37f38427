"""An integral along the real line: its value, and what its integrand raises."""

import pytest
from flint import acb, arb

from symdp.ball import working_precision
from symdp.ballfunctions import path_integral

SMALL = arb((1, -80))


def test_the_integral_of_a_gaussian_is_that_of_the_error_function():
    with working_precision(128):
        found = path_integral(lambda z, analytic: (-z * z).exp(), (arb(0), arb(2)), SMALL, SMALL, 10_000)
        assert found.real.overlaps(arb(2).erf() * arb.pi().sqrt() / 2) and found.real.rel_accuracy_bits() > 70


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("no such value")])
def test_what_the_integrand_raises_is_raised(error):
    def fails(z, analytic):
        fails.calls += 1
        if fails.calls > 5:
            raise error
        return acb(z.log(analytic=analytic))

    fails.calls = 0
    with working_precision(128), pytest.raises(type(error)) as caught:
        path_integral(fails, (arb(0), arb(2)), SMALL, SMALL, 10_000)
    assert caught.value is error and fails.calls == 6
