"""A file of facts in TOML: mechanisms, kernels, chains of them, and a query.

Numbers are text of our grammar ("log(3)", "1/100") or TOML numbers, read as the decimals they are. Each error names
the key's path.
"""

from __future__ import annotations

import tomllib
from typing import Any

from symdp.errors import InputError
from symdp.files import read_text
from symdp.judgments import Kernel
from symdp.prover.facts.chains import read_chain
from symdp.prover.facts.found import Fact, Found
from symdp.prover.facts.kernels import read_kernel
from symdp.prover.facts.mechanisms import read_mechanism
from symdp.prover.facts.values import Table, known_keys, number, required, scalar, table_of
from symdp.prover.queries import GIVEN, checked, order, shown
from symdp.rule import Query

__all__ = ["parse_file", "read_facts", "read_file"]

_MOST_BYTES = 1_000_000


def read_file(path: str) -> tuple[list[Fact], Query]:
    """The facts and the query of a file. Raises InputError, one line that names the file or the key's path."""
    return read_facts(parse_file(path))


def parse_file(path: str) -> Table:
    """What stands in a file, floats as the text typed. Raises InputError, one line that names the file."""
    text = read_text(path, remedy="give a TOML file of facts", most=_MOST_BYTES)
    try:
        return tomllib.loads(text, parse_float=str)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{path} is not TOML: {error}") from None
    except ValueError:  # Python's limit for whole numbers
        raise InputError(f"{path}: a number has too many digits", remedy="write it as text, with an exponent") from None


def read_facts(data: Table) -> tuple[list[Fact], Query]:
    """The facts and the query of a parsed file. Raises InputError naming the key's path."""
    known_keys(data, ("mechanism", "kernel", "chain", "query"), "")
    found = Found()
    for section, read in (("mechanism", read_mechanism), ("kernel", read_kernel)):
        for name, table in table_of(data.get(section, {}), section).items():
            path = f"{section}.{name}"
            found.name(name, path)
            read(found, name, table_of(table, path), path)
    listed = table_of(data.get("chain", {}), "chain")
    chains = {name: table_of(table, f"chain.{name}") for name, table in listed.items()}
    for name in chains:
        found.name(name, f"chain.{name}")
    for name in chains:
        read_chain(found, name, chains, ())
    if "query" not in data:
        raise InputError("there is no query", place="query", remedy='add [query] with of = "C" and ask = "delta"')
    return found.facts, _query(found, table_of(data["query"], "query"))


def _query(found: Found, table: Table) -> Query:
    known_keys(table, ("of", "ask", "epsilon", "delta", "alpha", "orders"), "query")
    of, ask = required(table, "of", "query"), required(table, "ask", "query")
    if not isinstance(of, str) or found.subjects.get(of) is None:
        raise InputError(
            f"nothing is called {shown(of)}", place="query.of", remedy=f"known: {', '.join(map(shown, found.subjects))}"
        )
    if isinstance(found.subjects[of], Kernel):
        raise InputError(f"{of} is a kernel", place="query.of", remedy="ask about a mechanism or a chain")
    if not isinstance(ask, str) or ask not in GIVEN:
        raise InputError(f"{shown(ask)} cannot be asked", place="query.ask", remedy=f"one of {', '.join(GIVEN)}")
    subject = found.subjects[of]
    if ask == "error":
        if of not in found.errors:
            remedy = "give its mechanism a dimension, and a radius where it is biased"
            raise InputError(f"no range of the query is known for {of}", place="query.of", remedy=remedy)
        subject = found.errors[of]
    if ask in table:
        raise InputError("is what is asked for", place=f"query.{ask}", remedy="leave it out")
    values: dict[str, Any] = {}
    for key in ("epsilon", "delta"):
        if key in table:
            values[key] = number(table[key], f"query.{key}")
    if "alpha" in table:
        values["alpha"] = order(scalar(table["alpha"], "query.alpha"), "query.alpha")
    if "orders" in table:
        listed = table["orders"]
        if not isinstance(listed, list):
            raise InputError("a list of orders is expected", place="query.orders")
        values["orders"] = tuple(number(value, f"query.orders[{index}]") for index, value in enumerate(listed))
    return checked(Query(subject, ask, **values))
