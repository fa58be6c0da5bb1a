"""Portuguese."""

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
    dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis
    dezessete dezoito dezenove
"""
_TENS = "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa"
_ELSEWHERE = {"duas": 2, "quatorze": 14, "dezasseis": 16, "dezassete": 17, "dezanove": 19}
"""Said of what is feminine, and on either side of the Atlantic."""


def _joined(ten: str, one: str) -> str:
    return f"{ten} e {one}"


_OF_DAY = r"s?(?:-feiras?|(?!\s+(?!das\b|até\b|com\b|não\b)[^\W\d_]{3,}))"
"""What makes a day of an ordinal number: no noun is after it."""

LANGUAGE = Language(
    code="pt",
    name="Portuguese",
    stemmer="portuguese",
    spelling=r"[ãõçâêô]|lh|nh|ou|eir|veis$|dade$|agem$",
    common=("uma", "não", "os"),
    frame=Frame(
        yes="Sim",
        no="Não",
        nothing="As fontes não dizem nada que responda à pergunta.",
        nothing_asked="Não é uma pergunta, por isso nada foi pesquisado.",
        incomplete="O que foi encontrado não cobre toda a pergunta.",
        doubtful="Não é certo que isto responda à pergunta.",
        near="Nada disto responde à pergunta; é o que mais se aproxima dela.",
        limited="A pesquisa foi limitada; a resposta baseia-se em informação parcial.",
        cut_short="A pesquisa terminou antes do tempo; pode haver mais a encontrar.",
        unanswered="Sem resposta no que foi encontrado",
        uncertain="Incerto segundo as fontes",
        not_found="Não encontrado",
        found_in_part="Encontrado apenas em parte",
        nothing_on="nada sobre",
        disagree="As fontes contradizem-se{about}: “{one}” contra “{other}”.",
        says_both="A mesma fonte diz as duas coisas: “{one}” e “{other}”.",
        differs="formulado de outro modo",
        partly="apoiado em parte",
        contradicted="contrariado",
        not_judged="não avaliado",
        quoted="citado",
        supported="apoiado",
        no_claim="não é uma afirmação",
        by_words="pelas palavras",
        by_model="por um modelo",
        by_entailment="por um modelo de implicação",
        reasons=Reasons(
            word_for_word="a fonte diz isto palavra por palavra",
            has_words="a fonte contém as suas palavras, números e nomes",
            no_claim="não afirma nada que uma fonte pudesse dizer",
            in_part="só uma parte está nas fontes citadas",
            otherwise="as fontes citadas dizem outra coisa",
            not_found="não está nas fontes citadas",
            found="está nas fontes citadas",
            lost="aquilo a que se refere foi excluído",
            unfounded="uma conclusão que nenhuma fonte tira por si só",
            too_many_sources="cita mais fontes do que esta resposta pode ter",
            too_long="a resposta já era suficientemente longa",
            unshown="nada do que cita pode ser mostrado",
            not_in="não está nas fontes citadas: {missing}",
            unknown="cita provas que não existem: {numbers}",
            empty="não diz nada que se possa verificar",
            foreign="noutra língua que não a das fontes citadas",
            lengthy="demasiado longa para ser comparada",
            uncited="não cita nenhuma prova",
            misquoted="uma citação não está na fonte citada",
            unquoted="remete para uma prova sem a citar",
            denies="nega o que a fonte afirma",
            affirms="afirma o que a fonte nega",
            denies_alone="nega algo onde a fonte não nega nada",
            opposite="diz o contrário da fonte",
            figure="a fonte tem aí outro número",
            replaced="a fonte tem aí outra palavra",
            compares="compara ao contrário da fonte",
            uncompared="a fonte não os compara assim",
            order="dá outra ordem que não a da fonte",
            misplaced="a fonte dá este número de outra coisa",
            labelled="a fonte diz isto de outra coisa",
            exchanged="troca o que a fonte diz de um e do outro",
            narrowed="diz isto de menos coisas do que a fonte",
            reserved="a fonte diz isto com uma reserva",
            strengthened="diz isto com mais força do que a fonte",
            unexplained="indica uma causa que a fonte não indica",
            left_open="deixa em aberto o que a fonte exige",
            widened="diz isto de mais coisas do que a fonte",
            choice="tem “e” onde a fonte tem “ou”, ou vice-versa",
            scope="muda a condição ou o tempo que a fonte indica",
            against="“{one}” contra “{other}”",
        ),
        account=Account(
            alternatively=", ou diz isto de outro modo",
            sufficient="foram encontradas provas para cada parte da pergunta",
            nothing_new="a pesquisa não trazia nada de novo",
            loops_over="foi atingido o limite de rondas",
            budget_used="o orçamento estava esgotado",
            time_up="o tempo tinha acabado",
            degraded="a pesquisa falhou demasiadas vezes",
            cancelled="foi pedido que terminasse",
            failed="um erro pôs fim à pesquisa",
            stopped="Motivo do fim: {reason} ({code}).",
            ended="Fim da pesquisa: {reason}.",
            not_answered="Sem resposta",
            summary="{status}: {sentences:frase|frases}, {citations:fonte citada|fontes "
            "citadas}, confiança {confidence}.",
            checks="Frases escritas: {written}; apoiadas tal como estavam: {supported}, "
            "corrigidas: {repaired}, assinaladas: {marked}, excluídas: {dropped}.",
            not_checked="Cada frase foi comparada com as palavras que cita. Não foi verificado se "
            "essas palavras são verdadeiras nem o que dizem as fontes que não foram "
            "lidas.",
            shown="Das frases mostradas: {listed}.",
            nothing_found="Não foi encontrado nada que responda a isto.",
            see="Sem frase própria; ver {markers}.",
            not_rested="Foram encontradas provas, mas a resposta não se baseia nelas.",
            question="A pergunta",
            evidence="prova {number}",
            went="Como decorreu",
            coverage="Cobertura",
            missing="O que falta",
            checking="Verificações",
            cost="Custo",
            plan="Plano",
            sentences="Frases",
            status="Estado",
            sureness="Confiança: {confidence}; cobertura: {coverage}",
            loops_of="Rondas: {count} de um máximo de {most}",
            queries_of="Consultas: {count} de um máximo de {most}",
            opened="{sources}; páginas abertas: {count} de um máximo de {most}",
            took="Custo: {seconds} s, {calls}",
            run="Execução: {run}",
            understood="A pergunta tal como foi entendida: {question}",
            profile="Perfil: {profile}; raciocínio: {reasoner}",
            unnamed="não indicado",
            given="Tema entregue a uma pesquisa: {topic}",
            refused="Tema recusado por repetir outro: {topic}",
            spent="perfil {profile} · {loops:ronda|rondas} · {queries:consulta|consultas} · "
            "{sources} · {seconds} s",
            tokens="{tokens:token|tokens}",
            sources="fontes encontradas: {found}, lidas: {read}, ilegíveis: {refused}",
            read_in="{seconds} s; {sources}",
            calls="{calls:chamada ao modelo|chamadas ao modelo}, {tokens}, {cost}",
            about="cerca de {tokens}",
            unpriced="preço desconhecido",
            priced_in_part="{cost} e {unknown} a preço desconhecido",
            under="menos de {cost}",
            weaker="Com limitações ({step}): {reason}",
            unused="O modelo indicado não foi usado em todos os passos: {reasons}.",
            more="e mais {count}; --format full mostra tudo",
            query_heads=("Ronda", "Consulta", "Intenção", "Resultados", "Novos", "Erro"),
            loop_heads=(
                "Ronda",
                "Fontes encontradas",
                "Fontes lidas",
                "Cobertura",
                "Confiança",
                "Tempo",
            ),
            call_heads=("Passo", "Modelo", "Tokens", "Custo", "Tempo", "Erro"),
            evidence_heads=("N.º", "Fonte", "Partes da pontuação", "Pontuação"),
            unknown="desconhecido",
            contents="Índice",
            back="Voltar ao ponto em que {number} é citado",
            read="lido {time}",
            abstract="resumo",
            full_text="texto integral",
            number="número",
            date="data",
            negation="negação",
            opposite="contrário",
            judged="assim julgado",
            page="página {at}",
            pages="páginas {at}",
            slide="diapositivo {at}",
            slides="diapositivos {at}",
            cell="célula {at}",
            cells="células {at}",
            line="linha {at}",
            lines="linhas {at}",
            row="linha da tabela {at}",
            rows="linhas da tabela {at}",
            record="registo {at}",
            records="registos {at}",
            item="item {at}",
            items="itens {at}",
            message="mensagem {at}",
            messages="mensagens {at}",
            date_for="{thing}: a data",
            figure_for="{thing}: o número",
            place_for="{thing}: o lugar",
            told_of="{thing}: o que dizem as fontes",
            unread="A língua das fontes ({others}) não é a da pergunta ({own}): sem um "
            "modelo, só se encontram respostas em fontes na língua da pergunta",
        ),
        headings=Headings(
            report="Relatório",
            short="Resposta breve",
            detail="Em detalhe",
            general="Em geral",
            findings="Resultados",
            agreement="Acordos e contradições",
            look="Onde procurar",
            limits="Limites",
            open="O que fica em aberto",
            ended="Como terminou a pesquisa",
            checked="O que foi verificado",
            warnings="Avisos",
            method="Método",
            queries="Consultas",
            loops="Rondas",
            calls="Chamadas ao modelo",
            evidence="Provas, as melhores primeiro",
            sources="Fontes",
            finding="Resultado",
            verdict="Veredito",
            citations="Citações",
            sentence="Frase",
            left_out="Excluído da resposta",
            part="Parte da pergunta",
            supported_by="Apoiada por",
            contradicted_by="Contradita por",
            origins="Origens independentes",
            agreed="Acordos",
            conflicts="Contradições",
            one_source="Uma fonte",
            another="Outra",
            difference="Diferença",
            answered="Respondido",
            in_part="Respondido em parte",
            unanswered="Sem resposta",
        ),
    ),
    stop_words=listed(
        """
        a ainda algo algum alguma alguns ali antes ao aos apenas após aquela aquele aquilo as até
        cada com como contra cujo da das de dela dele deles depois desde dessa desse desta deste do
        dois dos duas durante e é ela elas ele eles em enquanto entre era eram essa essas esse esses
        esta está estão estas estava este estes eu fazer foi foram há isso isto já lhe lhes mais mas
        me mesmo meu minha muito muitos na nada não nas nem nenhum nessa nesse nesta neste no nos
        nós nossa nosso num numa o onde os ou outra outras outro outros para pela pelas pelo pelos
        perante pode podem poder por porque porquê pouco pois quais qual qualquer quando quanta
        quantas quanto quantos que quê quem se seja sem sempre ser será seu seus si sido sob sobre
        sua suas são só tal também tanto te tem têm tinha toda todas todo todos tu um uma umas uns
        você vos à às deve devem posso podes podemos devo deves devemos tenho tens temos preciso
        precisa precisamos aqui
        """
    ),
    light=listed(
        """
        há existe existem fica ficam encontra encontram situado situada resta dá dão põe vem vêm vai
        vão permite teve tinha fez feito cerca bastante gente pessoa pessoas número quantidade
        maneira forma coisa caso parte total atualmente hoje precisam necessário mede medem dura
        duram
        ir entrar subir descer passar
        """
    ),
    opposites="""
aumentar aumenta aumentou aumento | diminuir diminui diminuiu diminuição queda
aprovar aprovado aprovada aceito aceita | rejeitar rejeitado rejeitada recusado recusada
abrir abre aberto aberta | fechar fecha fechado fechada
começar começa início | terminar termina fim
comprar comprou | vender vendeu
ganhar ganhou vitória | perder perdeu derrota
remunerado remunerada remunerados | gratuito gratuita voluntário voluntária
obrigatório obrigatória | facultativo facultativa opcional
máximo máxima | mínimo mínima
público pública | privado privada
primeiro primeira | último última
maioria | minoria
""",
    vague=listed(
        """
        chama chamam chamado chamada chamou denomina denominado denominada termo tipo
        """
    ),
    asks={
        "number": r"quant[oa]s?\b(?: tempo)?|qual é a (?:altura|extensão|idade|profundidade)\b",
        "reason": r"por ?qu[eê]\b|por que (?:motivo|razão)\b",
        "definition": r"o que (?:é|são|significa)\b|que significa\b",
        "date": r"(?:desde |até )?quando\b|que horas\b|em que (?:ano|data|dia)\b",
        "place": r"(?:de |para |por )?a?onde\b",
        "person": r"(?:a |de |com |por )?quem\b",
        "which": r"qua(?:l|is)\b|que (?=\w)",
        "comparison": r"compar[ea]\b|em que difere",
        "list": r"(?:enumere|liste|cite|indique)\b",
        "manner": r"como\b",
        "statement": r"o que\b|que\b",
    },
    nouns={
        "person": "arquitet artista autor diretor engenheir escritor fundador inventor pessoa "
        "pintor poeta presidente rainha rei",
        "place": "aldeia bairro cidade ilha local lugar país praça província região rio rua vila",
        "date": "ano data dia mês século",
        "number": "altura capacidade comprimento custo distância duração extensão largura número "
        "peso população preço profundidade tarifa temperatura",
        "name": "idioma língua partido equipe equipa clube empresa companhia organização grupo "
        "filme livro canção romance série episódio tipo termo matéria animal planta "
        "material papel título profissão escola universidade doença cor nome",
    },
    price=r"quanto (?:custa|custam|custava|se paga)\b|qual é o preço\b",
    from_to=(r"de|desde", r"para|a|até"),
    many=r"quant[oa]s\b",
    measured={
        "old": r"que idade\b|quantos anos tem\b",
        "heavy": r"quanto pesa\w*|qual é o peso\b",
        "deep": r"quanto mede\w*|qual é a (?:altura|largura|profundidade)\b",
        "long": r"quanto (?:tempo\b|dur\w+)",
    },
    lists=r"\bquais (?:\w+ )?(?:são|eram|tem|têm)\b|\bque \w+s (?:há|tem|existem)\b"
    r"|\btod[oa]s [oa]s\b",
    joins="e",
    either=choice("ou"),
    claims=(
        (
            r"^\W*(?P<a>.+?)\s+(?:é|são|era|foi)\s+(?P<about>(?:mais|menos)\s+\w+|maior|menor)\s+"
            r"(?:do )?que\s+(?P<b>[^,?]+?)\s*\?*$"
        ),
    ),
    often=(
        r"\b(?:com que frequência|de quanto em quanto)\b",
        (
            r"\b(?:vez|vezes|cada|tod[oa]s [oa]s|todo|nunca|sempre|(?:diari|seman|mensa|"
            r"anua|trimestr)\w*|por (?:hora|dia|semana|mês|ano)|(?:ao|à) (?:dia|semana|"
            r"mês|ano))\b"
        ),
    ),
    earlier=r"\b(?:antes|primeir[oa]|mais (?:antig|velh)\w+)\b",
    later=r"\b(?:depois|últim[oa]|mais (?:recente|nov\w+|jovem))\b",
    than=r"\b(?P<degree>(?:mais|menos)\s+[^\W\d_]+|maior|menor)\s+(?:do\s+)?que\b",
    less=r"\b(?:menos|menor|mais (?:pequen|curt|baix|leve)\w*)\b",
    more=r"\b(?:maior|mais)\b",
    born=r"\bnasc(?:eu|ido|ida|eram|imento)\b",
    died=r"\b(?:morreu|mort[oea]|falec\w+)\b",
    life=("nascido", "morto"),
    denies=r"\b(?:não|nem|nunca|jamais|nenhum\w*|ninguém|sem|proibid\w+|fechad\w+"
    r"|encerram? (?=em\b|aos?\b|n[oa]s?\b)|vedad\w+|interdit\w+|isent\w+)\b",
    wide=r"\b(?:tod[oa]s?|cada|sempre|inteir[oa]s?|completamente)\b",
    narrow=r"\b(?:algun?s|algumas|vári[oa]s|muit[oa]s|maioria|às vezes|quase|parte|metade"
    r"|pouc[oa]s|até)\b",
    only=r"\b(?:só|apenas|somente|unicamente)\b",
    until=r"\baté (?:a )?(?:que horas?|quando)\b",
    reserved=r"\b(?:poderia[m]?|poderá|talvez|provavelmente|possivelmente|parece\w*|seria[m]?"
    r"|supostamente|previst[oa]s?|acredita-se)\b",
    because=r"\b(?:porque|devido a|por causa|pois|já que|visto que|para)\b",
    so=r"(?:Por isso|Portanto|Por ess[ea] (?:motivo|razão)|Em consequência)\b",
    defines=(
        r"\b(?:é|são|era|eram|significa|designa) (?:uma?s?|uns|o|a|os|as)\b"
        r"|\b(?:chamam?|denominam?|designam?|entendem?)-se\b|\bse (?:chamam?|entende por)\b"
        r"|\b(?:consistem? em|servem? para)\b"
    ),
    located=(
        r"\b(?:à|às|aos?|até|atrás|dentro|desde|em|entre|fora|junto|n[ao]s?|numa?|para|perto|sob|sobre)"
        r"\s(?!\d)|\bd[aeo] (?-i:[A-ZÀ-Þ])|\b(?:rua|praça|avenida|aqui|ali|lá)\b"
    ),
    placed=r"\b(?:a|ao|à|em|no|na|nos|nas|de|do|da|desde|para|até|junto a)\s*$",
    following=Following(
        lead_in=r"(?:e|mas|então)(?: quanto a)?",
        articles=r"o|a|os|as|uma?|uns|umas",
        prepositions=r"para|com|sem|em|no|na|nos|nas|num|numa|de|do|da|dos|das|ao|aos|à|às|desde|até|por|pelo|pela|sobre",
        stand_ins="aquel[ae]s?",
        pronouns=r"el[ea]s?",
        bound=r"(?<!\w)(?:o|a|os|as) (?=\w+(?:ou|eu|iu|aram|eram|iram)\b)",
        drops_subject=True,
    ),
    points_back=(
        r"(?:(?:El[ea]s?|(?:[OA]s? )?(?:[Ss]eus?|[Ss]uas?)|Fica|Têm|Tem|Tinha"
        r"|Mede|Pesa|Foi|Era|Conta com"
        r"|Dura|Abre|Fecha|Nasceu|Morreu|(?:Situa|Encontra|Localiza)-se)\b"
        r"|(?:É|Está)\b(?! (?:proibid|permitid|possíve|necessári|obrigatóri)))"
    ),
    verbs=(
        r"é|são|era|eram|foi|foram|está|estão|fica|ficam|tem|têm|tinha|pode|podem|deve|devem"
        r"|se|conta|mede|dura|custa|abre|reúne|nasceu|oferece|pertence"
    ),
    without=r"\bsem\b",
    but=r"\b(?:mas|porém)\b",
    ors=r"ou|nem",
    one=r"uma?",
    by=r"pel[oa]s?|por",
    moment=(
        r"em até|dentro de|até|após|depois d[eo]|antes d[eo]|há|desde",
        r"antes|depois|após|mais tarde|seguintes?|anterior(?:es)?",
        r"\b(?:foi|foram|nasceu)\b",
    ),
    rules=Rules(
        must=r"\b(?:dev(?:e|em|o|emos)|obrigat\w+|obrigad\w+|necessári\w+|necessit\w+"
        r"|precis\w+|exig\w+|requ(?:er|ere)\w*|indispensáve\w+|imprescindíve\w+|(?:tem"
        r"|têm|tenho|temos) (?:de|que))\b",
        need_not=r"\b(?:facultativ\w+|opciona\w+|voluntári\w+|desnecessári\w+|dispensáve\w+)\b",
        may=r"\b(?:pod(?:e|em|emos|er)|posso|permi[st]\w+|autoriz\w+|admit\w+|aceit\w+"
        r"|possíve\w+)\b",
        may_not=r"\b(?:pro[ií]b\w+|vedad\w+|interdit\w+|impossíve\w+)\b",
        paid=r"\b(?:cust(?:a|am|ar)|pag(?:a|am|ar|o)|sobretaxa|exclu\w+|à parte"
        r"|em separado)\b",
        free=r"\b(?:gr[áa]tis|gratuit\w+|entrada livre|(?:entrada|acesso) é livre"
        r"|sem (?:custos?|encargos?)|inclu(?:i|í|e)\w*)\b",
    ),
    labels=Labels(
        place=(r"onde\b", r"local|lugar|onde|sala"),
        date=(r"quando\b|em que (?:dia|data)\b", r"data|dia|quando"),
        held=r"\b(?:realiz\w+|teve|terá|lugar|decorr\w+|acontece\w*)\b",
    ),
    days=Days(
        names=forms(
            "segunda§ terça§ quarta§ quinta§ sexta§ sábados? domingos?".replace("§", _OF_DAY)
        ),
        asked=r"\b(?:que|quais) dias?\b",
        through="a|à|ao|até(?: ao?)?",
        groups=("fi(?:m|ns)[ -]de[ -]semana", "dias úteis", "todos os dias|diariamente"),
        but=excepting("exceto", "excepto", "salvo", "menos", "à exceção"),
        open=r"\babert\w+|\babr(?:e|em|ir)\b|\bfunciona\w*",
        closed=r"\b(?:fech|encerr)ad\w+|\b(?:fech|encerr)am? (?=aos?\b|em\b|nos?\b|nas?\b)",
    ),
    before_year=r"(?P<plainly>ano)|em|desde|por volta de",
    decade=r"(?:anos|década\sde)\s{year}",
    months=(
        *(r"jan(?:eiro|\.)", r"fev(?:ereiro|\.)", r"março", r"abr(?:il|\.)", r"mai(?:o|\.)"),
        *(r"jun(?:ho|\.)", r"jul(?:ho|\.)", r"ago(?:sto|\.)", r"set(?:embro|\.)"),
        *(r"out(?:ubro|\.)", r"nov(?:embro|\.)", r"dez(?:embro|\.)"),
    ),
    numbers=under_hundred(_COUNTED, _TENS, _joined, ones="um uma")
    | _ELSEWHERE
    | {"cem": 100, "cento": 100, "mil": 1000}
    | by_gender("duzent trezent quatrocent quinhent seiscent setecent oitocent novecent"),
    joint=r"\s(?:e\s)?",
    units={"km": "quil[óô]metros?", "m": "metros?", "cm": "centímetros?", "kg": "quilos?"}
    | {"s": "segundos?", "wk": "semanas?", "mo": "m[eê]s(?:es)?"}
    | {"yr": "anos?", "min": "minutos?", "h": "horas?", "d": "dias?", "EUR": "euros?"}
    | {"%": "por cento", "l": "litros?", "t": "toneladas?", "ha": "hectares?"},
    related=(
        "peso pesa pesam pesado pesada",
        "altura alto alta",
        "comprimento comprido comprida",
        "largura largo larga",
        "profundidade profundo profunda",
        "duração dura duram demora",
        "capacidade leva cabem",
        "preço caro cara barato barata",
        "presentes presente participou participaram participantes assistiu assistiram",
        "preside presidiu presidida presidente presidência",
        "usar uso utilizar utilização",
        "entrar entrada acesso aceder",
        "reservar reserva",
        "inscrever inscrição",
        "inaugurou inaugurado inaugurada inauguração abriu aberto abertura aceso",
        (
            "aberto aberta abre abrir abertura funciona horário"
            " | fechado fechada fecha fechar fecho encerra encerramento horário"
        ),
        "fundou fundado fundada fundador fundadora fundação criou",
        "projetou projeto desenhou desenhado arquiteto engenheiro",
        "construiu construído construída construção ergueu",
        "nasceu nascido nascida nascimento natural",
        "morreu morte faleceu falecido",
        "permitido permitida permitidos permitidas proibido proibida autorizado autorizada",
        "dirige diretor diretora direção dirigido",
        "realiza fica situa localiza",
        "inclui incluem incluído incluída compreende abrange",
        "custa custam preço tarifa bilhete entrada ingresso paga pagam pagar",
    ),
)
