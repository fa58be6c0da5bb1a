"""Italian."""

from __future__ import annotations

from quaere.text.languages.language import Frame, Headings, Language, choice, listed, under_hundred
from quaere.text.languages.phrases import Account, Reasons
from quaere.text.languages.wordings import Days, Following, Labels, Rules, excepting, forms

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
    spelling=r"zion|gli|[èìòù]$",
    common=("il", "della", "di"),
    frame=Frame(
        yes="Sì",
        no="No",
        nothing="Le fonti non dicono nulla che risponda alla domanda.",
        nothing_asked="Non è una domanda, quindi non è stato cercato nulla.",
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
        reasons=Reasons(
            word_for_word="la fonte lo dice parola per parola",
            has_words="la fonte contiene le sue parole, cifre e nomi",
            no_claim="non afferma nulla che una fonte potrebbe dire",
            in_part="solo una parte si trova nelle fonti citate",
            otherwise="le fonti citate dicono altro",
            not_found="non si trova nelle fonti citate",
            found="si trova nelle fonti citate",
            lost="ciò a cui si riferisce è stato escluso",
            unfounded="una conclusione che nessuna fonte trae da sola",
            too_many_sources="cita più fonti di quante questa risposta possa averne",
            too_long="la risposta era già abbastanza lunga",
            unshown="nulla di ciò che cita può essere mostrato",
            not_in="non si trova nelle fonti citate: {missing}",
            unknown="cita prove che non esistono: {numbers}",
            empty="non dice nulla che si possa verificare",
            foreign="in una lingua diversa da quella delle fonti citate",
            lengthy="troppo lunga per essere confrontata",
            uncited="non cita alcuna prova",
            misquoted="una citazione non si trova nella fonte citata",
            unquoted="rimanda a una prova senza citarla",
            denies="nega ciò che la fonte afferma",
            affirms="afferma ciò che la fonte nega",
            denies_alone="nega qualcosa dove la fonte non nega nulla",
            opposite="dice il contrario della fonte",
            figure="la fonte riporta lì un'altra cifra",
            replaced="la fonte ha lì un'altra parola",
            compares="confronta in senso opposto alla fonte",
            uncompared="la fonte non li confronta così",
            order="dà un ordine diverso da quello della fonte",
            misplaced="la fonte riferisce questa cifra ad altro",
            labelled="la fonte lo dice di altro",
            exchanged="scambia ciò che la fonte dice dell'uno e dell'altro",
            narrowed="lo dice di meno cose della fonte",
            reserved="la fonte lo dice con una riserva",
            strengthened="lo dice con più forza della fonte",
            unexplained="indica una causa che la fonte non indica",
            left_open="lascia aperto ciò che la fonte esige",
            widened="lo dice di più cose della fonte",
            choice="ha «e» dove la fonte ha «o», o viceversa",
            scope="cambia la condizione o il tempo indicati dalla fonte",
            against="«{one}» contro «{other}»",
        ),
        account=Account(
            alternatively=", o lo dice in altro modo",
            sufficient="sono state trovate prove per ogni parte della domanda",
            nothing_new="la ricerca non portava nulla di nuovo",
            loops_over="è stato raggiunto il limite dei cicli",
            budget_used="il budget era esaurito",
            time_up="il tempo era scaduto",
            degraded="la ricerca è fallita troppe volte",
            cancelled="è stato chiesto di concludere",
            failed="un errore ha posto fine alla ricerca",
            stopped="Motivo della fine: {reason} ({code}).",
            ended="Fine della ricerca: {reason}.",
            not_answered="Senza risposta",
            summary="{status}: {sentences:frase|frasi}, {citations:fonte citata|fonti citate}, "
            "fiducia {confidence}.",
            checks="Frasi scritte: {written}; confermate così com'erano: {supported}, "
            "corrette: {repaired}, segnalate: {marked}, escluse: {dropped}.",
            not_checked="Ogni frase è stata confrontata con le parole che cita. Non è stato "
            "verificato se quelle parole siano vere, né che cosa dicano le fonti non "
            "lette.",
            shown="Delle frasi mostrate: {listed}.",
            nothing_found="Non è stato trovato nulla che risponda a questo.",
            see="Nessuna frase a parte; si veda {markers}.",
            not_rested="Sono state trovate prove, ma la risposta non si basa su di esse.",
            question="La domanda",
            evidence="prova {number}",
            went="Come si è svolta",
            coverage="Copertura",
            missing="Che cosa manca",
            checking="Verifiche",
            cost="Costo",
            plan="Piano",
            sentences="Frasi",
            status="Stato",
            sureness="Fiducia: {confidence}; copertura: {coverage}",
            loops_of="Cicli: {count} su un massimo di {most}",
            queries_of="Ricerche: {count} su un massimo di {most}",
            opened="{sources}; pagine aperte: {count} su un massimo di {most}",
            took="Costo: {seconds} s, {calls}",
            run="Esecuzione: {run}",
            understood="La domanda come è stata intesa: {question}",
            profile="Profilo: {profile}; ragionamento: {reasoner}",
            unnamed="non indicato",
            given="Tema affidato a una ricerca: {topic}",
            refused="Tema rifiutato perché ne ripete un altro: {topic}",
            spent="profilo {profile} · {loops:ciclo|cicli} · {queries:ricerca|ricerche} · "
            "{sources} · {seconds} s",
            tokens="{tokens:token|token}",
            sources="fonti trovate: {found}, lette: {read}, illeggibili: {refused}",
            read_in="{seconds} s; {sources}",
            calls="{calls:chiamata al modello|chiamate al modello}, {tokens}, {cost}",
            about="circa {tokens}",
            unpriced="prezzo sconosciuto",
            priced_in_part="{cost} e {unknown} a prezzo sconosciuto",
            under="meno di {cost}",
            weaker="Con limitazioni ({step}): {reason}",
            unused="Il modello indicato non è stato usato in tutti i passaggi: {reasons}.",
            more="e altri {count}; --format full mostra tutto",
            query_heads=("Ciclo", "Ricerca", "Intento", "Risultati", "Nuovi", "Errore"),
            loop_heads=("Ciclo", "Fonti trovate", "Fonti lette", "Copertura", "Fiducia", "Tempo"),
            call_heads=("Passaggio", "Modello", "Token", "Costo", "Tempo", "Errore"),
            evidence_heads=("N.", "Fonte", "Parti del punteggio", "Punteggio"),
            unknown="sconosciuto",
            contents="Indice",
            back="Torna a dove è citato {number}",
            read="letto {time}",
            abstract="riassunto",
            full_text="testo completo",
            number="numero",
            date="data",
            negation="negazione",
            opposite="contrario",
            judged="giudicato così",
            page="pagina {at}",
            pages="pagine {at}",
            slide="diapositiva {at}",
            slides="diapositive {at}",
            cell="cella {at}",
            cells="celle {at}",
            line="riga {at}",
            lines="righe {at}",
            row="riga di tabella {at}",
            rows="righe di tabella {at}",
            record="voce {at}",
            records="voci {at}",
            item="elemento {at}",
            items="elementi {at}",
            message="messaggio {at}",
            messages="messaggi {at}",
            date_for="{thing}: la data",
            figure_for="{thing}: la cifra",
            place_for="{thing}: il luogo",
            told_of="{thing}: che cosa ne dicono le fonti",
            unread="La lingua delle fonti ({others}) non è quella della domanda ({own}): "
            "senza un modello, le risposte si trovano solo in fonti nella lingua della "
            "domanda",
        ),
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
        ebbe ed era erano essa esse essere essi esso fa fino fra fu furono già gli ha hai hanno deve
        ho i il in io l la le lei lo loro lui ma me mentre mi mia mie miei mio molto ne negli nei
        nel nell nella nelle nello no noi non nostra nostro o od ogni oltre per perché perciò però
        più poco poi prima può possono possa proprio qual quale quali quando quanta quante quanti
        quanto quasi quel quella quelle quelli quello questa queste questi questo qui s sarà se sé
        sei senza si sia sono sopra sotto sta stata state stati stato su sua sue sugli sui sul sull
        sulla sulle suo suoi tra tu tua tuo tutta tutte tutti tutto un un' una uno vi voi devono
        posso puoi possiamo potete devo devi dobbiamo dovete bisogna occorre
        """
    ),
    elision=r"(?:dell|nell|dall|sull|all|coll|quell|quest|cos|com|dov|quand|un|gl|[cdlmnstv])'",
    light=listed(
        """
        trova trovano situato situata esiste esistono resta restano conta contano dà danno mette
        viene vengono va vanno prende circa piuttosto abbastanza gente persona persone numero
        quantità modo cosa caso parte totale attualmente oggi serve servono bisogno necessario
        andare entrare salire scendere passare
        """
    ),
    opposites="""
aumentare aumenta aumentato aumento | diminuire diminuisce diminuito diminuzione calo
approvare approvato approvata accolto accolta | respingere respinto respinta rifiutato rifiutata
aprire apre aperto aperta | chiudere chiude chiuso chiusa
cominciare inizia iniziare inizio | finire finisce terminare termina fine
comprare comprato | vendere venduto
vincere vinto vittoria | perdere perso sconfitta
retribuito retribuita retribuiti pagamento | gratuito gratuita gratuiti gratuite
obbligatorio obbligatoria | facoltativo facoltativa
massimo massima | minimo minima
pubblico pubblica | privato privata
primo prima | ultimo ultima
maggioranza | minoranza
""",
    vague=listed(
        """
        chiama chiamano chiamato chiamata chiamò denominato denominata termine tipo genere
        """
    ),
    asks={
        "number": r"quant(?:[oiae]\b(?: tempo)?|'è\b)|qual è l[a'] ?(?:altezza|lunghezza)\b",
        "reason": r"perché\b|per quale motivo\b|come mai\b",
        "definition": r"(?:che )?cos['’] ?è\b|(?:che )?cosa (?:è|sono|significa)\b|che significa\b",
        "date": r"(?:da |fino a )?quando\b|che ora\b|in (?:che|quale) (?:anno|data)\b",
        "place": r"(?:da )?dov(?:e\b|['’])",
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
        "number": "altezza capacità costo distanza durata larghezza lunghezza numero peso "
        "popolazione prezzo profondità tariffa temperatura",
        "name": "lingua partito squadra club azienda società organizzazione gruppo film libro "
        "canzone romanzo serie episodio tipo genere termine materia animale pianta "
        "materiale ruolo titolo professione scuola università malattia colore nome",
    },
    price=r"quanto (?:costa|costano|si paga)\b|qual è il prezzo\b",
    from_to=(r"da|dai|dal", r"ad?|fino a"),
    many=r"quant[ei]\b",
    measured={
        "old": r"quanti anni ha\b",
        "heavy": r"quanto pesa\w*|qual è il peso\b",
        "deep": r"quanto (?:è|sono) (?:alt|larg|lung|profond)[oaie]\b",
        "long": r"quanto (?:tempo\b|dur\w+)",
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
    often=(
        r"\b(?:ogni quanto|con (?:che|quale) frequenza)\b",
        (
            r"\b(?:volta|volte|ogni|tutt[ei]|mai|sempre|(?:giornal|quotidian|settimanal|"
            r"mensil|annual|trimestral)\w*|(?:al|alla|all['’]) ?(?:ora|giorno|settimana|"
            r"mese|anno))\b"
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
    denies=r"\b(?:non?|né|mai|niente|nulla|nessun\w*|senza|vietat\w+|chius\w+|proibit\w+|divieto|esent\w+|esonerat\w+)\b",
    wide=r"\b(?:tutt[oaie]|ogni|sempre|inter[oa]|completamente)\b",
    narrow=r"\b(?:alcun[ie]|molt[ie]|divers[ie]|maggior parte|maggioranza|talvolta|spesso"
    r"|quasi|parte|metà|poch[ie]|qualche|fino a)\b",
    only=r"\b(?:solo|soltanto|solamente|esclusivamente)\b",
    until=r"\bfino a (?:che ora|quando)\b",
    reserved=r"\b(?:potrebbe\w*|forse|probabilmente|possibilmente|sembra\w*|sarebbe\w*"
    r"|presumibilmente|può darsi|previst[oa]|pare)\b",
    because=r"\b(?:perché|poiché|siccome|a causa|grazie|dato che|affinché)\b",
    so=r"(?:Perciò|Pertanto|Quindi|Per (?:questo|tale)(?: motivo)?)\b",
    defines=(
        r"\b(?:è|sono|era|erano|significa|indica) (?:un|una|uno|il|la|lo|i|gli|le|l['’])"
        r"|\bsi (?:chiamano?|definisc(?:e|ono)|intend(?:e|ono))\b"
        r"|\b(?:consist(?:e|ono) in|serv(?:e|ono) a)\b"
    ),
    located=(
        r"\b(?:a|ad|ai|agli|al(?:l[aeo])?|accanto|davanti|dentro|dietro|fuori|in|ne(?:i|l|gli|ll[aeo])"
        r"|presso|sopra|sotto|su(?:i|l|gli|ll[aeo])?|tra|fra|vicino"
        r"|(?:arriva|esce|parte|viene) da\w*)\b"
        r"(?:['’]|\s)(?!\d)|\bd[ia] (?-i:[A-ZÀ-Þ])|\b(?:via|piazza|viale|qui|lì)\b"
    ),
    placed=r"\b(?:a|ad|al|alla|in|nel|nella|da|dal|dalla|di|presso|su|sul|sulla|via)\s*$",
    following=Following(
        lead_in=r"(?:e|ed|ma|allora)(?: per quanto riguarda)?",
        articles=r"il|lo|la|i|gli|le|una?|uno",
        prepositions=r"per|con|senza|in|ne(?:l|i|gli|ll[aeo])|di|de(?:l|i|gli|ll[aeo])|a|ad|al|alla|ai|da|dal|dalla|su|sul|sulla|fino|dopo|prima",
        stand_ins="quell[oaie]",
        pronouns=r"lui|lei|loro|ess[oaie]",
        bound=r"(?<!\w)(?:lo|la|l['’]) ?(?=ha\b|hanno\b|aveva\b)",
        drops_subject=True,
    ),
    points_back=(
        r"(?:(?:Egli|Ess[oaie]|Lui|Lei|Su[oa]|Suoi|Sue"
        r"|Si (?:trova|estende|compone)|Ha|Hanno|Aveva|Fu|Era"
        r"|Misura|Pesa|Conta|Dura|Apre|Chiude|Nacque|Morì|Comprende|Sorge)\b"
        r"|È\b(?! (?:severamente|vietat|possibil|necessari|obbligatori|consentit|permess)))"
    ),
    verbs=(
        r"è|sono|era|erano|fu|furono|ha|hanno|aveva|può|possono|deve|devono|si|conta|misura"
        r"|dura|costa|apre|comprende|nacque|sorge|offre|appartiene|raccoglie"
    ),
    without=r"\bsenza\b",
    but=r"\b(?:ma|però)\b",
    ors=r"o|né",
    one=r"un[ao']?",
    by=r"da(?:l(?:l[aeo])?|i|gli)?",
    moment=(
        r"entro|dopo|prima d(?:i|el)|fino a|da|dal|tra|fra",
        r"prima|dopo|più tardi|successiv[oiae]|seguent[ei]|precedent[ei]",
        r"\b(?:fu|furono|è stat[oa]|sono stat[ie]|nacque|nat[oa])\b",
    ),
    rules=Rules(
        must=r"\b(?:dev(?:e|o|ono)|dobbiamo|obblig\w+|necessari\w+|occorr\w+|bisogna"
        r"|bisogno|serv(?:e|ono)|richiest\w+|indispensabil\w+)\b",
        need_not=r"\b(?:facoltativ\w+|opzional\w+|volontari\w+|superflu\w+|inutil\w+)\b",
        may=r"\b(?:può|poss(?:o|ono|iamo)|permess\w+|permett\w+|consent\w+|autorizzat\w+"
        r"|ammess\w+|accettat\w+|possibil\w+)\b",
        may_not=r"\b(?:viet\w+|proib\w+|divieto|impossibil\w+)\b",
        paid=r"\b(?:costa(?:no)?|pag(?:a|ano|are)|a pagamento|supplemento|esclus\w+"
        r"|a parte)\b",
        free=r"\b(?:gratis|gratuit\w+|ingresso libero|senza (?:costi|spese|supplement[oi])"
        r"|inclu\w+|compres[aeio])\b",
    ),
    labels=Labels(
        place=(r"dove\b", r"luogo|sede|dove|sala"),
        date=(r"quando\b|in (?:che|quale) (?:giorno|data)\b", r"data|giorno|quando"),
        held=r"\b(?:tenut[aeio]|tenne|terrà|tiene|svolt[aeio]|svolse|svolge\w*|avut[ao]|luogo)\b",
    ),
    days=Days(
        names=forms(
            "luned[iì] marted[iì] mercoled[iì] gioved[iì] venerd[iì] sabat[oi] domenic(?:a|he)"
        ),
        asked=r"\b(?:che|quale|quali) giorn[oi]\b",
        through="al?|alla|fino al?",
        groups=(
            "fine settimana|weekend",
            "(?:in|durante la) settimana",
            "tutti i giorni|ogni giorno",
        ),
        but=excepting("tranne", "eccetto", "escluso", "salvo", "ad eccezione"),
        open=r"\bapert\w+|\bapr(?:e|ono|ire)\b",
        closed=r"\bchius\w+|\briposo\b|\bchiud(?:e|ono) (?=di|il|la|ogni)",
    ),
    before_year=r"(?P<plainly>anno)|nel|dal|verso il|intorno al",
    decade=r"anni\s{year}",
    months=(
        *(r"genn?(?:aio|\.)", r"febb?(?:raio|\.)", r"mar(?:zo|\.)", r"apr(?:ile|\.)", r"maggio"),
        *(r"giugno", r"luglio", r"ago(?:sto|\.)", r"sett?(?:embre|\.)", r"ott(?:obre|\.)"),
        *(r"nov(?:embre|\.)", r"dic(?:embre|\.)"),
    ),
    numbers=under_hundred(_COUNTED, _TENS, _joined, ones="uno un")
    | {"cento": 100, "mille": 1000, "mila": 1000},
    units={"km": "chilometr[oi]", "m": "metr[oi]", "cm": "centimetr[oi]", "kg": "chil[oi]"}
    | {"s": "second[oi]", "wk": "settiman[ae]", "mo": "mes[ei]"}
    | {"yr": "ann[oi]", "min": "minut[oi]", "h": "or[ae]", "d": "giorn[oi]", "EUR": "euro"}
    | {"%": "per cento", "l": "litri|litro", "t": "tonnellat[ae]", "ha": "ettar[oi]"},
    related=(
        "peso pesa pesano pesante",
        "altezza alto alta",
        "lunghezza lungo lunga",
        "larghezza largo larga",
        "profondità profondo profonda",
        "durata dura durano",
        "capacità capienza contiene",
        "prezzo caro cara economico economica",
        "presenti presente partecipato partecipò parteciparono partecipanti",
        "presiede presieduto presieduta presidente presidenza",
        "usare uso utilizzo utilizzare",
        "entrare ingresso accesso accedere",
        "prenotare prenotazione",
        "iscriversi iscrizione",
        "inaugurato inaugurata inaugurazione aperto aperta apertura aprì",
        "aperto aperta apre aprire apertura orari | chiuso chiusa chiude chiudere chiusura orari",
        "fondò fondato fondata fondatore fondatrice fondazione creò",
        "progettò progettato progettata architetto progetto disegnò",
        "costruì costruito costruita costruzione eretto edificato",
        "nacque nato nata nascita",
        "morì morto morta morte",
        "permesso permessa consentito consentita ammesso vietato vietata vietati proibito",
        "dirige direttore direttrice direzione diretto",
        "trova situato sorge sede",
        "comprende comprendono compreso compresa include inclusi incluso",
        "costa costano prezzo tariffa biglietto ingresso paga pagano pagare",
    ),
)
