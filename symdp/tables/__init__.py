"""Tables of reference values at scale: planned in chunks, computed by one machine or a cluster, resumed after a kill.

A :class:`Plan` is text; :func:`make_table` computes what is missing of it and writes the file when all is there.
"""

from symdp.tables.make import Made, make_table
from symdp.tables.plan import Plan

__all__ = ["Made", "Plan", "make_table"]
