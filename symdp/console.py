"""Between the commands and the terminal: what a command returns is printed here, what it raises becomes one line."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from symdp.errors import Forged, Refused, SymdpError, Undetermined

if TYPE_CHECKING:
    from symdp.render.text import Line

REFUSED = 2
BAD_INPUT = 1
INTERRUPTED = 130
BROKEN_PIPE = 141
_LONGEST_ERROR = 2000


@dataclass(frozen=True)
class Outcome:
    """What a command prints: lines (coloured on a terminal) or text on stdout or to a file, or bytes to a file;
    one line on stderr, the exit code.
    """

    output: str | bytes | list[Line] = ""
    code: int = 0
    error: str = ""
    file: str | None = None


def run(command: click.Command, argv: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code; every error is one line on stderr that begins with ``symdp:``."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError, OSError):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    try:
        arguments = sys.argv[1:] if argv is None else list(argv)
        with command.make_context("symdp", arguments) as context:
            result = command.invoke(context)
        outcome = result if isinstance(result, Outcome) else Outcome()
        _print(outcome)
        return outcome.code
    except BrokenPipeError:  # the reader has gone, as in `symdp ... | head`
        _silence()
        return BROKEN_PIPE
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", INTERRUPTED)
    except click.exceptions.Exit as error:
        return int(error.exit_code)
    except click.ClickException as error:
        return _fail(error.format_message())
    except (Refused, Undetermined) as error:
        return _fail(f"refused: {error}", REFUSED)
    except Forged as error:
        return _fail(f"not a proof: {error}")
    except SymdpError as error:
        return _fail(str(error))
    except OSError as error:
        _silence()
        place = f" {error.filename}" if error.filename else ""
        return _fail(f"cannot write{place}: {error.strerror or error}")
    except (RecursionError, MemoryError):
        return _unexpected("the input is too large or too deeply nested")
    except Exception as error:
        return _unexpected(f"internal error, please report it with the command: {type(error).__name__}: {error}")


def _print(outcome: Outcome) -> None:
    if outcome.file is not None:
        _write(outcome)
    elif sys.stdout is None:  # closed by the caller
        pass
    elif isinstance(outcome.output, str):
        sys.stdout.write(outcome.output)
    elif isinstance(outcome.output, list):
        from symdp.render.text import show

        show(outcome.output, sys.stdout)
    if sys.stdout is not None:
        sys.stdout.flush()
    if outcome.error:
        _fail(outcome.error)


def _write(outcome: Outcome) -> None:
    from symdp.files import replace_file
    from symdp.render.text import plain

    assert outcome.file is not None
    content = plain(outcome.output) if isinstance(outcome.output, list) else outcome.output
    replace_file(Path(outcome.file), content)


def _fail(message: str, code: int = BAD_INPUT) -> int:
    line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in " ".join(message.split()))
    if len(line) > _LONGEST_ERROR:
        line = line[:_LONGEST_ERROR] + "..."
    with contextlib.suppress(OSError):
        print(f"symdp: {line}", file=sys.stderr, flush=True)
    return code


def _unexpected(message: str) -> int:
    """An error that no one foresaw: one line, or with SYMDP_DEBUG=1 the traceback."""
    if os.environ.get("SYMDP_DEBUG") == "1":
        raise
    return _fail(message)


def _silence() -> None:
    """Point stdout at nothing, so that the interpreter's last flush does not fail as well."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
