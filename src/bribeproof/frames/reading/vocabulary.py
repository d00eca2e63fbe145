"""The vocabulary of the names of columns, in several languages: words without accents, in lower case."""

from typing import Literal

Role = Literal[
    "item", "number", "reporter", "report", "one reporter", "gold", "result", "spread", "weight", "group", "order",
    "factor", "person", "amount", "note", "unknown",
]  # fmt: skip
"""What a column holds; ``"reporter"`` and ``"report"`` as in long form, ``"one reporter"`` the reports of one."""


def _words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


SCORERS = _words("""
    adj adjudicator arbiter arbitre arbitro assessor avaliador beoordelaar calificador correcteur cupper domare dommer
    sommelier
    evaluador evaluator examinateur examiner examiners giudice giurato grader j judge judges judging juez jueza juge
    juiz jurado jure juror jury jurylid jurymitglied kampfrichter panelist porota preisrichter prufer rechter ref
    referee richter richterin rozhodci scheidsrechter scorer sedzia taster valutatore wertungsrichter арбитр судья
    эксперт 审查员 審査員 裁判 評審 评委 심사위원
""")
"""Who gives scores."""
LABELLERS = _words("""
    annotateur annotator annotatore annotatrice annoteur annotierer anotador anotadora befragter benutzer bewerter
    checker classifier coder codierer codificatore crowdworker deelnemer email emailaddress encuestado evaluateur
    expert gebruiker gutachter informant ipaddress kodierer labeler labeller lavoratore llm mail mailaddress member
    model nickname node nutzer oracle participant person persona quelle rater relecteur repondant reporter respondent
    reviewer revisor revisore sensor source stemmer subject tagger teilnehmer trabajador travailleur turker user
    username usuario utente utilisateur your ihr dein votrenom tunombre sunombre iltuonome seunome uwnaam
    вашеимя 您的姓名 お名前 v validator votant votante voter w wahler worker голосующий пользователь
    разметчик участник 作業者 工人 投票者 标注员 标注者 注釈者 用户 사용자 작업자
""")
"""Who gives votes or labels."""
SCORES = _words("""
    evaluation bareme bewertung calificacion cijfer grade mark marks nota notas note noten point points pontos
    pontuacao punkte punktzahl puntaje punteggio punten punti punto puntos puntuacion rating score scores stars voto
    wertung балл баллы оценка 分数 得分 点数 評価 점수
""")
"""What a column of scores is called."""
LABELS = _words("""
    annotation answer antwoord antwort avis categoria categorie category choice clase class classe decision etichetta
    etiqueta etiquette kategorie klasse label labels opinion parere prediction reponse response resposta respuesta
    risposta stem stimme tag urteil verdict veredicto vote votes wahl голос класс метка ответ ラベル 回答 投票 标签
    类别 類別 라벨
""")
"""What a column of votes or labels is called."""
OTHERS: dict[Role, frozenset[str]] = {
    "item": _words("""
        q task item entry entrant question example document doc image picture photo run competitor contestant proposal
        paper submission skater skier diver athlete rider swimmer gymnast surfer team couple act song dish wine beer
        coffee candidate project prompt sentence tweet post video clip sample case product unit object instance hit
        title headline film movie book poem feed asset pair applicant performer performance dancer singer band routine
        jump dive trick aufgabe eintrag frage beitrag bild dokument teilnehmerin sportler laufer springer lied gericht
        wein kandidat projekt satz paar objekt mannschaft starter athletin bewerber tache epreuve candidat concurrent
        equipe chanson plat vin phrase projet oeuvre tarea pregunta elemento concursante participante imagen equipo
        cancion plato vino candidato proyecto frase compito domanda concorrente squadra canzone piatto progetto tarefa
        pergunta taak vraag deelneemster afbeelding gerecht kandidaat inzending задание вопрос участница объект
        картинка команда 任务 选手 項目 项目 図像 问题 曲 作品 参加者 선수 작품 kuchen cake cakes pie kuchenstueck
        torta gateau pastel bolo taart gebakje patineur nageur sauteur plongeur patinador nadador saltador pattinatore
        nuotatore tuffatore schaatser zwemmer спортсмен фигурист блюдо вино песня пример документ изображение 歌曲
        菜品 图片 文档 样本 题目 选项 料理 画像 文書 課題 問題 選手 곡 요리 이미지 문서 문항 질문 항목 과제 claim
        essay runner boxer fighter horse reiter reiterin pferd turner turnerin coureur cheval corredor caballo
    """),
    "number": _words("""
        assignment record id bib nr no num number nummer numero startnummer startnumber startno index idx row
        rownumber line zeile ligne fila dossard dorsal pettorale rugnummer lfdnr ranking号 编号 番号 hash key uuid
        guid code startnr nrorde lopendenummer matricula номер 序号 背番号 통번 번호 순번 등번호
    """),
    "gold": _words("""
        gold truth groundtruth goldlabel true truelabel correct correctanswer expected reference goldstandard target
        actual wahrheit richtig loesung losung verite correcte verdad correcta respuestacorrecta verita corretta
        waarheid goud правда эталон 真值 正确答案 正解 정답 verdade correto correta gabarito waar juist истина верно
        verdadero gabarit corrige musterloesung musterlosung referenz referenzlabel goldlabels answerkey 金标准
        标准答案 真实标签 正解ラベル 真の値 실제 참값 실제값
    """),
    "result": _words("""
        average avg mean median total totals sum sums rank ranks ranking place placement position official final
        result results overall majority consensus aggregate aggregated winner standing standings outcome subtotal all
        alle tous todos tutti trimmedmean verdictfinal durchschnitt mittel mittelwert schnitt summe gesamt
        gesamtpunkte gesamtnote rang platz platzierung ergebnis endergebnis endnote mehrheit moyenne somme totale
        finale classement scoresofpanel panelscore panelscores resultat mediane definitif majorite promedio media suma
        puesto posicion resultado oficial mediana mayoria clasificacion lugar somma posto posizione risultato
        classifica ufficiale maggioranza soma colocacao gemiddelde totaal som plaats uitslag resultaat eindresultaat
        meerderheid srednia miejsce wynik среднее сумма место итог результат итого 平均 合計 合计 总分 總分 順位 名次
        排名 结果 結果 평균 합계 순위 ø moyennes notafinal gemiddeld eindcijfer eindscore totaalscore puntentotaal
        gesamtwertung gesamtpunktzahl gesamtergebnis durchschnittsnote mittelwerte endstand platzziffer classificacao
        judgespoints endurteil gesamturteil schlussnote net netscore netto officialscore 官方得分 官方分数 公式得点
        judgesscore judgesscores judgesmarks totalscore finalscore averagescore meanscore finalmark
        finalgrade finaldecision rezultat общий средний
        среднийбалл медиана ранг победитель 总计 總計 总成绩 平均分 平均点 最终得分 最终结果 最终成绩 得分合计 结论
        合計点 総合 総合点 最終結果 平均値 中央値 中位数 결과 총점 총계 평균점수 최종 최종결과 최종점수 등수 등위 총합
        공식결과 다수결 多数決 多数
    """),
    "spread": _words("""
        min max sd std stdev stddev stderr standarddeviation variance var range spread count n nvotes numvotes
        numberofvotes votescount agreement entropy kappa confidenceinterval minimum maximum iqr standardabweichung
        abweichung varianz spannweite anzahl ecarttype nombre etendue desviacion desviaciontipica varianza rango
        cantidad deviazione scarto conteggio desvio contagem aantal 标准差 方差 標準偏差 人数 표준편차 abweichungen
        streuung ecart dispersion desviopadrao desvest escart variancia afwijking standaardafwijking spreiding
        aantalstemmen отклонение дисперсия количество число минимум максимум 最大 最小 最高 最低 最大值 最小值 最高分
        最低分 最大値 最小値 最高点 最低点 件数 분산 최대 최소 최댓값 최솟값 최고점 최저점 인원
    """),
    "weight": _words("""
        weight weights stake stakes confidence certainty probability prob reliability trust trustscore gewicht einsatz
        konfidenz sicherheit poids confiance mise peso confianza apuesta fiducia confianca gewichtsfaktor вес
        уверенность 权重 置信度 重み 가중치 weging vertrouwen inzet aposta certeza ставка надежность 信頼度 確信度
        权值 신뢰도 확신도
    """),
    "group": _words("""
        country nation nationality noc land club region city group category division batch gender sex state team
        school district heat section round session criterion dimension aspect language lang locale stadt verein gruppe
        bezirk geschlecht schule runde durchgang pays ville groupe sexe pais ciudad grupo sexo ronda nazione citta
        gruppo sesso turno cidade stad groep geslacht ronde страна город группа пол 国家 国 城市 組 组 性别 性別 국가
        staat bundesland klub clube federacion federazione federacao regione regiao idioma langue sprache taal язык
        клуб регион школа 地区 语言 学校 俱乐部 性別区分 所属 地域 言語 クラブ 국적 지역 성별 학교 소속 언어 팀 lane
        family table room floor flight venue bracket pool level zone bahn halle saal pista corsia baan дорожка 泳道 赛道
        부문 部門 レーン
    """),
    "order": _words("""
        date time timestamp ts datetime created createdat updated updatedat submitted submittedat start startdate
        starttime end enddate endtime duration seconds minutes hours year month day week order sequence
        position_in_order completed completedat worktime acceptedat responsetime elapsed datum zeit uhrzeit
        zeitstempel dauer jahr monat tag reihenfolge heure duree annee mois jour ordre fecha hora duracion ano mes dia
        orden data ora durata anno giorno ordine tijd duur jaar дата время 日期 时间 時間 日付 날짜 시간 startzeit
        endzeit beginn ende erstellt aktualisiert datetaken inicio fim fin debut marcatemporal carimbo horodateur
        horodatage tijdstempel begin eind tijdsduur начало конец длительность отметкавремени год месяц день 提交时间
        开始时间 结束时间 用时 时长 タイムスタンプ 開始 終了 所要時間 年 月 타임스탬프 제출시간 소요시간 일시
    """),
    "factor": _words("""
        difficulty dd degree factor coefficient multiplier bonus bonuses deduction deductions penalty penalties fine
        handicap adjustment base basevalue startvalue schwierigkeit schwierigkeitsgrad faktor abzug abzuge strafe
        zuschlag difficulte penalite dificultad bonificacion deduccion penalizacion difficolta coefficiente penalita
        detrazione dificuldade moeilijkheid aftrek straf сложность штраф бонус 难度 難度 扣分 加分 減点 난이도 감점
        distance speed gate wind malus abzugspunkte bonificacao penalizacao penalizzazione bonificazione deducao
        coeficiente factorde
        moeilijkheidsgraad strafpunten коэффициент надбавка 系数 係数 罚分 減点数 加点 계수 가점 벌점
    """),
    "person": _words("""
        altersklasse ageclass agegroup age birthyear height experience years skill skilllevel salary income
        phone alter geburtsjahr groesse grosse
        erfahrung taille edad altura experiencia eta altezza idade leeftijd возраст опыт 年龄 年齢 身高 나이 birthdate
        geburtsdatum lebensalter tamanho lengte gewichtklasse рост стаж 经验 経験 경력 키 신장
    """),
    "note": _words("""
        comment comments remark remarks text note notes description url link path file filename explanation reason
        anything suggestion suggestions explain describe why specify elaborate
        rationale justification feedback context body content instruction instructions status flag metadata meta info
        kommentar bemerkung bemerkungen anmerkung beschreibung hinweis hinweise begrundung commentaire remarque texte
        explication raison comentario comentarios observacion observaciones texto descripcion explicacion commento
        osservazioni testo descrizione observacao opmerking opmerkingen tekst комментарий текст примечание описание
        备注 評論 评论 说明 備考 コメント 메모 kommentare anmerkungen notiz notizen commentaires remarques observacoes
        opm toelichting примечания комментарии заметки заметка 留言 文本 内容 描述 理由 メモ 本文 説明 코멘트 비고
        설명 내용 이유 텍스트 price cost budget amount quantity length size colour color brand producer origin vintage
        progress finished lastpage seed abv preis prix precio prezzo preco prijs цена 价格 価格 가격
    """),
}  # fmt: skip
"""What columns of another role are called."""
LOWEST_FIRST = _words("""
    rank ranks ranking rankings place places placement placements placing placings position positions ordinal ordinals
    rang range rangs platz platze platzierung platzierungen classement puesto posicion posizione posto lugar colocacao
    plaats miejsce место 順位 名次 排名 순위 time times timer timers stopwatch zeitnehmer stoppuhr laptime duration
    seconds minutes zeit zeiten laufzeit dauer
    sekunden minuten temps duree secondes tiempo tiempos duracion segundos tempo durata secondi duracao tijd tijden
    duur czas время секунды 时间 時間 秒 시간 penalty penalties fault faults error errors deduction deductions strafe
    strafen strafpunkte fehler fehlerpunkte abzug abzuge penalite penalites faute fautes erreur erreurs penalizacion
    penalizaciones falta faltas errores deduccion penalita errori detrazione penalizacao erros straf strafpunten
    fouten aftrek штраф штрафы ошибки 扣分 減点 감점
""")
"""What a column of scores is called of which the lowest is the best: ranks, times and penalties."""
GIVEN_NAMES = _words("""
    mark max min art bill faith sol grace place page day land fine price lane
""")
"""Words that are the names of people, too, so that a column of this name may be a reporter's."""
COUNTED = _words("""
    no number count num nombre anzahl numero
""")
"""Words that begin the name of a count, such as *No. of judges*."""
QUALIFIERS = _words("""
    of the in on per and or by with without for to at from raw trimmed rounded adjusted net gross best worst high low
    old new first last all birth de du des der die das von zum le la les del della di da do van het
""")
"""Words that add nothing to the role of a name."""
AMBIGUOUS = _words("""
    deelnemer expert participant participante participants person teilnehmer участник
""")
"""Words for people who report, or about whom is reported."""
CRITERIA = _words("""
    criterion criteria crit dimension aspect component kriterium kriterien critere criteres criterio criterios criteri
    criterium критерий критерии 标准 評価項目 기준
""")
"""What a column of the criteria is called by which a reporter scores an item."""
