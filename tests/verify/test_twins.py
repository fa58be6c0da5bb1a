"""Sentences that have the words of their source, and one thing in them that it does not say."""

from __future__ import annotations

import pytest
from tests.verify.samples import passage

from quaere.domain.report import Support
from quaere.verify.support import weigh

BAKERY = (
    "The town council turned down a plan by the bakers to widen the lane. Flour costing less than"
    " 40 euros is paid for by the miller; all others are paid for by the bakers. Either partner may"
    " leave the guild with two weeks' notice. The ovens are cleaned within five days after the"
    " feast."
)
SMITH = (
    "After learning the trade in Ost she joined the smithy in Hegg, which Arne Lund had founded in"
    " 1871. In 1899 she succeeded Lund as master of the smithy. Some of the old gates have been"
    " restored by apprentices. Of the profit, a third is paid out to the widows."
)


@pytest.mark.parametrize(
    ("true", "false", "source"),
    [
        pytest.param(
            "The council rejected the plan of the bakers to widen the lane.",
            "The bakers rejected the plan of the council to widen the lane.",
            BAKERY,
            id="who did it",
        ),
        pytest.param(
            "Either partner can leave the guild with two weeks' notice.",
            "Only the elder partner can leave the guild with two weeks' notice.",
            BAKERY,
            id="no other is left out",
        ),
        pytest.param(
            "After the feast the ovens are cleaned within five days.",
            "After the feast the ovens are cleaned within two weeks.",
            BAKERY,
            id="a time of another statement",
        ),
        pytest.param(
            "Lund was master of the smithy before Berta Krog.",
            "Lund was master of the smithy after Berta Krog.",
            SMITH,
            id="before her whom a pronoun names",
        ),
        pytest.param(
            "Arne Lund founded the smithy in Hegg.",
            "Berta Krog founded the smithy in Hegg after learning the trade.",
            SMITH.replace("she joined", "Berta Krog joined"),
            id="who founded it",
        ),
        pytest.param(
            "A third of the profit is paid out to the widows.",
            "The whole of the profit is paid out to the widows.",
            SMITH,
            id="a share is not all",
        ),
        pytest.param(
            "The valve is shut if the lid of the tank is open.",
            "The valve is shut unless the lid of the tank is open.",
            "If the lid of the tank is open, the valve is shut at once.",
            id="a condition turned",
        ),
        pytest.param(
            "The mill of Hegg is a museum of bread.",
            "The mill of Hegg was formerly a museum of bread.",
            "The mill of Hegg is a museum of bread and of cakes.",
            id="what is so and not what was",
        ),
        pytest.param(
            "Der Rat billigte den Antrag auf eine neue Schule.",
            "Der Rat verwarf den Antrag auf eine neue Schule.",
            "Der Antrag auf eine neue Schule wurde vom Rat genehmigt.",
            id="German opposites",
        ),
        pytest.param(
            "Wer vor dem 3. Mai zahlt, bekommt einen Rabatt.",
            "Wer nach dem 3. Mai zahlt, bekommt einen Rabatt.",
            "Wer seine Gebühr vor dem 3. Mai zahlt, bekommt einen Rabatt.",
            id="German words of order",
        ),
        pytest.param(
            "The bell of Hegg is one of the oldest bells on the coast.",
            "The bell of Hegg is the oldest bell on the coast.",
            "The bell of Hegg is one of the oldest bells on the whole coast.",
            id="first among several",
        ),
        pytest.param(
            "Each spring the warden paints the boats.",
            "Each spring the clerk paints the boats.",
            "Sheds are swept by the clerk, and the boats are painted by the warden each spring.",
            id="who does it, told in the present",
        ),
        pytest.param(
            "What is kept is the bran, while the husk is thrown away.",
            "What is kept is the husk, while the bran is thrown away.",
            "Discard the husk and keep the bran.",
            id="what is kept and what is thrown away",
        ),
        pytest.param(
            "Carts must go round the ford, which sledges are able to cross.",
            "Sledges must go round the ford, which carts are able to cross.",
            "Sledges carry two logs and can cross fords, whereas carts carry nine logs and have to"
            " go round them.",
            id="two subjects, each with two verbs",
        ),
        pytest.param(
            "Each jar gets 5 microlitres of dye.",
            "Each jar gets 5 millilitres of dye.",
            "Add 5 microlitres of dye to each jar.",
            id="a unit a thousand times as large",
        ),
        pytest.param(
            "The guild wants an answer by the end of May.",
            "The guild wants an answer from the end of May.",
            "The guild wants to have an answer by the end of May.",
            id="by then and from then on",
        ),
        pytest.param(
            "Berta Krog takes over as warden from Arne Lund.",
            "Arne Lund takes over as warden from Berta Krog.",
            "Berta Krog has been chosen as warden, replacing Arne Lund.",
            id="who follows whom in an office",
        ),
        pytest.param(
            "The sail of the Merle has to be patched.",
            "The sail of the Gull has to be patched.",
            "The barge Gull needs a new keel, the barge Merle needs its sail patched, and the barge"
            " Wren needs nothing.",
            id="what one of several needs",
        ),
        pytest.param(
            "The bakery closed in the year when the mill was sold.",
            "The bakery closed because the mill was sold.",
            "The mill was sold in May 1954. The bakery closed in the same year.",
            id="a cause that no source names",
        ),
        pytest.param(
            "A card and a key are needed to open the vault.",
            "A card or a key is needed to open the vault.",
            "To open the vault one needs a card as well as a key.",
            id="two things of which one is not enough",
        ),
        pytest.param(
            "The tower is not heated in winter.",
            "The tower is heated in winter.",
            "All rooms except the tower are heated in winter.",
            id="an exception that is named first",
        ),
        pytest.param(
            "The tower cannot be seen on Mondays.",
            "The tower can be seen on Mondays.",
            "The tower can be seen on every day but Monday.",
            id="an exception that is named by 'but'",
        ),
        pytest.param(
            "There is no night train to Corvi on Saturdays.",
            "There is a night train to Corvi only on Saturdays.",
            "The night train to Corvi leaves at 21:40 on all days except Saturdays and reaches the"
            " coast at 7:15.",
            id="an exception after which the sentence goes on",
        ),
        pytest.param(
            "Trainees are excluded from working abroad.",
            "Trainees are free to work abroad.",
            "Trainees may not work from abroad.",
            id="what somebody is excluded from is denied",
        ),
        pytest.param(
            "Port Helm suffered a 3–1 defeat at the hands of Varga United.",
            "Varga United suffered a 3–1 defeat at the hands of Port Helm.",
            "Varga United beat Port Helm 3–1 on Saturday and moved up to second place.",
            id="who suffered the defeat",
        ),
        pytest.param(
            "The plug is to be pulled before the grinder is cleaned.",
            "The plug is to be pulled once the grinder is cleaned.",
            "Before cleaning the grinder, switch it off and pull the plug.",
            id="once it is done",
        ),
        pytest.param(
            "No charge is made for visitors on Sundays.",
            "Visitors are charged on Sundays.",
            "Visitors are charged 8 euros on all days except Sundays.",
            id="none on the day that is excepted",
        ),
        pytest.param(
            "The buyer can end the contract after a first delivery.",
            "The buyer can end the contract before a first delivery.",
            "Either party may terminate the agreement on 60 days' written notice, but the buyer may"
            " do so only after the first delivery.",
            id="before a first one, which is no length of time",
        ),
        pytest.param(
            "Fish pie is served on Tuesday.",
            "Fish pie is served on Thursday.",
            "Lentil soup is on the menu on Mondays. Fish pie follows on Tuesdays. Pancakes are"
            " fried on Thursdays.",
            id="the day of another line",
        ),
        pytest.param(
            "The landlord may not withhold consent without a reason.",
            "The landlord may withhold consent without a reason.",
            "The landlord may not refuse consent without a reason.",
            id="what is withheld is denied",
        ),
        pytest.param(
            "Not every ram was shorn before the fair.",
            "Every ram was shorn before the fair.",
            "Most of the rams were shorn before the fair.",
            id="not every is not all",
        ),
        pytest.param(
            "The seal is used only on letters of the guild, not on those of the abbey.",
            "The seal is used only on letters of the abbey, not on those of the guild.",
            "This seal is not used on letters of the abbey, but only used on letters of the guild.",
            id="one thing set against another, which comes first",
        ),
        pytest.param(
            "The usual depth of a trench is 40 and the largest is 90.",
            "The usual depth of a trench is 90 and the largest is 40.",
            "The usual depth value is 40, and the maximum is 90.",
            id="two figures, one under another name",
        ),
        pytest.param(
            "If the night shift of the kiln fails, the batch ends up in the yard.",
            "If the night shift of the kiln succeeds, the batch ends up in the yard.",
            "If the night shift of the kiln fails the batch goes to the yard, so that it will not"
            " be fired again until the master asks.",
            id="a condition without a comma behind it",
        ),
        pytest.param(
            "Keys are handed out only to members of the guild.",
            "Keys are handed out not only to members of the guild.",
            "Keys are handed out only to members of the guild and never on Sundays.",
            id="not only",
        ),
    ],
)
def test_a_sentence_with_one_thing_changed_is_not_supported(
    true: str, false: str, source: str
) -> None:
    likely, refused = (weigh(text, [passage(source)]) for text in (true, false))
    assert not refused.support.holds
    assert (likely.probability or 0) > (refused.probability or 0)


@pytest.mark.parametrize(
    ("said", "source"),
    [
        pytest.param(
            "The bakers pay for flour of 40 euros or more.", BAKERY, id="what all others are"
        ),
        pytest.param(
            "The gates are meant for carts that carry hay, not for carts that carry ore.",
            "The gates are intended for carts that carry hay, not carts that carry ore.",
            id="one thing set against another",
        ),
        pytest.param(
            "The ferry is not moored at new piers; its fixed berth exists for historical reasons.",
            "Old piers. The ferry has a fixed berth at the piers of Hegg for historical reasons. It"
            " is not moored at new piers.",
            id="two statements from two lines",
        ),
        pytest.param(
            "If the night shift of the kiln fails, the batch ends up in the yard.",
            "If the night shift of the kiln fails the batch goes to the yard, so that it will not"
            " be fired again until the master asks. A batch is only sure to leave the yard if it is"
            " never left by a night shift of the kiln that fails, during the frost.",
            id="a condition that another line turns",
        ),
        pytest.param(
            "Huts in Hegg can have three doors at most.",
            "Huts in Hegg may not have more than three doors.",
            id="a limit behind its figure",
        ),
        pytest.param(
            "Berta Krog became a member of the smithy in Hegg after she had learnt the trade.",
            SMITH.replace("she joined", "Berta Krog joined"),
            id="a clause put first",
        ),
        pytest.param(
            "The monks did most of the digging on the pond.",
            "The pond of Hegg was dug in 1502, mostly by monks.",
            id="an irregular passive",
        ),
        pytest.param(
            "The guild has five days to give back the key once the doors are opened.",
            "The guild returns the key within five days after the doors are handed back.",
            id="a verb of giving in another clause",
        ),
        pytest.param(
            "In 2021 the dairy had sales of 12.4 million euros.",
            "The dairy had a good year.\n\n| Branch | Sales 2020 (million euros) |"
            " Sales 2021 (million euros) |\n| --- | --- | --- |\n| Dairy | 10.1 | 12.4 |\n"
            "| Bakery | 8.7 | 7.9 |",
            id="a figure in a column of millions",
        ),
        pytest.param(
            "Every boat other than the ferry gets 5 nets in spring.",
            "In spring each boat gets 5 nets, except the ferry, which gets none.",
            id="other than compares nothing",
        ),
        pytest.param(
            "Hands have to be dried for at least a minute before touching the dough.",
            "Dry your hands for at least a minute before you touch the dough.",
            id="a noun that is a verb of giving elsewhere",
        ),
        pytest.param(
            "The jars are opened and emptied on day four.",
            "The jars are opened and emptied on the fourth day.",
            id="which one of several, as a number",
        ),
        pytest.param(
            "Booking a boat is impossible if the trip is shorter than 9 kilometres.",
            "Boats cannot be booked for trips of less than 9 kilometres.",
            id="a condition within what is denied",
        ),
        pytest.param(
            "The proposal to rent the barn came from Berta Krog.",
            "Berta Krog proposed that the guild should rent the barn.",
            id="a proposal keeps what is proposed open",
        ),
        pytest.param(
            "The letter was sent to Hegg by post.",
            "The clerk sent the letter to Hegg by post.",
            id="a means is no doer",
        ),
    ],
)
def test_a_paraphrase_is_supported(said: str, source: str) -> None:
    assert weigh(said, [passage(source)]).support.holds


def test_a_figure_of_another_row_is_not_in_a_column_of_millions() -> None:
    table = (
        "| Branch | Sales 2021 (million euros) |\n| --- | --- |\n| Dairy | 12.4 |\n| Bakery | 7.9 |"
    )
    assert not weigh("The dairy had sales of 7.9 million euros.", [passage(table)]).support.holds


def test_what_is_so_of_most_is_not_so_of_all_without_contradiction() -> None:
    source = passage("Most of the old ovens have a lid, but the one in the yard has none.")
    found = weigh("Not every old oven has a lid.", [source])
    assert found.support is not Support.CONTRADICTED
