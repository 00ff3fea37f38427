"""A peer in a process of its own: asked over pipes, within a time limit; what hangs is killed and started again."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symdp.audit.worker import PEERS
from symdp.errors import InputError

_WORKER = Path(__file__).with_name("worker.py")
_IMPORT_SECONDS = 120.0
#: So many hangs and deaths, and the peer is not asked any more.
MAX_RESTARTS = 8


@dataclass(frozen=True, slots=True)
class Answer:
    """Values, or how the call failed: "exception", "shape", "hang", "died", or "not asked", with a remark."""

    values: tuple[float, ...] = ()
    failure: str = ""
    remark: str = ""


class Peer:
    """An accountant in another process; a context manager, which ends the process.

    ``version`` and ``interpreter`` are known once it is entered. Raises InputError there if the peer is unknown or
    cannot be imported by that interpreter.
    """

    def __init__(self, name: str, kind: str, python: str | None = None, timeout: float = 5.0) -> None:
        check_name(name)
        self.name, self.kind, self.timeout = name, kind, timeout
        self.python = python or sys.executable
        self.version = self.interpreter = ""
        self.restarts = 0
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def __enter__(self) -> Peer:
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def ask(self, arguments: Sequence[Any]) -> Answer:
        """What the peer says to these arguments, the last of which is the list of orders if ``kind`` is "rdp"."""
        if self.restarts >= MAX_RESTARTS:
            return Answer(failure="not asked", remark=f"given up after {MAX_RESTARTS} hangs and deaths")
        if self._process is None:
            try:
                self._start()
            except InputError as error:
                self.restarts = MAX_RESTARTS
                return Answer(failure="died", remark=f"does not start again: {error.message}")
        assert self._process and self._process.stdin
        try:
            self._process.stdin.write(json.dumps(arguments) + "\n")
            self._process.stdin.flush()
            line = self._lines.get(timeout=self.timeout)
        except queue.Empty:
            if self._process.poll() is None:
                self.restarts += 1
                self._end()
                return Answer(failure="hang", remark=f"no answer within {self.timeout:g} s")
            line = ""  # it has ended, but a child of it holds the pipe
        except OSError:
            line = ""
        if not line:
            self.restarts += 1
            return Answer(failure="died", remark=f"the process ended with exit code {self._end()}")
        data = json.loads(line)
        for failure in ("exception", "shape"):
            if failure in data:
                return Answer(failure=failure, remark=data[failure])
        return Answer(tuple(data["values"]))

    def _start(self) -> None:
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                [self.python, str(_WORKER), self.name, self.kind],
                stdin=pipe,
                stdout=pipe,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(
                f"cannot run {self.python}: {reason}", place="--python", remedy="give the path of a Python interpreter"
            ) from None
        self._lines = queue.SimpleQueue()
        threading.Thread(target=_read, args=(self._process.stdout, self._lines), daemon=True).start()
        try:
            greeting = json.loads(self._lines.get(timeout=_IMPORT_SECONDS) or "{}")
        except queue.Empty:
            greeting = {"missing": f"the import takes more than {_IMPORT_SECONDS:g} s"}
        except ValueError:  # not our worker that answers
            greeting = {}
        if "version" not in greeting:
            code = self._end()
            why = greeting.get("missing", f"the interpreter ended with exit code {code}")
            raise InputError(
                f"{self.name} cannot be imported by {self.python} ({why})",
                place="PEER",
                remedy="give an interpreter that can import it with --python PATH",
            )
        self.version, self.interpreter = greeting["version"], greeting["python"]

    def _end(self) -> int | None:
        """Kill the process and what it started; its exit code if it had ended by itself."""
        process, self._process = self._process, None
        if process is None:
            return None
        with contextlib.suppress(OSError):  # a peer that is idle ends with its requests
            if process.stdin:
                process.stdin.close()
        code: int | None
        try:
            code = process.wait(timeout=0.2)
        except subprocess.TimeoutExpired:
            code = None
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
        process.wait()
        return code


def _read(stream: Any, lines: queue.SimpleQueue[str]) -> None:
    """Pass lines on until the stream ends, which an empty line tells."""
    with contextlib.suppress(OSError, ValueError), stream:
        for line in stream:
            lines.put(line)
    lines.put("")


def check_name(name: str) -> None:
    """InputError unless ``name`` is a known peer or looks like ``MODULE:FUNCTION``."""
    module, colon, function = name.partition(":")
    parts = [*module.split("."), *function.split(".")] if colon else [""]
    if name not in PEERS and not all(part.isidentifier() for part in parts):
        known = ", ".join(PEERS)
        raise InputError(f"no accountant is called {name}", place="PEER", remedy=f"give {known} or MODULE:FUNCTION")
