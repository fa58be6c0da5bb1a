"""The long form of a report: what stands in it, and where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from tests.synthesize.drafts import compose, report, unanswered
from tests.view.export.reports import CHECKLIST, long, said, valley

from quaere.domain.evidence import Difference
from quaere.domain.question import Checklist, ItemStatus
from quaere.domain.report import Opens, RunWarning, Sentence, Support
from quaere.text.languages.language import ENGLISH_FRAME
from quaere.view.export.document import (
    Bullets,
    Code,
    Document,
    Line,
    Marker,
    Paragraph,
    Section,
    Source,
    Table,
    Tone,
    Words,
)
from quaere.view.export.sections import document


def read(line: Line) -> str:
    return "".join(f"[{part.number}]" if isinstance(part, Marker) else part.text for part in line)


def lines(section: Section) -> Iterator[str]:
    """Yield the text of ``section``, a row of a table as one line."""
    for block in section.blocks:
        match block:
            case Paragraph():
                yield read(block.line)
            case Bullets():
                yield from map(read, block.items)
            case Table():
                yield from (" | ".join(map(read, row)) for row in block.rows)
            case Code():
                yield f"{block.text} {read(block.signs)}"
            case Source():
                yield block.title
    for part in section.sections:
        yield part.title
        yield from lines(part)


def section(of: Document, name: str) -> list[str]:
    return next(list(lines(part)) for part in of.sections if part.id == name)


def every(sections: Iterable[Section]) -> Iterator[Section]:
    for part in sections:
        yield part
        yield from every(part.sections)


def test_a_report_has_its_sections_in_the_order_of_a_reader() -> None:
    made = document(valley())
    assert made.title == "When was the Orrin Bridge opened, and how long is it?"
    assert [part.title for part in made.sections] == [
        "Short answer",
        "In detail",
        "Sources",
        "Findings",
        "Agreement and conflict",
        "Limits",
        "Method",
    ]
    ids = [part.id for part in every(made.sections)]
    assert len(set(ids)) == len(ids)


def test_each_part_of_the_question_has_its_sentences_or_says_that_it_is_open() -> None:
    assert section(document(valley()), "parts") == [
        "When it was opened",
        "The Orrin Bridge was opened on 4 May 1891 [1][2].",
        "Answered.",
        "How long it is",
        "It spans 312 metres [1][3]. It cost 2.5 million crowns (contradicted) [1].",
        "Answered in part.",
        "What was there before",
        (
            "Before it a ferry crossed the river, which sank in 1888 [4]. "
            "Velling has 18,450 inhabitants [5]. Fish is sold there [6]."
        ),
        "Answered.",
        "Who paid for it",
        "Nothing was found that answers this.",
    ]


def test_the_summary_counts_what_is_claimed_and_cited() -> None:
    whole = valley()
    assert read(document(whole).summary) == (
        "Answered in part: 6 sentences from 6 citations, confidence 72%. "
        "Searching ended because the limit of loops was reached."
    )
    one = whole.model_copy(
        update={"sentences": whole.sentences[:1], "citations": whole.citations[:1]}
    )
    assert ": 1 sentence from 1 citation, " in read(document(one).summary)
    assert document(whole).written == max(each.retrieved_at for each in whole.citations)


def test_a_follow_up_is_told_as_it_was_read_and_not_once_more_in_the_method() -> None:
    whole = "When was the valley dammed?"
    asked = {"question": "And the valley?", "read_as": whole, "refined_question": whole}
    told = document(valley().model_copy(update=asked))
    assert section(told, "answer")[0] == f"Question as it was understood: {whole}"
    assert whole not in " ".join(section(told, "method"))


def test_nothing_stands_twice_where_the_short_answer_shows_all_of_the_only_part() -> None:
    whole = valley()
    first, second = whole.sentences[0], whole.sentences[1]
    (item,) = (each for each in CHECKLIST.items if each.id == first.item)
    one = whole.model_copy(
        update={"sentences": (first,), "checklist": Checklist(items=(item,)), "gaps": ()}
    )
    assert [part.id for part in document(one).sections][:2] == ["answer", "sources"]
    beside = item.model_copy(update={"id": "beside", "description": "what is said of it"})
    compared = one.model_copy(update={"checklist": Checklist(items=(item, beside))})
    assert "parts" not in [part.id for part in document(compared).sections], "says nothing itself"
    also = one.model_copy(update={"sentences": (first, second.model_copy(update={"item": None}))})
    several = also.model_copy(update={"checklist": CHECKLIST})
    assert "parts" in [part.id for part in document(several).sections]
    open_ = item.model_copy(update={"status": ItemStatus.PARTIAL})
    asked = one.model_copy(update={"checklist": Checklist(items=(open_,))})
    assert "parts" not in [part.id for part in document(asked).sections], "told by the summary"
    one_of_two = one.model_copy(update={"checklist": Checklist(items=(open_, beside))})
    assert "parts" in [part.id for part in document(one_of_two).sections], "how far each is"


def test_a_part_without_a_sentence_of_its_own_names_the_citation_that_answers_it() -> None:
    whole = valley()
    rest = tuple(said for said in whole.sentences if said.item != "before")
    parts = section(document(whole.model_copy(update={"sentences": rest})), "parts")
    assert "No sentence of its own; see [4]." in parts


def test_what_is_found_stands_with_its_verdict_and_what_was_objected_to() -> None:
    findings = section(document(valley()), "findings")
    assert findings[0] == "The Orrin Bridge was opened on 4 May 1891. | supported | [1][2]"
    assert (
        findings[2] == "It cost 2.5 million crowns. | "
        "contradicted: the source says 2.4 million | [1]"
    )


def test_agreement_and_conflict_name_the_sources_of_both_sides() -> None:
    """R3.6: agreement between sources and conflict are shown as tables."""
    assert section(document(valley()), "agreement") == [
        "when it was opened | Orrin Bridge [1]; پل اورین [2] |  | 2",
        "how long it is | Orrin Bridge [1] | オーリン橋 [3] | 1",
        (
            "how long it is | Orrin Bridge [1] | オーリン橋 [3] | "
            "number: “2.4 million” against “2.5 million”"
        ),
    ]


def test_what_a_reasoner_has_read_differs_in_its_own_words() -> None:
    read = valley().conflicts[0].model_copy(update={"what": Difference.JUDGED, "note": "the cost"})
    made = document(valley().model_copy(update={"conflicts": (read,), "agreements": ()}))
    assert section(made, "agreement")[0].endswith(" | the cost")


def test_limits_say_why_it_ended_what_is_open_and_how_sentences_fared() -> None:
    """R3.5: how many sentences were checked, and how each ended."""
    limits = "\n".join(section(document(valley()), "limits"))
    for line in (
        "who paid for it",
        "whether the ferry was insured",
        "Stopped because the limit of loops was reached (max_iterations).",
        ENGLISH_FRAME.cut_short,
        "Degraded (plan): the model did not answer",
        (
            "Of 8 sentences written, 4 were supported as they were, "
            "1 repaired, 1 marked and 2 dropped."
        ),
        "Of the sentences shown: 1 contradicted, 5 supported.",
        "read: https://valley.example/x: 404",
    ):
        assert line in limits


def test_what_is_open_stands_once_however_it_ended() -> None:
    who, *_ = CHECKLIST.with_status(ItemStatus.UNSATISFIED)
    gaps = (f"Not found: {who.description}", "Not found: the price of the bridge")
    told = section(document(valley().model_copy(update={"gaps": gaps})), "limits")
    assert [line for line in told if who.description in line] == [who.description]
    assert gaps[1] in told


def test_the_method_names_queries_topics_loops_and_cost() -> None:
    method = "\n".join(section(document(valley()), "method"))
    for line in (
        "Topic given to a researcher: How long is it?",
        "Topic refused, as it repeats another: What is its length?",
        "2 | who paid | Orrin Bridge | gap | 0 | 0 | timed out",
        "2 | 14 | 6 | 60% | 72% | 0.0 s",
        "Cost: 12.2 s, 0 model calls, 5,120 tokens, $0.0125",
        "14 sources found, 6 read, 1 refused; pages opened: 4 of at most",
    ):
        assert line in method


def test_a_short_answer_says_what_the_run_did_not_manage() -> None:
    answer = section(document(valley()), "answer")
    assert answer[1:] == [
        "Not answered by what was found: who paid for it; whether the ferry was insured.",
        ENGLISH_FRAME.cut_short,
    ]
    assert "[6]" in answer[0]


def test_a_report_without_evidence_says_so_and_has_no_sources() -> None:
    made = document(report(compose((), (), ()), checklist=CHECKLIST))
    assert section(made, "answer") == [ENGLISH_FRAME.nothing]
    assert "sources" not in {part.id for part in made.sections}
    assert "Nothing was found that answers this." in section(made, "parts")


def test_places_to_look_stand_apart_from_the_answer_and_from_the_sources() -> None:
    made = document(unanswered())
    assert section(made, "answer") == [ENGLISH_FRAME.nothing]
    assert section(made, "look") == [
        "None of this answers the question; it comes nearest to it.",
        (
            "Velling, Market › Salt (/notes/velling.md, lines 3-9): "
            "Salt was sold by (7) guilds | <b>Ada</b>."
        ),
        "Ferries (/notes/ferries.md, lines 3-9): The ferry sank.",
    ]
    assert "sources" not in {part.id for part in made.sections}
    assert "look" not in {part.id for part in document(valley()).sections}


def test_places_to_look_are_headed_in_the_language_of_the_question() -> None:
    german = unanswered().model_copy(update={"question": "Wer hat die Reparatur bezahlt?"})
    (look,) = (part for part in document(german).sections if part.id == "look")
    assert look.title == "Wo man nachsehen kann"
    assert next(lines(look)).startswith("Nichts davon beantwortet die Frage")


def test_sentences_of_no_item_stand_in_general() -> None:
    parts = section(document(long(3)), "parts")
    assert parts[0] == "In general"
    assert parts[1].endswith("Shaft 3 of the mine is 3 metres deep [3].")


def test_a_line_of_the_run_is_one_inert_line() -> None:
    composed = compose((), (), ())
    warned = RunWarning(kind="read", message="[7]\n\u202e<b>", subject="x\x1b[31m")
    made = report(composed, checklist=Checklist()).model_copy(update={"warnings": (warned,)})
    assert "read: x: (7) ‹b>" in section(document(made), "limits")


def test_verdicts_are_named_in_the_language_of_the_question() -> None:
    """R3.5: what an answer's sentences are marked with is what its tables call them."""
    german = valley().model_copy(update={"question": "Wann wurde die Brücke von Orrin gebaut?"})
    written = document(german)
    limits, findings = section(written, "limits"), "\n".join(section(written, "findings"))
    assert "(widersprochen)" in "\n".join(section(written, "parts"))
    assert "Von den gezeigten Sätzen: 5 belegt, 1 widersprochen." in limits
    assert "belegt" in findings
    assert "supported" not in findings


ASKED = (
    "Wann wurde die Brücke von Orrin gebaut?",
    "Quand le pont d'Orrin a-t-il été construit ?",
    "¿Cuándo se construyó el puente de Orrin?",
    "Quando è stato costruito il ponte di Orrin?",
    "Quando foi construída a ponte de Orrin?",
    "Wanneer werd de brug van Orrin gebouwd?",
    "奥林桥是什么时候建造的？",
    "オリン橋はいつ建てられましたか？",
)


@pytest.mark.parametrize("question", ASKED)
def test_parts_and_tables_are_named_in_the_language_of_the_question(question: str) -> None:
    """R3.5: those of an English report are all named otherwise, and nothing else is different."""
    asked = [each.model_copy(update={"question": question}) for each in (valley(), long())]
    for english, other in zip((valley(), long()), asked, strict=True):
        written, meant = titles(document(other)), titles(document(english))
        assert [kind for kind, _ in written] == [kind for kind, _ in meant]
        own = {plain.description.capitalize() for plain in english.checklist.items}
        named = [
            (title, before)
            for (_, title), (_, before) in zip(written, meant, strict=True)
            if before.capitalize() not in own
        ]
        same = {title for title, before in named if title == before}
        assert same <= {"Sources", "Citations", "Verdict", "In detail"}, "words of both languages"
        assert named


def titles(of: Document) -> list[tuple[str, str]]:
    """Return what is called how: sections, tables, and the columns of tables of findings."""
    found: list[tuple[str, str]] = []
    for part in every(of.sections):
        found.append((part.id, part.title))
        for block in part.blocks:
            if isinstance(block, Table):
                found.append(("table", block.title))
                if part.id in {"findings", "agreement"}:
                    found += (("column", head) for head in block.head)
    return [(kind, title) for kind, title in found if title]


def test_how_a_part_ended_is_told_in_the_language_of_the_question() -> None:
    german = valley().model_copy(update={"question": ASKED[0]})
    parts = section(document(german), "parts")
    assert "Beantwortet." in parts
    assert "Answered." not in parts


NOTHING = Support.NOT_A_CLAIM
ENTRIES = (
    said("The bridge:", support=NOTHING),
    said("It is long.", (1, "It spans 312 metres")).model_copy(update={"opens": Opens.NUMBERED}),
    said("`make bridge`").model_copy(update={"opens": Opens.CODE}),
    said("It is old.").model_copy(update={"opens": Opens.NUMBERED}),
    said("Mill: Orrin; Built: 1788.").model_copy(update={"opens": Opens.ROW}),
    said("Mill: Pell; Built: 1801.").model_copy(update={"opens": Opens.ROW}),
    said("So much.", support=Support.PARTLY).model_copy(update={"opens": Opens.PARAGRAPH}),
    said("There is a ferry.", support=NOTHING).model_copy(update={"opens": Opens.ITEM}),
    said("It is slow.", support=NOTHING),
)


def laid_out(*sentences: Sentence) -> Document:
    return document(valley().model_copy(update={"sentences": sentences, "gaps": ()}))


def test_a_part_is_laid_out_as_it_was_written() -> None:
    (detail,) = (part for part in laid_out(*ENTRIES).sections if part.id == "parts")
    general = detail.sections[0]
    assert (general.id, general.title) == ("part-0", "In general")
    lead, first, code, second, table, closing, bullets = general.blocks
    assert isinstance(first, Bullets)
    assert (first.numbered, first.first, len(first.items)) == (True, 1, 1)
    assert isinstance(second, Bullets)
    assert (second.numbered, second.first) == (True, 2), "the list goes on after its code"
    assert isinstance(code, Code)
    assert isinstance(table, Table)
    assert (table.head, len(table.rows)) == (("Mill", "Built"), 2)
    assert isinstance(bullets, Bullets)
    assert (bullets.numbered, list(map(read, bullets.items))) == (
        False,
        ["There is a ferry. It is slow."],
    )
    for paragraph, text in ((lead, "The bridge:"), (closing, "So much (partly supported).")):
        assert isinstance(paragraph, Paragraph)
        assert read(paragraph.line) == text


def test_a_short_answer_keeps_a_list_with_the_line_that_leads_it_in() -> None:
    lead, entry = ENTRIES[0], ENTRIES[1].model_copy(update={"opens": Opens.ITEM})
    assert section(laid_out(lead, entry), "answer")[:2] == ["The bridge:", "It is long [1]."]
    prose = entry.model_copy(update={"opens": None})
    assert section(laid_out(lead, prose), "answer")[0] == "It is long [1]."
    coded = [ENTRIES[2], prose]
    assert "make bridge" not in section(laid_out(*coded), "answer")[0]
    assert "make bridge" in section(laid_out(coded[0]), "answer")[0]


def test_what_was_left_out_and_code_stand_among_the_findings() -> None:
    dropped = said("It sank.", support=Support.CONTRADICTED, note="it stands")
    made = document(valley().model_copy(update={"sentences": (ENTRIES[2],), "dropped": (dropped,)}))
    (findings,) = (part for part in made.sections if part.id == "findings")
    shown, left_out = findings.blocks
    assert isinstance(shown, Table)
    assert isinstance(left_out, Table)
    assert (shown.title, left_out.title) == ("", "Left out of the answer")
    assert [list(map(read, row)) for row in left_out.rows] == [
        ["It sank.", "contradicted: it stands"]
    ]
    assert tones(shown.rows[0][0]) == [Tone.CODE]
    assert tones(shown.rows[0][1])[0] is Tone.PLAIN
    assert tones(left_out.rows[0][1])[0] is Tone.DOUBT


def tones(line: Line) -> list[Tone]:
    return [part.tone for part in line if isinstance(part, Words)]


def test_what_is_answered_is_told_quietly_and_what_is_open_is_not() -> None:
    (detail,) = (part for part in document(valley()).sections if part.id == "parts")
    ends = [part.blocks[-1] for part in detail.sections]
    told = [tones(end.line) for end in ends if isinstance(end, Paragraph)]
    assert told == [[Tone.QUIET], [Tone.DOUBT], [Tone.QUIET], [Tone.DOUBT]]


def test_a_part_whose_evidence_the_answer_does_not_use_says_so() -> None:
    told: list[tuple[ItemStatus, list[str]]] = [
        (ItemStatus.SATISFIED, []),
        (ItemStatus.PARTIAL, ["Answered in part."]),
        (ItemStatus.UNSATISFIED, []),
    ]
    for status, also in told:
        item = CHECKLIST.items[0].model_copy(update={"status": status, "evidence": ("none",)})
        bare = valley().model_copy(
            update={"sentences": (ENTRIES[0],), "checklist": Checklist(items=(item,))}
        )
        assert section(document(bare), "parts")[-1 - len(also) :] == [
            "Evidence was found, but the answer does not rest on it.",
            *also,
        ]


def test_a_side_of_a_conflict_is_named_by_what_is_known_of_it() -> None:
    conflict = (
        valley()
        .conflicts[0]
        .model_copy(update={"item": "gone", "left": 99, "left_says": "2.4 million", "note": ""})
    )
    made = document(valley().model_copy(update={"conflicts": (conflict,), "agreements": ()}))
    assert section(made, "agreement") == [
        "The question | evidence 99: “2.4 million” | オーリン橋 [3] | number"
    ]
    assert "agreement" not in {
        part.id
        for part in document(
            valley().model_copy(update={"conflicts": (), "agreements": ()})
        ).sections
    }


def test_a_short_answer_says_that_the_sources_disagree() -> None:
    says_so = Sentence(
        text="The sources disagree on when the bridge was opened.", support=Support.NOT_A_CLAIM
    )
    made = valley().model_copy(update={"sentences": (says_so, *valley().sentences)})
    assert says_so.text in section(document(made), "answer")[0]
