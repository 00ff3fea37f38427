"""symdp derives privacy bounds: a bound is a theorem, a number is an enclosure, a claim is data with a verdict."""

__version__ = "0.1.0"
