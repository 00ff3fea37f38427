"""The files under ``derivations/``: where they are, how one is loaded, and that it has all its parts."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from symdp.citations import BIBLIOGRAPHY
from symdp.errors import SymdpError
from symdp.judgments import Judgment
from symdp.rules.given import GIVEN
from symdp.theorem import Theorem

KINDS = ("theorem", "asymptotic", "definition", "statement")
HEADINGS = ("Setting", "Claim", "Bound", "Citation", "Assumed")


class ClaimError(SymdpError):
    """A derivation file that cannot be judged: a part is missing, or its parts contradict each other."""


class Counterexample(Exception):
    """Raised by a falsifier: the claim ``id`` fails at ``point`` (symbol or name -> exact value), and ``why``."""

    def __init__(self, id: str, point: Mapping[Any, object], why: str) -> None:
        self.id, self.why = id, why
        self.point = {str(name): str(value) for name, value in point.items()}
        super().__init__(f"{id} fails at {self.witness}: {why}")

    @property
    def witness(self) -> str:
        """The point as text, names in order: "alpha=2,t=1/2"."""
        return ",".join(f"{name}={value}" for name, value in sorted(self.point.items()))


class Approximate(Counterexample):
    """One that rests on a rounded number: enough to doubt a claim, which is then unknown, no proof that it is false."""


@dataclass(frozen=True)
class Claim:
    """A paper's formula as ``text``: an expression, a matrix ("a,b;c,d") or a relation, like the theorem's conclusion.

    ``where``: relations that say for which values the paper claims it; other symbols range as in the theorem.
    ``field``: the field of the conclusion to compare with; by default its first expression, matrix or relation.
    ``repair``: what is required besides, where the claim is not proved as printed, or in place of ``instead_of``,
    which is a part of ``where``. ``needless``: those of the relations in ``where`` that the theorem does without.
    ``given``: what the paper supposes that is no relation, as judgments ("M is (epsilon, delta)-DP"); a theorem may
    take them for granted, and is no less proved for that.
    ``kind``: "theorem"; "asymptotic", where the formula is the leading term and only a term of higher order is claimed
    to be left out; "definition" or "statement", where no theorem is compared and the falsifier alone speaks, of what
    our own judgments mean or of what is claimed.
    """

    text: str
    where: str = ""
    field: str | None = None
    repair: str = ""
    needless: str = ""
    kind: str = "theorem"
    given: tuple[Judgment, ...] = ()
    instead_of: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ClaimError(f"no claim is of the kind {self.kind}: {', '.join(KINDS)}")
        if self.instead_of and (not self.repair or self.instead_of not in self.where):
            raise ClaimError(f"'{self.instead_of}' is not among the hypotheses, or nothing takes its place")

    @property
    def repaired(self) -> Claim:
        """The claim with its repair among what is required."""
        if self.instead_of:
            return replace(self, where=self.where.replace(self.instead_of, self.repair), repair="", instead_of="")
        return replace(self, where=", ".join(filter(None, (self.where, self.repair))), repair="")

    @property
    def remedy(self) -> str:
        """The repair as it is told: what is required, and in place of what."""
        return f"{self.repair} instead of {self.instead_of}" if self.instead_of else self.repair

    def unsupposed(self, theorem: Theorem) -> tuple[str, ...]:
        """What the theorem takes for granted and the paper does not suppose."""
        supposed = {f"{GIVEN}: {fact.statement()}" for fact in self.given}
        return tuple(assumption for assumption in theorem.assumptions if assumption not in supposed)

    @property
    def compared(self) -> bool:
        """Whether a theorem is compared with the claim."""
        return self.kind in ("theorem", "asymptotic")


@dataclass(frozen=True)
class Item:
    """One derivation file, loaded. ``name`` is "paper/slug", ``parts`` the docstring's sections by heading."""

    name: str
    path: Path
    title: str
    parts: Mapping[str, str]
    claims: Mapping[str, Claim]
    derive: Callable[[], Any]
    falsify: Callable[[Random], Any]
    reference_points: Callable[[], Any]

    @property
    def tight(self) -> bool:
        """Whether the docstring claims the bound to be tight."""
        return self.parts["Bound"] == "**tight**"

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the claims, each once, without the names of their formulas."""
        return _ids(self.claims)

    def formulas(self, id: str) -> tuple[str, ...]:
        """The keys under which the formulas of a claim stand: its id, or "id:name" for each of several."""
        return tuple(key for key in self.claims if claim_of(key) == id)

    def statement(self, id: str) -> str:
        """The LaTeX claim of this id: the whole section, or of several the piece that follows "[id]"."""
        if len(self.ids) == 1:
            return self.parts["Claim"]
        _, *pieces = _marked(self.parts["Claim"], self.ids)
        return dict(zip(pieces[::2], map(str.strip, pieces[1::2]), strict=True))[id]

    @property
    def digest(self) -> str:
        """SHA-256 of the file, to see that a recorded verdict is about this very text."""
        return sha256(self.path.read_bytes()).hexdigest()


def claim_of(key: str) -> str:
    """The id of the claim to which a key of ``CLAIMS`` belongs: what stands before its first colon."""
    return key.split(":")[0]


def _ids(keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(claim_of, keys)))


def root() -> Path:
    """The derivations to use: the current directory's if it is a checkout of this project, else those shipped with it.

    Raises ``ClaimError`` if there are none.
    """
    package = Path(__file__).resolve().parents[1]
    for place in (Path.cwd(), package.parent):
        if _is_checkout(place) and (place / "derivations").is_dir():
            return place / "derivations"
    if (package / "_derivations").is_dir():
        return package / "_derivations"
    raise ClaimError("no derivations found: neither a checkout nor an installed copy has any")


def _is_checkout(place: Path) -> bool:
    try:
        project = tomllib.loads((place / "pyproject.toml").read_text(encoding="utf-8")).get("project", {})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return False
    return bool(project.get("name") == "symdp")


def items(folder: Path | None = None) -> tuple[Item, ...]:
    """Every derivation under ``folder`` (default ``root()``), by name. Files whose name begins with _ are left out.

    Raises ``ClaimError`` for a file that lacks a part, and for a claim id used by two files.
    """
    folder = root() if folder is None else folder
    paths = (path for path in sorted(folder.glob("*/*.py")) if not path.name.startswith("_"))
    found = tuple(load(path) for path in paths)
    owner: dict[str, str] = {}
    for item in found:
        for id in item.ids:
            if owner.setdefault(id, item.name) != item.name:
                raise ClaimError(f"the claim {id} stands in {owner[id]} and in {item.name}")
    return found


def load(path: Path) -> Item:
    """Load one file by its path. Raises ``ClaimError`` naming the missing part; what the file itself raises passes."""
    name = f"{path.parent.name}/{path.stem}"
    module = _module(path, name)
    title, parts = _docstring(module.__doc__ or "", name)
    claims = getattr(module, "CLAIMS", None)
    if not isinstance(claims, dict) or not claims or not all(isinstance(claim, Claim) for claim in claims.values()):
        raise ClaimError(f"{name}: CLAIMS must be a dict from claim ids to Claim records, and not empty")
    for key in claims:
        if ":" in key and (
            claim_of(key) in claims or not re.fullmatch(r"[^:]+:(?!(?:repaired|sharper)$)[a-z][a-z0-9 ]*", key)
        ):
            raise ClaimError(f"{name}: {key} is neither a claim's id nor, for each of its formulas, id:name")
    ids = _ids(claims)
    _, *pieces = _marked(parts["Claim"], ids)
    if len(ids) > 1 and (sorted(pieces[::2]) != sorted(ids) or not all(map(str.strip, pieces[1::2]))):
        raise ClaimError(f"{name}: the Claim section needs one piece for each id, begun by [id]")
    functions = {part: getattr(module, part, None) for part in ("derive", "falsify", "reference_points")}
    for part, function in functions.items():
        if not callable(function):
            raise ClaimError(f"{name}: the function {part} is missing")
    return Item(name=name, path=path, title=title, parts=parts, claims=claims, **functions)  # type: ignore[arg-type]


def _marked(text: str, ids: Iterable[str]) -> list[str]:
    """What stands before the first mark, then mark, text, mark, text, ..."""
    return re.split(rf"\[({'|'.join(map(re.escape, ids))})\]", text)


def _module(path: Path, name: str) -> ModuleType:
    """The file run as it is now: Python's bytecode cache cannot tell two edits of one length within a second."""
    qualified = "_symdp_derivation_" + re.sub(r"\W", "_", name)
    module = ModuleType(qualified)
    module.__file__ = str(path)
    sys.modules[qualified] = module  # dataclasses and pickling look their module up
    exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)
    return module


def _docstring(text: str, name: str) -> tuple[str, dict[str, str]]:
    """The title, and the sections, which must be the five headings in their order."""
    title, *pieces = re.split(rf"^\s*({'|'.join(HEADINGS)}):", text, flags=re.MULTILINE)
    sections = [(heading, " ".join(body.split())) for heading, body in zip(pieces[::2], pieces[1::2], strict=True)]
    if tuple(heading for heading, _ in sections) != HEADINGS or not all(body for _, body in sections):
        raise ClaimError(f"{name}: the docstring needs, in this order and none empty: {', '.join(HEADINGS)}")
    parts = dict(sections)
    if parts["Bound"] not in ("**tight**", "**upper**"):
        raise ClaimError(f"{name}: Bound is **tight** or **upper**")
    key = parts["Citation"].split(",")[0]
    if key not in BIBLIOGRAPHY:
        raise ClaimError(f"{name}: the citation's key {key} is not in the bibliography")
    if not title.strip():
        raise ClaimError(f"{name}: the docstring has no title line")
    return " ".join(title.split()), parts
