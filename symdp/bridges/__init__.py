"""Bounds for other people's accountants: Rényi curves as float64 arrays, rounded up, and in the shapes that they take.

>>> import symdp
>>> from symdp.bridges import rdp_curve, sampled_gaussian_curve
>>> curve = rdp_curve(symdp.derive(symdp.Diffusion("-x", "sqrt(2)")), t="1/2", Delta=1)
>>> orders, rdp = curve.arrays([2, 8, 64])
>>> print(rdp)
[ 0.58197671  2.32790683 18.62325462]

``opacus``, and everything else that takes two arrays: ``get_privacy_spent(orders=orders, rdp=rdp, delta=1e-5)``.
``dp_accounting``: ``rdp_accountant().compose(dp_accounting_event(curve), 100)`` beside any other of its events.
``autodp``: ``autodp_mechanism(curve)`` composes with its other mechanisms. The libraries are imported when asked for.
"""

from symdp.bridges.curve import ORDERS, RenyiCurve, rdp_curve, sampled_gaussian_curve
from symdp.bridges.peers import autodp_mechanism, dp_accounting_event, rdp_accountant

__all__ = [
    "ORDERS",
    "RenyiCurve",
    "autodp_mechanism",
    "dp_accounting_event",
    "rdp_accountant",
    "rdp_curve",
    "sampled_gaussian_curve",
]
