"""A process beside a cluster's worker that computes chunks: ``python -m symdp.tables.child``.

A worker runs its tasks in threads, and ball arithmetic wants a main thread of its own. A line of JSON goes in, a line
comes out; the process ends when its input does, so it does not outlive the worker.
"""

from __future__ import annotations

import json
import subprocess
import sys
from queue import Empty, LifoQueue
from typing import Any

from symdp.errors import InputError, SymdpError
from symdp.tables.plan import Row

_idle: LifoQueue[subprocess.Popen[str]] = LifoQueue()


def ask(text: str, chunk: int) -> list[Row]:
    """The rows of a chunk, from a process that is idle or a new one. Raises InputError, RuntimeError if it dies."""
    child = _child()
    assert child.stdin and child.stdout
    try:
        child.stdin.write(json.dumps([text, chunk]) + "\n")
        child.stdin.flush()
        answer = child.stdout.readline()
    except OSError:
        answer = ""
    if not answer.endswith("\n"):
        child.kill()
        raise RuntimeError(f"the process that computed chunk {chunk} ended with {child.wait()}")
    _idle.put(child)
    found: dict[str, Any] = json.loads(answer)
    if "error" in found:
        raise InputError(found["error"])
    return [tuple(row) for row in found["rows"]]


def _child() -> subprocess.Popen[str]:
    try:
        return _idle.get_nowait()
    except Empty:
        command = [sys.executable, "-m", "symdp.tables.child"]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")


def main() -> None:
    """Answer lines until there are no more."""
    from symdp.tables.rows import compute

    out, sys.stdout = sys.stdout, sys.stderr  # nothing but answers goes out
    for line in sys.stdin:
        text, chunk = json.loads(line)
        try:
            answer: dict[str, Any] = {"rows": compute(text, chunk)}
        except SymdpError as error:
            answer = {"error": str(error)}
        print(json.dumps(answer), file=out, flush=True)


if __name__ == "__main__":
    main()
