"""What a sheet may be given without changing its answer: other orders, names and languages, titles, totals, metadata.

A changed sheet has the answer of the plain one, or is asked about, or refused: never another answer.
"""

import csv
import io
import random
from pathlib import Path

import pytest

import bribeproof as bp
from bribeproof.io.read import read_table
from bribeproof.questions import QuestionError
from tests.sheets.corpus import Sheet

NAMES = (
    "Anna", "Chidi", "Françoise", "Jürgen", "Mei", "Олег", "王芳", "佐藤", "김민준", "Nguyễn", "O'Brien", "Şebnem",
    "José", "Mark", "Max", "Will", "Place", "Page", "Min", "Sol", "Grace", "Art", "Faith", "Bill", "Rose",
    "Dean", "Summer",
)  # fmt: skip
NUMBERED = (
    "J{}",
    "Judge {}",
    "judge_{}",
    "Richter {}",
    "Juge {}",
    "Jurado {}",
    "Giudice {}",
    "Судья {}",
    "裁判{}",
    "審査員 {}",
)
HEADINGS: dict[str, dict[str, str]] = {
    "English": {"item": "entry", "mean": "Average", "sum": "Total", "weight": "weight", "age": "age", "date": "date",
                "comment": "comment", "factor": "difficulty", "gold": "truth", "official": "official result"},
    "German": {"item": "Beitrag", "mean": "Mittelwert", "sum": "Summe", "weight": "Gewicht", "age": "Alter",
               "date": "Datum", "comment": "Bemerkung", "factor": "Schwierigkeit", "gold": "Wahrheit",
               "official": "Endergebnis"},
    "French": {"item": "candidat", "mean": "moyenne", "sum": "somme", "weight": "poids", "age": "age", "date": "date",
               "comment": "remarque", "factor": "difficulté", "gold": "vérité", "official": "résultat"},
    "Spanish": {"item": "plato", "mean": "promedio", "sum": "suma", "weight": "peso", "age": "edad", "date": "fecha",
                "comment": "comentario", "factor": "dificultad", "gold": "verdad", "official": "resultado oficial"},
    "Italian": {"item": "concorrente", "mean": "media", "sum": "somma", "weight": "peso", "age": "età", "date": "data",
                "comment": "commento", "factor": "difficoltà", "gold": "verità", "official": "risultato"},
    "Portuguese": {"item": "tarefa", "mean": "média", "sum": "soma", "weight": "peso", "age": "idade", "date": "data",
                   "comment": "observação", "factor": "dificuldade", "gold": "verdade", "official": "resultado"},
    "Dutch": {"item": "gerecht", "mean": "gemiddelde", "sum": "totaal", "weight": "gewicht", "age": "leeftijd",
              "date": "datum", "comment": "opmerking", "factor": "moeilijkheid", "gold": "waarheid",
              "official": "uitslag"},
    "Russian": {"item": "объект", "mean": "среднее", "sum": "сумма", "weight": "вес", "age": "возраст", "date": "дата",
                "comment": "комментарий", "factor": "сложность", "gold": "правда", "official": "результат"},
    "Chinese": {"item": "选手", "mean": "平均", "sum": "合计", "weight": "权重", "age": "年龄", "date": "日期",
                "comment": "备注", "factor": "难度", "gold": "真值", "official": "结果"},
    "Japanese": {"item": "作品", "mean": "平均", "sum": "合計", "weight": "重み", "age": "年齢", "date": "日付",
                 "comment": "コメント", "factor": "難度", "gold": "正解", "official": "結果"},
    "Korean": {"item": "작품", "mean": "평균", "sum": "합계", "weight": "가중치", "age": "나이", "date": "날짜",
               "comment": "메모", "factor": "난이도", "gold": "정답", "official": "결과"},
}  # fmt: skip
TITLES = ("Spring Cup 2025", "Judges' marks, final", "Wertungen", "第3回 大会")


def changed_sheet(draw: random.Random) -> tuple[str, Sheet]:
    """Return the text of a sheet of scores with changes of every kind, and its right reading."""
    words = HEADINGS[draw.choice(list(HEADINGS))]
    count = draw.randint(3, 7)
    numbered = draw.random() < 0.5
    pattern = draw.choice(NUMBERED)
    judges = [pattern.format(i) for i in range(1, count + 1)] if numbered else draw.sample(NAMES, count)
    items = draw.sample(["Aurora", "Borealis", "Cascade", "Delta 2", "Ember", "Ñandú", "星"], draw.randint(2, 6))
    marks = {item: [f"{draw.randint(0, 40) / 4:g}" for _ in judges] for item in items}
    marks[items[0]][0] = "7.25"
    rows: dict[str, dict[str, str]] = {
        item: {words["item"]: item, **dict(zip(judges, marks[item], strict=True))} for item in items
    }
    for role in draw.sample([role for role in words if role not in ("item", "sum")], draw.randint(0, 4)):
        for item, row in rows.items():
            mean = sum(map(float, marks[item])) / count
            row[words[role]] = {
                "weight": f"{draw.uniform(40, 90):.1f}", "age": str(draw.randint(15, 70)), "gold": f"{mean + 1:.2f}",
                "date": f"2025-03-{draw.randint(1, 28):02}", "comment": draw.choice(["fine", "", "too salty"]),
                "factor": f"{draw.uniform(1, 4):.1f}", "official": f"{mean:.2f}", "mean": f"{mean:.2f}",
            }[role]  # fmt: skip
    names = list(rows[items[0]])
    if draw.random() < 0.5:
        draw.shuffle(names)
    lines = [[row[name] for name in names] for row in rows.values()]
    if draw.random() < 0.3:
        columns = {judge: [float(marks[item][place]) for item in items] for place, judge in enumerate(judges)}
        means = {judge: f"{sum(cells) / len(cells):.3f}" for judge, cells in columns.items()}
        total = {judge: f"{sum(cells):g}" for judge, cells in columns.items()}
        for word, summary in ((words["mean"], means), (words["sum"], total)):
            row = {words["item"]: word, **summary}
            lines.append([row.get(name, "") for name in names])
    above: list[list[str]] = []
    if draw.random() < 0.3:
        above = [[draw.choice(TITLES), *[""] * (len(names) - 1)], [""] * len(names)]
    text = io.StringIO()
    writer = csv.writer(text, delimiter=draw.choice(",;\t"), lineterminator=draw.choice(["\n", "\r\n"]))
    writer.writerows([*above, names, *lines])
    right = Sheet(Path(), "", kind="scores", reporters=[name for name in names if name in judges], reports=marks)
    return text.getvalue(), right


def read_changed(path: Path, seeds: range) -> int:
    """Check that each sheet has its own answer, or none; return how many have theirs."""
    answered = 0
    for seed in seeds:
        text, right = changed_sheet(random.Random(seed))  # noqa: S311
        path.write_bytes(text.encode())
        options: dict[str, object] = {}
        for _ in range(3):
            try:
                table = read_table(path)
                found = bp.aggregate(table, k=1, kind="scores", **options)  # type: ignore[arg-type]
            except QuestionError as question:
                whole = set(right.reporters)
                offered = [choice for choice in question.choices if set(choice.options.get("judges", ())) == whole]  # type: ignore[arg-type]
                if not offered:
                    break
                options |= offered[0].options
            except bp.BribeproofError:
                break
            else:
                assert found.recognised.columns.judges == tuple(right.reporters), (seed, text)
                rows = {row[0]: row for row in found.items.select(found.items.columns[0], "m", "estimate").iter_rows()}
                expected = right.right()
                assert rows.keys() == expected.keys(), (seed, text)
                for item, (_, *answer) in rows.items():
                    assert answer == pytest.approx(expected[item], rel=1e-12), (seed, text)
                answered += 1
                break
    return answered


def test_changes_leave_the_answer_or_ask(tmp_path: Path) -> None:
    assert read_changed(tmp_path / "sheet.csv", range(25)) > 22


@pytest.mark.slow
def test_changes_of_many_sheets_leave_the_answer_or_ask(tmp_path: Path) -> None:
    assert read_changed(tmp_path / "sheet.csv", range(25, 500)) > 440
