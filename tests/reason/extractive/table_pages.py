"""Tables of a harbour that does not exist, and how a question over their rows is read."""

from __future__ import annotations

from quaere.domain.evidence import Evidence, Score
from quaere.domain.source import Passage
from quaere.reason.extractive.tables.columns import Table
from quaere.reason.extractive.tables.rows import answer_over_rows
from quaere.reason.extractive.tables.whole import tables_in

_GOODS = """\
product,price_eur,weight_kg,in_stock,zone,supplier,discontinued,shelf_life_days,delivery_days
Anchor,40,12,3,2,Orrin Forge,no,900,5
Buoy,25,4,0,1,Hask Cork,no,400,2
Chain,90,30,7,2,Orrin Forge,yes,900,9
Dinghy rope,15,2,0,3,Hask Rope Works,no,300,1
Oar,35,3,12,1,Skarrow Wood,no,600,4"""
_PLANTS = """\
plant,watering_every_days,light,toxic,origin,min_temp_c,repotted
Aloe,21,sun,no,Oman,8,2023-03-01
Fern,3,shade,no,Chile,5,2024-04-10
Ivy,7,shade,yes,Norway,-10,
Palm,10,sun,no,Spain,12,2022-05-20"""
_STAFF = """\
employee,role,manager,salary_eur,hired,age,office,remote
Ada Finch,skipper,Una Wick,41000,2012-03-01,44,Orrin,no
Bo Marsh,mate,Ada Finch,30500,2019-06-15,29,Orrin,yes
Cleo Hart,cook,Ada Finch,28000,2021-01-10,35,Brell,no
Una Wick,director,,72000,2004-09-01,58,Skarrow,yes"""
_TRIPS = """\
trip,starts,ends,day,guide,length_km,capacity,price_eur,open,sailed,boat
Low Tarn,08:30,12:00,Monday,Ada Finch,12,20,15.00,yes,1999-05-02,Grebe
High Crag,09:00,17:30,Tuesday,Bo Marsh,21,12,30.00,no,2003-05-11,Auk
Far Moss,13:15,16:45,Monday,Ada Finch,8,20,12.50,yes,2003-10-02,Grebe
Skarrow Bay,19:00,22:10,Friday,Ivy Lamb,5,36,22.00,yes,2011-07-30,Eider"""
_TASKS = """\
id,name,owner,due,finished,hours,tools,cost_2023,cost_2024,passed_inspection
T-1,Tar the hull,Ada Finch,2024-03-01,yes,12,"saw; plane",100,120,yes
T-2,Mend sails,Bo Marsh,2024-05-20,no,30,needle,80,60,no
T-3,Splice ropes,Ada Finch,2024-04-02,no,4,marlin and fid,20,25,yes
T-4,Tar the deck,Cleo Hart,,yes,9,saw,55,70,no"""


def passage_of(name: str, text: str, number: int = 1) -> Passage:
    return Passage(
        id=f"p{number}",
        url=f"file:///shelf/{name}",
        title=name.partition(".")[0].title(),
        text=text,
        start=0,
        end=len(text),
        table_head=text.partition("\n")[0],
        whole_table=True,
    )


def shelf(*passages: Passage) -> tuple[list[Evidence], dict[str, Passage]]:
    evidence = [
        Evidence(id=n, passage=p.id, url=p.url, title=p.title, score=Score())
        for n, p in enumerate(passages, 1)
    ]
    return evidence, {p.id: p for p in passages}


def read(*passages: Passage) -> tuple[Table, ...]:
    return tables_in(*shelf(*passages))


def piped(rows: str) -> str:
    """Return ``rows``, which have commas between their cells, as a table with pipes."""
    return "\n".join(f"| {' | '.join(row.split(','))} |" for row in rows.splitlines())


HARBOUR = read(
    passage_of("goods.csv", piped(_GOODS)),
    passage_of("plants.csv", piped(_PLANTS), 2),
    passage_of("staff.csv", piped(_STAFF), 3),
    passage_of("trips.csv", piped(_TRIPS), 4),
    passage_of("tasks.csv", piped(_TASKS), 5),
)


def told(question: str, tables: tuple[Table, ...] = HARBOUR) -> str | None:
    """Return what ``tables`` answer; None for nothing."""
    answer = answer_over_rows(question, tables)
    return answer and answer.text
