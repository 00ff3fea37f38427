"""From divergences to (epsilon, delta): certified numbers, without sympy.

``gaussian`` is the exact privacy profile of two Gaussian laws and its inverse, ``renyi`` the conversion of a Renyi
curve at its best order, ``sampled_gaussian`` that of the sampled Gaussian mechanism, ``calibration`` the least noise
for it. Every number is an enclosure; the upper end of an epsilon is what may be promised.
"""

from symdp.epsilon.calibration import Calibration, sampled_gaussian_sigma
from symdp.epsilon.gaussian import gaussian_delta, gaussian_epsilon
from symdp.epsilon.renyi import RenyiEpsilon, compose, renyi_epsilon
from symdp.epsilon.sampled_gaussian import sampled_gaussian_epsilon

__all__ = [
    "Calibration",
    "RenyiEpsilon",
    "compose",
    "gaussian_delta",
    "gaussian_epsilon",
    "renyi_epsilon",
    "sampled_gaussian_epsilon",
    "sampled_gaussian_sigma",
]
