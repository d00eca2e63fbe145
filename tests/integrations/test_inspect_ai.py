"""Score reducers and the log reader in evaluations that inspect_ai really runs, without a call of a model."""

import itertools
import math
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")

from inspect_ai import Epochs, Task, eval  # noqa: A004
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, write_eval_log
from inspect_ai.scorer import Score, accuracy, multi_scorer, scorer
from inspect_ai.solver import solver

from bribeproof import aggregate_labels, certify
from bribeproof.errors import DataError, ParameterError
from bribeproof.integrations.inspect_ai import always_scored, bribeproof_trimmed, bribeproof_vote, read_log
from bribeproof.integrations.inspect_ai.log import _votes
from tests.integrations.page import check_page

pytestmark = pytest.mark.filterwarnings("ignore:Unclosed <Memory:ResourceWarning")

NAN = math.nan
PANEL: dict[str, tuple[Any, ...]] = {
    "ada": ("C", "C", "I"),
    "bob": ("C", "I", "I"),
    "cy": ("C", "C", "C"),
    "fails": ("C", NAN, None),
}
"""What each judge says of three samples: NaN stands for `Score.unscored`, None for no score at all."""


@solver
def echo() -> Any:
    async def solve(state: Any, generate: Any) -> Any:
        state.output.completion = state.input_text
        return state

    return solve


@scorer(metrics=[accuracy()])
def judge(says: Sequence[Any]) -> Any:
    async def score(state: Any, target: Any) -> Score | None:
        value = says[int(state.sample_id) - 1]
        return None if value is None else Score(value=value)

    return score


def run(scorers: Any, folder: Path, epochs: Any = 1) -> EvalLog:
    """Run an evaluation of three samples whose solver repeats the question."""
    samples = [Sample(input=text, target=text) for text in ("one", "two", "three")]
    task = Task(dataset=samples, solver=echo(), scorer=scorers, epochs=epochs)
    (log,) = eval(task, display="none", log_dir=str(folder))
    assert log.status == "success"
    return log


def judges() -> list[Any]:
    return [judge(list(says)) for says in PANEL.values()]


def told(score: Score) -> dict[str, Any]:
    assert score.metadata is not None
    return dict(score.metadata["bribeproof"])


@pytest.fixture(scope="module")
def panel(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    """An evaluation with a panel of judges, one of them failing, by the name of the reducer."""
    reducer: Any = bribeproof_vote(k=1, n=4)
    return run(multi_scorer(judges(), reducer), tmp_path_factory.mktemp("logs"))


def test_a_failed_judge_lowers_neither_n_nor_k(panel: EvalLog) -> None:
    assert panel.samples is not None
    scores = [next(iter((sample.scores or {}).values())) for sample in panel.samples]
    assert [score.value for score in scores] == ["C", "C", "I"]
    assert [told(score)["panel"]["n"] for score in scores] == [4, 4, 4]
    assert [told(score)["panel"]["m"] for score in scores] == [4, 3, 3]
    assert [told(score)["panel"]["k"] for score in scores] == [1, 1, 1]
    assert [told(score)["flips_needed"] for score in scores] == [2, 1, 1]
    assert [told(score)["settled"] for score in scores] == [True, False, False]
    assert told(scores[1])["votes"] == ["C", "I", "C", None]


def test_reducers_are_found_by_name_in_another_process(tmp_path: Path) -> None:
    code = (
        "from inspect_ai.scorer._reducer import create_reducers\n"
        "from inspect_ai.scorer import Score\n"
        "(reduce,) = create_reducers('bribeproof/bribeproof_vote_2')\n"
        "print(reduce([Score(value='C')] * 5).metadata['bribeproof']['panel']['k'])\n"
        "(reduce,) = create_reducers('bribeproof/bribeproof_trimmed')\n"
        "print(reduce([Score(value=v) for v in (0, 1, 1)]).value)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert run.stdout.split() == ["2", "1.0"]


def test_epochs_are_reduced_by_name(tmp_path: Path) -> None:
    names = ["bribeproof/bribeproof_vote_1", "bribeproof_trimmed_0"]
    log = run([judge(["C", "C", "I"])], tmp_path, Epochs(3, names))
    assert log.eval.config.epochs_reducer == names
    reductions = {one.reducer: [sample.value for sample in one.samples] for one in log.reductions or []}
    assert reductions == {names[0]: ["C", "C", "I"], names[1]: [1.0, 1.0, 0.0]}


def values(*values: Any) -> list[Score]:
    return [Score(value=value) for value in values]


@pytest.mark.parametrize("given", [("C", "I", "C", NAN, "I"), ("a", "b", "a", "a", "c"), (1, 0.5, True, 1, NAN)])
@pytest.mark.parametrize("make", [bribeproof_vote, bribeproof_trimmed])
def test_the_order_of_the_panel_does_not_matter(make: Any, given: tuple[Any, ...]) -> None:
    def plain(order: tuple[Any, ...]) -> str:
        score = make(k=1)(values(*order))
        part = told(score)
        del part["votes"], part["panel"]["silent"]
        return repr((score.value, score.reason, part))

    assert len({plain(order) for order in itertools.permutations(given)}) == 1


def test_a_tie_is_a_tie() -> None:
    for order in (("C", "I"), ("I", "C")):
        score = bribeproof_vote(k=0)(values(*order))
        assert math.isnan(score.as_float())
        assert (score.reason, told(score)["tie"], told(score)["flips_needed"]) == ("tie", True, 0)


def test_a_panel_that_k_decide_alone_is_unscored() -> None:
    for reducer in (bribeproof_vote(k=1), bribeproof_trimmed(k=1)):
        score = reducer(values(1, NAN, 1))
        assert math.isnan(score.as_float())
        assert score.reason == "not certified"
    assert bribeproof_vote()(values(NAN, NAN)).reason == "no reports"


@pytest.mark.parametrize("given", [("C",), ("C", NAN, "C", "C"), ("C", "C", "I")])
@pytest.mark.parametrize("make", [bribeproof_vote, bribeproof_trimmed])
def test_nobody_is_called_silent_where_scores_are_missing(make: Any, given: tuple[Any, ...]) -> None:
    score = make(k=0, n=5)(values(*given))
    m = sum(isinstance(one, str) for one in given)
    assert "silent" not in told(score)["panel"]
    assert (told(score)["panel"]["n"], told(score)["panel"]["m"]) == (5, m)
    assert score.explanation.splitlines()[0] == f"{m} of 5 judges gave an answer."
    assert "silent" not in score.explanation


def test_n_is_a_number_of_judges() -> None:
    with pytest.raises(ParameterError, match="n = 0"):
        bribeproof_vote(k=0, n=0)


def test_text_that_is_no_number_is_no_zero() -> None:
    score = bribeproof_trimmed(k=0, threshold=0.5)(values("C", "P", "yes", "0.5", "I cannot judge this"))
    assert score.value == 0.75
    assert told(score)["panel"]["silent"] == [5]
    assert (told(score)["passed"], told(score)["flips_needed"]) == (True, 1)


def test_entries_are_reduced_one_by_one() -> None:
    score = bribeproof_vote(k=1)(values({"a": "x", "b": 1}, NAN, {"a": "x", "b": 0}, {"a": "x", "b": NAN}))
    assert isinstance(score.value, dict)
    assert score.value["a"] == "x"
    assert math.isnan(score.value["b"] or 0)
    assert {key: part["panel"]["m"] for key, part in told(score).items()} == {"a": 3, "b": 2}
    assert {part["panel"]["n"] for part in told(score).values()} == {4}
    assert bribeproof_trimmed(k=0)(values([1, 0], [0, 0])).value == [0.5, 0.0]
    with pytest.raises(DataError, match="the same entries"):
        bribeproof_vote()(values({"a": 1}, {"b": 1}))


def test_families_need_the_whole_panel() -> None:
    reducer = bribeproof_vote(k=1, families=["x", "x", "y", "z", "v", None, None])
    part = told(reducer(values("C", "C", "C", "C", "C", "I", NAN)))
    assert (part["flips_needed"], part["bribes_needed"], part["panel"]["of"]) == (2, 1, "families")
    with pytest.raises(ParameterError, match=r"must return Score.unscored\(\)"):
        reducer(values("C", "C", "C", "I"))
    with pytest.raises(ParameterError, match="n=2 and there are 3 scores"):
        bribeproof_vote(n=2)(values("C", "C", "C"))


@pytest.mark.parametrize("form", ["memory", "eval", "json"])
def test_a_log_is_a_table_with_every_judge_of_every_sample(form: str, tmp_path: Path) -> None:
    silent = [None, None, None]
    log = run([*judges(), judge(silent)], tmp_path)
    path = tmp_path / f"log.{form}"
    if form != "memory":
        write_eval_log(log, str(path))
    frame = read_log(log if form == "memory" else path)
    assert frame.columns == ["sample", "epoch", "scorer", "judge", "value"]
    assert frame.height == 15
    names = frame["scorer"].unique(maintain_order=True).to_list()
    told = [frame.filter(scorer=name)["value"].to_list() for name in names]
    assert told == [[None if one in (None, "nan") else one for one in map(str_or_none, says)]
                    for says in (*PANEL.values(), silent)]  # fmt: skip
    answers = aggregate_labels(frame, k=1, item="sample", reporter="scorer", label="value")
    assert answers["n"].to_list() == [5, 5, 5]
    assert answers["decision"].to_list() == ["C", "C", "I"]
    truth = {"1": "C", "2": "C", "3": "I"}
    robust = certify(frame, truth, k=1, item="sample", reporter="scorer", label="value").by_k["robust"]
    assert robust.to_list() == [3, 1]


def str_or_none(value: Any) -> str | None:
    return None if value is None else str(value)


def test_a_log_with_epochs_and_numbers(tmp_path: Path) -> None:
    frame = read_log(run([judge([0.5, 1.0, NAN]), judge([1, 0, 1])], tmp_path, Epochs(2, "mean")))
    assert frame.height == 12
    assert frame["judge"].unique(maintain_order=True).to_list() == ["judge#1", "judge1#1", "judge#2", "judge1#2"]
    assert frame["value"].sum() == 2 * 3.5
    assert frame["value"].null_count() == 2


@scorer(metrics=[accuracy()])
def broken(on: int) -> Any:
    async def score(state: Any, target: Any) -> Score | None:
        if int(state.sample_id) == on:
            raise ValueError("the model answered nonsense")
        return None

    return score


def test_a_judge_who_raises_or_returns_none_stays_in_the_panel(tmp_path: Path) -> None:
    scorers = [always_scored(one) for one in [*judges(), broken(2)]]
    reducer: Any = bribeproof_vote(k=1)
    log = run(multi_scorer(scorers, reducer), tmp_path)
    assert log.results is not None
    assert "accuracy" in log.results.scores[0].metrics
    frame = read_log(log, panels=True)
    assert frame["scorer"].unique(maintain_order=True).to_list() == [f"multi_scorer[{place}]" for place in range(1, 6)]
    assert [frame.filter(sample=str(place))["value"].to_list() for place in (1, 2, 3)] == [
        ["C", "C", "C", "C", None], ["C", "I", "C", None, None], ["I", "I", "C", None, None],
    ]  # fmt: skip
    answers = aggregate_labels(frame, k=1, item="sample", reporter="scorer", label="value")
    assert log.samples is not None
    scores = [(sample.scores or {})["multi_scorer"] for sample in log.samples]
    assert answers["decision"].to_list() == [score.value for score in scores]
    assert answers["flips_needed"].to_list() == [told(score)["flips_needed"] for score in scores]
    assert answers["n"].to_list() == [told(score)["panel"]["n"] for score in scores]


def test_a_panel_that_lost_a_judge_is_not_read_as_a_table(panel: EvalLog, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="3 scores of 4 judges"):
        read_log(panel, panels=True)
    assert read_log(panel).height == 3
    untold: Any = bribeproof_vote(k=1)
    with pytest.raises(DataError, match="3 scores of 4 judges"):
        read_log(run(multi_scorer(judges(), untold), tmp_path), panels=True)


def test_a_sample_that_fails_is_a_sample_of_silent_judges(tmp_path: Path) -> None:
    samples = [Sample(input=text, target=text) for text in ("one", "two", "three")]
    task = Task(dataset=samples, solver=echo(), scorer=[*judges(), broken(2)])
    (log,) = eval(task, display="none", log_dir=str(tmp_path), fail_on_error=False)
    frame = read_log(log)
    assert frame.height == 15
    answers = aggregate_labels(frame, k=0, item="sample", reporter="scorer", label="value").sort("sample")
    assert answers["n"].to_list() == [5, 5, 5]
    assert answers["m"].to_list()[::2] == [4, 3]


def test_entries_of_a_panel_are_read_one_by_one() -> None:
    score = bribeproof_vote(k=0)(values({"a": "x", "b": "y"}, {"a": "x", "b": "z"}))
    assert _votes({"panel": score}) == {"panel[1][a]": "x", "panel[2][a]": "x", "panel[1][b]": "y", "panel[2][b]": "z"}


def test_a_log_without_samples_is_refused(panel: EvalLog) -> None:
    with pytest.raises(DataError, match="no samples"):
        read_log(panel.model_copy(update={"samples": None}))


def test_the_page() -> None:
    check_page("inspect_ai")
