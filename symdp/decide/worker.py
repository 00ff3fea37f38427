"""z3 on SMT-LIB text. Run as a script it is the worker process: text on standard input, an answer as JSON on output."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from typing import Any


def run(text: str, rlimit: int) -> tuple[str, dict[str, Fraction]]:
    """Status and model (as close rationals); deterministic for one version of z3, whatever ran before."""
    import z3  # a sixth of a second, which most decisions do without

    context = z3.Context()
    solver = z3.Tactic("qfnra-nlsat", context).solver()
    solver.set("rlimit", rlimit)
    solver.from_string(text)
    try:
        status = str(solver.check())
    except z3.Z3Exception:
        return "unknown", {}
    if status != "sat":
        return status, {}
    model = solver.model()
    return status, {d.name(): value for d in model.decls() if (value := _fraction(z3, model[d])) is not None}


def _fraction(z3: Any, value: Any) -> Fraction | None:
    if z3.is_algebraic_value(value):
        value = value.approx(30)
    return Fraction(value.numerator_as_long(), value.denominator_as_long()) if z3.is_rational_value(value) else None


if __name__ == "__main__":
    answer, values = run(sys.stdin.read(), int(sys.argv[1]))
    print(json.dumps([answer, {name: str(value) for name, value in values.items()}]))
