from __future__ import annotations

import pytest
from tests.contracts.extractor import FACT, ExtractorContract, outcome
from tests.read.documents import body

from quaere.domain.source import Page, ReadStatus
from quaere.ports.read import Body
from quaere.read.chunker import PassageChunker
from quaere.read.extract.subtitles import SubtitlesExtractor
from quaere.read.formats import Format, sniff


def cue(begin: str, end: str, *lines: str) -> str:
    return "\n".join([f"{begin} --> {end}", *lines, "", ""])


class TestSubtitlesExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> SubtitlesExtractor:
        return SubtitlesExtractor()

    @pytest.fixture
    def body(self) -> Body:
        cues = cue("00:01.000", "00:04.000", FACT[:30].rstrip(), FACT[30:].lstrip())
        return body(f"WEBVTT\n\n{cues}{cue('12:04.500', '12:09.000', 'How many?')}", "talk.vtt")


def read(text: str, name: str = "talk.vtt") -> Page:
    return next(SubtitlesExtractor().extract(body(text, name)))


def test_lines_are_joined_to_sentences_and_numbers_and_times_left_out() -> None:
    page = read(
        "1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>The herring\r\ncame back</i>\r\n\r\n"
        "2\r\n00:00:02,500 --> 00:00:04,000\r\n{\\an8}in 1983.\r\n\r\n"
        "3\r\n01:02:33,000 --> 01:02:36,000\r\nThe fleet had &quot;44&quot; boats.\r\n",
        "film.srt",
    )
    assert page.text == 'The herring came back in 1983.\n\nThe fleet had "44" boats.'
    assert [(mark.label, page.text[mark.start :][:4]) for mark in page.marks] == [
        ("0:01", "The "),
        ("0:02", "in 1"),
        ("1:02:33", "The "),
    ]
    assert page.title == "film"


def test_who_speaks_is_told_where_another_begins() -> None:
    page = read(
        "WEBVTT\n\n"
        + cue("00:01.000", "00:02.000", "<v Rósa Tveit>Good evening.</v>")
        + cue("00:02.000", "00:03.000", "<v.loud Rósa Tveit>Welcome.")
        + cue("00:03.000", "00:04.000", "<v Ole Berg>Hello.", "<v Rósa Tveit>Sit down.")
    )
    assert page.text == (
        "Rósa Tveit: Good evening. Welcome.\n\nOle Berg: Hello.\n\nRósa Tveit: Sit down."
    )


def test_lines_that_roll_up_are_told_once() -> None:
    page = read(
        "WEBVTT\n\n"
        + cue("00:01.000", "00:02.000", " ", "the<00:00:01.200><c> north</c>")
        + cue("00:02.000", "00:02.010", "the north")
        + cue("00:02.010", "00:03.000", "the north", "channel was")
        + cue("00:03.000", "00:04.000", "the north", "channel was", "dredged")
    )
    assert page.text == "the north channel was dredged"


def test_notes_styles_and_settings_are_not_read() -> None:
    page = read(
        "WEBVTT - The dredging\nKind: captions\nLanguage: en-GB\n\nSTYLE\n::cue { color: red }\n\n"
        "NOTE\nby hand\n\nintro\n00:01.000 --> 00:02.000 align:start position:0%\nWell.\n"
    )
    assert (page.text, page.title, page.language) == ("Well.", "The dredging", "en")


def test_a_number_between_cues_without_a_blank_line_is_not_said() -> None:
    text = "1\n00:00:01,000 --> 00:00:02,000\nOne.\n2\n00:00:02,000 --> 00:00:03,000\nTwo.\n"
    assert read(text, "a.srt").text == "One. Two."


def test_a_paragraph_ends_after_a_while() -> None:
    cues = "".join(
        cue(f"{n // 60:02}:{n % 60:02}.000", f"{n // 60:02}:{n % 60:02}.900", "Fog all day long.")
        if n % 2
        else cue(f"{n // 60:02}:{n % 60:02}.000", f"{n // 60:02}:{n % 60:02}.900", "It was calm.")
        for n in range(200)
    )
    paragraphs = read(f"WEBVTT\n\n{cues}").text.split("\n\n")
    assert {len(each) // 100 for each in paragraphs[:-1]} == {5}


def test_a_passage_tells_from_when_to_when_and_a_quote_in_it_more_closely() -> None:
    page = read(
        "WEBVTT\n\n"
        + cue("12:04.000", "12:05.000", "It cost 2.3 million euros.")
        + cue("12:31.000", "12:32.000", "It took fourteen weeks.")
    )
    (passage,) = PassageChunker()(page)
    assert passage.locator == "12:04 to 12:31"
    at = page.text.index("It took")
    assert passage.place_at(at, at + 10) == "12:31"


@pytest.mark.parametrize("text", ["WEBVTT\n\nNOTE nothing\n", "1\n00:00:01,000 --> x", " "])
def test_subtitles_that_say_nothing_are_empty(text: str) -> None:
    pages, error = outcome(SubtitlesExtractor(), body(text, "talk.vtt"))
    assert not pages
    assert error is not None
    assert error.status == ReadStatus.EMPTY


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("WEBVTT\n\n", "a"),
        ("\ufeff1\r\n00:00:01,000 --> 00:00:02,000\r\nOne.", "a.txt"),
        ("no cue yet", "a.srt"),
    ],
)
def test_its_name_or_its_first_line_tells_it(data: str, name: str) -> None:
    assert sniff(data.encode(), "text/plain", name) is Format.SUBTITLES


def test_two_who_speak_in_one_line_are_told_apart() -> None:
    page = read("WEBVTT\n\n00:01.000 --> 00:02.000\n<v Mara>Is she in?</v> <v.loud Tom>She is.\n")
    assert page.text == "Mara: Is she in?\n\nTom: She is."


def test_what_is_said_again_later_or_by_another_is_told_again() -> None:
    cues = ("00:01.000 --> 00:02.000\nNo!", "00:09.000 --> 00:10.000\nNo!")
    assert read("\n\n".join(["WEBVTT", *cues])).text == "No!\n\nNo!"
    both = "00:01.000 --> 00:02.000\n<v Mara>No!\n<v Tom>No!"
    assert read(f"WEBVTT\n\n{both}").text == "Mara: No!\n\nTom: No!"
