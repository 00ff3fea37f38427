"""The sampled Gaussian mechanism: proved values at any precision, both directions, add/remove and replace-one.

Everything is loaded on first use: ``renyi_upper`` (float64, whole curves of orders) alone needs numpy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symdp.mechanisms.sampled_gaussian.double import renyi_upper as renyi_upper
    from symdp.mechanisms.sampled_gaussian.slope import moment_and_slope as moment_and_slope
    from symdp.mechanisms.sampled_gaussian.values import Value as Value
    from symdp.mechanisms.sampled_gaussian.values import evaluate as evaluate
    from symdp.mechanisms.sampled_gaussian.values import log_moment as log_moment
    from symdp.mechanisms.sampled_gaussian.values import renyi as renyi

_HOME = {
    "Value": "values",
    "evaluate": "values",
    "log_moment": "values",
    "moment_and_slope": "slope",
    "renyi": "values",
    "renyi_upper": "double",
}

__all__ = ["Value", "evaluate", "log_moment", "moment_and_slope", "renyi", "renyi_upper"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'symdp.mechanisms.sampled_gaussian' has no attribute '{name}'")
    value = getattr(import_module(f"symdp.mechanisms.sampled_gaussian.{_HOME[name]}"), name)
    globals()[name] = value
    return value
