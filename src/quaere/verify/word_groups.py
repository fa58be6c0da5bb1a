"""Words for one thing and opposites, in lists: more of them for English, and those of others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Groups:
    """What a language has of words that are compared by what they mean."""

    allies: str
    """Words for one thing, a group a line."""
    opposites: str
    """Two sides a line, with "|" between them; the words of one side are for one thing, too."""


_ENGLISH: Final = Groups(
    allies="""
abandon desert forsake
abolish repeal scrap
accuse charge
achieve accomplish attain reach
acknowledge admit concede
acquire obtain purchase buy
adapt adjust modify
advise recommend counsel
allot allocate assign
alive lifetime
ample plenty
annul cancel revoke rescind
apparatus appliance device instrument
appoint name nominate
approve endorse ratify sanction authorise authorize
arrange organise organize
assemble gather convene
assert claim maintain allege
attach fasten fix
avert prevent
avoid evade shun
award grant bestow
ban forbid prohibit outlaw
beverage drink
bear borne pay cover shoulder
blame accuse fault
blaze fire
boost raise increase
border boundary frontier
breach violate infringe
bury inter
calculate compute reckon
capture conquer seize
catch capture
chair preside head lead
clean wash cleanse
climb ascend
coast shore
compensate reimburse refund repay
compete rival
complain grumble
comply obey
conceal hide
confer award
connect link join
construct erect build
contaminate pollute
contribute donate give
copy duplicate
crack fissure fracture
cure heal
damage harm impair hurt
deadline limit
declare proclaim announce
dedicate devote
defer delay postpone adjourn
demolish raze
demand require request
deteriorate worsen
devise invent
diminish lessen decrease reduce
disband dissolve
discard throw
disclose reveal divulge
discontinue stop end
discover detect find notice spot
discuss debate
dismantle demolish
display exhibit show
dispute quarrel
disregard ignore neglect
distribute hand
drown die dead
drug medicine medication
durable lasting
educate teach school
emit release
enhance improve
entire whole complete
entitle allow
evidence proof
examination exam test
exceed surpass
exchange replace change substitute
exhibition show display
experiment trial
factory plant
famous renowned celebrated
finance fund sponsor
flee escape
former previous earlier
found establish
gift donation
gratis free
grow cultivate
guarantee warranty
guarantee ensure
harvest reap crop
helper assistant
heir inherit
ignite light kindle
illustrate draw
imprison jail
inaugurate open
infant baby
inform notify tell
initial first
initiate launch start
inquiry enquiry investigation
install fit mount
insured cover insurance
join enter member
journal magazine
lawyer attorney solicitor
lend loan
link associate connect relate
lorry truck
lower reduce cut
make produce manufacture
medium moderate
merge unite combine
method technique procedure
monument memorial
move relocate transfer shift
murder kill
necessary needed required
observe see notice watch
obtain receive get
occupation job profession
offence crime
omit leave
outlive survive
oversee supervise
painter artist
participate attend
perform carry
perish die dead
permission permit consent approval agreement
persuade convince
port harbour
post position job
predict forecast
press push hold
prize award
prolong extend lengthen
promise pledge vow
proportion share percentage
propose suggest recommend
punish penalise fine
purpose aim goal
quantity amount
quit resign leave
rebuild reconstruct
recall remember
recover
refurbish renovate restore modernise modernize repair
refuse decline reject
regain recover
regularly routinely
reimburse refund repay
reject refuse dismiss
repair fix
rescue save
resume restart
retain keep
reveal unveil
satisfied content
scarce rare
scheduled planned
separate divide part
shortage lack
shrink contract
shut close
significant important
skin hide
soil ground
spectator viewer
spend expend
staff crew personnel
stage phase
storm gale
stop prevent
strengthen reinforce
strike hit
submit file
summit peak
suspect believe think assume
suspend halt
sufficient enough
supervise manage
surrender yield
survey poll
teacher tutor instructor
team squad
terminate end finish cancel
threat danger
throughout entire
timber wood
trade commerce
tremble shake
unhurt uninjured unharmed
unite combine
upgrade improve
usual normal ordinary
vanish disappear
vote ballot
warehouse depot store
warn caution alert
wealthy rich
welcome greet
witness see
worker labourer laborer employee
""",
    opposites="""
praise commend applaud laud | criticise criticize condemn denounce censure
promote | demote
install mount fit | uninstall dismantle
freeze frozen | thaw melt
fill | empty drain
ascend climb | descend
arrive | depart leave
lock locked | unlock unlocked
found create establish | abolish dissolve disband
restore repair renovate rebuild | damage destroy demolish ruin wreck
thicken | thin
advantage benefit | disadvantage drawback
gain | lose lost
pass passed | fail failed
obey comply | violate breach flout
recall remember | forget forgot
employer | employee
minuend | subtrahend
junior | senior
horizontal | vertical
absolute | relative
natural | artificial synthetic
single | multiple
liquid | solid
raw | cooked
sharp | blunt
smooth | rough
straight | curved crooked bent
tight | loose
encrypt | decrypt
encode | decode
compress | decompress
inflate | deflate
inhale | exhale
upload | download
debit | credit
debtor | creditor
buyer purchaser | seller vendor
winner | loser
ancestor | descendant
sunrise | sunset
dawn | dusk
sweet | sour bitter
attached | detached
compose | decompose
hire rent | fire
love | hate
ally | enemy
optimistic | pessimistic
evacuate | occupy
used | unused
paid | unpaid
legible | illegible readable unreadable
heard | unheard
fertile | barren
generous | mean stingy
brave | cowardly
good well | bad badly poor
polite | rude impolite
patient | impatient
vacant unoccupied | occupied
previous former | present current
formerly previously | now currently nowadays today
unanimous | divided
withdraw | deposit
emigrate | immigrate
expire lapse | renew
""",
)

_GERMAN: Final = Groups(
    allies="""
abgelehnt ablehnen ablehnte lehnte verworfen verwarf verwerfen zurückgewiesen zurückweisen
angenommen annehmen gebilligt billigte billigen genehmigt genehmigte bewilligt zugestimmt zustimmen
reinigen säubern putzen sauber
aufbewahren aufbewahrt lagern verwahren
benutzen nutzen verwenden gebrauchen
beschäftigen anstellen
erhalten bekommen erhält bekommt kriegen
erlaubt gestattet zulässig zugelassen
ersetzen austauschen auswechseln wechseln
gratis kostenlos unentgeltlich frei
firma unternehmen betrieb
gebäude haus bau
geld mittel
leiten führen leitete leitet geleitet
mitteilen sagen erklären melden
prüfen kontrollieren überprüfen
preis kosten gebühr entgelt
reparieren instandsetzen ausbessern
schreiben verfassen schrieb verfasst
starten beginnen anfangen begann
sterben starb gestorben tod tot
straße weg
unterstützen helfen fördern
verlangen fordern
verkaufen veräußern
verletzt verwundet
wagen auto fahrzeug
wählen wählte gewählt
wohnen leben
zeigen vorführen
zerstören vernichten zerstört vernichtet
""",
    opposites="""
steigen stieg gestiegen steigt zunehmen zugenommen wachsen wuchs gewachsen erhöhen erhöht erhöhte \
| sinken sank gesunken sinkt fallen fiel gefallen abnehmen abgenommen senken senkte gesenkt \
verringern verringert
erhöhung anstieg zunahme | senkung rückgang abnahme
angenommen annehmen gebilligt billigte billigen genehmigt genehmigte bewilligt zugestimmt \
| abgelehnt ablehnen ablehnte lehnte verworfen verwarf verwerfen zurückgewiesen
öffnen öffnete geöffnet offen | schließen schloss geschlossen
beginnen begann begonnen anfangen | enden endete beenden beendete beendet
kaufen kaufte gekauft erwarb erworben | verkaufen verkaufte verkauft
groß größer | klein kleiner
hoch höher | niedrig niedriger
lang länger | kurz kürzer
alt älter | jung jünger
früh früher | spät später
schnell schneller | langsam langsamer
schwer schwerer | leicht leichter
stark stärker | schwach schwächer
warm wärmer heiß | kalt kälter
teuer teurer | billig billiger günstiger
breit breiter | schmal schmaler
reich | arm
erste ersten erster | letzte letzten letzter
gewinnen gewann gewonnen | verlieren verlor verloren
mehrheit | minderheit
gewinn | verlust
öffentlich | privat
nördlich norden | südlich süden
östlich osten | westlich westen
obere oberen | untere unteren
freiwillig | verpflichtend vorgeschrieben
anwesend | abwesend
einschalten eingeschaltet | ausschalten ausgeschaltet
beitreten beigetreten | austreten ausgetreten
loben lobte gelobt | kritisieren kritisierte kritisiert tadelte
voll | leer
nass | trocken
gesund | krank
selten | häufig oft
verbessern verbessert | verschlechtern verschlechtert
gegründet gründen gründete | aufgelöst auflösen
errichtet errichten gebaut | abgerissen abreißen abgebaut
einfuhr import | ausfuhr export
sommer | winter
""",
)

_SPANISH: Final = Groups(
    allies="""
aprobar aprobó aprobado aceptar aceptó aceptado
rechazar rechazó rechazado denegar denegó
comprar compró adquirir adquirió
construir construyó levantar edificar
empezar empezó comenzar comenzó iniciar
terminar terminó acabar finalizar
coste precio tarifa
gratis gratuito
morir murió fallecer falleció
reparar arreglar restaurar
usar utilizar emplear
""",
    opposites="""
aumentar aumentó aumento subir subió crecer creció | bajar bajó disminuir disminuyó caer cayó
aprobar aprobó aprobado aprobada aceptar aceptó | rechazar rechazó rechazado rechazada denegar
abrir abrió abierto abierta | cerrar cerró cerrado cerrada
empezar empezó comenzar comenzó | terminar terminó acabar acabó
comprar compró | vender vendió
ganar ganó victoria | perder perdió derrota
mayor | menor
alto | bajo
largo | corto
antiguo viejo | nuevo moderno
primero primera | último última
mayoría | minoría
público | privado
norte | sur
este | oeste
lleno | vacío
caro | barato
rápido | lento
caliente | frío
""",
)

GROUPS: Final[Mapping[str, Groups]] = MappingProxyType(
    {"en": _ENGLISH, "de": _GERMAN, "es": _SPANISH}
)
"""By ISO 639-1; of other languages none are known."""
