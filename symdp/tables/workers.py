"""Who computes the chunks: this process, processes of this machine, or a Dask cluster. Chunks come as they finish."""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from symdp.errors import InputError, SymdpError
from symdp.tables.plan import Row
from symdp.tables.rows import compute

MOST_JOBS = 256
Chunk = tuple[int, list[Row]]
Work = Callable[[str, Sequence[int]], Iterator[Chunk]]

_ATTEMPTS = 5
_GLANCE = 0.5  # seconds between looks at whether the parent lives
_CONNECT = 10  # seconds
_WAITING = 4  # chunks a thread of the cluster has before it, so that none is idle and few are in flight


def here(text: str, chunks: Sequence[int]) -> Iterator[Chunk]:
    """One after the other in this process."""
    for chunk in chunks:
        yield chunk, compute(text, chunk)


def processes(jobs: int) -> Work:
    """So many processes of this machine, by joblib. Raises InputError if it is absent, or for a number out of range."""
    if not 1 <= jobs <= MOST_JOBS:
        raise InputError(f"{jobs} jobs at a time", place="--jobs", remedy=f"give 1 to {MOST_JOBS}")
    if jobs == 1:
        return here
    try:
        import joblib
    except ImportError:
        raise InputError("needs joblib", place="--jobs", remedy="pip install 'symdp[table]'") from None

    def work(text: str, chunks: Sequence[int]) -> Iterator[Chunk]:
        pool = joblib.Parallel(jobs, backend="loky", return_as="generator_unordered", batch_size=1, max_nbytes=None)
        parent = os.getpid()
        found: Iterable[Chunk] = pool(joblib.delayed(for_parent)(parent, text, chunk) for chunk in chunks)
        yield from found

    return work


def for_parent(parent: int, text: str, chunk: int) -> Chunk:
    """A chunk with its number, in a process that ends with its parent, however that ends."""
    _watch(parent)
    return chunk, compute(text, chunk)


@cache
def _watch(parent: int) -> None:
    """Joblib's processes wait for more work when their parent was killed, each with its memory."""

    def wait() -> None:
        while os.getppid() == parent:
            time.sleep(_GLANCE)
        os._exit(1)

    if os.getpid() != parent:
        threading.Thread(target=wait, daemon=True).start()


def cluster(address: str) -> Work:
    """An existing Dask cluster. Raises InputError if distributed is absent or nothing answers at the address.

    Every chunk is computed in a process beside the worker's (``child``); a chunk whose worker dies is computed by
    another one.
    """
    try:
        import distributed
    except ImportError:
        raise InputError("needs distributed", place="--scheduler", remedy="pip install 'symdp[cluster]'") from None
    dask: Any = distributed

    def work(text: str, chunks: Sequence[int]) -> Iterator[Chunk]:
        with _silent("distributed"):
            client = _connected(dask, address)
            try:
                with client:
                    yield from _over(client, dask, text, chunks)
            except (OSError, RuntimeError) as error:
                remedy = "start again when it is back: finished chunks are kept"
                raise InputError(f"the scheduler is lost: {error}", place="--scheduler", remedy=remedy) from None

    return work


def _connected(dask: Any, address: str) -> Any:
    """A client of a cluster that has a worker."""
    from distributed.comm.addressing import parse_host_port

    try:
        host, port = parse_host_port(address.rpartition("://")[2])
        socket.create_connection((host, int(port)), _CONNECT).close()
        client = dask.Client(address, timeout=_CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError, ImportError) as error:
        remedy = "give the address of a running scheduler, such as tcp://127.0.0.1:8786"
        raise InputError(f"no scheduler answers: {error}", place="--scheduler", remedy=remedy) from None
    try:
        client.wait_for_workers(1, timeout=_CONNECT)
    except TimeoutError:
        client.close()
        raise InputError("the cluster has no worker", place="--scheduler", remedy="start one") from None
    return client


@contextmanager
def _silent(package: str) -> Iterator[None]:
    """The loggers of a package say nothing: what goes wrong is told in one line."""
    known = [logging.getLogger(name) for name in logging.root.manager.loggerDict if name.partition(".")[0] == package]
    silenced = [logger for logger in known if not logger.disabled]
    for logger in silenced:
        logger.disabled = True
    try:
        yield
    finally:
        for logger in silenced:
            logger.disabled = False


def _over(client: Any, dask: Any, text: str, chunks: Sequence[int]) -> Iterator[Chunk]:
    from symdp.tables.child import ask

    due = iter(chunks)
    attempts: dict[int, int] = {}
    running: dict[Any, int] = {}
    queue = dask.as_completed(loop=client.loop)

    def send(chunk: int) -> None:
        future = client.submit(ask, text, chunk, pure=False)
        running[future] = chunk
        queue.add(future)

    def fill() -> None:
        room = _WAITING * max(1, sum(client.nthreads().values()))
        while len(running) < room and (chunk := next(due, None)) is not None:
            send(chunk)

    fill()
    while running:
        future = next(queue)
        chunk = running.pop(future)
        try:
            rows = future.result()
        except SymdpError:
            raise
        except Exception as error:  # whatever became of the worker: the chunk is not lost
            attempts[chunk] = attempts.get(chunk, 0) + 1
            if attempts[chunk] >= _ATTEMPTS:
                raise InputError(
                    f"chunk {chunk} failed {_ATTEMPTS} times: {type(error).__name__}: {error}",
                    place="--scheduler",
                    remedy="start again: finished chunks are kept",
                ) from None
            send(chunk)
        else:
            yield chunk, [tuple(row) for row in rows]
        fill()
