"""Words for one thing and opposites of other languages than English, in lists.

More of English gained no pair that they were not chosen on, and cost verdicts of real answers.
"""

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

GROUPS: Final[Mapping[str, Groups]] = MappingProxyType({"de": _GERMAN, "es": _SPANISH})
"""By ISO 639-1; of other languages none are known."""
