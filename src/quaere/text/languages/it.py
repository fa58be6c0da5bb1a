"""Italian."""

from __future__ import annotations

from quaere.text.languages.language import Frame, Headings, Language, choice, listed, under_hundred

_COUNTED = """
    due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici
    sedici diciassette diciotto diciannove
"""
_TENS = "venti trenta quaranta cinquanta sessanta settanta ottanta novanta"


def _joined(ten: str, one: str) -> str:
    stem = ten[:-1] if one[0] in "uo" else ten
    return stem + ("tré" if one == "tre" else one)


LANGUAGE = Language(
    code="it",
    name="Italian",
    stemmer="italian",
    common=("il", "della", "di"),
    frame=Frame(
        yes="Sì",
        no="No",
        nothing="Le fonti non dicono nulla che risponda alla domanda.",
        incomplete="Quanto trovato non copre tutta la domanda.",
        doubtful="Non è certo che questo risponda alla domanda.",
        near="Nulla di questo risponde alla domanda; è ciò che le si avvicina di più.",
        limited="La ricerca era limitata; la risposta si basa su informazioni parziali.",
        cut_short="La ricerca è stata interrotta prima della fine; potrebbe esserci altro.",
        unanswered="Senza risposta in quanto trovato",
        uncertain="Non certo secondo le fonti",
        not_found="Non trovato",
        found_in_part="Trovato solo in parte",
        nothing_on="nulla su",
        disagree="Le fonti si contraddicono{about}: «{one}» contro «{other}».",
        says_both="La stessa fonte dice entrambe le cose: «{one}» e «{other}».",
        differs="formulato in altro modo",
        partly="confermato in parte",
        contradicted="contraddetto",
        not_judged="non valutato",
        quoted="citato",
        supported="confermato",
        no_claim="non è un'affermazione",
        by_words="dalle parole",
        by_model="da un modello",
        by_entailment="da un modello di implicazione",
        headings=Headings(
            report="Rapporto",
            short="Risposta breve",
            detail="In dettaglio",
            general="In generale",
            findings="Risultati",
            agreement="Accordi e contraddizioni",
            look="Dove cercare",
            limits="Limiti",
            open="Che cosa resta aperto",
            ended="Come è finita la ricerca",
            checked="Che cosa è stato verificato",
            warnings="Avvertenze",
            method="Metodo",
            queries="Ricerche",
            loops="Cicli",
            calls="Chiamate al modello",
            evidence="Prove, le migliori per prime",
            sources="Fonti",
            finding="Risultato",
            verdict="Verdetto",
            citations="Citazioni",
            sentence="Frase",
            left_out="Escluso dalla risposta",
            part="Parte della domanda",
            supported_by="Sostenuta da",
            contradicted_by="Contraddetta da",
            origins="Origini indipendenti",
            agreed="Accordi",
            conflicts="Contraddizioni",
            one_source="Una fonte",
            another="Un’altra",
            difference="Differenza",
            answered="Risposto",
            in_part="Risposto in parte",
            unanswered="Senza risposta",
        ),
    ),
    stop_words=listed(
        """
        a ad agli ai al alcune alcuni all alla alle allo altra altre altri altro anche ancora aveva
        avevano avere che chi ci cioè coi col come con contro cos cosa così cui da dagli dai dal
        dall dalla dalle dallo degli dei del dell della delle dello di dopo dove due durante e è
        ebbe ed era erano essa esse essere essi esso fa fino fra fu furono già gli ha hai hanno
        ho i il in io l la le lei lo loro lui ma me mentre mi mia mie miei mio molto ne negli nei
        nel nell nella nelle nello no noi non nostra nostro o od ogni oltre per perché perciò però
        più poco poi prima può possono possa proprio qual quale quali quando quanta quante quanti
        quanto quasi quel quella quelle quelli quello questa queste questi questo qui s sarà se sé
        sei senza si sia sono sopra sotto sta stata state stati stato su sua sue sugli sui sul sull
        sulla sulle suo suoi tra tu tua tuo tutta tutte tutti tutto un un' una uno vi voi
        """
    ),
    elision=r"(?:dell|nell|dall|sull|all|coll|quell|quest|cos|com|dov|quand|un|gl|[cdlmnstv])'",
    light=listed(
        """
        trova trovano situato situata esiste esistono resta restano conta contano dà danno mette
        viene vengono va vanno prende circa piuttosto abbastanza gente persona persone numero
        quantità modo cosa caso parte totale attualmente oggi serve servono bisogno necessario
        """
    ),
    asks={
        "number": r"quant[oiae]\b|quant'è\b|qual è l[a'] ?(?:altezza|lunghezza|profondità)\b",
        "reason": r"perché\b|per quale motivo\b|come mai\b",
        "definition": r"(?:che )?cos['’]è\b|(?:che )?cosa (?:è|sono|significa)\b|che significa\b",
        "date": r"(?:da |fino a )?quando\b|in (?:che|quale) anno\b|in (?:che|quale) data\b",
        "place": r"(?:da )?dov(?:e|['’])\b|dov['’]è\b",
        "person": r"(?:a |di |da |con )?chi\b",
        "which": r"qual(?:e|i|['’]è)?\b|che (?=\w)",
        "comparison": r"confronta\b|in cosa differi",
        "list": r"(?:elenca|nomina|cita)\b",
        "manner": r"come\b",
        "statement": r"(?:che )?cosa\b",
    },
    nouns={
        "person": "architett artista autor direttor fondator ingegner inventor persona pittor "
        "poeta re regina scrittor sindac",
        "place": "città fiume isola luogo paese piazza provincia quartiere regione via villaggio",
        "date": "anno data giorno mese secolo",
        "number": "altezza distanza durata lunghezza numero peso popolazione prezzo profondità",
    },
    lists=r"\bquali (?:\w+ )?(?:sono|ha|erano|offre|comprende)\b|\btutt[ie] (?:i|gli|le)\b",
    joins="ed?",
    either=choice("o", "oppure"),
    claims=(
        (
            r"^\W*(?:è|era|sono|fu)\s+(?:più|meno)\s+(?P<about>\w+)\s+(?P<a>.+?)\s+"
            r"(?:di|del|della|dell['’])\s*(?P<b>[^,?]+?)\s*\?*$"
        ),
        (
            r"^\W*(?P<a>.+?)\s+(?:è|era|sono)\s+(?P<about>(?:più|meno)\s+\w+)\s+"
            r"(?:di|del|della|dell['’])\s*(?P<b>[^,?]+?)\s*\?*$"
        ),
    ),
    earlier=r"\b(?:prima|prim[oi]|più (?:antic|vecchi|anzian)\w+)\b",
    later=r"\b(?:dopo|ultim[oai]|più (?:recent|nuov|giovan)\w+)\b",
    than=r"\b(?P<degree>(?:più|meno)\s+[^\W\d_]+|maggiore|minore)\s+(?:d(?:i|el|ella|ello|ei|elle|egli)\b|dell['’]|che\b)",
    less=r"\b(?:meno|più (?:piccol|cort|bass|legger)\w+|minore)\b",
    more=r"\b(?:più (?:grand|lung|alt|profond|pesant|larg|car)\w+|maggiore|più)\b",
    born=r"\b(?:nacque|nat[oaie]|nascita)\b",
    died=r"\b(?:morì|mort[oae]|decess\w+)\b",
    life=("nato", "morto"),
    denies=r"\b(?:non?|né|mai|niente|nulla|nessun\w*|senza|vietat\w+|chius\w+|proibit\w+|divieto)\b",
    wide=r"\b(?:tutt[oaie]|ogni|sempre|inter[oa]|completamente)\b",
    narrow=r"\b(?:alcun[ie]|molt[ie]|divers[ie]|maggior parte|maggioranza|talvolta|spesso"
    r"|quasi|parte|metà|poch[ie]|qualche|fino a)\b",
    reserved=r"\b(?:potrebbe\w*|forse|probabilmente|possibilmente|sembra\w*|sarebbe\w*"
    r"|presumibilmente|può darsi|previst[oa]|pare)\b",
    because=r"\b(?:perché|poiché|siccome|a causa|grazie|dato che|affinché)\b",
    defines=r"\b(?:è|sono|era|erano|significa|indica) (?:un|una|uno|il|la|lo|i|gli|le|l['’])",
    placed=r"\b(?:a|ad|al|alla|in|nel|nella|da|dal|dalla|di|presso|su|sul|sulla|via)\s*$",
    weekdays=r"\b(?:luned[iì]|marted[iì]|mercoled[iì]|gioved[iì]|venerd[iì]|sabat[oi]|domenic(?:a|he))\b",
    which_day=r"\b(?:che|quale|quali) giorn[oi]\b",
    months=(
        *(r"genn?(?:aio|\.)", r"febb?(?:raio|\.)", r"mar(?:zo|\.)", r"apr(?:ile|\.)", r"maggio"),
        *(r"giugno", r"luglio", r"ago(?:sto|\.)", r"sett?(?:embre|\.)", r"ott(?:obre|\.)"),
        *(r"nov(?:embre|\.)", r"dic(?:embre|\.)"),
    ),
    numbers=under_hundred(_COUNTED, _TENS, _joined, ones="uno un") | {"cento": 100, "mille": 1000},
    units={"km": "chilometr[oi]", "m": "metr[oi]", "cm": "centimetr[oi]", "kg": "chil[oi]"}
    | {"yr": "ann[oi]", "min": "minut[oi]", "h": "or[ae]", "d": "giorn[oi]", "EUR": "euro"}
    | {"%": "per cento", "l": "litri|litro", "t": "tonnellat[ae]", "ha": "ettar[oi]"},
    related=(
        "inaugurato inaugurata inaugurazione aperto aperta apertura aprì",
        "aperto aperta chiuso chiusa apre chiude",
        "fondò fondato fondata fondatore fondatrice fondazione creò",
        "progettò progettato progettata architetto progetto disegnò",
        "costruì costruito costruita costruzione eretto edificato",
        "nacque nato nata nascita",
        "morì morto morta morte",
        "permesso permessa consentito consentita ammesso vietato vietata vietati proibito",
        "dirige direttore direttrice diretto",
        "trova situato sorge sede",
        "costa prezzo biglietto",
    ),
)
