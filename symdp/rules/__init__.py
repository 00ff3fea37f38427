"""The theorems of the field as rules, one file a chapter. Importing this package registers all of them."""

from symdp.rules import doob, heat_flow, linear, mathematics, neighbours

__all__ = ["doob", "heat_flow", "linear", "mathematics", "neighbours"]
