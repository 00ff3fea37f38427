"""How long a derivation takes: ``python tests/benchmarks/derive.py [RUNS]``.

Whole commands are measured from outside, derivations inside one process after a first one has loaded everything.
Machines differ
and are noisy: read the ratios to ``import sympy``, which is measured in the same run. Nothing here is asserted.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median

COMMANDS = {
    "python -c 'import sympy'": ["-c", "import sympy"],
    "symdp --help": ["-m", "symdp", "--help"],
    "symdp derive (Ornstein-Uhlenbeck, 50 digits)": [
        *("-m", "symdp", "derive", "--drift", "-theta*x", "--diffusion", "sqrt(2)*rho"),
        *("--at", "alpha=8,t=1/2,Delta=1,theta=1,rho=1"),
    ],
    "symdp derive (3-D anisotropic, 50 digits)": [
        *("-m", "symdp", "derive", "--drift", "-a*x1,-b*x2,-c*x3", "--diffusion", "r,0,0;0,s,0;0,0,q"),
        *("--at", "alpha=8,t=1/2,Delta=1,a=1,b=2,c=3,r=1,s=1,q=1"),
    ],
}
DIFFUSIONS = {
    "Ornstein-Uhlenbeck": ("-theta*x", "sqrt(2)*rho", {}),
    "Benes": ("2*k*tanh(k*x)", "sqrt(2)", {}),
    "geometric Brownian motion": ("mu*x", "sigma*x", {"domain": "x>0"}),
    "kinetic Langevin": ("x2, -k*x1-g*x2", "0; sqrt(2*g)", {}),
    "3-D anisotropic": ("-a*x1,-b*x2,-c*x3", "r,0,0;0,s,0;0,0,q", {}),
    "3-D coupled, numbers": ("-x1+2*x2,-2*x1-x2+x3,-2*x3", "1,0,0;0,1,0;0,0,1", {}),
    "3-D coupled, no closed form": ("-2*x1+x2,x1-3*x2+x3,x2-x3", "1,0,0;0,1,0;0,0,1", {}),
    "2-D, a symbol in every entry": ("a*x1+b*x2,c*x1+d*x2", "s,0;0,r", {"params": "a real,b real,c real,d real"}),
}


def seconds(action: Callable[[], object], runs: int) -> float:
    """The median time of ``action``."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return median(times)


def main(runs: int) -> None:
    """Print a line for each command and each derivation."""
    baseline = 0.0
    for name, arguments in COMMANDS.items():
        taken = seconds(lambda a=arguments: subprocess.run([sys.executable, *a], capture_output=True, check=True), runs)  # type: ignore[misc]
        baseline = baseline or taken
        print(f"{name:48}{taken:8.3f} s {taken / baseline:8.2f} x", flush=True)
    from symdp import Diffusion, derive

    derive(Diffusion("-x", "1"))
    for name, (drift, diffusion, options) in DIFFUSIONS.items():
        taken = seconds(lambda: derive(Diffusion(drift, diffusion, **options)), runs)  # noqa: B023
        print(f"{'derive: ' + name:48}{taken:8.3f} s {taken / baseline:8.2f} x", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
