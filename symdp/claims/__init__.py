r'''Paper results as data with a verdict. One result, one file: ``derivations/<paper key>/<readable-slug>.py``.

Every file has the same parts in the same order; copying this one and changing it is how a result is added::

    r"""The Ornstein-Uhlenbeck mechanism.

    Setting: $dX = -\theta X\,dt + \sqrt2\,\rho\,dW$ started at $f(D)$, $f$ of sensitivity $\Delta$, seen at time $t$.
    Claim: $(\alpha, \alpha\theta\Delta^2 / (2\rho^2(e^{2\theta t}-1)))$-RDP
    Bound: **tight**
    Citation: balle2019, Corollary 7
    Assumed: nothing
    """

    from symdp import Diffusion
    from symdp import derive as derive_bound
    from symdp.claims import Claim, attack

    CLAIMS = {
        "B-Cor7": Claim("alpha*theta*Delta**2/(2*rho**2*(exp(2*theta*t)-1))", where="alpha>1, t>0, Delta>=0"),
    }


    def derive():
        return derive_bound(Diffusion("-theta*x", "sqrt(2)*rho")).privacy


    def falsify(rng):
        def truth(mp, alpha, t, Delta, theta, rho):
            """Two normal laws of one variance: alpha (gap of the means)^2 / (2 variance)."""
            gap, variance = Delta * mp.exp(-theta * t), rho**2 * (1 - mp.exp(-2 * theta * t)) / theta
            return alpha * gap**2 / (2 * variance)

        where = "alpha>1, t>0, Delta>=0, theta>0, rho>0"
        return attack("B-Cor7", CLAIMS["B-Cor7"], where, truth, rng, tight=True)


    def reference_points():
        return [("B-Cor7", "alpha=2,theta=1,Delta=1,rho=1,t=1", "0.15651764274966565182")]

* The docstring: a title line, then the five headings. *Bound* is **tight** (the claim must equal a bound derived by
  exact steps only) or **upper** (it must lie on or above the derived one). *Citation* starts with a bibliography key.
  A file with several claims begins the piece of each in *Claim* with its id: ``[B-T8(i)] $...$ [B-T8(ii)] $...$``.
* ``CLAIMS``: id -> ``Claim``: the paper's formula as text our parser reads, never computed from anything. A claim of
  several formulas has a key for each, its id and a name: ``"B-OU.P:mean"``, ``"B-OU.P:variance"``; the worst verdict
  counts. A claim that needs more than is printed says so in ``repair``, and is judged both ways; what it needs less
  is ``needless``. ``given`` are the hypotheses that are no relations, as judgments. ``kind`` says what is no theorem:
  a definition, a statement that only instances speak for, an O-term.
* ``derive()``: a Theorem, or a dict key -> Theorem when the file has claims of different theorems; a better bound than
  the claimed one stands under its key with ``:sharper`` at the end. ``Refused`` may pass through: the verdict is then
  unknown, or refuted if the falsifier finds a counterexample.
* ``falsify(rng)``: looks for a counterexample on a road of its own; returns the number of admissible instances it tried
  (a dict key -> number for several claims), which may not be 0, and raises ``Counterexample`` when it finds one, or
  returns it in place of a number; ``Approximate`` where it rests on rounded numbers, which refutes nothing, so that the
  verdict is unknown. A repaired claim is attacked too, under its key with ``:repaired`` at the end.
  ``points`` draws exact points where relations hold, ``attack`` compares a claimed value with a true one there
  (certified where the truth is of exact numbers and integrals, see ``symdp.claims.numbers``),
  ``normal_mean`` integrates against a normal law, ``must_hold`` tries a relation as its text stands,
  ``must_hold_at`` at random points.
* ``reference_points()``: (key, values as for ``--at``, decimal digits computed elsewhere), compared to the last digit
  with the claimed formula (of a relation: the greater side minus the smaller). An expression has at least one.

The verdict is computed by ``check``, for every file by ``symdp check``, and recorded, with the index, by ``symdp check
--record``. It is never typed.
'''

from __future__ import annotations

import symdp.rules  # noqa: F401  (a derivation applies rules by their ids)
from symdp.claims.comparison import compare
from symdp.claims.falsify import attack, linear_divergence, must_hold, must_hold_at, normal_mean, points
from symdp.claims.items import Approximate, Claim, ClaimError, Counterexample, Item, items, load, root
from symdp.claims.records import index, read_verdicts, write_index, write_verdicts
from symdp.claims.verdict import ClaimVerdict, check

__all__ = [
    "Approximate",
    "Claim",
    "ClaimError",
    "ClaimVerdict",
    "Counterexample",
    "Item",
    "attack",
    "check",
    "compare",
    "index",
    "items",
    "linear_divergence",
    "load",
    "must_hold",
    "must_hold_at",
    "normal_mean",
    "points",
    "read_verdicts",
    "root",
    "write_index",
    "write_verdicts",
]
