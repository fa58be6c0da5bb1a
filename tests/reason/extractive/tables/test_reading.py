"""Which way a question over a table is answered, by which columns and rows, and how told."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import HARBOUR, passage_of, piped, read, told

from quaere.domain.report import SURE, DirectKind
from quaere.reason.extractive.tables.asked import SHOWN
from quaere.reason.extractive.tables.columns import Table
from quaere.reason.extractive.tables.rows import answer_over_rows, blank_cell, nearly_answered


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When was Ada Finch hired?", "2012-03-01"),
        ("When does Low Tarn end?", "12:00"),
        ("Who is the manager of Bo Marsh?", "Ada Finch"),
        ("Whom does Bo Marsh report to?", "Ada Finch"),
        ("Who guides Skarrow Bay?", "Ivy Lamb"),
        ("Who is Ada Finch?", None),
        ("How much is the Oar?", "35 EUR"),
        ("What does the Oar weigh?", "3 kg"),
        ("How heavy is the Oar?", "3 kg"),
        ("How long is High Crag?", "21 km"),
        ("How deep is High Crag?", None),
        ("How old is Cleo Hart?", "35"),
        ("How often is the Fern watered?", "3 days"),
        ("How often is the Fern repotted?", None),
        ("What country is the Fern from?", "Chile"),
        ("Where is Bo Marsh?", "Orrin"),
        ("What is the shelf life of the Oar?", "600 days"),
        ("What is the age of the Ivy?", None),
        ("What tools does T-3 need?", "marlin and fid"),
        ("How many Oars are in stock?", "12"),
    ],
)
def test_a_cell_is_told_by_its_head_or_by_the_only_column_of_its_kind(
    question: str, answer: str | None
) -> None:
    assert told(question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [("When is the summer fair?", "2027-07-10 12:00"), ("Where is the summer fair?", "The green")],
)
def test_a_head_may_be_the_word_that_asks(question: str, answer: str) -> None:
    plan = "event,when,where\nSummer fair,2027-07-10 12:00,The green\nRegatta,2027-08-01 9:00,Quay"
    assert told(question, read(passage_of("plan.csv", piped(plan)))) == answer


@pytest.mark.parametrize(
    ("heads", "answer"),
    [
        ("watering_ml,watering_every_days", "7 days"),
        ("watering_every_days,watering_ml", "4 days"),
        ("watering_ml,days_per_watering", "7"),
        ("watering_ml,height_cm", None),
        ("watering_hours,height_cm", None),
        ("light,watering", "7"),
        ("watering_eur,watering_frequency", "7"),
    ],
)
def test_an_amount_of_what_is_done_does_not_tell_how_often(heads: str, answer: str | None) -> None:
    plants = read(passage_of("pots.csv", piped(f"plant,{heads}\nElm,4,7\nLarch,5,14\nYew,6,21")))
    assert told("How often is the Elm watered?", plants) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How often does route 12 run on Sundays?", "every two hours"),
        ("How often does route 12 run on weekdays?", "hourly"),
        ("How often does route 9 run on weekdays?", None),
        ("How often does route 12 run?", None),
        ("How often does route A run off-peak?", "every 9 minutes"),
        ("How often does route A run at peak?", "every 4 minutes"),
    ],
)
def test_cells_that_say_how_often_are_told_of_the_day_asked_for(
    question: str, answer: str | None
) -> None:
    rows = (
        "route,weekdays,sunday,peak,off-peak\n"
        "A,every 8 minutes,every 20 minutes,every 4 minutes,every 9 minutes\n"
        "12,hourly,every two hours,every 20 minutes,hourly\n"
        "40,twice a day,no service,twice a day,once a day"
    )
    assert told(question, read(passage_of("buses.csv", piped(rows)))) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is the Aloe toxic?", "No"),
        ("Is the Ivy toxic?", "Yes"),
        ("Is the Ivy harmless?", "No"),
        ("Is Bo Marsh older than 20?", "Yes"),
        ("Is Bo Marsh older than 40?", "No"),
        ("Did T-4 pass inspection?", "No"),
        ("Is the Puffin toxic?", None),
        ("Are the plants toxic?", None),
    ],
)
def test_yes_or_no_is_told_of_one_row(question: str, answer: str | None) -> None:
    found = answer_over_rows(question, HARBOUR)
    assert (found and found.text) == answer
    assert found is None or (found.kind is DirectKind.YES_NO and len(found.lines) == 1)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What are the trips on Monday?", "Low Tarn, Far Moss (2 of 4 rows of trips.csv)"),
        ("Trips on Monday?", "Low Tarn, Far Moss (2 of 4 rows of trips.csv)"),
        ("Who works in Orrin?", "Ada Finch, Bo Marsh (2 of 4 rows of staff.csv)"),
        ("Which employee is remote and works in Orrin?", "Bo Marsh (1 of 4 rows of staff.csv)"),
        ("Which suppliers have discontinued products?",
         "Orrin Forge (1 of 5 rows of goods.csv)"),
        ("Who guides trips on Monday?", "Ada Finch"),
        ("What is the name of T-3?", "Splice ropes (1 of 4 rows of tasks.csv)"),
        ("Which guides lead trips on Monday?", None),
        ("Which plants are there?", "Aloe, Fern, Ivy, Palm"),
        ("Where does Bo Marsh work?", None),
        ("Which trips on Monday cost less than 5 euros?", None),
        ("Which employees are called Ada Finch?", None),
    ],
)  # fmt: skip
def test_rows_are_listed_by_the_column_that_the_noun_asks_for(
    question: str, answer: str | None
) -> None:
    """Not where none holds, or the question has all of their names."""
    assert told(question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many plants are toxic?", "1 (of 4 rows of plants.csv: Ivy)"),
        ("How many products of Orrin Forge are there?",
         "2 (of 5 rows of goods.csv: Anchor, Chain)"),
        ("What is the number of remote employees?",
         "2 (of 4 rows of staff.csv: Bo Marsh, Una Wick)"),
        ("How many products are in stock?", None),
        ("How many years old is Bo Marsh?", None),
        ("How many lamps are toxic?", None),
    ],
)  # fmt: skip
def test_rows_are_counted_where_they_are_what_is_counted(question: str, answer: str | None) -> None:
    assert told(question) == answer


@pytest.mark.parametrize(("docked", "answer"), [("2024-04-02", "2 (of 2 rows"), ("", "")])
def test_what_happened_to_rows_counts_them_where_each_has_its_date(
    docked: str, answer: str
) -> None:
    boats = read(passage_of("boats.csv", piped(f"boat,docked\nAuk,2024-03-01\nTeal,{docked}")))
    assert (told("How many boats docked?", boats) or "").partition(" of boats")[0] == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the total length of the trips on Monday?",
         "20 km (sum of length_km over 2 of 4 rows of trips.csv: 12; 8)"),
        ("What is the average age of the employees?",
         "41.50 (average of age over 4 of 4 rows of staff.csv: 44; 29; 35; 58)"),
        ("What is the mean age of the employees in Orrin?",
         "36.50 (average of age over 2 of 4 rows of staff.csv: 44; 29)"),
        ("What is the average price of the products?",
         "41 EUR (average of price_eur over 5 of 5 rows of goods.csv: 40; 25; 90; 15; 35)"),
        ("What is the total salary of all employees in Orrin?",
         "71,500 EUR (sum of salary_eur over 2 of 4 rows of staff.csv: 41000; 30500)"),
        ("What is the total age of Bo Marsh?", None),
        ("What is the total of the due dates?", None),
    ],
)  # fmt: skip
def test_sums_and_averages_are_told_with_what_they_are_of(
    question: str, answer: str | None
) -> None:
    assert told(question) == answer


def test_a_sum_over_a_row_without_a_figure_is_not_told() -> None:
    rows = "boat,crew\nAuk,4\nTeal,{}\nEider,3"
    whole, gap = (read(passage_of("boats.csv", piped(rows.format(each)))) for each in ("2", ""))
    question = "What is the total crew of the boats?"
    assert told(question, whole) == "9 (sum of crew over 3 of 3 rows of boats.csv: 4; 2; 3)"
    assert told(question, gap) is None


@pytest.mark.parametrize(
    ("totals", "answer"),
    [
        ("Total,6,30", "6 (Total)"),
        ("Total,,30", None),
        ("Net total,6,30\nTax,1,2\nTotal,7,32", None),
    ],
    ids=["one", "blank", "several"],
)
def test_a_sum_that_the_table_tells_is_taken_where_it_tells_one(
    totals: str, answer: str | None
) -> None:
    rows = f"boat,crew,tons\nAuk,4,10\nTeal,2,20\n{totals}"
    table = read(passage_of("boats.csv", piped(rows)))
    found = answer_over_rows("What is the total crew of the boats?", table)
    assert (found and found.text) == answer
    assert found is None or found.columns == {"boat", "crew"}


@pytest.mark.parametrize(
    ("head", "total", "answer"),
    [
        ("Price (£)", "48.00", "£48.00"),
        ("Price (£)", "£48.00", "£48.00"),
        ("Weight (kg)", "48.0", "48.0 kg"),
        ("Weight (kg)", "2024", "2024 kg"),
        ("Weight (kg)", "48.0 kg", "48.0 kg"),
        ("Share (%)", "100%", "100%"),
    ],
)
def test_a_sum_that_the_table_tells_has_the_unit_of_its_column_once(
    head: str, total: str, answer: str
) -> None:
    table = read(passage_of("kit.csv", piped(f"item,{head}\nRope,20\nTar,28\nTotal,{total}")))
    assert (
        told(f"What is the total {head.partition(' ')[0].lower()}?", table) == f"{answer} (Total)"
    )


def test_what_is_calculated_is_less_sure_than_what_is_read() -> None:
    read_off = answer_over_rows("What does the Oar weigh?", HARBOUR)
    counted = answer_over_rows("How many plants are toxic?", HARBOUR)
    assert read_off is not None
    assert counted is not None
    assert 0 < counted.confidence < read_off.confidence <= 1


def test_an_answer_shows_what_rows_are_called_and_what_decides() -> None:
    found = answer_over_rows("Which trips on Monday cost more than 14 euros?", HARBOUR)
    assert found is not None
    assert found.columns == {"trip", "day", "price_eur"}
    assert found.kind is DirectKind.NAME
    closer = answer_over_rows("Which employee has the highest salary in Orrin?", HARBOUR)
    assert closer is not None
    assert (closer.text, closer.columns) == (
        "Ada Finch (salary_eur: 41000 EUR)",
        {"employee", "office", "salary_eur"},
    )


def test_what_decides_is_told_once_also_where_a_code_is_told_with_it() -> None:
    docks = read(passage_of("docks.csv", piped("dock,boats,master\nK1,12,Ada\nK2,31,Bo\nK3,7,Cy")))
    assert told("Which dock has the most boats?", docks) == "K2 (boats: 31)"


def test_the_kind_of_what_is_read_is_that_of_its_column() -> None:
    kinds = {
        "When was Ada Finch hired?": DirectKind.DATE,
        "How much is the Oar?": DirectKind.NUMBER,
        "Who guides Skarrow Bay?": DirectKind.NAME,
        "Who is older, Ada Finch or Bo Marsh?": DirectKind.CHOICE,
        "Who is the oldest?": DirectKind.NAME,
    }
    for question, kind in kinds.items():
        found = answer_over_rows(question, HARBOUR)
        assert found is not None, question
        assert found.kind is kind, question


@pytest.mark.parametrize(
    ("question", "gap"),
    [
        ("When is T-4 due?", "tasks.csv has no due for Tar the deck"),
        ("When was the Ivy repotted?", "plants.csv has no repotted for Ivy"),
        ("Who is the manager of Una Wick?", "staff.csv has no manager for Una Wick"),
        ("When is T-1 due?", None),
        ("Who painted T-4?", None),
        ("When are the tasks due?", None),
    ],
)
def test_an_empty_cell_of_the_one_row_that_is_named_is_a_gap(
    question: str, gap: str | None
) -> None:
    blank = blank_cell(question, HARBOUR)
    assert (str(blank) if blank else None) == gap
    assert gap is None or answer_over_rows(question, HARBOUR) is None


def test_no_more_names_are_told_than_can_be_read() -> None:
    def boats(count: int) -> str:
        rows = "\n".join(f"Boat{n},Hask" for n in range(count))
        tables = read(passage_of("boats.csv", piped(f"boat,port\n{rows}\nAuk,Brell")))
        answer = told("Which boats are in Hask?", tables)
        assert answer is not None
        return answer

    assert f"Boat{SHOWN - 1} (" in boats(SHOWN)
    assert f"Boat{SHOWN - 1}, … (" in boats(SHOWN + 1)
    assert f"Boat{SHOWN} " not in boats(SHOWN + 1)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How long is the Auk?", "48 m"),
        ("Which boat is the longest?", "Auk (Length: 48 m)"),
        ("What is the crew of the Auk?", "9 men"),
    ],
)
def test_a_unit_is_told_once(question: str, answer: str) -> None:
    rows = "boat,Length (m),crew\nAuk,48,9 men\nTeal,35,7 men"
    assert told(question, read(passage_of("boats.csv", piped(rows)))) == answer


_LARDER = """\
code,article,on hand,reorder at,unit price EUR,supplier
L-1,Salt cod 500 g,40,30,6.20,Hask
L-2,Rye flour 5 kg,,20,4.10,Skarrow Mill
L-3,Lamp 6204,8,12,9.90,Hask"""
_CLUBS = """\
Pos,Club,Won,Lost,Goals for,Goals against,Avg. attendance
1,Tarn Rovers,9,1,30,8,1.210
2,Fell Town,6,4,18,7,980
3,Brell Vale,2,8,9,25,1.400"""
_FORMS = """\
Form,Fee
Sick note,free
Passport photo,£35
Medical,£95"""
OTHERS = read(
    passage_of("larder.csv", piped(_LARDER)),
    passage_of("league.csv", piped(_CLUBS), 2),
    passage_of("forms.md", piped(_FORMS), 3),
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many 6204 lamps do we have?", "8"),
        ("How many packs of salt cod are left in stock?", None),
        (
            "What do we buy from Hask?",
            "L-1 (Salt cod 500 g), L-3 (Lamp 6204) (2 of 3 rows of larder.csv)",
        ),
        (
            "Which articles have fallen below their reorder level?",
            "Lamp 6204 (1 of 3 rows of larder.csv)",
        ),
        (
            "How many clubs lost more than three games?",
            "2 (of 3 rows of league.csv: Fell Town, Brell Vale)",
        ),
        ("Which team conceded the fewest goals?", "Fell Town (Goals against: 7)"),
        ("Which club scored the most goals?", "Tarn Rovers (Goals for: 30)"),
        ("Whose crowds are the biggest on average?", "Brell Vale (Avg. attendance: 1.400)"),
        ("How much is a sick note?", "free"),
        ("Which form is the dearest?", "Medical (Fee: £95)"),
    ],
)
def test_what_is_asked_in_other_words_than_the_heads_is_told(
    question: str, answer: str | None
) -> None:
    assert told(question, OTHERS) == answer


def test_a_count_of_what_is_left_may_be_missing() -> None:
    blank = blank_cell("How many 5 kg rye flour are left in stock?", OTHERS)
    assert str(blank) == "larder.csv has no on hand for L-2 (Rye flour 5 kg)"


def test_what_is_asked_besides_is_told_of_each_row() -> None:
    question = "Which tasks belong to Ada and when are they due?"
    assert told(question) == "Tar the hull (2024-03-01), Splice ropes (2024-04-02)"


def test_a_word_that_is_in_no_table_leaves_a_cell_unsure() -> None:
    question = "How much for getting my passport photo signed?"
    assert told(question, OTHERS) is None
    near = nearly_answered(question, OTHERS)
    assert near is not None
    assert (near.text, near.confidence < SURE) == ("£35", True)
    assert nearly_answered("How much for my passport photo of 2019?", OTHERS) is None
    assert nearly_answered("How much for a signed and framed photo on canvas?", OTHERS) is None


LOANS = read(
    passage_of(
        "loans.csv",
        "| Thing | Brand | Rack | Passed on to | Taken | Next service |\n"
        "| Tide gauge | Orrin | B2 | Ada | 2021-03-04 | 2031-05-01 |\n"
        "| Fog horn | Hask | C1 | Bo Marsh | 2022-06-30 | 2031-02-11 |\n"
        "| Signal lamp | Brell | A4 | | 2020-01-22 | |",
    )
)
BERTHS = read(
    passage_of(
        "berths.csv",
        "| Berth | Tenant | Rent | Let since | Evening |\n"
        "| 4 | Fam. Wick | 84 | 2011 | Monday |\n"
        "| 5 | vacant | 72 | | Tuesday |\n"
        "| 6 | Cleo Hart | 120 | 1998 | Friday |\n"
        "| 7 | Una Lamb | 95 | 2020 | Sunday |",
    )
)
HULLS = read(
    passage_of(
        "hulls.csv",
        "| Hull | Punt | Skiff | Cutter |\n| Benches | 2 | 3 | 9 |\n| Tow ring | no | yes | yes |",
    )
)


COURSES = read(
    passage_of(
        "courses.md",
        "| Course | Day | Room | Places |\n|---|---|---|---|\n"
        "| Knots | Monday | Loft | 12 |\n| Splices | Friday | Yard | 8 |",
    )
)


def test_where_something_is_is_not_told_by_how_many_places_there_are() -> None:
    assert told("Where does the Knots course take place?", COURSES) == "Loft"
    assert told("How many places are there in Knots?", COURSES) == "12"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("who has borrowed the tide gauge", "Ada"),
        ("where is the fog siren horn", "C1"),
        ("when was the fog horn greased", None),
        ("who has borrowed the signal lamp", None),
        ("who has polished and mended the brass tide gauge", None),
    ],
)
def test_a_column_is_told_by_what_its_cells_look_like_though_not_surely(
    question: str, answer: str | None
) -> None:
    assert told(question, LOANS) is None
    near = nearly_answered(question, LOANS)
    assert (near and near.text) == answer
    assert near is None or near.confidence < SURE


def test_a_number_next_to_the_head_of_the_first_column_names_its_row() -> None:
    assert told("rent of berth 6", BERTHS) == "120"
    near = nearly_answered("yearly rent of berth 6", BERTHS)
    assert near is not None
    assert near.text == "120"


def test_what_day_asks_for_a_day_and_what_time_for_a_time() -> None:
    swims = read(
        passage_of(
            "swims.csv",
            "| Group | Day | Starts |\n| Otters | Tuesday | 16:15 |\n| Pikes | Friday | 17:45 |",
        )
    )
    assert told("what day do the otters swim", swims) == "Tuesday"
    assert told("what weekday do the otters start", swims) == "Tuesday"
    assert told("what time do the otters start", swims) == "16:15"
    assert told("when do the otters start", swims) == "16:15"


def test_yes_or_no_is_told_where_a_row_and_a_column_cross() -> None:
    found = answer_over_rows("can i tow with the punt", HULLS)
    assert found is not None
    assert (found.kind, found.text) == (DirectKind.YES_NO, "No")
    assert told("can i tow with the skiff", HULLS) == "Yes"
    assert told("can i row with the skiff", HULLS) is None


def test_rows_are_counted_by_an_everyday_word_for_what_they_are() -> None:
    """None of a car is in the table, but each row is a vehicle of one fuel."""
    rows = "Plate,Fuel\n---,---\nOR 1,electric\nOR 2,diesel\nOR 3,electric"
    fleet = read(passage_of("vehicles.csv", piped(rows)))
    found = told("How many of our cars are electric?", fleet)
    assert found is not None
    assert found.startswith("2 (of 3 rows")


FEES = read(
    passage_of(
        "fees.csv",
        piped("""\
service,members,guests
Copy,£0.10,£0.15
Meeting room,free,£12.00
Late book,£0.20,–"""),
    )
)
STALLS = read(
    passage_of(
        "stalls.csv",
        piped("""\
pos,stall,club,tins left,price per tin (eur),noise (db),range (km)
1,Hask,Orrin,6,24.00,52,90
2,Brell,Skarrow,9,21.50,47,70
3,Morn,Orrin,4,19.00,61,120"""),
    )
)
OPENERS = read(
    passage_of(
        "cafe_rota.csv",
        piped("""\
day,opening,kitchen,closing
Monday,Ada,Bo,Cleo
Tuesday,Ada,Ivy,Bo
Wednesday,Cleo,Bo,Ada"""),
    )
)
CROPS = read(
    passage_of(
        "crops.csv",
        piped("""\
crop,sow indoors,sow outdoors,harvest
Kale,March,April to May,August to October
Chard,–,late May,July
Leeks,February,April,September"""),
    )
)
LEVELS = read(
    passage_of(
        "levels.csv",
        piped("""\
site,date,depth (m)
Hask Well,2023-04-12,5.60
Hask Well,2023-07-11,5.05
Brell Pit,2023-04-12,0.88
Brell Pit,2023-07-11,0.51"""),
    )
)


@pytest.mark.parametrize(
    ("tables", "question", "text"),
    [
        (FEES, "What does a late book cost?", "£0.20"),
        (FEES, "What does a copy cost?", "members: £0.10; guests: £0.15"),
        (STALLS, "How many tins are left at Hask?", "6"),
        (STALLS, "Which stall is the quietest?", "Brell (noise: 47)"),
        (STALLS, "Who came second?", "Brell (1 of 3 rows of stalls.csv)"),
        (STALLS, "How far does the Morn go?", "120 km"),
        (OPENERS, "On which days does Ada open?", "Monday, Tuesday (2 of 3 rows of cafe_rota.csv)"),
        (
            OPENERS,
            "How many days does Bo work in the kitchen?",
            "2 (of 3 rows of cafe_rota.csv: Monday, Wednesday)",
        ),
        (CROPS, "When can I sow kale outside?", "April to May"),
        (CROPS, "When can I sow leeks inside?", "February"),
        (
            LEVELS,
            "By how much did the depth of Hask Well fall from April to July?",
            "0.55 m (depth (m): Hask Well 5.60, Hask Well 5.05)",
        ),
        (LEVELS, "By how much did the depth of Hask Well fall from April to May?", None),
    ],
)
def test_questions_as_people_put_them(
    tables: tuple[Table, ...], question: str, text: str | None
) -> None:
    found = answer_over_rows(question, tables)
    assert (found and found.text) == text


def test_what_leads_is_called_by_the_first_column_where_that_is_named() -> None:
    shows = read(
        passage_of(
            "shows.csv",
            piped("fair,year,prize\nOrrin,2011,Oar\nOrrin,2012,Mast\nSket,2013,Keel"),
        )
    )
    assert told("What is the name of the last fair?", shows) == "Sket (year: 2013)"


def test_the_name_of_a_part_is_no_row() -> None:
    stores = read(
        passage_of(
            "stores.md", "| Thing | Pieces |\n|---|---|\n| Ropes: |  |\n| Hemp | 4 |\n| Jute | 9 |"
        )
    )
    assert (told("How many things are there?", stores) or "").startswith("2 ")
