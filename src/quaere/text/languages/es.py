"""Spanish."""

from __future__ import annotations

from quaere.text.languages.language import (
    Frame,
    Headings,
    Language,
    by_gender,
    choice,
    listed,
    under_hundred,
)
from quaere.text.languages.phrases import Account, Reasons
from quaere.text.languages.wordings import Days, Following, Labels, Rules, excepting, forms

_COUNTED = """
    dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis
    diecisiete dieciocho diecinueve
"""
_TENS = "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa"
_STRESSED = {"un": "ún", "dos": "dós", "tres": "trés", "seis": "séis"}


def _joined(ten: str, one: str) -> str:
    if ten == "veinte":
        return f"veinti{_STRESSED.get(one, one)}"
    return f"{ten} y {one}"


LANGUAGE = Language(
    code="es",
    name="Spanish",
    stemmer="spanish",
    spelling=r"ñ|ci[oó]n|^ll",
    common=("el", "los", "del"),
    frame=Frame(
        yes="Sí",
        no="No",
        nothing="Las fuentes no dicen nada que responda a la pregunta.",
        nothing_asked="No es una pregunta, por lo que no se ha buscado nada.",
        incomplete="Lo encontrado no cubre toda la pregunta.",
        doubtful="No es seguro que esto responda a la pregunta.",
        near="Nada de esto responde a la pregunta; es lo que más se le acerca.",
        limited="La búsqueda fue limitada; la respuesta se basa en información parcial.",
        cut_short="La investigación se interrumpió antes de tiempo; puede haber más que encontrar.",
        unanswered="Sin respuesta en lo encontrado",
        uncertain="No es seguro según las fuentes",
        not_found="No encontrado",
        found_in_part="Encontrado solo en parte",
        nothing_on="nada sobre",
        disagree="Las fuentes se contradicen{about}: «{one}» frente a «{other}».",
        says_both="Una misma fuente dice ambas cosas: «{one}» y «{other}».",
        differs="formulado de otro modo",
        partly="respaldado en parte",
        contradicted="contradicho",
        not_judged="no evaluado",
        quoted="citado",
        supported="respaldado",
        no_claim="no es una afirmación",
        by_words="por las palabras",
        by_model="por un modelo",
        by_entailment="por un modelo de implicación",
        reasons=Reasons(
            word_for_word="la fuente lo dice palabra por palabra",
            has_words="la fuente contiene sus palabras, cifras y nombres",
            no_claim="no afirma nada que una fuente pudiera decir",
            in_part="solo una parte está en las fuentes citadas",
            otherwise="las fuentes citadas dicen otra cosa",
            not_found="no está en las fuentes citadas",
            found="está en las fuentes citadas",
            lost="aquello a lo que se refiere se excluyó",
            unfounded="una conclusión que ninguna fuente saca por sí sola",
            too_many_sources="cita más fuentes de las que esta respuesta puede tener",
            too_long="la respuesta ya era bastante larga",
            unshown="nada de lo que cita puede mostrarse",
            not_in="no está en las fuentes citadas: {missing}",
            unknown="cita pruebas que no existen: {numbers}",
            empty="no dice nada que pueda comprobarse",
            foreign="en otro idioma que las fuentes citadas",
            lengthy="demasiado larga para compararla",
            uncited="no cita ninguna prueba",
            misquoted="una cita no está en la fuente citada",
            unquoted="remite a una prueba sin citarla",
            denies="niega lo que la fuente afirma",
            affirms="afirma lo que la fuente niega",
            denies_alone="niega algo donde la fuente no niega nada",
            opposite="dice lo contrario que la fuente",
            figure="la fuente da ahí otra cifra",
            replaced="la fuente tiene ahí otra palabra",
            compares="compara al revés que la fuente",
            uncompared="la fuente no los compara así",
            order="da otro orden que la fuente",
            misplaced="la fuente da esta cifra de otra cosa",
            labelled="la fuente lo dice de otra cosa",
            exchanged="intercambia lo que la fuente dice de uno y de otro",
            narrowed="lo dice de menos cosas que la fuente",
            reserved="la fuente lo dice con una reserva",
            strengthened="lo dice con más fuerza que la fuente",
            unexplained="da una causa que la fuente no da",
            left_open="deja abierto lo que la fuente exige",
            widened="lo dice de más cosas que la fuente",
            choice="tiene «y» donde la fuente tiene «o», o al revés",
            scope="cambia la condición o el tiempo que da la fuente",
            against="«{one}» frente a «{other}»",
        ),
        account=Account(
            alternatively=", o lo dice de otro modo",
            sufficient="se encontraron pruebas para cada parte de la pregunta",
            nothing_new="la búsqueda no aportaba nada nuevo",
            loops_over="se alcanzó el límite de rondas",
            budget_used="se agotó el presupuesto",
            time_up="se acabó el tiempo",
            degraded="la búsqueda falló demasiadas veces",
            cancelled="se pidió terminar",
            failed="un error puso fin a la búsqueda",
            stopped="Motivo del final: {reason} ({code}).",
            ended="Fin de la búsqueda: {reason}.",
            not_answered="Sin respuesta",
            summary="{status}: {sentences:frase|frases}, {citations:fuente citada|fuentes "
            "citadas}, confianza {confidence}.",
            checks="Frases escritas: {written}; respaldadas tal como estaban: {supported}, "
            "corregidas: {repaired}, señaladas: {marked}, excluidas: {dropped}.",
            not_checked="Cada frase se comparó con las palabras que cita. No se comprobó si esas "
            "palabras son ciertas ni lo que dicen las fuentes que no se leyeron.",
            shown="De las frases mostradas: {listed}.",
            nothing_found="No se encontró nada que responda a esto.",
            see="Sin frase propia; véase {markers}.",
            not_rested="Se encontraron pruebas, pero la respuesta no se basa en ellas.",
            question="La pregunta",
            evidence="prueba {number}",
            went="Cómo transcurrió",
            coverage="Cobertura",
            missing="Lo que falta",
            checking="Comprobaciones",
            cost="Coste",
            plan="Plan",
            sentences="Frases",
            status="Estado",
            sureness="Confianza: {confidence}; cobertura: {coverage}",
            loops_of="Rondas: {count} de un máximo de {most}",
            queries_of="Consultas: {count} de un máximo de {most}",
            opened="{sources}; páginas abiertas: {count} de un máximo de {most}",
            took="Coste: {seconds} s, {calls}",
            run="Ejecución: {run}",
            understood="La pregunta tal como se entendió: {question}",
            profile="Perfil: {profile}; razonamiento: {reasoner}",
            unnamed="no indicado",
            given="Tema asignado a una investigación: {topic}",
            refused="Tema rechazado porque repite otro: {topic}",
            spent="perfil {profile} · {loops:ronda|rondas} · {queries:consulta|consultas} · "
            "{sources} · {seconds} s",
            tokens="{tokens:token|tokens}",
            sources="fuentes encontradas: {found}, leídas: {read}, ilegibles: {refused}",
            read_in="{seconds} s; {sources}",
            calls="{calls:llamada al modelo|llamadas al modelo}, {tokens}, {cost}",
            about="unos {tokens}",
            unpriced="precio desconocido",
            priced_in_part="{cost} y {unknown} de precio desconocido",
            under="menos de {cost}",
            weaker="Con limitaciones ({step}): {reason}",
            unused="El modelo indicado no se usó en todos los pasos: {reasons}.",
            more="y {count} más; --format full muestra todo",
            query_heads=("Ronda", "Consulta", "Intención", "Resultados", "Nuevos", "Error"),
            loop_heads=(
                "Ronda",
                "Fuentes encontradas",
                "Fuentes leídas",
                "Cobertura",
                "Confianza",
                "Tiempo",
            ),
            call_heads=("Paso", "Modelo", "Tokens", "Coste", "Tiempo", "Error"),
            evidence_heads=("N.º", "Fuente", "Partes de la puntuación", "Puntuación"),
            unknown="desconocido",
            contents="Contenido",
            back="Volver a donde se cita {number}",
            read="leído {time}",
            abstract="resumen",
            full_text="texto completo",
            number="número",
            date="fecha",
            negation="negación",
            opposite="lo contrario",
            judged="así juzgado",
            page="página {at}",
            pages="páginas {at}",
            slide="diapositiva {at}",
            slides="diapositivas {at}",
            cell="celda {at}",
            cells="celdas {at}",
            line="línea {at}",
            lines="líneas {at}",
            row="fila {at}",
            rows="filas {at}",
            record="registro {at}",
            records="registros {at}",
            item="elemento {at}",
            items="elementos {at}",
            message="mensaje {at}",
            messages="mensajes {at}",
            date_for="{thing}: la fecha",
            figure_for="{thing}: la cifra",
            place_for="{thing}: el lugar",
            told_of="{thing}: lo que dicen las fuentes",
            unread="El idioma de las fuentes ({others}) no es el de la pregunta ({own}): sin "
            "un modelo, las respuestas solo se encuentran en fuentes en el idioma de "
            "la pregunta",
        ),
        headings=Headings(
            report="Informe",
            short="Respuesta breve",
            detail="En detalle",
            general="En general",
            findings="Resultados",
            agreement="Acuerdos y contradicciones",
            look="Dónde buscar",
            limits="Límites",
            open="Lo que queda abierto",
            ended="Cómo terminó la búsqueda",
            checked="Qué se comprobó",
            warnings="Advertencias",
            method="Método",
            queries="Consultas",
            loops="Rondas",
            calls="Llamadas al modelo",
            evidence="Pruebas, las mejores primero",
            sources="Fuentes",
            finding="Resultado",
            verdict="Veredicto",
            citations="Citas",
            sentence="Frase",
            left_out="Excluido de la respuesta",
            part="Parte de la pregunta",
            supported_by="Respaldada por",
            contradicted_by="Contradicha por",
            origins="Orígenes independientes",
            agreed="Acuerdos",
            conflicts="Contradicciones",
            one_source="Una fuente",
            another="Otra",
            difference="Diferencia",
            answered="Respondido",
            in_part="Respondido en parte",
            unanswered="Sin respuesta",
        ),
    ),
    stop_words=listed(
        """
        a al algo algún alguna algunas alguno algunos allí ante antes aquel aquella así aún aunque
        bajo bien cada casi como cómo con contra cosa cual cuál cuales cuáles cualquier cuando
        cuándo cuánta cuántas cuánto cuántos de del desde después donde dónde dos durante e el él
        ella ellas ellos en entonces entre era eran eres es esa esas ese eso esos esta está estaba
        están estar estas este esto estos fue fueron ha había habían haber hace hacer hacia han
        hasta hay la las le les lo los luego más me mi mientras mis mismo mucho muy nada ni no nos
        nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque pues puede
        pueden puedo que qué quien quién quienes quiénes se sea según ser será si sí sido sin sino
        sobre son soy su sus también tan tanto te tenía tener tiene tienen toda todas todo todos
        tras tu tú tuvo u un una unas uno unos usted y ya yo debe deben puedes podemos podéis podría
        podríamos debo debes debemos debéis tengo tienes tenemos tenéis aquí
        """
    ),
    light=listed(
        """
        hace falta
        hay haya existe existen queda quedan encuentra encuentran está están estaba ubicado ubicada
        situado situada lleva llevan da dan pone ponen viene vienen va van sigue siguen permite
        resulta tuvo tenía hizo hecho suele suelen aproximadamente alrededor bastante gente persona
        personas número cantidad manera forma cosa caso parte total actualmente hoy
        necesita necesitan necesito necesario
        ir entrar subir bajar pasar
        """
    ),
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
    vague=listed(
        """
        llama llaman llamado llamada llamó denomina denominado denominada término tipo clase
        """
    ),
    asks={
        "number": r"cuánt[oa]s?\b(?: tiempo)?"
        r"|qué (?:altura|longitud|edad|tamaño|superficie|profundidad)\b",
        "reason": r"por qué\b|a qué se debe\b",
        "definition": r"qué (?:es|son|significa) (?!(?:más|menos)\b)",
        "date": r"(?:desde |hasta )?cuándo\b|(?:a |hasta )?qué horas?\b|en qué (?:año|fecha|día)\b",
        "place": r"(?:a |de )?(?:a|de)?dónde\b",
        "person": r"(?:a |de |con |por )?quién(?:es)?\b",
        "which": r"cuál(?:es)?\b|qué (?=\w)",
        "comparison": r"compara\b|en qué se diferencia",
        "list": r"(?:enumera|nombra|cita)\b",
        "manner": r"cómo\b",
        "statement": r"qué\b",
    },
    nouns={
        "person": "alcald arquitect artista autor directo escrito fundado ingenier invento persona "
        "pinto poeta reina rey",
        "place": "aldea barrio calle ciudad isla lugar país plaza provincia pueblo región río",
        "date": "año día fecha mes siglo",
        "number": "altura anchura cantidad capacidad distancia duración fianza longitud número "
        "peso población precio profundidad tamaño tarifa temperatura",
        "name": "idioma lengua partido equipo club empresa compañía organización grupo película "
        "libro canción novela serie episodio tipo clase término materia animal planta "
        "material papel título profesión escuela universidad enfermedad color nombre",
    },
    price=r"cuánto (?:cuesta|cuestan|vale|valen|costaba|se paga)\b",
    from_to=(r"de|desde", r"a|hasta"),
    many=r"cuánt[oa]s\b",
    measured={
        "old": r"qué edad\b|cuántos años tiene\w*",
        "heavy": r"cuánto pesa\w*|qué peso\b|cuál es (?:el|su) peso\b",
        "deep": r"cuánto mide\w*|qué (?:altura|anchura|longitud|profundidad)\b",
        "long": r"cuánto (?:tiempo\b|dur\w+)",
    },
    lists=r"\bqué \w+s (?:hay|tiene|tienen|son|ofrece|incluye)\b|\bcuáles (?:son|eran)\b"
    r"|\btod[oa]s l[oa]s\b",
    joins="y|e",
    either=choice("o", "u"),
    claims=(
        (
            r"^\W*(?:es|era|son|fue|está)\s+(?P<a>.+?)\s+(?P<about>(?:más|menos)\s+\w+)\s+que\s+"
            r"(?P<b>[^,?]+?)\s*\?*$"
        ),
    ),
    often=(
        r"\b(?:con qué frecuencia|cada cuánto)\b",
        (
            r"\b(?:vez|veces|cada|tod[oa]s l[oa]s|nunca|siempre|(?:diari|semanal|"
            r"mensual|anual|trimestral)\w*|(?:al|por|a la) (?:hora|día|semana|mes|"
            r"año))\b"
        ),
    ),
    earlier=r"\b(?:antes|primer[oa]?|más (?:antigu|viej)\w+|mayor)\b",
    later=r"\b(?:después|últim[oa]|más (?:reciente|nuev\w+|joven)|menor)\b",
    than=r"\b(?P<degree>(?:más|menos)\s+[^\W\d_]+|mayor|menor)\s+que\b",
    less=r"\b(?:menos|más (?:pequeñ|cort|baj|liger)\w+)\b",
    more=r"\b(?:más (?:grande|larg\w+|alt[oa]s?|profund\w+|pesad\w+|anch\w+|car[oa])|más)\b",
    born=r"\bnac(?:ió|ido|ida|ieron|imiento)\b",
    died=r"\b(?:murió|muert[oea]|falleci\w+)\b",
    life=("nacido", "muerto"),
    denies=r"\b(?:no|ni|nunca|jamás|ningún|ninguna?|nadie|nada|sin|prohib\w+|cerrad\w+|tampoco|exent\w+)\b",
    wide=r"\b(?:tod[oa]s?|cada|siempre|enter[oa]s?|completamente)\b",
    narrow=r"\b(?:algun[oa]s?|vari[oa]s|much[oa]s|mayoría|a veces|a menudo|casi|parte|mitad"
    r"|poc[oa]s|hasta)\b",
    only=r"\b(?:sólo|solo|solamente|únicamente)\b",
    until=r"\bhasta (?:qué hora|cuándo)\b",
    reserved=r"\b(?:podrían?|quizás?|tal vez|probablemente|posiblemente|parece\w*|sería\w*"
    r"|supuestamente|puede que|(?:es|era|sea) (?:posible|probable)|cabe que|se prevé|planea\w*"
    r"|al parecer|previst[oa]s?|se cree)\b",
    because=r"\b(?:porque|debido a|a causa|por eso|ya que|puesto que|para)\b",
    so=r"(?:Por (?:eso|ello|tanto|lo tanto|est[ea] (?:motivo|razón))|En consecuencia)\b",
    defines=(
        r"\b(?:es|son|era|eran|significa|designa) (?:una?s?|unos|el|la|los|las)\b"
        r"|\bse (?:llaman?|denominan?|conocen? como|(?:entiende|entenderá)n? por)\b"
        r"|\b(?:consisten? en|sirven? para)\b"
    ),
    located=(
        r"\b(?:al?|ante|bajo|cerca|desde|dentro|detrás|en|entre|frente|fuera|hacia|hasta|junto|sobre"
        r"|tras)\s(?!\d)|\bde (?-i:[A-ZÀ-Þ])|\b(?:calle|plaza|avenida|aquí|allí|arriba|abajo)\b"
    ),
    placed=r"\b(?:a|al|en|de|del|desde|hacia|hasta|junto a|entre|por)(?: el| la| los| las)?\s*$",
    following=Following(
        lead_in=r"(?:y|e|pero)(?: qué hay de| qué pasa con)?",
        articles=r"el|la|los|las|una?|unos|unas",
        prepositions=r"para|con|sin|en|de|del|al?|desde|hasta|por|antes|después|sobre",
        pronouns=r"él|ella|ellos|ellas",
        bound=r"(?<!\w)(?:lo|la|los|las) (?=\w+(?:ó|aron|ieron)\b)",
        drops_subject=True,
    ),
    points_back=(
        r"(?:(?:Él|Ellas?|Ellos|Sus?|Se (?:encuentra|halla|sitúa)n?|Tienen?|Tenía|Cuentan? con|Mide"
        r"|Pesa|Fue|Era|Consta|Dura|Abre|Cierra|Pertenece|Nació|Murió)\b"
        r"|Están?\b(?! (?:prohibid|permitid)))"
    ),
    verbs=(
        r"es|son|era|eran|fue|fueron|está|están|ha|han|tiene|tienen|tenía|puede|pueden|debe"
        r"|deben|se|cuenta|mide|dura|cuesta|abre|reúne|nació|ofrece|pertenece"
    ),
    without=r"\bsin\b",
    but=r"\b(?:pero)\b",
    ors=r"o|u|ni",
    one=r"una?",
    by=r"por",
    moment=(
        r"dentro de|en|antes de(?:l)?|después de(?:l)?|tras|hasta|al cabo de|desde",
        r"antes|después|más tarde|siguientes?|anterior(?:es)?|posteriores|previos?|previas?",
        r"\b(?:fue(?:ron)?|nació)\b",
    ),
    rules=Rules(
        must=r"\b(?:deb(?:e|en|o|emos|er\w+)|obligatori\w+|obligad\w+|obligación"
        r"|necesari\w+|necesit\w+|requ(?:ier|er)\w+|precis[oa]|imprescindibles?"
        r"|exig\w+|hay que|(?:tiene[ns]?|tengo|tenemos) que|hace falta)\b",
        need_not=r"\b(?:opcional\w*|voluntari\w+|facultativ\w+|innecesari\w+)\b",
        may=r"\b(?:pued\w+|pod(?:emos|er\w*|r\w+)|permi[st]\w+|autoriz\w+|admit\w+"
        r"|acept\w+|posibles?)\b",
        may_not=r"\b(?:prohib\w+|prohíb\w+|vedad\w+|imposibles?)\b",
        paid=r"\b(?:cuest\w+|cost(?:ar|ó|aba)\w*|pag(?:a|an|ar|o|ue|uen)|de pago|recargo"
        r"|exclu(?:y|id)\w+|aparte|por separado)\b",
        free=r"\b(?:gratis|gratuit\w+|entrada libre|sin (?:coste|costo|cargo|recargo)"
        r"|inclu(?:y|id|ir)\w*|cubr\w+|cubiert\w+)\b",
    ),
    labels=Labels(
        place=(r"(?:en )?dónde\b", r"lugar|sede|dónde|sala"),
        date=(r"cuándo\b|(?:en )?qué (?:día|fecha)\b", r"fecha|día|cuándo"),
        held=r"\b(?:celebr\w+|tuvo|tendrá|lugar|realiz\w+)\b",
    ),
    days=Days(
        names=forms("lunes martes miércoles jueves viernes sábados? domingos?"),
        asked=r"\bqué días?\b",
        through="a|al|hasta(?: el)?",
        groups=("fin(?:es)? de semana", "entre semana", "todos los días|a diario"),
        but=excepting("excepto", "salvo", "menos", "a excepción"),
        open=r"\babiert\w+|\babr(?:e|en|ir)\b",
        closed=r"\bcerrad\w+|\bcierran?\b(?! a las?\b)",
    ),
    before_year=r"(?P<plainly>año)|en|desde|hacia",
    decade=r"(?:años|década\sde(?:\slos)?)\s{year}",
    months=(
        *(r"ene(?:ro|\.)", r"feb(?:rero|\.)", r"mar(?:zo|\.)", r"abr(?:il|\.)", r"may(?:o|\.)"),
        *(r"jun(?:io|\.)", r"jul(?:io|\.)", r"ago(?:sto|\.)", r"sep?t?(?:iembre|\.)"),
        *(r"oct(?:ubre|\.)", r"nov(?:iembre|\.)", r"dic(?:iembre|\.)"),
    ),
    numbers=under_hundred(_COUNTED, _TENS, _joined, ones="uno un una")
    | {"cien": 100, "ciento": 100, "mil": 1000}
    | by_gender("doscient trescient cuatrocient quinient seiscient setecient ochocient novecient"),
    joint=r"\s",
    units={"km": "kilómetros?", "m": "metros?", "cm": "centímetros?", "kg": "kilos?"}
    | {"s": "segundos?", "wk": "semanas?", "mo": "mes(?:es)?"}
    | {"yr": "años?", "min": "minutos?", "h": "horas?", "d": "días?", "EUR": "euros?"}
    | {"mi": "millas?", "%": "por ciento"}
    | {"l": "litros?", "t": "toneladas?", "ha": "hectáreas?", "g": "gramos?"},
    related=(
        "peso pesa pesan pesado pesada",
        "altura alto alta",
        "longitud largo larga",
        "anchura ancho ancha",
        "profundidad profundo profunda",
        "duración dura duran tarda",
        "capacidad cabe caben",
        "precio caro cara barato barata",
        "asistieron asistió asistentes asistencia presentes",
        "presidió preside presidida presidente presidenta presidencia",
        "usar uso utilizar utilización",
        "entrar entrada acceso acceder",
        "reservar reserva",
        "inscribirse inscripción",
        "inauguró inaugurado inaugurada inauguración abrió abierto apertura encendió",
        (
            "abierto abierta abre abrir apertura horario"
            " | cerrado cerrada cierra cerrar cierre horario"
        ),
        "fundó fundado fundada fundador fundadora fundación creó",
        "proyectó diseñó diseñado arquitecto planos proyecto",
        "construyó construido construida construcción levantó obras",
        "nació nacido nacimiento natural",
        "murió muerte falleció fallecido",
        "permitido permitida permite permiten prohibido prohibida prohíbe admite",
        "dirige director directora dirección dirigido",
        "celebra celebró lugar",
        "comprende comprenden incluye incluyen incluido incluida incluidos",
        "cuesta cuestan precio tarifa vale billete entrada paga pagan pagar",
        "línea recorrido",
        "pescar pesca",
    ),
)
