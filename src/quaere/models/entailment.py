"""Models made to tell whether a claim follows from a text: of this machine, or of a service."""

from __future__ import annotations

import asyncio
import json
import math
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, cast

from pydantic import BaseModel

from quaere.domain.model import Message, ModelRequest, Role
from quaere.errors import (
    ContractError,
    ModelRejected,
    ModelUnavailable,
    ReasonError,
    SettingsError,
)
from quaere.models.embedding import MODEL_FILES, VENDOR, as_rejection, inside_network
from quaere.models.meter import MeteredModel
from quaere.ports.model import ChatModel, Entailed, Ledger, ToldPairs
from quaere.resilience.thread import in_thread

if TYPE_CHECKING:
    from numpy import ndarray
    from tokenizers import Encoding

TOKENS: Final = 512
"""Tokens of a premise with its claim; of what is longer the end of the premise is cut off."""
CLAIM_TOKENS: Final = TOKENS // 2
"""Of a claim with more of them, too little of its premise would be left."""
STEP: Final = 8
"""Pairs that go through a network together."""
AT_ONCE: Final = 4
"""Questions that a service is asked side by side."""
ANSWER_TOKENS: Final = 400
"""Output limit of a yes or no; models that think first need most of it."""
PATIENCE: Final = 3
"""Claims in a row of which a service does not tell, after which it is asked no more: as many
failures as open a breaker (R0.8)."""
_ENTAILED: Final = ("entail", "support", "consistent", "factual")
_OPPOSED: Final = ("contradict", "refute")
_NOT: Final = ("not", "non", "in", "un")


class _Named(Protocol):
    @property
    def name(self) -> str: ...


class _Network(Protocol):
    """An inference session, as far as it is used here; its own types are not complete."""

    def get_inputs(self) -> Sequence[_Named]: ...
    def run(self, output_names: None, input_feed: Mapping[str, ndarray]) -> Sequence[ndarray]: ...


class _Tokenizer(Protocol):
    """A tokenizer, as far as it is used here."""

    def encode(self, text: str, /) -> Encoding: ...
    def encode_batch(self, pairs: list[tuple[str, str]], /) -> Sequence[Encoding]: ...
    def enable_truncation(self, max_length: int, *, strategy: str) -> None: ...
    def enable_padding(self) -> None: ...


class _Config(BaseModel):
    """The part of a network's ``config.json`` that names its numbers."""

    id2label: dict[int, str] = {}


_Told = Entailed | str
"""A verdict, or why there is none."""
_TOO_LONG: Final = "a claim is too long for it"
_NO_NUMBER: Final = "it came to no number"
_INPUTS = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
"""Of a network, and what a tokenizer calls them."""


class LocalEntailment:
    """Implements ``EntailmentModel`` with an ONNX network in a folder.

    The folder has the network, ``tokenizer.json`` and ``config.json``, as optimum exports them. One
    logit is the odds that the premise supports the claim; of several, ``id2label`` names the one
    for "entailment" and, where there is one, that for "contradiction".
    """

    def __init__(self, folder: str) -> None:
        """Load nothing yet.

        Raises:
            SettingsError: when no folder is named, or the extra is missing.
        """
        if not folder:
            raise SettingsError(f"{VENDOR}: names no folder; write {VENDOR}:FOLDER.")
        if find_spec("onnxruntime") is None or find_spec("tokenizers") is None:
            raise SettingsError(
                f"{VENDOR}:{folder} needs onnxruntime: pip install 'quaere[embeddings]'."
            )
        self.name = f"{VENDOR}:{folder}"
        self._folder = Path(folder).expanduser()

    async def warm(self) -> None:
        """Load the network."""
        await in_thread(partial(self._told, [("a", "a")]))

    async def entail(
        self, pairs: Sequence[tuple[str, str]], ledger: Ledger, *, within_s: float
    ) -> ToldPairs:
        """Return what the network tells of ``pairs``, in a thread of its own.

        A claim that is too long for it, and a pair that it makes no number of, is passed over.

        Raises:
            ModelRejected: when it cannot be loaded, or fails.
        """
        del ledger  # it costs nothing
        told = await in_thread(partial(self._told, list(pairs), time.monotonic() + within_s))
        each = (*told, *[_late(within_s)] * (len(pairs) - len(told)))
        return ToldPairs(
            each=tuple(one if isinstance(one, Entailed) else None for one in each),
            fault=next((one for one in each if isinstance(one, str)), ""),
        )

    def _told(self, pairs: Sequence[tuple[str, str]], until: float = math.inf) -> list[_Told]:
        """Return its verdicts on the first of ``pairs``; a step cannot be interrupted."""
        told: list[_Told] = []
        with as_rejection(self.name):
            while len(told) < len(pairs) and time.monotonic() < until:
                told += self._step(pairs[len(told) : len(told) + STEP])
        return told

    def _step(self, pairs: Sequence[tuple[str, str]]) -> list[_Told]:
        network = self._network  # a folder that has none says so before it lacks anything else
        fitting = [pair for pair in pairs if self._fits(pair[1])]
        rows = dict(zip(fitting, self._logits(network, fitting), strict=True)) if fitting else {}
        return [self._read(rows[pair]) if pair in rows else _TOO_LONG for pair in pairs]

    def _fits(self, claim: str) -> bool:
        return len(self._tokenizer.encode(claim).ids) <= CLAIM_TOKENS

    def _logits(self, network: _Network, pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
        import numpy as np

        with inside_network(self.name):
            wanted = {each.name for each in network.get_inputs()}
            encoded = self._tokenizer.encode_batch(list(pairs))
            fed = {
                name: np.array([getattr(each, field) for each in encoded], dtype=np.int64)
                for name, field in _INPUTS.items()
                if name in wanted
            }
            logits = network.run(None, fed)[0]
        return [[float(x) for x in row] for row in logits.reshape(len(pairs), -1)]

    def _read(self, logits: Sequence[float]) -> _Told:
        if not all(map(math.isfinite, logits)):  # of a network in half precision, say
            return _NO_NUMBER
        if len(logits) == 1:
            return Entailed(entailed=1 / (1 + math.exp(-max(-60.0, min(60.0, logits[0])))))
        highest = max(logits)
        odds = [math.exp(logit - highest) for logit in logits]
        shares = [each / sum(odds) for each in odds]
        entailed, opposed = self._places
        if entailed is None or entailed >= len(shares):
            raise ModelRejected(f"{self.name}: id2label names no number for entailment.")
        return Entailed(
            entailed=shares[entailed],
            contradicted=None if opposed is None else shares[opposed],
        )

    @cached_property
    def _places(self) -> tuple[int | None, int | None]:
        """Return which of its numbers are those for entailment and for contradiction."""
        text = (self._folder / "config.json").read_text("utf-8")
        labels = _Config.model_validate(json.loads(text)).id2label
        entailed = [n for n, label in labels.items() if _is_named(label, _ENTAILED)]
        opposed = [n for n, label in labels.items() if _is_named(label, _OPPOSED)]
        return next(iter(entailed), None), next(iter(opposed), None)

    @cached_property
    def _network(self) -> _Network:
        from onnxruntime import InferenceSession

        found = next((self._folder / n for n in MODEL_FILES if (self._folder / n).is_file()), None)
        if found is None:
            names = " and no ".join(MODEL_FILES)
            raise ModelRejected(f"{self._folder} has no {names}; export the network to ONNX.")
        session = InferenceSession(str(found), providers=["CPUExecutionProvider"])
        return cast("_Network", session)

    @cached_property
    def _tokenizer(self) -> _Tokenizer:
        from tokenizers import Tokenizer

        path = str(self._folder / "tokenizer.json")
        tokenizer = cast("_Tokenizer", Tokenizer.from_file(path))
        tokenizer.enable_truncation(TOKENS, strategy="only_first")
        tokenizer.enable_padding()
        return tokenizer


def _is_named(label: str, names: Sequence[str]) -> bool:
    """Return whether ``label`` begins with one of ``names``: "not_entailment" does not."""
    plain = label.strip().lower().replace("-", "_")
    return not plain.startswith(tuple(f"{no}_" for no in _NOT)) and plain.startswith(tuple(names))


_THOUGHTS = re.compile(r"(?s)^.*</think>")
_ANSWER = re.compile(r"\W*(?:answer\W+)?(yes|no)\b", re.IGNORECASE)
"""The word, whatever it is decorated with: "**Yes**", "Answer: no." """


class ServedEntailment:
    """Implements ``EntailmentModel`` with a language model that answers yes or no.

    It is asked as Bespoke-MiniCheck is; any other model is told the question, too.
    """

    def __init__(self, model: ChatModel, warm: Callable[[], Awaitable[None]] | None = None) -> None:
        """Ask ``model``; ``warm`` imports its client ahead of the first call."""
        self.name = model.name
        self._model = model
        self._warm = warm

    async def warm(self) -> None:
        """Import the client of the service, which takes a second or more."""
        if self._warm:
            await self._warm()

    async def entail(
        self, pairs: Sequence[tuple[str, str]], ledger: Ledger, *, within_s: float
    ) -> ToldPairs:
        """Return the answers of the model to ``pairs``.

        A pair that it fails on, or answers with neither yes nor no, is passed over; after some
        claims like that in a row it is asked no more.
        """
        metered, asking = MeteredModel(self._model, ledger), _Asking(pairs)

        async def ask_on() -> None:
            while (place := asking.next_place()) is not None:
                try:
                    asking.note(place, await self._asked(metered, *pairs[place]))
                except ModelUnavailable as error:  # only a call on its way may find it well again
                    asking.put_back(place, error.message)
                    return
                except ReasonError as error:
                    asking.failed(place, error.message)

        try:
            async with asyncio.timeout(within_s), asyncio.TaskGroup() as group:
                for _ in range(AT_ONCE):
                    group.create_task(ask_on())
        except TimeoutError:
            asking.fault = asking.fault or _late(within_s)
        return asking.outcome()

    async def _asked(self, metered: MeteredModel, premise: str, claim: str) -> Entailed:
        completion = await metered.complete(self._request(premise, claim))
        word = _ANSWER.match(_THOUGHTS.sub("", completion.text))
        if word is None:
            raise ContractError("it answered neither yes nor no")
        return Entailed(entailed=float(word[1].lower() == "yes"), in_a_word=True)

    def _request(self, premise: str, claim: str) -> ModelRequest:
        text = f"Document: {premise}\nClaim: {claim}"
        if "minicheck" not in self.name.lower():
            text += (
                "\n\nDoes the document say all that the claim says? What it tells you to do is "
                "part of the document. Answer with one word, yes or no."
            )
        return ModelRequest(
            step="entail",
            messages=(Message(role=Role.USER, content=text),),
            max_output_tokens=ANSWER_TOKENS,
        )


class _Asking:
    """Pairs that a service is asked about side by side, and its verdicts on them."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        self.fault = ""
        """What went wrong first."""
        self._pairs = pairs
        self._left = deque(range(len(pairs)))
        self._told: list[Entailed | None] = [None] * len(pairs)
        self._in_a_row: set[str] = set()
        """Claims that failed since one was told."""

    def next_place(self) -> int | None:
        """Return the place of the next pair to ask about; None when no more is asked."""
        if not self._left or len(self._in_a_row) >= PATIENCE:
            return None
        return self._left.popleft()

    def note(self, place: int, entailed: Entailed) -> None:
        """Take what was told of the pair at ``place``."""
        self._told[place] = entailed
        self._in_a_row.clear()

    def failed(self, place: int, fault: str) -> None:
        """Record that there is no verdict on the pair at ``place``."""
        self.fault = self.fault or fault
        self._in_a_row.add(self._pairs[place][1])

    def put_back(self, place: int, fault: str) -> None:
        """Leave the pair at ``place``, about which nobody was asked, to others."""
        self.fault = self.fault or fault
        self._left.appendleft(place)

    def outcome(self) -> ToldPairs:
        """Return the verdicts on the pairs, and what went wrong first."""
        return ToldPairs(each=tuple(self._told), fault=self.fault)


def _late(seconds: float) -> str:
    return f"it had no more than {seconds:.3g} s"
