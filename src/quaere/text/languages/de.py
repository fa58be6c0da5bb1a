"""German."""

from __future__ import annotations

from quaere.text.languages.language import Frame, Headings, Language, choice, listed, under_hundred
from quaere.text.languages.phrases import Account, Reasons
from quaere.text.languages.wordings import Days, Following, Labels, Rules, excepting, forms

_COUNTED = """
    zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn
    siebzehn achtzehn neunzehn
"""
_TENS = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"


def _joined(ten: str, one: str) -> str:
    return f"{one}und{ten}"


LANGUAGE = Language(
    code="de",
    name="German",
    stemmer="german",
    spelling=r"[äöüß]|(?:heit|keit|ung|schaft)(?:s|en)?$|^sch[lmnw]|[^aeiouäöü]tz|pf|ck",
    common=("und", "der", "ist"),
    frame=Frame(
        yes="Ja",
        no="Nein",
        nothing="Die Quellen sagen nichts, was die Frage beantwortet.",
        nothing_asked="Das ist keine Frage, deshalb wurde nichts gesucht.",
        incomplete="Die gefundenen Belege decken nicht jeden Teil der Frage ab.",
        doubtful="Ob das die Frage beantwortet, ist nicht sicher.",
        near="Nichts davon beantwortet die Frage; es kommt ihr am nächsten.",
        limited="Die Suche war eingeschränkt; die Antwort beruht auf unvollständigen Angaben.",
        cut_short="Die Recherche wurde vorzeitig beendet; es kann noch mehr zu finden sein.",
        unanswered="Nicht beantwortet",
        uncertain="Nach den Quellen nicht sicher",
        not_found="Nicht gefunden",
        found_in_part="Nur zum Teil gefunden",
        nothing_on="nichts zu",
        disagree="Die Quellen widersprechen sich{about}: „{one}“ gegen „{other}“.",
        says_both="Eine Quelle sagt beides: „{one}“ und „{other}“.",
        differs="anders formuliert",
        partly="teilweise belegt",
        contradicted="widersprochen",
        not_judged="nicht beurteilt",
        quoted="zitiert",
        supported="belegt",
        no_claim="keine Aussage",
        by_words="anhand der Wörter",
        by_model="durch ein Modell",
        by_entailment="durch ein Entailment-Modell",
        reasons=Reasons(
            word_for_word="die Quelle sagt es wörtlich",
            has_words="die Quelle enthält seine Wörter, Zahlen und Namen",
            no_claim="er sagt nichts, was eine Quelle sagen könnte",
            in_part="nur ein Teil davon steht in den angegebenen Quellen",
            otherwise="die angegebenen Quellen sagen etwas anderes",
            not_found="es steht nicht in den angegebenen Quellen",
            found="es steht in den angegebenen Quellen",
            lost="worauf er sich bezieht, wurde weggelassen",
            unfounded="eine Schlussfolgerung, die keine einzelne Quelle zieht",
            too_many_sources="er nennt mehr Quellen, als diese Antwort haben darf",
            too_long="die Antwort war vorher schon lang genug",
            unshown="nichts, was er als Quelle nennt, kann gezeigt werden",
            not_in="nicht in den angegebenen Quellen: {missing}",
            unknown="nennt Belege, die es nicht gibt: {numbers}",
            empty="sagt nichts, was sich prüfen ließe",
            foreign="in einer anderen Sprache als die angegebenen Quellen",
            lengthy="zu lang zum Vergleichen",
            uncited="nennt keinen Beleg",
            misquoted="ein Zitat steht nicht in der angegebenen Quelle",
            unquoted="nennt einen Beleg ohne Zitat",
            denies="verneint, was die Quelle bejaht",
            affirms="bejaht, was die Quelle verneint",
            denies_alone="verneint etwas, wo die Quelle nichts verneint",
            opposite="sagt das Gegenteil der Quelle",
            figure="die Quelle nennt dort eine andere Zahl",
            replaced="die Quelle hat dort ein anderes Wort",
            compares="vergleicht umgekehrt wie die Quelle",
            uncompared="die Quelle vergleicht sie nicht so",
            order="nennt eine andere Reihenfolge als die Quelle",
            misplaced="die Quelle sagt diese Zahl von etwas anderem",
            labelled="die Quelle sagt das von etwas anderem",
            exchanged="vertauscht, was die Quelle vom einen und vom anderen sagt",
            narrowed="sagt es von weniger als die Quelle",
            reserved="die Quelle sagt es mit einem Vorbehalt",
            strengthened="sagt es stärker als die Quelle",
            unexplained="nennt eine Ursache, die die Quelle nicht nennt",
            left_open="lässt offen, was die Quelle verlangt",
            widened="sagt es von mehr als die Quelle",
            choice="hat „und“, wo die Quelle „oder“ hat, oder umgekehrt",
            scope="verändert die Bedingung oder die Zeit, die die Quelle nennt",
            against="„{one}“ gegen „{other}“",
        ),
        account=Account(
            alternatively=", oder drückt es anders aus",
            sufficient="für jeden Teil der Frage wurden Belege gefunden",
            nothing_new="die Suche brachte nichts Neues",
            loops_over="die Höchstzahl der Durchgänge war erreicht",
            budget_used="das Budget war aufgebraucht",
            time_up="die Zeit war abgelaufen",
            degraded="die Suche schlug zu oft fehl",
            cancelled="der Lauf sollte zum Ende kommen",
            failed="ein Fehler beendete die Suche",
            stopped="Grund für das Ende: {reason} ({code}).",
            ended="Ende der Suche: {reason}.",
            not_answered="Nicht beantwortet",
            summary="{status}: {sentences:Satz|Sätze} mit {citations:Quelle|Quellen}, "
            "Sicherheit {confidence}.",
            checks="Geschriebene Sätze: {written}; davon so belegt, wie sie waren: "
            "{supported}, berichtigt: {repaired}, gekennzeichnet: {marked}, "
            "weggelassen: {dropped}.",
            not_checked="Jeder Satz wurde mit den Worten verglichen, die er zitiert. Ob diese "
            "Worte wahr sind und was nicht gelesene Quellen sagen, wurde nicht geprüft.",
            shown="Von den gezeigten Sätzen: {listed}.",
            nothing_found="Dazu wurde keine Antwort gefunden.",
            see="Kein eigener Satz; siehe {markers}.",
            not_rested="Es wurden Belege gefunden, aber die Antwort stützt sich nicht darauf.",
            question="Die Frage",
            evidence="Beleg {number}",
            went="Wie es verlief",
            coverage="Abdeckung",
            missing="Was fehlt",
            checking="Prüfung",
            cost="Aufwand",
            plan="Plan",
            sentences="Sätze",
            status="Stand",
            sureness="Sicherheit: {confidence}; Abdeckung: {coverage}",
            loops_of="Durchgänge: {count} von höchstens {most}",
            queries_of="Suchanfragen: {count} von höchstens {most}",
            opened="{sources}; Seiten geöffnet: {count} von höchstens {most}",
            took="Aufwand: {seconds} s, {calls}",
            run="Lauf: {run}",
            understood="Die Frage, wie sie verstanden wurde: {question}",
            profile="Profil: {profile}; Auswertung: {reasoner}",
            unnamed="nicht genannt",
            given="An eine Recherche vergebenes Thema: {topic}",
            refused="Abgelehntes Thema, da es ein anderes wiederholt: {topic}",
            spent="Profil {profile} · {loops:Durchgang|Durchgänge} · "
            "{queries:Suchanfrage|Suchanfragen} · {sources} · {seconds} s",
            tokens="{tokens:Token|Tokens}",
            sources="{found:Quelle|Quellen} gefunden, {read} gelesen, {refused} nicht lesbar",
            read_in="{seconds} s; {sources}",
            calls="{calls:Modellaufruf|Modellaufrufe}, {tokens}, {cost}",
            about="etwa {tokens}",
            unpriced="Preis unbekannt",
            priced_in_part="{cost} und {unknown} zu unbekanntem Preis",
            under="unter {cost}",
            weaker="Eingeschränkt ({step}): {reason}",
            unused="Das genannte Modell wurde nicht durchgehend verwendet: {reasons}.",
            more="und {count} weitere; --format full zeigt alle",
            query_heads=("Durchgang", "Suchanfrage", "Absicht", "Treffer", "Neu", "Fehler"),
            loop_heads=(
                "Durchgang",
                "Quellen gefunden",
                "Quellen gelesen",
                "Abdeckung",
                "Sicherheit",
                "Zeit",
            ),
            call_heads=("Schritt", "Modell", "Tokens", "Kosten", "Zeit", "Fehler"),
            evidence_heads=("Nr.", "Quelle", "Teile der Wertung", "Wertung"),
            unknown="unbekannt",
            contents="Inhalt",
            back="Zurück zur Stelle, an der {number} zitiert wird",
            read="gelesen {time}",
            abstract="Zusammenfassung",
            full_text="Volltext",
            number="Zahl",
            date="Datum",
            negation="Verneinung",
            opposite="Gegenteil",
            judged="so beurteilt",
            page="Seite {at}",
            pages="Seiten {at}",
            slide="Folie {at}",
            slides="Folien {at}",
            cell="Zelle {at}",
            cells="Zellen {at}",
            line="Zeile {at}",
            lines="Zeilen {at}",
            row="Tabellenzeile {at}",
            rows="Tabellenzeilen {at}",
            record="Eintrag {at}",
            records="Einträge {at}",
            item="Punkt {at}",
            items="Punkte {at}",
            message="Nachricht {at}",
            messages="Nachrichten {at}",
            date_for="{thing}: das Datum",
            figure_for="{thing}: die Zahl",
            place_for="{thing}: der Ort",
            told_of="{thing}: was die Quellen dazu sagen",
            unread="Die Sprache der Quellen ({others}) ist eine andere als die der Frage "
            "({own}): Ohne Modell werden Antworten nur in Quellen in der Sprache der "
            "Frage gefunden",
        ),
        headings=Headings(
            report="Bericht",
            short="Kurze Antwort",
            detail="Im Einzelnen",
            general="Im Allgemeinen",
            findings="Ergebnisse",
            agreement="Übereinstimmung und Widerspruch",
            look="Wo man nachsehen kann",
            limits="Grenzen",
            open="Was offen bleibt",
            ended="Wie die Suche endete",
            checked="Was geprüft wurde",
            warnings="Warnungen",
            method="Vorgehen",
            queries="Suchanfragen",
            loops="Durchgänge",
            calls="Modellaufrufe",
            evidence="Belege, die besten zuerst",
            sources="Quellen",
            finding="Ergebnis",
            verdict="Urteil",
            citations="Zitate",
            sentence="Satz",
            left_out="In der Antwort weggelassen",
            part="Teil der Frage",
            supported_by="Belegt durch",
            contradicted_by="Widersprochen von",
            origins="Unabhängige Ursprünge",
            agreed="Übereinstimmung",
            conflicts="Widersprüche",
            one_source="Eine Quelle",
            another="Eine andere",
            difference="Unterschied",
            answered="Beantwortet",
            in_part="Teilweise beantwortet",
            unanswered="Offen",
        ),
    ),
    stop_words=listed(
        """
        ab aber alle allem allen aller alles als also am an ander andere anderen anderer anderes
        auch auf aus außer bei beim bereits bin bis bist da dabei dadurch dafür damit dann daran
        darauf daraus darf darin das dass davon dazu dein dem den denn der deren des dessen die dies
        diese diesem diesen dieser dieses doch dort du durch dürfen eben ein eine einem einen einer
        eines er es etwa etwas euch euer für gegen gewesen gibt hab habe haben hat hatte hatten her
        hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede
        jedem jeden jeder jedes jedoch jene kann kannst kein keine keinem keinen keiner können
        könnte man machen manche mehr mein mich mir mit muss müssen nach neben nicht nichts noch nun
        nur ob oder ohne sehr sein seine seinem seinen seiner seit selbst sich sie sind so solche
        soll sollen sollte sondern sonst über um und uns unser unter vom von vor wann war waren
        warum was weder wegen weil welche welchem welchen welcher welches wem wen wenn wer werde
        werden weshalb wessen wie wieso wieviel will wir wird wo woher wohin wurde wurden während
        würde zu zum zur zwischen viele vielen musst müsst darfst dürft könnt
        """
    ),
    light=listed(
        """
        besteht bestehen bestand befindet befinden liegt liegen lag lagen steht stehen stand gibt
        geben gab gegeben macht gemacht lässt lassen kommt kommen kam geht gehen ging hält halten
        bleibt bleiben blieb beträgt betragen zählt zählen umfasst gehört gehören findet
        stattfindet statt erfolgt bekommt bringt nimmt gilt gelten ungefähr rund circa ziemlich
        weit bestimmte gewisse person personen leute anzahl menge art sache fall insgesamt derzeit
        heute passiert passieren geschieht geschehen braucht brauchen brauche benötigt benötigen
        hinauf hinunter hinein betreten
        """
    ),
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
    vague=listed(
        """
        heißt heißen hieß hießen nennt nennen nannte genannt lautet lauten lautete name namen
        begriff bezeichnung typ sorte
        """
    ),
    asks={
        "number": r"wie ?viele?[nrm]?\b(?! uhr)(?: zeit)?|was kost\w+|wie (?:lang|alt|hoch|groß"
        r"|weit|oft|tief|breit|schwer|teuer)[a-z]*\b",
        "reason": r"warum\b|weshalb\b|wieso\b|aus welchem grund\b",
        "definition": r"was (?:ist|sind|bedeutet|heißt|versteht man)\b",
        "date": r"(?:seit |bis |ab )?wann\b|wie ?viel uhr\b|(?:in welchem jahr|an welchem tag)\b",
        "place": r"wo(?:her|hin)?\b",
        "person": r"we[rnm]\b|wessen\b",
        "which": r"welche[rsnm]?\b|was für\b",
        "comparison": r"vergleiche?\b|wo(?:rin|durch) unterscheide",
        "list": r"nenne\b|zähle\b",
        "manner": r"wie\b",
        "statement": r"was\b|wo(?:mit|durch|für|bei|von|zu|r[a-z]+)\b",
    },
    nouns={
        "person": "architekt autor bürgermeister dichter erfinder gründer ingenieur könig künstler "
        "lehrer leiter maler mensch person schriftsteller",
        "place": "dorf fluss gebiet gegend insel land länder ort platz region staat stadt städte "
        "straße",
        "date": "datum jahr jahrhundert monat tag zeit",
        "number": "anteil anzahl betrag breite dauer fläche gebühr gewicht größe höhe kaution "
        "länge miete preis temperatur tiefe zahl",
        "name": "sprache partei mannschaft verein firma unternehmen organisation gruppe band "
        "film buch lied roman serie folge begriff typ sorte fach tier pflanze material "
        "rolle titel beruf behörde schule universität krankheit farbe",
    },
    price=r"was kost\w+|wie ?viel (?:kost|bezahl|zahl)\w*|wie teuer\b|was bezahlt\b",
    from_to=(r"vo[nm]", r"auf|bis|zu"),
    many=r"wie ?viele[nr]?\b",
    measured={
        "old": r"wie alt\b",
        "heavy": r"wie schwer\b",
        "deep": r"wie (?:tief|breit)\b",
        "long": r"wie (?:lange?|weit)\b",
    },
    lists=r"\bwelche (?:\w+ ){1,2}(?:bietet|enthält|gehören|gibt|hat|haben|sind|umfasst|zeigt)\b"
    r"|\balle\b|\bnenne",
    joins="und",
    either=choice("oder"),
    claims=(
        (
            r"^\W*(?:ist|sind|war|waren|hat|wurde|wurden)\s+(?P<a>[^,]+?)\s+"
            r"(?P<about>\w+er)\s+als\s+(?P<b>[^,?]+?)(?:\s+(?-i:[a-zäöü])\w*)?\s*\?*$"
        ),
    ),
    often=(
        r"\bwie (?:oft|häufig)\b",
        (
            r"\b(?:\w+mal|mal|jede[nrsm]?|alle|nie|niemals|immer|selten|(?:stünd|täg|"
            r"wöchent|monat|jähr)lich\w*|\w+(?:tägig|wöchentlich|jährlich)\w*)\b|"
            r"\b(?:pro|je|am|im|in der) (?:minute|stunde|tag|woche|monat|jahr)\b"
        ),
    ),
    earlier=r"\b(?:früher|älter|zuerst|eher|vor)\w*\b|\bals erste[rs]?\b",
    later=r"\b(?:später|jünger|zuletzt|neuer|nach)\w*\b",
    than=r"\b(?P<degree>(?:mehr|weniger)\s+\w+|\w+er|mehr)\s+als\b",
    less=r"\b(?:weniger|kleiner|kürzer|niedriger|leichter|billiger)\w*\b",
    more=r"\b(?:mehr|größer|länger|höher|tiefer|schwerer|breiter|teurer)\w*\b",
    born=r"\bgeb(?:oren|urt)|\bälter|\bjünger|\*",
    died=r"\bgest(?:orben|arb)|\btod\b|†",
    life=("geboren", "gestorben"),
    denies=r"\b(?:nichts?|kein\w*|nie(?:mals|mand)?|nirgends|weder|verboten|untersagt|unzulässig"
    r"|ausgeschlossen|geschlossen)\b",
    wide=r"\b(?:alle[rsnm]?|jede[rsnm]?|sämtliche\w*|immer|ganze[rsnm]?|völlig"
    r"|vollständig|stets)\b",
    narrow=r"\b(?:einige\w*|manche\w*|viele\w*|meiste\w*|mehrere\w*|teil(?:e|en|weise)?"
    r"|wenige\w*|oft|meist(?:ens)?|manchmal|häufig|fast|nahezu|hälfte|bis zu)\b",
    only=r"\b(?:nur|lediglich|ausschließlich)\b",
    until=r"\bbis (?:wann|wie ?viel uhr)\b",
    reserved=r"\b(?:könnte\w*|dürfte\w*|möglicherweise|vermutlich|wahrscheinlich|vielleicht"
    r"|angeblich|offenbar|wohl|voraussichtlich|anscheinend|geplant|plant|vermutet"
    r"|gilt als|soll(?:en)?|vorgesehen|möglich|in aussicht|erwartet)\b",
    because=r"\b(?:weil|wegen|denn|deshalb|daher|aufgrund|durch|damit)\b",
    so=r"(?:Deshalb|Deswegen|Daher|Darum|Somit|Aus diesem Grund)\b",
    defines=(
        r"\b(?:ist|sind|war|waren|bezeichnet|bedeutet|heißt) (?:eine?[rsn]?|der|die|das)\b"
        r"|\b(?:nennt|versteht|bezeichnet) man\b|\b(?:wird|werden) .*\bverstanden\b"
        r"|\b(?:dient|gilt als|gelten als|handelt es sich um)\b"
    ),
    located=(
        r"\b(?:im|in|am|an|ans?|auf|aus|bei|beim|gegenüber|hinter|nach|neben|über|unter|vor|zum|zur"
        r"|zwischen)\s(?!\d)|\b(?:hier|dort|draußen|drinnen|oben|unten|online|zu Hause)\b"
    ),
    placed=r"\b(?:in|im|am|an|auf|aus|bei|beim|nach|unter|von|zwischen|neben)(?: de[mnr])?\s*$",
    following=Following(
        lead_in=r"(?:und|aber|dann)(?: was ist mit| wie ist es mit)?|was ist mit|wie ist es mit",
        articles=r"der|die|das|den|dem|des|eine?[mnrs]?",
        prepositions=r"für|mit|ohne|am|an|im|in|bei|beim|von|vom|zu|zum|zur|nach|vor|ab|bis|seit|auf|aus|um|über|unter|während",
        pronouns=r"(?-i:er|sie|(?<![Gg]ibt )es|ihn|ihm)",
        neuter="es",
        of_things=r"wie (?:hoch|breit|tief|lang|weit)|wo (?:steht|liegt)|(?:er|ge)baut|errichtet"
        r"|ab(?:gerissen|gebrannt)|eröffnet",
        measures=r"wie (?:hoch|breit|tief|groß|schwer)",
        measured="ist",
        accusative=("den", "der"),
        cases=(
            ("er", "den|dem|des", "der"),
            ("ihn", "der|dem|des", "den"),
            ("ihm", "der|den|das|des", "dem"),
            ("sie", "der", "die"),
            ("es", "dem|des", "das"),
        ),
        is_verb_first=True,
        last=r"(?-i:[a-zäöü])\w+",
        has_capitals=True,
    ),
    points_back=r"(?:Er|Seine?[rnms]?|Sie(?= [a-zäöü]+[te]\b)|Es(?! (?:gibt|gab|gilt|ist)\b))\b",
    verbs=(
        r"ist|sind|war|waren|wurden?|wird|werden|hat|haben|hatten?|kann|können|darf|dürfen"
        r"|muss|müssen|liegt|steht|besteht|gehört|bietet|dauert|kostet|umfasst|öffnet"
    ),
    without=r"\bohne\b",
    but=r"\b(?:aber|jedoch|doch)\b",
    infinitive=r"\b(?:zu |(?:ab|an|auf|aus|ein|mit|um|vor|weg|zurück)zu)\w+n\W*$",
    ors=r"oder|noch",
    one=r"eine?[mnrs]?",
    by=r"von|durch",
    moment=(
        r"innerhalb|binnen|spätestens|vor|nach|ab|seit|bis(?: zum)?|zum ende|anfang|mitte|ende",
        r"vorher|zuvor|später|danach|vor|nach|im voraus",
        r"\bwurden?\b",
    ),
    rules=Rules(
        must=r"\b(?:muss|musst|müss(?:en|te\w*)|nötig\w*|notwendig\w*|erforderlich\w*"
        r"|brauch\w*|benötig\w*|bedarf|bedürfen|(?!kosten"
        r"|gebühren)\w*pflicht(?:ig\w*)?|obligatorisch\w*|verpflicht\w+"
        r"|vorgeschrieben\w*|zwingend\w*|unerlässlich\w*)\b",
        need_not=r"\b(?:freiwillig\w*|optional\w*|fakultativ\w*|wahlweise|freigestellt"
        r"|entbehrlich\w*|unnötig\w*|erübrigt|entfällt)\b",
        may=r"\b(?:darf\w*|dürf(?:en|te\w*)|kann\w*|könn(?:en|te\w*)|erlaubt\w*"
        r"|gestattet\w*|zulässig\w*|zugelassen\w*|möglich\w*)\b",
        may_not=r"\b(?:verboten\w*|untersagt\w*|unzulässig\w*|\w*verbot|ausgeschlossen"
        r"|unmöglich)\b",
        paid=r"\b(?:kost(?:en|et|ete[n]?)|(?:be|ge)?zahl(?:en|t|e)|bezahlt|gebühr\w*"
        r"|(?:kosten|gebühren)pflichtig\w*|aufpreis|zuzüglich|gesondert|exklusive"
        r"|extra)\b",
        free=r"\b(?:(?:kosten|gebühren)(?:los|frei)\w*|gratis|unentgeltlich\w*|umsonst"
        r"|freie[nrsm]? (?:eintritt|zugang|zutritt)|(?:eintritt|zugang"
        r"|zutritt)(?: ist)? frei|kost\w+ nichts|ohne (?:aufpreis|gebühr\w*|(?:zusatz"
        r"|mehr)kosten)|enthalten|(?:mit)?inbegriffen|inklusive)\b",
    ),
    labels=Labels(
        place=(r"wo\b", r"(?:\w+)?ort|treffpunkt|wo|raum"),
        date=(r"wann\b|an welchem (?:tag|datum)\b", r"datum|termin|tag|wann"),
        held=r"\b(?:f[aä]nd\w*|finde[nt]|statt\w*|tagte\w*|tr[ai]f\w*|getroffen|(?:ab)?gehalten|sich)\b",
    ),
    days=Days(
        names=forms(
            "montag dienstag mittwoch donnerstag freitag (?:samstag|sonnabend) sonntag",
            r"(?:s|en|e)?",
        ),
        asked=r"\bwelche[mnrs]? (?:wochen)?tag(?:en?)?\b",
        through="bis(?: einschließlich)?",
        groups=("wochenenden?", "wochentags|unter der woche", "täglich|jeden tag|alle tage"),
        but=excepting("außer", "ausgenommen", "mit ausnahme"),
        open=r"\boffen\b|\böffnet|\bgeöffnet|\baufmachen\b|\bauf\W*$",
        closed=r"\bgeschlossen|\bruhetag|\bschließtag",
    ),
    before_year=r"(?P<plainly>jahre?|anno|geboren|gestorben)|um|seit",
    decade=r"{year}er(?:[\s-]jahren?)?",
    months=(
        r"jan(?:uar|\.)",
        r"feb(?:ruar|\.)",
        r"märz",
        r"apr(?:il|\.)",
        r"mai",
        r"juni",
        r"juli",
        r"aug(?:ust|\.)",
        r"sept?(?:ember|\.)",
        r"okt(?:ober|\.)",
        r"nov(?:ember|\.)",
        r"dez(?:ember|\.)",
    ),
    numbers=under_hundred(_COUNTED, _TENS, _joined, ones="ein")
    | {"hundert": 100, "einhundert": 100, "tausend": 1000, "eintausend": 1000},
    joint="(?:und)?",
    units={"km": "kilometern?", "m": "metern?", "cm": "zentimetern?", "kg": "kilo(?:gramm)?"}
    | {"s": "sekunden?", "wk": "wochen?", "mo": "monat(?:en?|s)?"}
    | {
        "yr": "jahr(?:en?|es)?",
        "min": "minuten?",
        "h": "stunden?",
        "d": "tag(?:en?|es)?",
        "EUR": "euro",
    }
    | {"l": "litern?", "t": "tonnen?", "ha": "hektar", "g": "gramm"}
    | {"%": "prozent"},
    related=(
        "gewicht schwer wiegt wiegen wog",
        "höhe hoch höher",
        "länge lang",
        "breite breit",
        "tiefe tief",
        "dauer dauert dauern",
        "entfernung reichweite weit",
        "inhalt fassungsvermögen volumen fasst fassen",
        "preis teuer teurer billiger günstiger",
        "anwesend anwesende teilnehmer teilnehmerinnen teilgenommen teilnahm teilnahmen",
        "vorsitz vorsitzende vorsitzender leitete geleitet",
        "benutzen benutzt benutzung nutzen nutzung verwenden verwendung gebrauch",
        "mitnehmen mitnahme mitgenommen mitbringen mitgebracht",
        "eröffnet eröffnung freigegeben eingeweiht einweihung betrieb",
        (
            "geöffnet öffnet öffnen öffnung offen öffnungszeiten"
            " | geschlossen schließt schließen schließung öffnungszeiten"
        ),
        "gründete gegründet gründer gründerin gründung stiftete",
        "entwarf entworfen entwurf pläne architekt zeichnete plante geplant",
        "baute gebaut erbaut errichtet bau",
        "geboren geburt geburtsort stammt",
        "gestorben starb tod",
        "umfasst enthält enthalten inbegriffen beinhaltet",
        "erlaubt gestattet zulässig zugelassen verboten untersagt",
        "mitarbeiter beschäftigt beschäftigte angestellte",
        "leitet leiter leiterin leitung geleitet direktor direktorin chef",
        "liegt steht befindet gelegen",
        "kostet kosten preis eintritt gebühr zahlen zahlt bezahlen",
    ),
)
