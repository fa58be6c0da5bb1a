"""Sentences that state nothing: about the passages, lead-ins and labels."""

from __future__ import annotations

import pytest
from tests.timing import cpu_s
from tests.verify.samples import BRIDGE, FERRY, passage, sentence

from quaere.domain.report import Ruling, Support
from quaere.text.no_claim import LONGEST, after_disagreement, is_about_passages, is_no_claim
from quaere.verify.repair import Fate, counted, verify_sentence
from quaere.verify.second_opinion import apply_rulings

LONG = "The passages do not say who built the mill"


@pytest.mark.parametrize(
    "text",
    [
        "The passages do not say who built the mill.",
        "These sources don't mention a keeper.",
        "The provided documents did not specify the year.",
        "None of the passages says when it burned.",
        "No source gives the height.",
        "The search results do not clearly state the price.",
        "This is not stated in the passages.",
        "Die Quellen nennen kein Jahr.",
        "In den Passagen steht das nicht.",
        "The passages disagree on the year.",
        "The two sources do not agree about the height.",
        "Both reports contradict each other.",
    ],
)
def test_what_passages_do_not_say_and_that_they_disagree_is_about_them(text: str) -> None:
    assert is_about_passages(text)


@pytest.mark.parametrize(
    "text",
    [
        "The mill does not grind barley.",
        "The passages say that the mill burned.",
        "No mill gives flour in winter.",
        "The two keepers met in May.",
        "It is not stated by law.",
        "The passages do not say who built the mill, but it burned in 1790.",
        "The sources disagree; the mill is old.",
        "The passages do not say who built it, although Wray owned it.",
        "",
    ],
)
def test_what_states_anything_of_the_world_is_not(text: str) -> None:
    assert not is_about_passages(text)


def test_a_sentence_that_is_long_says_more_than_that() -> None:
    filler = " of the lower town" * 20
    words = f"{LONG}{filler}".split()
    assert is_about_passages(" ".join(words[:LONGEST]))
    assert not is_about_passages(" ".join(words[: LONGEST + 1]))


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("The passages disagree on the year.", " on the year."),
        ("The mill burned.", "The mill burned."),
        ("The passages do not say who.", "The passages do not say who."),
    ],
)
def test_what_they_disagree_on_is_what_follows(text: str, rest: str) -> None:
    assert after_disagreement(text) == rest


POOL = {1: passage(BRIDGE), 2: passage(FERRY)}
ASKED = "What are the height and the length of the bridge?"


@pytest.mark.parametrize(
    "text",
    [
        "The passages do not say where Maude Tellin was born.",
        "The available sources don't mention who paid for the ferry.",
        "None of the passages says how deep the river is.",
        "No source gives the name of the captain.",
        "It is not stated in the passages.",
        "**Caveat:** The sources do not say how loud the bridge is.",
        "The two designs do not agree.",
        "These sources disagree on the builder.",
        "Die Quellen nennen den Ort nicht.",
        "The passages do not settle which of them is right.",
        "The passages do not break the load down by carriage.",
        "The documents give no reason for the delay.",
        "The release does not say what the stake is worth.",
        "The paint of the railing is not mentioned in either of the two sources.",
        "How the ropes were made, the passages do not explain.",
        "The sources do not say what the ferry lacks in these three respects.",
        "Ob die Brücke verkauft wurde, geht aus den Unterlagen nicht hervor.",
        "Wer die Fähre bezahlt hat, sagen die Quellen nicht.",
        "Der Kapitän wird in den Texten nicht genannt.",
        "Die Quellen widersprechen sich.",
        "Les sources ne disent pas qui a payé le bac.",
        "Las fuentes no dicen quién pagó el puente.",
        "The plan does not say how many ropes each tower needs.",
        "The handbook doesn't specify whether the railing is painted.",
        "How the ropes are spun, the design does not say.",
        "What it really cost the release does not say.",
        "Das Handbuch sagt nicht, wer den Turm baute.",
        "Wie man die Seile spannt, erklärt die Anleitung nicht.",
        "The bridge has these parts:",
        "Three things made up the bridge:",
        "The bridge has the following three parts:",
        "Length of the bridge",
    ],
)
@pytest.mark.parametrize("ids", [(), (1,), (1, 2)])
def test_what_states_nothing_about_the_world_is_kept(text: str, ids: tuple[int, ...]) -> None:
    outcome = verify_sentence(sentence(text, *ids), POOL, ASKED)
    assert outcome.fate is Fate.NO_CLAIM
    assert outcome.claim is None
    assert outcome.sentence is not None
    assert (outcome.sentence.text, outcome.sentence.support) == (text, Support.NOT_A_CLAIM)
    assert outcome.sentence.evidence == ()
    assert counted([outcome]).written == 0


@pytest.mark.parametrize(
    "text",
    [
        "The passages do not say that it cost 9 million crowns.",
        "The passages do not say so, but the bridge is for sale.",
        "The sources say that the bridge is for sale.",
        "The bridge is not closed by the guards.",
        "The railing is not mentioned in the song that all sailors know.",
        "Ob es regnet, sagt die Brücke nicht.",
        "Wer zahlt, den lassen die Unterlagen nicht kalt, sie kostet viel.",
        "Die Quellen sagen es nicht, aber sie ist verkauft.",
        "The text does not sell.",
        "Sold in May: The sources do not say to whom.",
        "The bridge is not open.",
        "Depth of the river",
        "The engineers agree.",
        "The engineers disagree on the load.",
        "It was sold in 1999:",
        "",
    ],
)
def test_what_states_something_is_a_claim_whatever_it_begins_with(text: str) -> None:
    assert not is_no_claim(text, ASKED)


OPEN = [
    "Whether anybody was paid for it remains open.",
    "Which of the two towers is older cannot be told from the documents.",
    "Who painted the railing is left open.",
    "It does not say how the ropes were spun.",
    "How the ropes were spun, it does not say.",
    "Wie man die Seile spannt, sagt sie nicht.",
    "Ob der Turm verkauft wurde, bleibt offen.",
    "Which engineer first had them is not said.",
    "It is unclear which of the two letters came first.",
    "The lease does not tell how large the workshop is.",
    "How her pay was agreed, the engineer's diary does not say.",
    "Nach welchem Maß geprüft wird, sagt das Merkblatt nicht.",
    "Es bleibt offen, wer die Seile spannte.",
    "Wie viele Seile gerissen sind, wird nicht berichtet.",
    "Wer den Turm bezahlt hat, wurde in den Akten nicht festgehalten.",
    "Which rope gave way is not recorded.",
    "The survey says nothing on how the ropes are kept.",
    "The reference gives no upper limit for the load.",
    "The timetable lists no bridge.",
]


@pytest.mark.parametrize("text", OPEN)
def test_what_stays_open_is_no_claim_where_it_cites_nothing(text: str) -> None:
    outcome = verify_sentence(sentence(text), POOL, ASKED)
    assert (outcome.fate, outcome.claim) == (Fate.NO_CLAIM, None)
    assert verify_sentence(sentence(text, 1), POOL, ASKED).fate is not Fate.NO_CLAIM


@pytest.mark.parametrize(
    "text",
    [
        "Whether it rains or not, the bridge is open.",
        "What it carries is 40 tonnes.",
        "It does not say goodbye.",
        "They say no to a second tower.",
        "It gives no shade.",
        "The lease gives no right to a second tower.",
        "Wer die Seile nicht gespannt hat, wird nicht bezahlt.",
        "The rules are clear.",
        "The contract does not give the ferryman a share.",
        "It is unclear.",
        "The ferryman does not say goodbye to his wife.",
        "Es bleibt kalt, wer auch zahlt.",
        "Wer zahlt, bleibt trocken.",
    ],
)
def test_what_tells_something_is_a_claim_though_it_cites_nothing(text: str) -> None:
    assert not is_no_claim(text, ASKED, cites=False)


def test_a_figure_of_the_question_is_none_of_its_own() -> None:
    asked = "What does level 44 of the bridge bring back?"
    assert is_no_claim("The passages do not say when level 44 is closed.", asked)
    assert not is_no_claim("The passages do not say when level 45 is closed.", asked)


def test_a_year_of_the_question_is_none_of_its_own() -> None:
    asked = "What did the bridge cost in 1903?"
    assert is_no_claim("What it cost in 1903 the release does not say.", asked)
    assert not is_no_claim("What it cost in 1904 the release does not say.", asked)


def test_a_model_tells_that_nothing_is_said_where_words_do_not() -> None:
    silent = sentence("No owner of the bridge is named.")
    told = sentence("The owner of the bridge is a guild.")
    for each, fate in ((silent, Fate.NO_CLAIM), (told, Fate.REPAIRED)):
        outcome = verify_sentence(each, POOL, ASKED)
        assert outcome.claim is not None
        (ruled,) = apply_rulings([outcome], {0: Ruling(support=Support.SUPPORTED)})
        assert ruled.fate is fate
        assert ruled.sentence is not None
        assert bool(ruled.sentence.evidence) is (fate is not Fate.NO_CLAIM)
    (named,) = apply_rulings(
        [verify_sentence(silent, POOL, ASKED)], {0: Ruling(support=Support.SUPPORTED, evidence=1)}
    )
    assert named.sentence is not None
    assert named.sentence.evidence == (1,)


def test_a_command_in_the_words_of_the_question_is_no_label() -> None:
    asked = "How do I install gully with pip?"
    assert is_no_claim("Install gully", asked)
    assert not is_no_claim("$ pip install gully", asked)


@pytest.mark.parametrize(
    "text",
    ["In 1903 the bridge had these parts:", "It cost three million, in these parts:",
     "Three of the men stole these parts:", "Two men built it in 30 days, with this:"],
)  # fmt: skip
def test_a_lead_in_with_another_figure_than_the_count_of_its_items_is_a_claim(text: str) -> None:
    assert not is_no_claim(text)


def test_a_field_with_its_value_is_no_label_though_the_question_has_all_its_words() -> None:
    table = passage("|  | Lift | Railing |\n|---|---|---|\n| Bridge A | No | Yes |")
    read = sentence("Bridge A; Lift: No", 1)
    outcome = verify_sentence(read, {1: table}, "Does bridge A have no lift?")
    assert outcome.sentence is not None
    assert (outcome.sentence.support, outcome.sentence.evidence) == (Support.QUOTED, (1,))


@pytest.mark.parametrize(
    ("text", "cites", "claims"),
    [
        ("A warden takes charge of the sluice and keeps these rules:", True, True),
        ("A warden takes charge of the sluice and keeps these rules:", False, False),
        ("The sluice has the following parts:", True, False),
        ("It is opened in these steps:", True, False),
    ],
)
def test_what_leads_in_and_states_a_fact_with_a_source_is_a_claim(
    text: str, *, cites: bool, claims: bool
) -> None:
    assert is_no_claim(text, "How is the sluice opened?", cites=cites) is not claims


@pytest.mark.parametrize(
    "text",
    [
        "The miller does not say whether he will sell.",
        "The minister did not explain why he shut the lock.",
        "Der Müller sagt nicht, ob er verkauft.",
        "The report does not mention that the bridge is unsafe.",
        "Die Quellen erwähnen nicht, dass die Brücke unsicher ist.",
    ],
)
def test_what_somebody_leaves_open_or_what_is_told_by_the_way_is_a_claim(text: str) -> None:
    assert not is_no_claim(text, cites=False)


@pytest.mark.parametrize("text", ["Why?", "And the tower?", "What of the ropes?"])
def test_a_question_that_leads_in_its_answer_is_no_claim_where_it_cites_nothing(text: str) -> None:
    assert is_no_claim(text, ASKED, cites=False)
    assert not is_no_claim(text, ASKED)


@pytest.mark.parametrize(
    "text",
    [
        "Who would build on rotten ropes and stolen timber?",
        "Why was it sold in 1999?",
    ],
)
def test_a_question_that_states_something_is_a_claim(text: str) -> None:
    assert not is_no_claim(text, ASKED, cites=False)


@pytest.mark.parametrize(
    "text",
    [
        "**Ropes.** The two sources disagree.",
        "**Who paid:** The texts do not say.",
        "Left are two:",
    ],
)
def test_a_label_in_bold_words_and_a_count_of_items_state_nothing(text: str) -> None:
    assert is_no_claim(text, ASKED, cites=False)


@pytest.mark.parametrize(
    "text",
    [
        "**Sold in 1999.** The two sources disagree.",
        "**Ropes.** They broke.",
        "**Two:** It broke.",
        "**No.** The sources do not say that it broke.",
    ],
)
def test_a_label_in_bold_words_hides_no_claim(text: str) -> None:
    assert not is_no_claim(text, ASKED, cites=False)


def test_a_command_is_an_answer_though_its_words_are_those_of_the_question() -> None:
    asked = "How do I print the status of quill?"
    assert not is_no_claim("`quill status`", asked)
    assert is_no_claim("quill status", asked)
    assert is_no_claim("`status`", asked)


def test_a_text_of_spaces_is_looked_at_in_time() -> None:
    assert cpu_s(lambda: is_about_passages(" " * 20_000), enough_s=1.0) < 1.0
    assert is_about_passages("  The notes  do not\n say when.")
