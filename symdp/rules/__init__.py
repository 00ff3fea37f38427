"""The theorems of the field as rules, one file a chapter. Importing this package registers all of them."""

from symdp.rules import (
    approximate,
    calculus,
    composition,
    controlled,
    conversion,
    coordinates,
    curvature,
    doob,
    gaussian,
    heat_flow,
    linear,
    mathematics,
    neighbours,
    stationary,
    utility,
)

__all__ = [
    "approximate",
    "calculus",
    "composition",
    "controlled",
    "conversion",
    "coordinates",
    "curvature",
    "doob",
    "gaussian",
    "heat_flow",
    "linear",
    "mathematics",
    "neighbours",
    "stationary",
    "utility",
]
