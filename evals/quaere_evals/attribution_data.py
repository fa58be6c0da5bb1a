"""Reads evaluation data: claims, what they cite, and whether people found them supported by it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from pydantic import BaseModel, ConfigDict

from quaere.domain.source import Passage, passage_id
from quaere_evals.datasets import read_rows

# "[3]", "[1, 2]": a citation does not belong to what a claim says.
_MARKER = re.compile(r"\s*\[\d{1,3}(?:\s*,\s*\d{1,3})*\]")
_NUMBER = re.compile(r"^\[\d{1,3}\]\s*")
_EMPHASIS = re.compile(r"\*\*")


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence with the texts it cites and what people said of it."""

    text: str
    sources: tuple[str, ...]
    supported: bool
    group: str
    """What it has in common with claims that must not be told from it, as its question."""
    origin: str = ""
    """The collection it was taken from."""
    refuted: bool = False
    lines: tuple[str, ...] = ()
    """The sentences of its source, where people said which of them support it."""
    carriers: tuple[frozenset[int], ...] = ()
    """Sets of indices into ``lines``; every set alone carries the claim."""

    @property
    def kept_back(self) -> bool:
        """Whether it belongs to the half that nothing is fitted on."""
        return bool(hashlib.sha256(self.group.encode()).digest()[0] & 1)

    @property
    def passages(self) -> list[Passage]:
        """The texts it cites as the engine has them, each a page of its own."""
        return [
            Passage(
                id=passage_id(str(number), 0, text),
                url=str(number),
                title="",
                text=text,
                start=0,
                end=len(text),
            )
            for number, text in enumerate(self.sources)
        ]


@dataclass(frozen=True, slots=True)
class ClaimSet:
    """The claims of one set."""

    claims: tuple[Claim, ...]
    digest: str = field(repr=False)
    """SHA-256 of their file."""

    def unseen(self, fitted: str | None) -> tuple[Claim, ...]:
        """Return the claims that nothing was fitted on.

        Half of them when ``fitted``, the digest of the file that weights come from, is this one's.
        """
        known = fitted == self.digest
        return tuple(claim for claim in self.claims if claim.kept_back or not known)


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _GeneratedClaim(_Row):
    question: str | None
    claim: str
    references: tuple[str, ...]
    attribution_label: Literal["attributable", "not attributable"]
    src_dataset: str


class _PageMeta(_Row):
    claim_title: str


class _PageClaim(_Row):
    claim: str
    evidence: tuple[str, ...]
    label: Literal["supported", "partially_supported", "not_supported"]
    supporting_sentences: tuple[frozenset[int], ...]
    meta: _PageMeta


class _HealthClaim(_Row):
    claim: str
    evidence: str
    label: Literal["Supports", "Neutral", "Refutes"]


class _Vote(_Row):
    evidence: str
    evidence_label: Literal["SUPPORTS", "NOT_ENOUGH_INFO", "REFUTES"]


class _ClimateClaim(_Row):
    claim: str
    evidences: tuple[_Vote, ...]


class _Answer(_Row):
    answer: str


class _Inquiry(_Row):
    question: str
    answers: tuple[_Answer, ...]


class _CheckedClaim(_Row):
    claim: str
    label: str
    questions: tuple[_Inquiry, ...]


def find_claim_sets(root: Path | None) -> dict[str, Path]:
    """Return the files of the sets that are in ``root``, or that ``root`` is, by short name.

    None of them when ``root`` is None: nobody said where the data is.
    """
    if root is None:
        return {}
    found: dict[str, Path] = {}
    for name, (folder, _) in _SETS.items():
        path = (root if root.name == folder else root / folder) / "items.jsonl"
        if path.exists():
            found[name] = path
    return found


def load_claims(name: str, path: Path) -> ClaimSet:
    """Return the set ``name``, one of those that ``find_claim_sets`` names.

    Raises:
        DataError: when there is no file at ``path`` or it is not in the expected form.
    """
    claims = _SETS[name][1](path)
    return ClaimSet(claims, hashlib.sha256(path.read_bytes()).hexdigest())


def _generated(path: Path) -> tuple[Claim, ...]:
    """Sentences of generated answers: AttributionBench."""
    return tuple(
        Claim(
            text=_EMPHASIS.sub("", _MARKER.sub("", row.claim)),
            sources=tuple(_NUMBER.sub("", text) for text in row.references),
            supported=row.attribution_label == "attributable",
            group=row.question or "",
            origin=row.src_dataset,
        )
        for row in read_rows(path, _GeneratedClaim)
    )


def _encyclopedic(path: Path) -> tuple[Claim, ...]:
    """Sentences of Wikipedia with the whole page they cite: WiCE. Partly is not supported."""
    return tuple(
        Claim(
            text=row.claim,
            sources=("\n".join(row.evidence),),
            supported=row.label == "supported",
            group=row.meta.claim_title,
            lines=row.evidence,
            carriers=tuple(filter(None, row.supporting_sentences)),
        )
        for row in read_rows(path, _PageClaim)
    )


def _medical(path: Path) -> tuple[Claim, ...]:
    """Claims about a disease with a sentence of an abstract: HealthVer."""
    return tuple(
        Claim(
            text=row.claim,
            sources=(row.evidence,),
            supported=row.label == "Supports",
            refuted=row.label == "Refutes",
            group=row.claim,
        )
        for row in read_rows(path, _HealthClaim)
    )


def _climatic(path: Path) -> tuple[Claim, ...]:
    """Claims about the climate, with five sentences of Wikipedia each: CLIMATE-FEVER."""
    return tuple(
        Claim(
            text=row.claim,
            sources=(vote.evidence,),
            supported=vote.evidence_label == "SUPPORTS",
            refuted=vote.evidence_label == "REFUTES",
            group=row.claim,
        )
        for row in read_rows(path, _ClimateClaim)
        for vote in row.evidences
    )


def _checked(path: Path) -> tuple[Claim, ...]:
    """Claims from politics with the answers that fact-checkers found: AVeriTeC."""
    return tuple(
        Claim(
            text=row.claim,
            sources=tuple(
                "\n".join((inquiry.question, *(answer.answer for answer in inquiry.answers)))
                for inquiry in row.questions
            ),
            supported=row.label == "Supported",
            refuted=row.label == "Refuted",
            group=row.claim,
        )
        for row in read_rows(path, _CheckedClaim)
    )


_SETS: Mapping[str, tuple[str, Callable[[Path], tuple[Claim, ...]]]] = MappingProxyType(
    {
        "f1": ("f1_attributionbench", _generated),
        "f2": ("f2_wice", _encyclopedic),
        "f3_healthver": ("f3_healthver", _medical),
        "f3_climate_fever": ("f3_climate_fever", _climatic),
        "f3_averitec": ("f3_averitec", _checked),
    }
)
"""Folder and reader of each set."""
