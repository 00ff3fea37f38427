"""symdp derives privacy bounds: a bound is a theorem, a number is an enclosure, a claim is data with a verdict.

Everything public is here and loaded on first use, so that ``import symdp`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symdp.ball import Enclosure as Enclosure
    from symdp.bound import Bound as Bound
    from symdp.bound import derive as derive
    from symdp.diffusion.process import Diffusion as Diffusion
    from symdp.errors import Forged as Forged
    from symdp.errors import InputError as InputError
    from symdp.errors import Refused as Refused
    from symdp.errors import SymdpError as SymdpError
    from symdp.errors import Undefined as Undefined
    from symdp.errors import Undetermined as Undetermined
    from symdp.judgments import Kernel as Kernel
    from symdp.judgments import Mechanism as Mechanism
    from symdp.prover import prove as prove
    from symdp.region import Interval as Interval
    from symdp.region import Region as Region
    from symdp.rule import Query as Query
    from symdp.text import Relation as Relation
    from symdp.text import parse as parse
    from symdp.text import symbol as symbol
    from symdp.text import to_text as to_text
    from symdp.theorem import Theorem as Theorem
    from symdp.theorem import replay as replay

__version__ = "0.1.0"

_HOME = {
    "Bound": "symdp.bound",
    "Diffusion": "symdp.diffusion.process",
    "Enclosure": "symdp.ball",
    "Forged": "symdp.errors",
    "InputError": "symdp.errors",
    "Interval": "symdp.region",
    "Kernel": "symdp.judgments",
    "Mechanism": "symdp.judgments",
    "Query": "symdp.rule",
    "Refused": "symdp.errors",
    "Region": "symdp.region",
    "Relation": "symdp.text",
    "SymdpError": "symdp.errors",
    "Theorem": "symdp.theorem",
    "Undefined": "symdp.errors",
    "Undetermined": "symdp.errors",
    "derive": "symdp.bound",
    "parse": "symdp.text",
    "prove": "symdp.prover",
    "replay": "symdp.theorem",
    "symbol": "symdp.text",
    "to_text": "symdp.text",
}

__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'symdp' has no attribute '{name}'")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
