"""Running the command line in this process or in one of its own, for the tests of it."""

import os
import subprocess
import sys

OU = ["derive", "--drift", "-theta*x", "--diffusion", "sqrt(2)*rho"]
SGM = ["sgm", "--q", "0.01", "--sigma", "4"]
CALIBRATE = ["calibrate", "sgm", "--q", "0.01", "--epsilon", "1", "--delta", "1e-5"]
AT = "alpha=8,t=1/2,Delta=1,theta=1,rho=1"


def one_line(result):
    """The single error line, which is all a failed command prints."""
    assert result.out == ""
    assert result.err.startswith("symdp: ") and result.err.endswith("\n") and result.err.count("\n") == 1
    assert "Traceback" not in result.err
    return result.err[len("symdp: ") : -1]


def command(*args, **kwargs):
    """Run as a user does, in a process of its own."""
    env = {**os.environ, **kwargs.pop("env", {})}
    return subprocess.run([sys.executable, "-m", "symdp", *args], capture_output=True, env=env, check=False, **kwargs)
