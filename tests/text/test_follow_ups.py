"""What a follow-up question asks is told from it and from what was said before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.question import Question, Turn
from quaere.text.follow_ups import (
    MAX_READ_CHARS,
    MOST_TURNS,
    leans,
    whole_question,
)

FOUNDER = Turn(
    question="Who founded the Quill Observatory?",
    answer="It was founded in 1902 by Odile Varga. Anselm Pryce had no part in it.",
)
MOTHS = Turn(question="what do lantern moths eat?", answer="salt lichen.")


def asked(*said: str) -> list[Turn]:
    """Return the turns of questions and answers in alternation."""
    return [Turn(question=q, answer=a) for q, a in zip(said[::2], said[1::2], strict=True)]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("And when was she born?", "When was Odile Varga born?"),
        ("What else did she found?", "What else did Odile Varga found?"),
        ("And his successor?", "Who is Odile Varga’s successor?"),
        ("and its height?", "How high is the Quill Observatory?"),
        ("its address?", "What is the Quill Observatory’s address?"),
        ("And its library?", "Who founded the Quill Observatory’s library?"),
        ("What about the second bridge of Hask?", "Who founded the second bridge of Hask?"),
        ("And in Orrin?", "Who founded the Quill Observatory in Orrin?"),
        ("And where did she meet Anselm Pryce?", "Where did Odile Varga meet Anselm Pryce?"),
        ("And how high is it?", "How high is the Quill Observatory?"),
        ("What is its height?", "What is the Quill Observatory’s height?"),
        ("Why?", "Why was it that Odile Varga founded the Quill Observatory?"),
        ("Compare it with Hask", "Compare the Quill Observatory with Hask?"),
    ],
)
def test_a_follow_up_is_put_together_with_what_was_named_before(text: str, whole: str) -> None:
    assert whole_question(text, [FOUNDER]) == whole


@pytest.mark.parametrize(
    "text",
    [
        "Where did Varga live then?",
        "What is the tallest mountain, and how high is it?",
        "So when was Odile Varga born?",
        "And when did the mill at Orrin close?",
        "Und wann wurde die alte Mühle in Orrin geschlossen?",
        "How many arches has the bridge of Tressel Ford?",
        "When was Odile Varga born?",
    ],
)
def test_a_whole_question_takes_nothing_over(text: str) -> None:
    assert whole_question(text, [FOUNDER]) == text


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("And when did Hask leave?", "Quill Observatory"),
        ("But who designed the second bridge?", "Quill Observatory"),
        ("Tell me more", "Quill Observatory"),
        ("And?", "Quill Observatory"),
    ],
)
def test_where_no_form_tells_what_is_meant_the_names_go_before_it(text: str, topic: str) -> None:
    assert whole_question(text, [FOUNDER]) == f"{topic}: {text}"


@pytest.mark.parametrize(
    ("before", "text", "whole"),
    [
        ("What was the revenue in 2022?", "And in 2023?", "What was the revenue in 2023?"),
        ("How many came in 2019?", "2020?", "How many came in 2020?"),
        ("What was the revenue in 2022?", "And the costs?", "What were the costs in 2022?"),
        ("Are dogs allowed?", "And cats?", "Are cats allowed?"),
        ("Do students pay less?", "What about widows?", "Do widows pay less?"),
        ("Is anything in the box?", "And rope?", "Is rope in the box?"),
        ("What does a wash cost?", "And drying?", "What does drying cost?"),
        ("When may music be played?", "on Sundays?", "When may music be played on Sundays?"),
        ("Is it shut on Mondays?", "on Sundays?", "Is it shut on Sundays?"),
        ("Are fires allowed on balconies?", "in the yard?", "Are fires allowed in the yard?"),
        ("How much is a day ticket?", "for children?", "How much is a day ticket for children?"),
        ("When is the Linz office open?", "And Graz?", "When is the Graz office open?"),
        ("Where is the Linz office?", "the Graz office?", "Where is the Graz office?"),
        ("Does it cover the battery?", "And the charger?", "Does it cover the charger?"),
        ("Who teaches Spanish for beginners?", "And pottery?", "Who teaches pottery?"),
        ("How should it be stored?", "And opened packs?", "How should opened packs be stored?"),
        ("Does the Orrin mill run?", "And the Sorrel mill?", "Does the Sorrel mill run?"),
        ("What was added in 3.2.0?", "And in 3.1.0?", "What was added in 3.1.0?"),
        ("How much are tickets for the concert?", "And the boat?", "How much is the boat?"),
        ("How many nails are in stock?", "And hinges?", "How many hinges are in stock?"),
    ],
)
def test_what_is_only_named_takes_the_place_of_its_like(before: str, text: str, whole: str) -> None:
    assert whole_question(text, asked(before, "Yes.")) == whole


@pytest.mark.parametrize(
    ("before", "answer", "text", "whole"),
    [
        ("When was the mill shut?", "2020.", "Why?", "Why was the mill shut?"),
        ("Can children take Nelvadol?", "No.", "Why not?", "Why can children not take Nelvadol?"),
        ("Is the pool open?", "Yes.", "Until when?", "Until when is the pool open?"),
        (
            "How long does the bread bake?",
            "1 h",
            "At what heat?",
            "At what heat does the bread bake?",
        ),
        ("Who wrote it?", "Marta Veil.", "When?", "When was it that Marta Veil wrote it?"),
        ("How much salt?", "12 g", "And how much water?", "How much water?"),
        ("When did Oost emigrate?", "1911.", "Where to?", "Where did Oost emigrate to?"),
        ("When did Oost die?", "1911.", "Of what?", "Of what did Oost die?"),
    ],
)
def test_a_question_word_alone_asks_that_of_the_last_question(
    before: str, answer: str, text: str, whole: str
) -> None:
    assert whole_question(text, asked(before, answer)) == whole


COURSES = ("Which courses are there?", "Pottery, Spanish for beginners and Choir [1].")


@pytest.mark.parametrize(
    ("said", "text", "whole"),
    [
        (COURSES, "How much is the second one?", "How much is Spanish for beginners?"),
        (COURSES, "and the last?", "Which Choir are there?"),
        (COURSES, "Which is the cheapest?", "Which of the courses is the cheapest?"),
        (COURSES, "Where are they held?", "Where are the courses held?"),
        ((*COURSES, "What is the fee of the first?", "120"), "And the third?",
         "What is the fee of Choir?"),
        (("List the ships", "- Aurora [1]\n- Bettina [1]"), "How old is the second?",
         "How old is Bettina?"),
        (("Which ship is the largest?", "The Aurora is the largest [1]."), "How old is it?",
         "How old is Aurora?"),
        (("Which ship is the largest?", "Nobody knows."), "How old is it?",
         "How old is the largest ship?"),
        ((*COURSES, "Which of the courses is the cheapest?", ""), "When is it held?",
         "When is the cheapest of the courses held?"),
        (("Where was Agnes Tarn born?", "In Hask [1].", "And Willem Oost?", "In Veen [1]."),
         "When did he leave?", "When did Willem Oost leave?"),
        (("Who can join?", "Anyone."), "How much is it?", "join: How much is it?"),
        (("Where is the lab?", "Here."), "What does it cost if I am late?",
         "lab: What does it cost if I am late?"),
        (("Where is the lab?", "Here."), "Where are you?", "Where are you?"),
        (("Where is Orla?", "Here."), "Which hotel is it?", "Orla: Which hotel is it?"),
        (("Where is Orla?", "Here."), "What colour is it?", "What colour is Orla?"),
        (("What did Agnes Tarn design?", "A gate."), "When was it finished?",
         "Agnes Tarn: When was it finished?"),
        (("How many men built the lower lock?", "40."), "How long did it take?",
         "How long did the lower lock take?"),
        (("What is the fee for widows?", "3"), "Where is it paid?",
         "Where is the fee for widows paid?"),
        (("What is Nelvadol?", "A drug.", "What do I do if I get a rash?", ""), "Who makes it?",
         "Who makes Nelvadol?"),
        (("Which lakes are near?", "Lake Ost and Lake Tumm."), "Can one swim there?",
         "Can one swim in Lake Ost?"),
    ],
)  # fmt: skip
def test_what_was_listed_or_answered_is_pointed_back_to(
    said: tuple[str, ...], text: str, whole: str
) -> None:
    assert whole_question(text, asked(*said)) == whole


@pytest.mark.parametrize(
    ("before", "text", "whole"),
    [
        ("Does the Aurora carry dogs?", "And cats?", "Does the Aurora carry cats?"),
        ("Does the Aurora carry dogs?", "And the Bettina?", "Does the Bettina carry dogs?"),
        ("Does the Aurora sail in May?", "And the Bettina?", "Does the Bettina sail in May?"),
        ("Can Odile Varga read Latin on Sundays?", "And Greek?",
         "Can Odile Varga read Greek on Sundays?"),
        ("Has the Aurora been repaired?", "And the Bettina?", "Has the Bettina been repaired?"),
    ],
)  # fmt: skip
def test_what_a_thing_with_a_name_does_something_to_is_replaced_alone(
    before: str, text: str, whole: str
) -> None:
    assert whole_question(text, asked(before, "Yes [1].")) == whole


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (0, ("first", "First", "former", "1st")),
        (1, ("second", "2nd", "2th")),
        (2, ("third", "3rd")),
        (3, ("fourth", "4th")),
        (4, ("fifth", "5th", "latter", "last")),
    ],
)
def test_an_item_is_called_by_its_place(place: int, words: tuple[str, ...]) -> None:
    ships = ("Aurora", "Bettina", "Clio", "Dione", "Electra")
    turns = asked("List the ships", "\n".join(f"- {ship} [1]" for ship in ships))
    for word in words:
        assert whole_question(f"How old is the {word}?", turns) == f"How old is {ships[place]}?"
    for word in ("sixth", "6th"):
        assert whole_question(f"How old is the {word}?", turns) == f"How old is the {word}?"
    turns = asked("List the ships", "\n".join(f"- {ship} [1]" for ship in (*ships, "Flora")))
    for word in ("sixth", "6th", "last"):
        assert whole_question(f"How old is the {word} one?", turns) == "How old is Flora?"


@pytest.mark.parametrize(
    ("before", "answer", "text", "whole"),
    [
        ("Wann ist das Büro in Linz geöffnet?", "Um 8.", "Und in Graz?",
         "Wann ist das Büro in Graz geöffnet?"),
        ("Sind Hunde erlaubt?", "Ja.", "Und Katzen?", "Sind Katzen erlaubt?"),
        ("Wie hoch war der Umsatz 2022?", "22,7.", "Und 2023?", "Wie hoch war der Umsatz 2023?"),
        ("Wann wurde das Büro in Wels geschlossen?", "2020.", "Warum?",
         "Warum wurde das Büro in Wels geschlossen?"),
        ("Wer leitet das Büro?", "Jakob Fink [1].", "Wie alt ist er?", "Wie alt ist Jakob Fink?"),
        ("¿Cuáles fueron los ingresos en 2022?", "22,7.", "¿Y en 2023?",
         "¿Cuáles fueron los ingresos en 2023?"),
        ("Wo steht die Mühle?", "In Orrin.", "Wer hat sie gebaut?", "Wer hat die Mühle gebaut?"),
        ("Quel est le prix pour les membres ?", "3.", "Et pour les voisins ?",
         "Quel est le prix pour les voisins?"),
        ("Quand ouvre le moulin le lundi ?", "À 9 h.", "Et le mardi ?",
         "Quand ouvre le moulin le mardi?"),
        ("Qui dirige le moulin ?", "Odile Varga.", "Où est-elle née ?",
         "Où est Odile Varga née?"),
        ("¿Está abierto el molino?", "Sí.", "¿Desde cuándo?",
         "¿Desde cuándo está abierto el molino?"),
        ("¿Quién dirige el molino?", "Odile Varga.", "¿Por qué?",
         "¿Por qué: Quién dirige el molino?"),
        ("¿Quién dirige el molino?", "Odile Varga.", "¿Dónde nació?", "Odile Varga: ¿Dónde nació?"),
        ("¿Está abierto el molino?", "Sí.", "¿Y la presa?", "¿Está abierto la presa?"),
        ("Quando apre il mulino?", "Alle 9.", "E la diga?", "Quando apre la diga?"),
        ("Il mulino è chiuso?", "Sì.", "Perché?", "Perché il mulino è chiuso?"),
        ("Quem dirige o moinho?", "Odile Varga.", "Onde nasceu ela?", "Onde nasceu Odile Varga?"),
        ("Quantos barcos vieram em 2019?", "12.", "E em 2020?", "Quantos barcos vieram em 2020?"),
        ("Hoe hoog is de molen?", "20 m.", "En de sluis?", "Hoe hoog is de sluis?"),
        ("Is de molen gesloten?", "Ja.", "Sinds wanneer?", "Sinds wanneer is de molen gesloten?"),
        ("Wat kost het varen op maandag?", "3.", "En op dinsdag?",
         "Wat kost het varen op dinsdag?"),
        ("Quand ouvre le moulin le lundi ?", "À 9 h.", "Et l'écluse ?",
         "Quand ouvre l'écluse le lundi?"),
        ("¿Quién dirige el molino de Orrin?", "Odile Varga.", "¿Y el de Tarn?",
         "¿Quién dirige el molino de Tarn?"),
        ("Qui dirige le moulin d'Orrin de Tarn ?", "Odile Varga.", "Et celui de Lask ?",
         "Qui dirige le moulin d'Orrin de Lask?"),
        ("Wer leitet die Mühle in Orrin?", "Odile Varga.", "Und vorher?",
         "Vorher: Wer leitet die Mühle in Orrin?"),
        ("Wer leitet das Mühlhaus in Orrin?", "Odile Varga.", "Wie alt ist es?",
         "Wie alt ist das Mühlhaus in Orrin?"),
        ("Qui dirige le moulin de Tarn ?", "Odile Varga.", "Quand ouvre-t-il ?",
         "Quand ouvre le moulin de Tarn?"),
        ("Wer hat den Turm in Selm erbaut?", "Anton Keller.", "Und wie hoch ist er?",
         "Wie hoch ist der Turm in Selm?"),
        ("Wer hat den Turm in Selm erbaut?", "Anton Keller.", "Warum wurde er geschlossen?",
         "Warum wurde der Turm in Selm geschlossen?"),
        ("Wer hat den Turm in Selm erbaut?", "Anton Keller.", "Wie alt wurde er?",
         "Wie alt wurde Anton Keller?"),
        ("Wer hilft dem Museum?", "Anton Keller.", "Wann wurde es eröffnet?",
         "Wann wurde das Museum eröffnet?"),
        ("Wo wohnt Anton Keller?", "In Selm.", "Wie alt ist er?", "Wie alt ist Anton Keller?"),
        ("?", "", "Und am Dienstag?", "Und am Dienstag?"),
        ("Wann ist geöffnet?", "Um 8.", "Und die Mühle?", "Die Mühle: Wann ist geöffnet?"),
        ("Wann öffnet das Büro?", "Um 8.", "Und am Montag nach der alten Messe?",
         "Wann öffnet das Büro am Montag nach der alten Messe?"),
        ("Wann öffnet das Büro?", "Um 8.", "Und am Montag kurz nach der alten Messe?",
         "Büro: Und am Montag kurz nach der alten Messe?"),
    ],
)  # fmt: skip
def test_other_languages_go_on_in_their_own_way(
    before: str, answer: str, text: str, whole: str
) -> None:
    assert whole_question(text, asked(before, answer)) == whole


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("Wann öffnet die Mühle?", "Gibt es Parkplätze?"),
        ("Wann öffnet die Mühle?", "Wem gehört die Schleuse und wie tief ist sie?"),
        ("Wann öffnet die Mühle?", "Was empfehlen Sie?"),
        ("Quand ouvre le moulin ?", "Y a-t-il un grand parking gratuit ?"),
        ("Quand ouvre le moulin ?", "Faut-il réserver une grande table ?"),
        ("¿Cuándo abre el molino?", "¿Hay aparcamiento cerca?"),
        ("Quando apre il mulino?", "Accettate carte di credito?"),
        ("Quando abre o moinho?", "Aceitam cartões de crédito?"),
        ("Wanneer opent de molen?", "Heeft u grote boten te huur?"),
    ],
)
def test_a_whole_question_in_another_language_stays_whole(before: str, text: str) -> None:
    assert whole_question(text, asked(before, "9.")).endswith(text)


def test_each_turn_is_made_whole_before_the_next() -> None:
    said = asked("What was the revenue in 2022?", "22.7", "And the costs?", "20.1")
    assert whole_question("2023?", said) == "What were the costs in 2023?"
    said = asked("Where was Odile Varga born?", "Orrin.", "When?", "1861.")
    assert whole_question("And Anselm Pryce?", said) == "When was Anselm Pryce born?"


def test_what_a_thing_measures_is_what_is_asked_after_it() -> None:
    said = asked("Who built the Alden tower?", "Mira Stone [1].", "and its height?", "84 m [1].")
    assert whole_question("why was it closed?", said) == "Why was the Alden tower closed?"
    assert whole_question("And their width?", asked("Where are the Alden locks?", "Here.")) == (
        "How wide are the Alden locks?"
    )


def test_who_did_one_thing_is_not_taken_to_have_done_another() -> None:
    turns = asked("Who built the Brock tower?", "Otto Lund [1].", "and when?", "In 1922 [1].")
    of_another = "When was it that somebody built the Alden tower?"
    assert whole_question("And the Alden tower?", turns) == of_another
    assert whole_question("How high is it?", turns) == "How high is the Brock tower?"
    assert whole_question("Where did he live?", turns) == "Where did Otto Lund live?"
    turns += asked("And the Alden tower?", "In 1911 [1].")
    assert whole_question("How high is it?", turns) == "How high is the Alden tower?"


def test_the_last_turn_counts() -> None:
    later = Turn(question="How high is Mount Sorrel?", answer="1,904 metres [1].")
    whole = whole_question("Can it be climbed by rail?", [FOUNDER, later])
    assert whole == "Can Mount Sorrel be climbed by rail?"


@pytest.mark.parametrize("station", ["Station 12345", "Station 12345b", "Station 12"])
def test_the_number_of_what_was_named_is_part_of_its_name(station: str) -> None:
    said = asked(f"Who runs {station}?", "")
    assert whole_question("And when was it opened?", said) == f"When was {station} opened?"


def test_without_a_name_the_words_of_the_question_help() -> None:
    assert whole_question("and where do they live?", [MOTHS]) == "Where do lantern moths live?"
    assert whole_question("And since when?", [MOTHS]) == "Since when do lantern moths eat?"
    assert whole_question("is this true?", [MOTHS]) == "lantern moths eat: is this true?"
    assert whole_question("how tall is the mill?", [MOTHS]) == "how tall is the mill?"


@pytest.mark.parametrize(
    ("before", "is_read"), [(MAX_READ_CHARS - 5, True), (MAX_READ_CHARS, False)]
)
def test_only_the_beginning_of_what_was_said_is_read(before: int, *, is_read: bool) -> None:
    said = f"{('la ' * 700)[: before - 1]} Orrin"
    whole = whole_question("And how high is it?", asked("Who?", said))
    assert ("Orrin" in whole) is is_read


@pytest.mark.parametrize("text", ["Is there parking?", "Are there showers?"])
def test_whether_there_is_something_is_asked_of_nothing_said_before(text: str) -> None:
    said = Turn(question="Are dogs allowed in the yard?", answer="Yes. They may stay there [1].")
    assert whole_question(text, [said]) == text


def test_a_chain_of_follow_ups_is_traced_back_over_eight_turns() -> None:
    chain = asked(*["And cats?", ""] * (MOST_TURNS - 1))
    first = asked("Are dogs allowed?", "")
    assert whole_question("And birds?", [*first, *chain]) == "Are birds allowed?"
    assert whole_question("And birds?", [*first, *chain, *chain[:1]]) != "Are birds allowed?"


def test_without_a_conversation_nothing_is_taken_over() -> None:
    assert whole_question("And when was she born?", []) == "And when was she born?"


@given(st.text(max_size=80), st.text(max_size=300), st.text(max_size=300))
def test_whatever_was_said_it_stays_short(text: str, question: str, answer: str) -> None:
    whole = whole_question(text, [Turn(question=question, answer=answer)])
    assert len(whole) <= len(text) + len(question) + len(answer) + 40
    assert whole_question(text, []) == text


def test_what_a_follow_up_asks_is_searched_for() -> None:
    born = Question(text="When was she born?", whole="When was Odile Varga born?")
    assert born.full_text == "When was Odile Varga born?"
    assert Question(text="Who?").full_text == "Who?"


@pytest.mark.parametrize(
    ("text", "leaning"),
    [("Why?", True), ("And the mill?", True), ("How high is it?", True), ("Who runs Hask?", False)],
)
def test_what_says_too_little_alone_leans(text: str, *, leaning: bool) -> None:
    assert leans(text) is leaning


@pytest.mark.parametrize("between", ["Why?", "and why not?", "Is that per car?"])
def test_after_a_question_about_an_answer_the_one_before_it_is_repeated(between: str) -> None:
    turns = asked("How much is the toll?", "3 euros.", between, "Yes.")
    assert whole_question("and the parking fee?", turns) == "How much is the parking fee?"


def test_what_one_thing_has_is_asked_of_the_thing_asked_about_last() -> None:
    """It stays what is spoken of in the turns that follow."""
    turns = asked("How many beds has the Orrin ward?", "12.")
    of_it = "the Orrin ward: Who is the head?"
    assert whole_question("Who is the head?", turns) == of_it
    turns += asked("Who is the head?", "Odile Varga.")
    assert whole_question("And of the Hask ward?", turns) == "The Hask ward: Who is the head?"
    assert whole_question("When was it opened?", turns) == "When was the Orrin ward opened?"
    assert whole_question("Which is the oldest?", turns) != "the Orrin ward: Which is the oldest?"


def test_items_of_a_list_are_told_by_what_stands_before_their_colons() -> None:
    listed = "fill: opens the gate [1]. drain: shuts it [1]. idle: waits [1]."
    turns = asked("Which modes does Sluice have?", listed)
    assert whole_question("What does the second one do?", turns) == "What does drain do?"


def test_what_is_done_is_no_subject() -> None:
    turns = asked("What was removed?", "Nothing.")
    assert "removed released" not in whole_question("When was it released?", turns)


TOWER = "Der Turm von Eisbach wurde 1894 von Karl Brenner gebaut."


@pytest.mark.parametrize(
    ("question", "answer", "text", "whole"),
    [
        (
            "Wer hat den Turm von Eisbach gebaut?",
            TOWER,
            "Und wie hoch?",
            "Wie hoch ist der Turm von Eisbach?",
        ),
        (
            "Wer hat den Turm von Eisbach gebaut?",
            TOWER,
            "Und wann?",
            "Wann hat Karl Brenner den Turm von Eisbach gebaut?",
        ),
        ("Wo steht der Turm?", "Am Markt.", "Und wie hoch?", "Wie hoch ist der Turm?"),
        ("Wie breit ist die Brücke?", "4 m.", "Und wie tief?", "Wie tief ist die Brücke?"),
        ("Who built the tower?", "Ann Lee.", "And how high?", "How high is the tower?"),
        ("Where do the towers stand?", "Here.", "How high?", "How high are the towers?"),
        ("How wide is the bridge?", "4 m.", "And how high?", "How high is the bridge?"),
    ],
)
def test_a_size_alone_is_asked_of_the_thing_whatever_was_asked_of_it(
    question: str, answer: str, text: str, whole: str
) -> None:
    assert whole_question(text, asked(question, answer)) == whole


@pytest.mark.parametrize(
    ("question", "text", "whole"),
    [
        ("How long is the bridge?", "Why?", "Why is the bridge so long?"),
        ("How much does it cost to row?", "Why?", "Why does it cost to row so much?"),
        ("How many boats does Vigo have?", "Why?", "Why does Vigo have so many boats?"),
        ("How many boats does Vigo have?", "Since when?", "Since when does Vigo have boats?"),
    ],
)
def test_another_word_asks_about_what_was_counted_or_measured(
    question: str, text: str, whole: str
) -> None:
    assert whole_question(text, asked(question, "It is so.")) == whole


@pytest.mark.parametrize(
    ("before", "text", "whole"),
    [
        ("渡船要几分钟？", "缆车呢？", "缆车要几分钟？"),
        ("会员的会费是多少？", "学生会费呢？", "会员的学生会费是多少？"),
        ("会员的会费是多少？", "那非会员呢？", "非会员的会费是多少？"),
        ("渡し船の料金はいくらですか。", "貸し船は？", "貸し船の料金はいくらですか。"),
        ("渡し船の料金はいくらですか。", "では割引料金は？", "渡し船の割引料金はいくらですか。"),
        (
            "¿Se puede remar en la sala del segundo piso?",
            "¿Y en el primer piso?",
            "¿Se puede remar en la sala en el primer piso?",
        ),
    ],
)
def test_what_is_named_takes_the_place_of_what_is_most_like_it(
    before: str, text: str, whole: str
) -> None:
    assert whole_question(text, asked(before, "…")) == whole
