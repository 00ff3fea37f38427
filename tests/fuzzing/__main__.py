"""Fuzz a reader, guided by the coverage of symdp: ``python -m tests.fuzzing TARGET [-max_total_time=60 ...]``.

Needs atheris (``pip install 'symdp[fuzz]'``); what follows the target goes to libFuzzer. The first input that breaks
the target is written to a file ``crash-...`` in the current folder and the exit code is not 0.
"""

import sys
import tempfile
from pathlib import Path

import atheris

TARGET = sys.argv[1] if len(sys.argv) > 1 else ""

with atheris.instrument_imports(include=["symdp"]):
    from tests.fuzzing.targets import TARGETS

if TARGET not in TARGETS:
    sys.exit(f"name a target: {', '.join(TARGETS)}")
with tempfile.TemporaryDirectory() as corpus:
    for number, seed in enumerate(TARGETS[TARGET].seeds):
        (Path(corpus) / f"seed{number}").write_bytes(seed)
    atheris.Setup([sys.argv[0], *sys.argv[2:], corpus], TARGETS[TARGET].read)
    atheris.Fuzz()
