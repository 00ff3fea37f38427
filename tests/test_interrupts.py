"""Ctrl-C in the middle of every command that may take long: one line, exit code 130, no process left behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

DERIVATIONS = Path(__file__).parent.parent / "derivations"
BESSEL = ["--at", "alpha=2,t=1,x=1,xp=1001/1000,a=4,k=1,sigma=1/100"]
MANY = ["--grid", "q=1e-8,0.01; sigma=0.5:20:log4000; alpha=1.1:64:0.1", "--digits", "50"]
PRIVACY = ["--q", "0.01", "--epsilon", "1", "--delta", "1e-5"]
COMMANDS = {
    "renyi": ["renyi", "cox-ingersoll-ross", *BESSEL],
    "derive": ["derive", "cox-ingersoll-ross", *BESSEL, "--truth"],
    "check": ["check", str(DERIVATIONS), "--jobs", "2"],
    "mutants": ["check", "--mutants", str(DERIVATIONS), "--jobs", "2"],
    "table": ["table", "sgm", *MANY, "-o", "values.csv"],
    "table by two": ["table", "sgm", *MANY, "-o", "values.csv", "--jobs", "2"],
    "calibrate": ["calibrate", "sgm", *PRIVACY, "--steps", "1000", "--digits", "4000"],
}


@pytest.mark.skipif(sys.platform == "win32", reason="sessions of processes are needed")
@pytest.mark.parametrize("command", COMMANDS)
def test_an_interrupt_ends_the_command_and_its_workers(command: str, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "symdp", *COMMANDS[command]],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    time.sleep(5)
    assert process.poll() is None, process.communicate()
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and out == b"" and err.splitlines()[-1] == b"symdp: interrupted"
    assert b"Traceback" not in err
    for _ in range(100):
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.1)
    else:
        os.killpg(process.pid, signal.SIGKILL)
        pytest.fail("a process is left")
