"""The theorems of the field as rules, one file a chapter. Importing this package registers all of them."""

from symdp.rules import (
    approximate,
    composition,
    conversion,
    curvature,
    doob,
    heat_flow,
    linear,
    mathematics,
    neighbours,
)

__all__ = [
    "approximate",
    "composition",
    "conversion",
    "curvature",
    "doob",
    "heat_flow",
    "linear",
    "mathematics",
    "neighbours",
]
