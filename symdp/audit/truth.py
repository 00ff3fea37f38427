"""What an accountant is held against: enclosures of the sampled Gaussian at exact doubles."""

from __future__ import annotations

from symdp.ball import Enclosure

DIGITS = 40
_JUDGING = 30
_EPSILON_DIGITS = 15


def truth_of(kind: str, point: tuple[float, ...], digits: int = _JUDGING) -> Enclosure:
    """The enclosure for one input.

    rdp: the larger of ``R_alpha(mu||mu0)`` and ``R_alpha(mu0||mu)`` with ``digits`` proved digits. epsilon: from a
    proved lower bound of the least epsilon to the guarantee by the Rényi curve at its best order. Raises Undetermined.
    """
    if kind == "rdp":
        from symdp.mechanisms.sampled_gaussian import renyi

        q, sigma, alpha = point
        found: Enclosure = renyi(q, sigma, alpha, digits, direction="both")
        return found
    from symdp.epsilon import sampled_gaussian_epsilon
    from symdp.epsilon.lower import sampled_gaussian_epsilon_lower

    q, sigma, steps, delta = point
    high = sampled_gaussian_epsilon(q, sigma, delta, int(steps), _EPSILON_DIGITS).epsilon.upper
    return Enclosure(min(sampled_gaussian_epsilon_lower(q, sigma, delta, int(steps)), high), high)
