"""The divergence itself as data: alone, for ``symdp renyi``, or beside a bound, for ``symdp derive --truth``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from symdp.ball import Enclosure, bits_for, from_arb, working_precision
from symdp.derivation.truth import Truth, find_truth
from symdp.errors import Refused
from symdp.found import Assumption, larger
from symdp.judgments import Divergence
from symdp.question import Question
from symdp.render.json import KERNEL_CLASSES, SCHEMA, evidence_data, process_data, value_data
from symdp.render.text import Line, field, interval, process_lines, rests_on


def truth_at(question: Question, assuming: Sequence[Assumption] = ()) -> Truth:
    """How the divergence that a question is about is known, at the parameter values of the question.

    Raises :class:`Refused` for a question in Delta, and where it is not known.
    """
    if question.starts is None:
        raise Refused("the divergence itself is about two starts: give x and xp instead of Delta")
    process = question.process.at(question.parameters) if question.parameters else question.process
    return find_truth(process, [item for item in assuming if isinstance(item, str)])


def truth_values(truth: Truth, question: Question, digits: int) -> tuple[Enclosure, Enclosure]:
    """Both orders of the divergence."""
    there = question.on(truth.process)
    return truth.value(there.assignment(), digits), truth.value(there.assignment(swapped=True), digits)


def beside_bound(question: Question, answer: Mapping[str, Any], digits: int, assuming: Sequence[Assumption]) -> Any:
    """``truth``, ``truth_reverse`` and ``ratio``, the larger truth over ``value_rdp``, as JSON data.

    The ratio is left out where the bound is 0. Raises :class:`Refused` and :class:`Undetermined`.
    """
    one, other = truth_values(truth_at(question, assuming), question, digits)
    data: dict[str, Any] = {"truth": one.to_json(digits), "truth_reverse": other.to_json(digits)}
    bound: Enclosure = answer["value_rdp"]
    if bound.lower > 0:
        with working_precision(bits_for(digits) + 64):
            ratio = from_arb(larger(one, other).to_arb() / bound.to_arb())
        data["ratio"] = ratio.to_json(max(1, digits - 1))
    return data


def truth_data(question: Question, assuming: Sequence[Assumption], digits: int) -> dict[str, Any]:
    """What ``symdp renyi`` prints, with the theorem that says what the kernel or the divergence is.

    Raises :class:`Refused` and :class:`Undetermined`.
    """
    truth = truth_at(question, assuming)
    one, other = truth_values(truth, question, digits)
    answer = {"value": one, "value_reverse": other, "value_rdp": larger(one, other)}
    theorem = truth.theorem
    return {
        "schema": SCHEMA,
        "status": theorem.status,
        "tightness": "exact",
        **process_data(truth.process),
        "kernel_class": KERNEL_CLASSES.get(type(theorem.conclusion)),
        "known": _known(truth),
        "hypotheses": [evidence_data(item) for item in theorem.hypotheses],
        "assumptions": list(theorem.assumptions),
        "citations": [str(citation) for citation in theorem.citations],
        "theorem": theorem.to_json(),
        **value_data(question, answer, digits),
    }


def _known(truth: Truth) -> str:
    """What the theorem says, of an exact divergence that it is one."""
    conclusion = truth.theorem.conclusion
    text = conclusion.statement().replace(str(truth.process), "the process")
    return text.replace(" <= ", " = ", 1) if isinstance(conclusion, Divergence) else text


def truth_report(data: Mapping[str, Any]) -> Iterator[Line]:
    """The data of ``symdp renyi`` as lines."""
    yield from process_lines(data["process"])
    yield "", field("Known", data["known"])
    yield "", ""
    given = ", ".join(f"{name} = {value}" for name, value in data["at"].items())
    yield "head", f"At {given} ({data['digits']} digits, rounded outward)"
    for name in ("value", "value_reverse", "value_rdp"):
        yield "", field(f"  {name}", f"{data['value_directions'][name]} = {interval(data[name])}")
    yield "", ""
    yield from rests_on(data)
