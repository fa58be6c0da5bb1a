from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.synthesize.drafts import (
    COST,
    EVIDENCE,
    HERE,
    PASSAGES,
    SPANS,
    SUNK,
    THERE,
    TOWNSFOLK,
    compose,
    drafts,
    markers,
    supported,
)
from tests.verify.samples import BRIDGE, entry, passage, quote

from quaere.domain.evidence import Evidence, Score
from quaere.domain.question import Checklist, Item, ItemStatus
from quaere.domain.report import (
    AnswerStatus,
    Degradation,
    Direct,
    DirectKind,
    Opens,
    Sentence,
    Support,
)
from quaere.domain.source import Passage
from quaere.domain.verdict import StopReason
from quaere.synthesize.compose import (
    MAX_QUOTE_CHARS,
    MAX_TITLE_CHARS,
    Draft,
    is_limited,
    marked,
    opening_sentence,
)
from quaere.synthesize.direct import direct_of, is_incomplete
from quaere.synthesize.standing import settled
from quaere.synthesize.wording import VERDICTS
from quaere.text.inline import hide_code
from quaere.text.languages.language import ENGLISH_FRAME
from quaere.text.sanitize import LEFT_OUT
from quaere.verify.quotes import is_verbatim, quoted
from quaere.verify.repair import pool_of, verify_sentence

Drafted = tuple[list[Sentence], tuple[Evidence, ...], tuple[Passage, ...]]


def test_r3_5_citations_are_numbered_in_the_order_of_the_claims() -> None:
    composed = compose([TOWNSFOLK, SPANS, SUNK, COST], EVIDENCE, PASSAGES)
    assert composed.answer == (
        "Velling has 18,450 inhabitants [1]. It spans 312 metres [2]. "
        "The ferry sank in 1888 [3]. It cost 2.4 million crowns [2]."
    )
    assert [(c.id, c.evidence) for c in composed.citations] == [(1, 2), (2, 1), (3, 3)]
    assert composed.status is AnswerStatus.ANSWERED


def test_markers_that_stand_together_are_sorted() -> None:
    both = supported("The bridge came, the ferry sank!", (3, "The ferry sank"), (1, "The Orrin"))
    composed = compose([SPANS, both], EVIDENCE, PASSAGES)
    assert composed.answer.endswith("the ferry sank [1][2]!")


def test_a_citation_says_where_and_what() -> None:
    folder, web = compose([TOWNSFOLK, SPANS], EVIDENCE, PASSAGES).citations
    assert (folder.type, folder.url) == ("folder", "file:///valley/velling%20town.md")
    assert folder.location == "/valley/velling town.md, page 2"
    assert (folder.title, folder.locator) == ("Velling", "page 2")
    assert folder.retrieved_at == THERE.retrieved_at
    assert folder.content_hash == THERE.content_hash
    assert web.type == "web"
    assert web.location == f"{HERE.url}, page 2"
    assert web.quote == quote(HERE, "It spans 312 metres")


@pytest.mark.parametrize(
    ("url", "kind", "location"),
    [
        ("https://pubmed.ncbi.nlm.nih.gov/123/", "pubmed", "https://pubmed.ncbi.nlm.nih.gov/123/"),
        ("https://europepmc.org/article/MED/123", "pubmed", None),
        ("https://www.ncbi.nlm.nih.gov/pubmed/123?dopt=x", "pubmed", None),
        ("https://pubmed.ncbi.nlm.nih.gov.evil.example/123/", "web", None),
        ("https://evil.example/pubmed.ncbi.nlm.nih.gov/123/", "web", None),
        ("https://europepmc.org/article/PPR/123", "web", None),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC765432/", "web", None),
        ("file:///valley/rows.csv#row=7", "folder", "/valley/rows.csv, row 7"),
        ("notes/valley.md", "folder", "notes/valley.md"),
    ],
)
def test_the_type_of_a_source_is_read_from_its_address_r4_4(
    url: str, kind: str, location: str | None
) -> None:
    held = passage(BRIDGE, title="Bridge", url=url)
    said = SPANS.model_copy(update={"quotes": (quote(held, "It spans 312 metres"),)})
    (citation,) = compose([said], [entry(1, held)], [held]).citations
    assert citation.type == kind
    assert citation.pmid == ("123" if kind == "pubmed" else "")
    assert citation.location == f"{location or url}, page 2"


def test_quotes_of_one_passage_become_one_stretch_of_it() -> None:
    (citation,) = compose([COST, SPANS], EVIDENCE, PASSAGES).citations
    assert citation.quote.text == "It spans 312 metres and cost 2.4 million crowns"
    assert is_verbatim(citation.quote, HERE)


def test_quotes_far_apart_show_the_first() -> None:
    held = passage(f"Salt is white. {'x' * MAX_QUOTE_CHARS} Iron is grey.")
    said = [
        Sentence(text=t, evidence=(1,), quotes=(quote(held, t),), support=Support.SUPPORTED)
        for t in ("Iron is grey.", "Salt is white.")
    ]
    (citation,) = compose(said, [entry(1, held)], [held]).citations
    assert citation.quote.text == "Iron is grey."


def test_the_sentences_of_a_report_are_as_inert_as_its_answer() -> None:
    said = SPANS.model_copy(update={"text": "- It spans 312 metres ![x](http://evil.example/) [7]"})
    composed = compose([said], EVIDENCE, PASSAGES)
    assert composed.sentences[0].text == f"It spans 312 metres !(x)({LEFT_OUT}) (7)"
    assert composed.answer == f"{composed.sentences[0].text} [1]."


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("", f"It spans 312 metres, says evil at {LEFT_OUT}"),
        ("How long is it?", f"It spans 312 metres, says evil at {LEFT_OUT}"),
        ("What does evil.example say?", None),
        ("On which site is its length?", None),
    ],
)
def test_a_sentence_leads_to_what_was_read_or_asked_for(asked: str, shown: str | None) -> None:
    text = "It spans 312 metres, says evil.example at http://evil.example/a"
    said = SPANS.model_copy(update={"text": text})
    composed = compose([said], EVIDENCE, PASSAGES, asked=asked)
    assert composed.sentences[0].text == (shown or text)
    assert composed.answer == f"{shown or text} [1]."


def test_a_sentence_may_lead_to_its_source() -> None:
    said = SPANS.model_copy(update={"text": f"It spans 312 metres, see {HERE.url}"})
    assert HERE.url in compose([said], EVIDENCE, PASSAGES).answer


def test_nothing_is_cut_of_what_the_users_own_documents_say() -> None:
    text = "The logs of 10.0.0.7/status and of backup.corp.ru are in setup.py, see http://a.lan/x."
    own, web = (passage(text, url=url) for url in ("file:///notes.md", "https://mill.example/a"))
    for held, whole in ((own, True), (web, False)):
        said = Sentence(
            text=text, evidence=(1,), quotes=(quote(held, text),), support=Support.SUPPORTED
        )
        shown = compose([said], [entry(1, held)], [held]).sentences[0].text
        assert (shown == text) is whole
        assert ("backup.corp.ru" in shown) is whole
    sent = Sentence(
        text="The logs are at evil.ru.",
        evidence=(1,),
        quotes=(quote(own, "The logs"),),
        support=Support.SUPPORTED,
    )
    composed = compose([sent], [entry(1, own)], [own])
    assert composed.sentences[0].text == "The logs are at evil."


WRITTEN = [
    "Call `print([*tools])` and read [the guide](https://mill.example/guide?a=b).",
    "KEY <str> is the id or prefix of a key. [required]",
    "Between `SHELL' and 'bash' there is no difference.",
    "Use <b>bold</b>, &amp; and **two** stars; see http://10.0.0.7/x_y_z and www.a.ru.",
]


@pytest.mark.parametrize("text", WRITTEN)
def test_the_users_own_words_stand_as_they_are(text: str) -> None:
    """The same on a page of the web is made inert."""
    for url, own in (("file:///notes.md", True), ("https://mill.example/a", False)):
        held = passage(text, url=url)
        direct = Direct(kind=DirectKind.SENTENCE, text=text, evidence=(1,), quotes=())
        said = Sentence(
            text=text,
            evidence=(1,),
            quotes=(quote(held, text),),
            support=Support.QUOTED,
            direct=direct.model_copy(update={"quotes": (quote(held, text),)}),
        )
        composed = compose([said], [entry(1, held)], [held])
        (shown,) = composed.sentences
        assert composed.citations[0].quote.text == text
        assert (shown.text == text) is own
        assert shown.direct is not None
        assert (shown.direct.text == text) is own
        assert composed.answer.startswith(text.rstrip(".")[:20]) or not own


def test_words_that_no_own_document_holds_are_made_inert() -> None:
    held = passage("See [the guide](https://mill.example/).", url="file:///notes.md")
    said = Sentence(
        text="See [a guide](https://evil.example/).",
        evidence=(1,),
        quotes=(quote(held, held.text),),
        support=Support.SUPPORTED,
    )
    composed = compose([said], [entry(1, held)], [held])
    assert composed.sentences[0].text == f"See (a guide)({LEFT_OUT})."


def test_figures_in_brackets_pass_for_no_citation_in_own_words_either() -> None:
    text = "See [2] and `rows[0]`, or 【3】."
    held = passage(text, url="file:///notes.md")
    said = Sentence(text=text, evidence=(1,), quotes=(quote(held, text),), support=Support.QUOTED)
    composed = compose([said], [entry(1, held)], [held])
    assert composed.answer == "See (2) and `rows[0]`, or (3) [1]."


def test_r0_9_a_made_up_id_never_reaches_the_answer() -> None:
    said = SPANS.model_copy(update={"evidence": (99, 1)})
    alone = SUNK.model_copy(update={"evidence": (99,)})
    composed = compose([said, alone], EVIDENCE, PASSAGES)
    assert composed.answer == "It spans 312 metres [1]. The ferry sank in 1888 (not judged)."
    assert [s.evidence for s in composed.sentences] == [(1,), ()]
    assert composed.sentences[1].support is Support.NOT_JUDGED
    assert "99" not in composed.model_dump_json()


def test_r0_9_an_id_without_a_standing_quote_is_not_cited() -> None:
    adrift = SPANS.quotes[0].model_copy(update={"start": 0, "end": 19})
    # Counted from its end, the passage holds these words before its own beginning.
    before = quoted(HERE, len(HERE.text) - 9, len(HERE.text) - 1)
    before = before.model_copy(
        update={"start": before.start - len(HERE.text), "end": before.end - len(HERE.text)}
    )
    for wrong in (adrift, before):
        composed = compose([SPANS.model_copy(update={"quotes": (wrong,)})], EVIDENCE, PASSAGES)
        assert composed.answer == "It spans 312 metres (not judged)."
        assert composed.citations == ()
        assert composed.status is AnswerStatus.INSUFFICIENT


def test_two_ids_of_one_passage_have_one_number() -> None:
    twin = entry(8, HERE)
    said = SPANS.model_copy(update={"evidence": (8,)})
    composed = compose([COST, said], [*EVIDENCE, twin], PASSAGES)
    assert composed.answer == "It cost 2.4 million crowns [1]. It spans 312 metres [1]."
    assert [s.evidence for s in composed.sentences] == [(1,), (1,)]


def test_r3_9_doubt_is_said_aloud() -> None:
    doubtful = SPANS.model_copy(update={"support": Support.NOT_JUDGED})
    against = SUNK.model_copy(update={"support": Support.CONTRADICTED})
    half = COST.model_copy(update={"support": Support.PARTLY})
    composed = compose([doubtful, half, against], EVIDENCE, PASSAGES)
    assert composed.answer == (
        "It spans 312 metres (not judged) [1]. "
        "It cost 2.4 million crowns (partly supported) [1]. "
        "The ferry sank in 1888 (contradicted) [2]."
    )
    assert composed.status is AnswerStatus.INSUFFICIENT


def test_a_sentence_about_the_run_needs_no_citation_but_is_no_answer_alone() -> None:
    about = Sentence(text="The sources do not say who paid.", support=Support.NOT_A_CLAIM)
    assert compose([SPANS, about], EVIDENCE, PASSAGES).answer.endswith("who paid.")
    assert compose([about], EVIDENCE, PASSAGES).answer == ENGLISH_FRAME.nothing


def test_r2_4_no_sentences_make_a_plain_answer_without_citations() -> None:
    composed = compose([], EVIDENCE, PASSAGES)
    assert composed.answer == "No evidence found that answers the question."
    assert (composed.citations, composed.sentences) == ((), ())
    assert composed.status is AnswerStatus.NO_EVIDENCE


def test_r0_8_a_limited_search_is_said_first() -> None:
    sentence = "Search capabilities were limited; answer is based on partial information."
    assert sentence == ENGLISH_FRAME.limited
    assert compose([SPANS], EVIDENCE, PASSAGES, limited=True).answer.startswith(
        f"{ENGLISH_FRAME.limited} It"
    )
    assert (
        compose([], EVIDENCE, PASSAGES, limited=True).answer
        == f"{ENGLISH_FRAME.limited} {ENGLISH_FRAME.nothing}"
    )


def test_r2_4_an_incomplete_answer_says_so_at_its_end() -> None:
    composed = compose([SPANS], EVIDENCE, PASSAGES, gaps=())
    assert composed.answer == f"It spans 312 metres [1]. {ENGLISH_FRAME.incomplete}"
    assert composed.status is AnswerStatus.INSUFFICIENT


def test_an_answer_whose_language_nobody_could_compare_is_not_called_insufficient() -> None:
    said = Sentence(text="Die Brücke wurde von einer Ingenieurin gebaut.", evidence=(1,))
    checked = verify_sentence(said, pool_of(EVIDENCE, PASSAGES)).sentence
    assert checked is not None
    composed = compose([checked], EVIDENCE, PASSAGES)
    assert "(not judged)" in composed.answer
    assert "another language" in composed.sentences[0].reason
    assert composed.status is AnswerStatus.ANSWERED
    doubted = checked.model_copy(update={"probability": 0.4})
    assert compose([doubted], EVIDENCE, PASSAGES).status is AnswerStatus.INSUFFICIENT


def test_when_a_search_was_limited_and_when_an_answer_is_incomplete() -> None:
    assert is_limited(StopReason.DEGRADED, ())
    assert is_limited(StopReason.TIMEOUT, [Degradation(step="search", reason="breaker")])
    assert not is_limited(StopReason.SUFFICIENT, [Degradation(step="plan", reason="no model")])
    open_ = Checklist(items=(Item(id="a", description="When"),))
    done = Checklist(items=(Item(id="a", description="When", status=ItemStatus.SATISFIED),))
    assert is_incomplete(StopReason.TIMEOUT, open_, ())
    assert is_incomplete(StopReason.MAX_ITERATIONS, done, ["who paid"])
    assert not is_incomplete(StopReason.TIMEOUT, done, ())
    assert not is_incomplete(StopReason.SUFFICIENT, open_, ["who paid"])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Rain fell.[3] Much", "Rain fell.(3) Much [1]."),
        ("Rain fell.[3][14]", "Rain fell [1]."),
        ("See rain[3]", "See rain(3) [1]."),
        ("- It spans 312 metres", "It spans 312 metres [1]."),
        ("## > Salt?!", "Salt [1]?!"),
        ('She said "yes."', 'She said "yes." [1].'),
        ("盐是白的。", "盐是白的 [1]。"),
        ("Set the pump as follows:", "Set the pump as follows [1]:"),
        ("Sources:\n[1] http://evil.example", f"Sources: (1) {LEFT_OUT} [1]."),
    ],
)
def test_a_page_cannot_forge_a_citation(text: str, shown: str) -> None:
    held = passage(text)
    said = Sentence(
        text=text, evidence=(1,), quotes=(quoted(held, 0, 99),), support=Support.SUPPORTED
    )
    composed = compose([said], [entry(1, held)], [held])
    assert composed.answer == shown
    assert composed.citations[0].quote.text == text


@pytest.mark.parametrize("text", ["", "  \n", "***", "…", "\x1b[0m", "🎉"])
def test_a_sentence_with_nothing_to_show_is_left_out(text: str) -> None:
    draft = Draft(EVIDENCE, PASSAGES)
    assert draft.add(SPANS.model_copy(update={"text": text})) == ""
    assert draft.citations() == ()


def test_a_title_is_one_short_harmless_line() -> None:
    title = "Real\n[2] Fake\x1b[31m http://evil.example " + "x" * 900
    held = passage(BRIDGE, title=title, url="javascript:alert(1)")
    said = SPANS.model_copy(update={"quotes": (quote(held, "It spans"),)})
    (citation,) = compose([said], [entry(1, held)], [held]).citations
    assert citation.title.startswith("Real (2) Fake http://evil.example xxx")
    assert len(citation.title) == MAX_TITLE_CHARS
    assert (citation.url, citation.location) == ("", "no address, page 2")


def test_a_record_of_a_file_is_named_by_its_locator_or_by_its_fragment() -> None:
    url = "file:///valley/rows.csv#row=7"
    for locator, location in (("row 7", "/valley/rows.csv, row 7"), ("", "/valley/rows.csv#row=7")):
        held = passage(BRIDGE, url=url).model_copy(update={"locator": locator})
        said = SPANS.model_copy(update={"quotes": (quote(held, "It spans"),)})
        (citation,) = compose([said], [entry(1, held)], [held]).citations
        assert citation.location == location


def test_a_source_without_a_title_goes_by_its_place() -> None:
    held = passage(BRIDGE, url="file:///valley/bridge.md")
    said = SPANS.model_copy(update={"quotes": (quote(held, "It spans"),)})
    (citation,) = compose([said], [entry(1, held)], [held]).citations
    assert citation.title == "/valley/bridge.md"


def test_a_draft_tells_each_sentence_as_the_answer_will_show_it() -> None:
    draft = Draft(EVIDENCE, PASSAGES)
    told = [draft.add(said) for said in (TOWNSFOLK, SPANS, COST)]
    assert " ".join(told) == draft.finish().answer
    assert [c.id for c in draft.citations()] == [1, 2]


@given(drafts(), st.booleans(), st.booleans())
def test_r0_9_every_marker_resolves_and_every_claim_has_one_or_a_mark(
    drafted: Drafted, limited: bool, incomplete: bool
) -> None:
    sentences, evidence, passages = drafted
    composed = compose(
        sentences, evidence, passages, limited=limited, gaps=() if incomplete else None
    )
    used = markers(composed.answer)
    assert list(dict.fromkeys(used)) == _in_order_of_claims(composed.answer)
    assert [c.id for c in composed.citations] == list(range(1, len(composed.citations) + 1))
    assert set(used) == {c.id for c in composed.citations}
    pool = {p.id: p for p in passages}
    for citation in composed.citations:
        assert citation.evidence in {e.id for e in evidence}
        assert is_verbatim(citation.quote, pool[citation.quote.passage])
    draft = Draft(evidence, passages)
    for said in composed.sentences:
        shown = draft.add(said)
        assert (
            markers(shown)
            or said.support is Support.NOT_A_CLAIM
            or any(f"{name})" in shown for name in VERDICTS.values())
        )
        assert shown in composed.answer
    composed.answer.encode("utf-8")
    assert composed.answer


def _in_order_of_claims(answer: str) -> list[int]:
    """Return 1 to n if the first uses come in that order, markers that stand together as one."""
    seen: list[int] = []
    for run in re.findall(r"(?:\[\d+\])+", hide_code(answer)):
        fresh = sorted(set(markers(run)) - set(seen))
        assert fresh == list(range(len(seen) + 1, len(seen) + 1 + len(fresh)))
        seen.extend(fresh)
    return seen


@given(drafts())
def test_what_an_answer_shows_can_be_compared_with_the_sentence(drafted: Drafted) -> None:
    sentences, evidence, passages = drafted
    draft = Draft(evidence, passages)
    for said in sentences:
        shown = draft.add(said)
        if not shown or said.support is not Support.SUPPORTED or "(not judged)" in shown:
            continue
        bare, taken = re.sub(r" (?:\[\d+\])+", "", shown), draft.sentences[-1].text
        assert bare in {taken, f"{taken}."}


@given(drafts())
def test_numbers_do_not_depend_on_the_order_in_which_evidence_arrived(drafted: Drafted) -> None:
    sentences, evidence, passages = drafted
    offset = {e.id: e.id + 40 for e in evidence}
    renumbered = [
        Evidence(id=offset[e.id], passage=e.passage, url=e.url, title=e.title, score=Score(),
                 locator=e.locator)
        for e in reversed(evidence)
    ]  # fmt: skip
    moved = [
        s.model_copy(update={"evidence": tuple(offset.get(n, n) for n in s.evidence)})
        for s in sentences
    ]
    one = compose(sentences, evidence, passages)
    other = compose(moved, renumbered, tuple(reversed(passages)))
    assert one.answer == other.answer
    assert [c.model_dump(exclude={"evidence"}) for c in one.citations] == [
        c.model_dump(exclude={"evidence"}) for c in other.citations
    ]


LED = TOWNSFOLK.model_copy(
    update={
        "direct": Direct(
            kind=DirectKind.CHOICE,
            text="Velling",
            evidence=(2, 1),
            quotes=(*TOWNSFOLK.quotes, *SPANS.quotes),
            confidence=0.9,
        )
    }
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Velling", "Velling [1]."),
        ("Velling; Orrin", "Velling; Orrin [1]."),
        (
            "Velling; not found: Who runs the mill",
            "Velling [1]; not found: Who runs the mill.",
        ),
        (
            "Velling; not certain from the sources: Why; not found: When",
            "Velling [1]; not certain from the sources: Why; not found: When.",
        ),
    ],
)
def test_no_source_is_cited_for_what_was_not_found(text: str, shown: str) -> None:
    direct = Direct(kind=DirectKind.NAME, text=text, evidence=(2,))
    assert opening_sentence(direct, [1]) == shown


def test_the_direct_answer_leads_and_cites_what_carries_it() -> None:
    """It is no sentence of a source, so it cites all of its proof."""
    composed = compose([LED, SPANS], EVIDENCE, PASSAGES)
    assert composed.answer == (
        "Velling [1][2]. Velling has 18,450 inhabitants [1]. It spans 312 metres [2]."
    )
    assert direct_of(composed.sentences, 0.1).evidence == (2, 1)


def test_a_direct_answer_whose_proof_cannot_be_shown_is_not_given() -> None:
    assert LED.direct
    unproved = LED.direct.model_copy(update={"quotes": ()})
    composed = compose([LED.model_copy(update={"direct": unproved})], EVIDENCE, PASSAGES)
    assert composed.answer == "Velling has 18,450 inhabitants [1]."
    assert direct_of(composed.sentences, 0.1).kind is DirectKind.SENTENCE


def test_without_sentences_the_sources_do_not_say() -> None:
    assert direct_of((), 0.9) == Direct(kind=DirectKind.NONE, text=ENGLISH_FRAME.nothing)


@pytest.mark.parametrize(
    ("confidence", "status"), [(0.9, ItemStatus.SATISFIED), (0.3, ItemStatus.PARTIAL)]
)
def test_the_question_is_answered_where_the_direct_answer_is_sure(
    confidence: float, status: ItemStatus
) -> None:
    """Neither more nor less than the exit code says."""
    assert LED.direct
    told = LED.direct.model_copy(update={"confidence": confidence})
    said = (LED.model_copy(update={"direct": told}),)
    asked = Item(id="answer", description="Which is larger?", status=ItemStatus.UNSATISFIED)
    checklist, gaps = settled(Checklist(items=(asked,)), ["Not found: Which is larger?"], said)
    assert checklist.items[0].status is status
    assert bool(gaps) == (status is ItemStatus.PARTIAL)
    incomplete = is_incomplete(StopReason.SUFFICIENT, checklist, gaps, said)
    assert incomplete == (status is ItemStatus.PARTIAL)


def test_no_direct_answer_is_sure_whose_sentences_no_source_bears_out() -> None:
    judged = {"support": Support.NOT_JUDGED, "probability": 0.3}
    said = [LED.model_copy(update=judged), SPANS.model_copy(update=judged)]
    assert not direct_of(said, 0.9).is_sure
    asked = Item(id="answer", description="Which is larger?", status=ItemStatus.SATISFIED)
    checklist, gaps = settled(Checklist(items=(asked,)), (), said)
    assert checklist.items[0].status is ItemStatus.PARTIAL
    assert gaps == ("Not certain from the sources: Which is larger?",)
    borne_out = [LED, *said[1:]]
    assert direct_of(borne_out, 0.1).is_sure


@pytest.mark.parametrize(
    ("text", "opens", "shown"),
    [
        ("**North span** (`span2`)", Opens.PARAGRAPH, "**North span** (`span2`) [1]"),
        ("**North span**", Opens.PARAGRAPH, "**North span** [1]"),
        ("**North span**", None, "**North span** [1]."),
        ("**It spans.** So it says", Opens.PARAGRAPH, "**It spans.** So it says [1]."),
    ],
)
def test_a_bold_label_on_a_line_of_its_own_is_given_no_full_stop(
    text: str, opens: Opens | None, shown: str
) -> None:
    said = SPANS.model_copy(update={"text": text, "opens": opens})
    assert marked(said, [1]) == shown


def test_a_label_in_bold_that_leads_in_keeps_its_end() -> None:
    said = SPANS.model_copy(update={"text": "**Details:**", "support": Support.NOT_A_CLAIM})
    assert marked(said, ()) == "**Details:**"


def test_a_lead_in_has_no_place_for_a_marker_and_cites_nothing() -> None:
    lead = SPANS.model_copy(update={"text": "It spans these:", "support": Support.NOT_A_CLAIM})
    composed = compose([TOWNSFOLK, lead], EVIDENCE, PASSAGES)
    assert composed.answer.endswith("It spans these:")
    assert set(markers(composed.answer)) == {each.id for each in composed.citations}
    assert composed.sentences[-1].evidence == composed.sentences[-1].quotes == ()
