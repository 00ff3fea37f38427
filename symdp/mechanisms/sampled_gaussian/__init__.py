"""Proved values of the sampled Gaussian mechanism: any precision, both directions, add/remove and replace-one neighbours.

``renyi_upper`` (float64, whole curves of orders) is loaded on first use, because it alone needs numpy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symdp.mechanisms.sampled_gaussian.double import renyi_upper as renyi_upper

__all__ = ["renyi_upper"]


def __getattr__(name: str) -> Any:
    if name != "renyi_upper":
        raise AttributeError(f"module 'symdp.mechanisms.sampled_gaussian' has no attribute '{name}'")
    value = import_module("symdp.mechanisms.sampled_gaussian.double").renyi_upper
    globals()[name] = value
    return value
