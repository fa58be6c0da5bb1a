"""Japanese."""

from __future__ import annotations

from quaere.text.languages.language import Frame, Headings, Language, listed

_EMPTY = (
    "でしょうか|でしょう|ましょう|ください|けれども|けれど|している|していた|しています|しました|しません|します"
    "|された|される|されて|されます|されました|できません|できました|できます|できる|できた|ありません|ありました"
    "|あります|ありません|なりました|なります|いました|います|でした|ました|ません|まで|より|など|だけ|しか|から"
    "|です|ます|した|する|して|いる|いた|ある|あった|なる|なった|この|その|あの|これ|それ|あれ|どこ|どれ|どの|どんな"
    "|どちら|どう|だれ|いつ|なに|なぜ|いくつ|いくら|こと|もの|ため|よう|とは|では|には|のは|での|とき|ところ|そのまま"
    "|という|として|について|によって|また|そして|しかし|か所|何[年月日時]|何|誰"
)
"""What joins words or bends them, longer ones first."""
_PARTICLES = "はがをにのともへやで"

LANGUAGE = Language(
    code="ja",
    name="Japanese",
    common=("の", "は", "を"),
    frame=Frame(
        yes="はい",
        no="いいえ",
        nothing="資料には質問に答える内容がありません。",
        incomplete="見つかった資料は質問のすべてを扱ってはいません。",
        doubtful="これが質問への答えかどうかは確かではありません。",
        near="質問に答えるものではありませんが、最も近い箇所です。",
        limited="検索が制限されていたため、回答は部分的な情報に基づいています。",
        cut_short="調査は途中で終わりました。ほかにも見つかる可能性があります。",
        unanswered="見つかった資料では答えられないこと",
        uncertain="資料からは確かでないこと",
        not_found="見つからなかったこと",
        found_in_part="一部しか見つからなかったこと",
        nothing_on="次について情報なし",
        disagree="情報源の間で食い違いがあります{about}：「{one}」と「{other}」。",
        says_both="同じ情報源が両方を述べています：「{one}」と「{other}」。",
        differs="表現が異なる",
        partly="一部のみ裏付けあり",
        contradicted="矛盾あり",
        not_judged="未判定",
        quoted="引用",
        supported="裏付けあり",
        no_claim="主張ではない",
        by_words="語句による",
        by_model="モデルによる",
        by_entailment="含意モデルによる",
        headings=Headings(
            report="報告書",
            short="短い回答",
            detail="詳細",
            general="全般",
            findings="調査結果",
            agreement="一致と矛盾",
            look="参照先",
            limits="限界",
            open="未解決の点",
            ended="検索の終わり方",
            checked="確認したこと",
            warnings="警告",
            method="方法",
            queries="検索語",
            loops="周回",
            calls="モデルの呼び出し",
            evidence="証拠（良い順）",
            sources="出典",
            finding="結果",
            verdict="判定",
            citations="引用",
            sentence="文",
            left_out="回答から除いたもの",
            part="質問の部分",
            supported_by="支持する出典",
            contradicted_by="反する出典",
            origins="独立した出所の数",
            agreed="一致",
            conflicts="矛盾",
            one_source="ある出典",
            another="別の出典",
            difference="相違点",
            answered="回答済み",
            in_part="一部回答",
            unanswered="未回答",
        ),
        about="（{about}）",
    ),
    stop_words=listed(" ".join((*_EMPTY.split("|"), *_PARTICLES))),
    # Endings and particles are in hiragana: of its runs only what stands alone is a word.
    pieces=rf"(?:{_EMPTY})|(?P<word>[\u30a1-\u30fa\u30fc]+|(?:(?![何誰])[\u3005\u3400-\u9fff])+"
    rf"|(?<![\u3005-\u9fff])(?:(?!{_EMPTY}|[{_PARTICLES}])[\u3041-\u3096]){{3,}})",
    asks={
        "number": r"何(?:段|人|個|本|冊|台|回|メートル|キロ|点|つ"
        r"|名|匹|枚|軒|歳|割|分|時間|年間|か所)"
        r"|いくつ|いくら|どのくらい|どれくらい|どれほど",
        "reason": r"なぜ|どうして|何故",
        "definition": r"とは(?:何|なん|どんな|どういう|$)|って何|とはなに",
        "date": r"いつ|何年(?!間)|何月|何日|何時(?!間)",
        "place": r"どこ|何処",
        "person": r"誰|だれ|どなた",
        "which": r"どの|どんな|どちら|どれ|何の",
        "comparison": r"比較|比べ",
        "list": r"すべて|列挙",
        "manner": r"どうやって|どのように|どうすれば",
        "statement": r"何|なに",
    },
    nouns={
        "person": "人 作者 建築家 技師",
        "place": "町 国 県 市 場所 村 都市",
        "date": "年 月 日 時代 世紀",
        "number": "数 高さ 長さ 値段",
    },
    lists=r"どんな.+(?:あり|ある)|何があり|すべて|どのような.+あり",
    either=(
        (
            r"^(?P<a>.+?)と(?P<b>.+?)(?:では|とでは|で|は|のうち)?[、，]?(?P<about>(?:どちら|どっち).+?)"
            r"[?？。]*$"
        ),
    ),
    claims=(
        (
            r"^(?P<a>.+?)は(?P<b>.+?)より(?:も)?(?P<about>(?:早|先|古|新|長|短|高|低|大|小|多|少)\w*?)"
            r"か?[?？。]*$"
        ),
    ),
    earlier=r"先|早|古|年上",
    later=r"後|遅|新し|年下",
    than=r"は(?P<second>[^は、。]+)より(?P<degree>)",
    less=r"小さ|短|低|少な|軽|安",
    more=r"大き|長|高|多|重|深|広",
    born=r"生まれ|誕生|生年",
    died=r"亡くな|死去|没",
    life=("誕生", "死去"),
    denies=r"ません|ない(?!か)|なかった|禁止|不可|できず|禁じ|お断り|休館|休業|休み|閉ま|閉館",
    wide=r"すべて|全て|全部|あらゆる|常に|全員|必ず",
    narrow=r"一部|いくつか|多く|ほとんど|大半|大部分|半分|時々|しばしば|ほぼ",
    reserved=r"かもしれ|可能性|おそらく|たぶん|らしい|とされ|見込み|予定|と思われ|という",
    because=r"ため|から|ので|によって",
    defines=r"とは|である|です|という",
    placed=r"(?:は|、)$",
    units={"km": "キロメートル|キロ", "m": "メートル", "cm": "センチ", "kg": "キログラム"}
    | {"yr": "年間|歳", "min": "分", "h": "時間", "d": "日間", "JPY": "円"},
    counters="個人本冊台回点つ名匹枚軒段基件日年か",
    comma=False,
    related=(
        "開業 開通 開館 創業 始まり 点灯 開設",
        "創設 創立 設立",
        "設計 建設 建て",
        "撮影 写真",
        "館長 社長 代表",
        "従業員 社員",
        "行われ 開かれ 開催",
    ),
)
