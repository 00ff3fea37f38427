"""What runs in the peer's own interpreter: a line of JSON in, a line of JSON out. Nothing of symdp is imported.

Started as ``python worker.py PEER KIND``. The first line out is the greeting, ``{"version": ...}``, or ``{"missing":
why}`` if the peer cannot be imported there. Then each request, the list of the peer's arguments, is answered by
``{"values": [...]}``, ``{"exception": "ValueError: ..."}`` or ``{"shape": "2 values for 3 orders"}``. Doubles travel as
shortest decimals, which are exact. The peer's own stdin is empty and what it prints is dropped.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
import types
from importlib.metadata import version
from typing import Any, Callable  # noqa: UP035  not every interpreter has it elsewhere

# An adapter imports what it needs on every call, so that it can be pasted into a test as it stands.


def dp_accounting_rdp(q: float, sigma: float, orders: list[float]) -> Any:
    """Rényi divergences by the accountant of dp_accounting."""
    from dp_accounting import GaussianDpEvent, PoissonSampledDpEvent
    from dp_accounting.rdp import RdpAccountant

    accountant = RdpAccountant(orders)
    accountant.compose(PoissonSampledDpEvent(q, GaussianDpEvent(sigma)))
    return accountant.rdp


def dp_accounting_epsilon(q: float, sigma: float, steps: int, delta: float) -> Any:
    """Epsilon by the Rényi accountant of dp_accounting with its own orders."""
    from dp_accounting import GaussianDpEvent, PoissonSampledDpEvent
    from dp_accounting.rdp import RdpAccountant

    accountant = RdpAccountant()
    accountant.compose(PoissonSampledDpEvent(q, GaussianDpEvent(sigma)), steps)
    return accountant.get_epsilon(delta)


def opacus_rdp(q: float, sigma: float, orders: list[float]) -> Any:
    """Rényi divergences by opacus."""
    from opacus.accountants.analysis.rdp import compute_rdp

    return compute_rdp(q=q, noise_multiplier=sigma, steps=1, orders=orders)


def opacus_epsilon(q: float, sigma: float, steps: int, delta: float) -> Any:
    """Epsilon by the Rényi analysis of opacus with the orders of its accountant."""
    from opacus.accountants.analysis.rdp import compute_rdp, get_privacy_spent

    orders = [1 + x / 10.0 for x in range(1, 100)] + list(range(12, 64))
    rdp = compute_rdp(q=q, noise_multiplier=sigma, steps=steps, orders=orders)
    return get_privacy_spent(orders=orders, rdp=rdp, delta=delta)[0]


def autodp_rdp(q: float, sigma: float, orders: list[float]) -> Any:
    """Rényi divergences by autodp."""
    from autodp.mechanism_zoo import SubsampleGaussianMechanism

    mechanism = SubsampleGaussianMechanism({"prob": q, "sigma": sigma, "coeff": 1})
    return [mechanism.get_RDP(order) for order in orders]


def autodp_epsilon(q: float, sigma: float, steps: int, delta: float) -> Any:
    """Epsilon by the Rényi accountant of autodp."""
    from autodp.mechanism_zoo import SubsampleGaussianMechanism

    return SubsampleGaussianMechanism({"prob": q, "sigma": sigma, "coeff": steps}).get_approxDP(delta)


#: Peer -> the distribution that holds it, what it imports, and its adapters.
PEERS: dict[str, tuple[str, tuple[str, ...], dict[str, Callable[..., Any]]]] = {
    "dp_accounting": (
        "dp-accounting",
        ("dp_accounting", "dp_accounting.rdp"),
        {"rdp": dp_accounting_rdp, "epsilon": dp_accounting_epsilon},
    ),
    "opacus": ("opacus", ("opacus.accountants.analysis.rdp",), {"rdp": opacus_rdp, "epsilon": opacus_epsilon}),
    "autodp": ("autodp", ("autodp.mechanism_zoo",), {"rdp": autodp_rdp, "epsilon": autodp_epsilon}),
}
_LONGEST = 300


def load(peer: str, kind: str) -> tuple[Callable[..., Any], str]:
    """The function of a peer and its version. Raises whatever the import raises."""
    if peer in PEERS:
        distribution, modules, adapters = PEERS[peer]
        if peer == "opacus":
            without_torch()
        for module in modules:
            importlib.import_module(module)
        return adapters[kind], version(distribution)
    module, _, name = peer.partition(":")
    function: Any = importlib.import_module(module)
    for part in name.split("."):
        function = getattr(function, part)
    if not callable(function):
        raise TypeError(f"{name} is not a function")
    return function, ""


def without_torch() -> None:
    """Stand in for the packages of opacus where torch is missing: its Rényi analysis needs only numpy and scipy."""
    found = importlib.util.find_spec("opacus")
    if found is None or importlib.util.find_spec("torch") is not None:
        return
    for folder in found.submodule_search_locations or ():
        for name in ("opacus", "opacus.accountants", "opacus.accountants.analysis"):
            package = types.ModuleType(name)
            package.__path__ = [os.path.join(folder, *name.split(".")[1:])]  # noqa: PTH118
            sys.modules[name] = package


def answer(function: Callable[..., Any], arguments: list[Any], count: int | None) -> dict[str, Any]:
    """What one call gives: ``count`` values are expected, None for a single number."""
    try:
        found = function(*arguments)
    except BaseException as error:  # also SystemExit: the peer is to be asked again
        return {"exception": shown(error)}
    try:
        values = [found] if count is None else list(found)
        if count is not None and len(values) != count:
            return {"shape": f"{len(values)} values for {count} orders"}
        return {"values": [number(value) for value in values]}
    except BaseException as error:
        return {"shape": shown(error)}


def number(value: Any) -> float:
    """A double; text, truth values and complex numbers are no number."""
    if type(value).__name__ in ("str", "bytes", "bool", "bool_"):
        raise TypeError(f"{type(value).__name__} is not a number")
    return float(value)


def shown(error: BaseException) -> str:
    """An error in one short line."""
    try:
        text = " ".join(str(error).split())
    except BaseException:  # even printing it may fail
        text = ""
    return (type(error).__name__ + (": " + text if text else ""))[:_LONGEST]


def main(peer: str, kind: str) -> None:
    """Greet, then answer until the requests end."""
    requests, answers = os.fdopen(os.dup(0), "r"), os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
    # the peer's modules are in the current directory, not beside this file
    sys.path[:] = [os.getcwd()] + [folder for folder in sys.path if folder != here]  # noqa: PTH109

    def say(data: dict[str, Any]) -> None:
        answers.write(json.dumps(data) + "\n")
        answers.flush()

    try:
        function, found = load(peer, kind)
    except BaseException as error:
        say({"missing": shown(error)})
        return
    say({"version": found, "python": sys.version.split()[0]})
    for line in requests:
        arguments = json.loads(line)
        say(answer(function, arguments, len(arguments[-1]) if kind == "rdp" else None))


if __name__ == "__main__":
    main(*sys.argv[1:])
