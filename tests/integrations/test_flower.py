"""The strategy for Flower: k stays k whoever is silent, one bad client neither moves nor stops a round."""

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pytest
from flwr.app import Array, ArrayRecord, Error, Message, MessageType, MetricRecord, RecordDict
from flwr.serverapp import Grid
from flwr.serverapp.exception import AggregationError, InconsistentMessageReplies
from flwr.serverapp.strategy import FedAvg, FedTrimmedAvg
from flwr.supercore.task_identity import TaskIdentity
from hypothesis import given
from hypothesis import strategies as st

from bribeproof.errors import ParameterError
from bribeproof.integrations.flower import FedBribeproof
from tests.integrations.page import check_page


@pytest.fixture(autouse=True)
def _server_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give this process the identity that Flower gives the server of a run, which messages name as their sender."""
    for name in ("_task_id", "_run_id", "_node_id"):
        monkeypatch.setattr(TaskIdentity, name, 1)


def asked(node: int) -> Message:
    return Message(RecordDict(), dst_node_id=node, message_type=MessageType.TRAIN)


def reply(node: int, values: Any, **metrics: Any) -> Message:
    content = RecordDict()
    content["arrays"] = ArrayRecord({"w": Array(np.asarray(values))})
    content["metrics"] = MetricRecord({"num-examples": 1, **metrics})
    return Message(content, reply_to=asked(node))


def failed(node: int) -> Message:
    return Message(Error(code=0, reason="out of memory"), reply_to=asked(node))


def replies(rows: Iterable[Any]) -> list[Message]:
    return [reply(node, row) for node, row in enumerate(rows, start=1)]


def trained(strategy: FedAvg, messages: Sequence[Message]) -> Any:
    arrays, _ = strategy.aggregate_train(1, messages)
    assert arrays is not None
    return arrays["w"].numpy()


def metrics_of(strategy: FedAvg, messages: Sequence[Message]) -> dict[str, Any]:
    _, metrics = strategy.aggregate_train(1, messages)
    return dict(metrics or {})


POISON = 1000.0


def test_of_four_clients_the_own_trimmed_mean_trims_none() -> None:
    rows = [[0.0], [0.0], [0.0], [POISON]]
    assert trained(FedTrimmedAvg(), replies(rows)) == 250
    assert trained(FedBribeproof(k=1, n=4), replies(rows)) == 0


def test_a_silent_client_does_not_let_a_bad_one_in() -> None:
    rows = [[0.0]] * 7 + [[POISON]] * 2
    assert trained(FedTrimmedAvg(beta=0.2), replies([*rows, [0.0]])) == 0
    assert trained(FedTrimmedAvg(beta=0.2), [*replies(rows), failed(10)]) == pytest.approx(142.9, abs=0.05)
    assert trained(FedBribeproof(k=2, n=10), [*replies(rows), failed(10)]) == 0
    assert trained(FedBribeproof(k=2, n=10), replies(rows)) == 0


matrices = st.integers(0, 2).flatmap(
    lambda k: st.tuples(
        st.just(k),
        st.integers(2 * k + 1, 2 * k + 4).flatmap(
            lambda m: st.lists(st.lists(st.floats(-1e6, 1e6, width=32), min_size=3, max_size=3), min_size=m, max_size=m)
        ),
    )
)


@given(matrices)
def test_parameters_are_sorted_cut_and_averaged(case: tuple[int, list[list[float]]]) -> None:
    k, rows = case
    expected = np.sort(np.array(rows), axis=0)[k : len(rows) - k].mean(axis=0)
    strategy = FedBribeproof(k=k, n=max(len(rows), 2))
    assert trained(strategy, replies(rows)) == pytest.approx(expected, rel=1e-12, abs=1e-6)
    backwards = trained(strategy, replies(rows)[::-1])
    assert backwards.tobytes() == trained(strategy, replies(rows)).tobytes()


def test_whatever_k_bad_clients_send_the_average_is_among_honest_values_and_in_the_range() -> None:
    honest = [[1.0, -4.0], [2.0, 0.0], [4.0, 1.0], [8.0, 8.0]]
    strategy = FedBribeproof(k=1, n=5)
    for lies in itertools.product([-1e9, -4.0, 1.5, 4.0, 1e9], repeat=2):
        value = trained(strategy, replies([*honest, lies]))
        assert (value >= np.min(honest, axis=0)).all()
        assert (value <= np.max(honest, axis=0)).all()
    results = []
    for liar, lie in itertools.product(range(5), [-1e9, *np.linspace(-5, 9, 57), 1e9]):
        rows = [[1.0], [2.0], [4.0], [8.0], [3.0]]
        rows[liar] = [lie]
        results.append(float(trained(strategy, replies(rows))[0]))
    told = metrics_of(strategy, replies([[1.0], [2.0], [4.0], [8.0], [3.0]]))
    assert told["bribeproof-reach"] == pytest.approx(max(results) - min(results))


@pytest.mark.parametrize(("sent", "kept"), [("float32", "float32"), ("float16", "float16"), ("int64", "float64")])
def test_the_type_of_parameters_stays(sent: str, kept: str) -> None:
    value = trained(FedBribeproof(k=1, n=3), replies(np.array([[1], [2], [6]], dtype=sent)))
    assert value.dtype == kept
    assert value == 2


def test_layers_keep_their_names_order_and_shapes() -> None:
    def model(node: int, shift: float) -> Message:
        content = RecordDict()
        layers = {"z": np.full((2, 3), shift), "a": np.array(shift), "none": np.zeros((0, 4))}
        content["arrays"] = ArrayRecord({name: Array(layer) for name, layer in layers.items()})
        content["metrics"] = MetricRecord({"num-examples": 1})
        return Message(content, reply_to=asked(node))

    arrays, _ = FedBribeproof(k=1, n=3).aggregate_train(1, [model(1, 0.0), model(2, 1.0), model(3, 50.0)])
    assert arrays is not None
    assert [(name, array.numpy().shape) for name, array in arrays.items()] == [
        ("z", (2, 3)),
        ("a", ()),
        ("none", (0, 4)),
    ]
    assert (arrays["z"].numpy() == 1).all()


def unlike(kind: str) -> RecordDict:
    content = reply(4, [POISON]).content
    if kind == "two models":
        content["more"] = ArrayRecord({"w": Array(np.array([POISON]))})
    elif kind == "no model":
        del content["arrays"]
    elif kind == "another name":
        content["arrays"] = ArrayRecord({"v": Array(np.array([POISON]))})
    elif kind == "another shape":
        content["arrays"] = ArrayRecord({"w": Array(np.array([POISON, 0.0]))})
    elif kind == "not a number":
        content["arrays"] = ArrayRecord({"w": Array(np.array([np.nan]))})
    elif kind == "no array":
        content["arrays"] = ArrayRecord({"w": Array("float64", (1,), "numpy.ndarray", b"no array")})
    elif kind == "text":
        content["arrays"] = ArrayRecord({"w": Array(np.array(["a"]))})
    elif kind == "a metric more":
        content["metrics"]["loss"] = 0.0
    elif kind == "a list for a number":
        content["metrics"]["num-examples"] = [1]
    return content


KINDS = [
    "two models",
    "no model",
    "another name",
    "another shape",
    "not a number",
    "no array",
    "text",
    "a metric more",
    "a list for a number",
]


@pytest.mark.parametrize("kind", KINDS)
def test_one_strange_reply_stops_no_round(kind: str) -> None:
    strange = Message(unlike(kind), reply_to=asked(4))
    for position in range(4):
        messages = replies([[1.0], [2.0], [3.0]])
        messages.insert(position, strange)
        assert trained(FedBribeproof(k=1, n=4), messages) == 2
        assert metrics_of(FedBribeproof(k=1, n=4), messages)["bribeproof-m"] == 3


@pytest.mark.parametrize("kind", ["two models", "no model", "another name", "a metric more", "a list for a number"])
def test_one_strange_reply_stops_the_own_strategies(kind: str) -> None:
    with pytest.raises(InconsistentMessageReplies):
        FedTrimmedAvg().aggregate_train(1, [*replies([[1.0], [2.0], [3.0]]), Message(unlike(kind), reply_to=asked(4))])


def test_who_replies_twice_counts_not_twice() -> None:
    messages = [*replies([[1.0], [2.0], [3.0]]), reply(4, [POISON]), reply(4, [POISON])]
    assert trained(FedBribeproof(k=1, n=4), messages) == 2


def test_metrics_are_trimmed_and_weights_are_not_believed() -> None:
    honest = [reply(node, [0.0], accuracy=0.1 * node, losses=[1, node]) for node in (1, 2, 3)]
    boast = reply(4, [0.0], accuracy=1.0, losses=[-9, 9])
    boast.content["metrics"]["num-examples"] = 10**12
    assert metrics_of(FedTrimmedAvg(), [*honest, boast])["accuracy"] == pytest.approx(1)
    told = metrics_of(FedBribeproof(k=1, n=4), [*honest, boast])
    assert told["accuracy"] == pytest.approx(0.25)
    assert told["bribeproof-low-accuracy"] == pytest.approx(0.15)
    assert told["bribeproof-high-accuracy"] == pytest.approx(0.65)
    assert told["losses"] == [1.0, 2.5]
    assert (told["bribeproof-n"], told["bribeproof-m"], told["bribeproof-k"]) == (4, 4, 1)
    assert "num-examples" not in told
    evaluated = FedBribeproof(k=1, n=4).aggregate_evaluate(1, [*honest, boast])
    assert evaluated is not None
    assert evaluated["accuracy"] == told["accuracy"]


def test_metrics_may_be_aggregated_by_a_function_of_ones_own() -> None:
    strategy = FedBribeproof(k=1, n=4, train_metrics_aggr_fn=lambda contents, _: MetricRecord({"seen": len(contents)}))
    told = metrics_of(strategy, replies([[0.0]] * 4))
    assert (told["seen"], told["bribeproof-m"]) == (4, 4)


@pytest.mark.parametrize(("k", "n", "heard"), [(1, 4, 2), (2, 10, 4), (0, 3, 0), (1, 3, 0)])
def test_too_few_replies_are_an_error(k: int, n: int, heard: int) -> None:
    messages = [*replies([[0.0]] * heard), *(failed(node) for node in range(heard + 1, n + 1))]
    with pytest.raises(AggregationError, match=f"round 1: {heard} usable replies of n = {n} .* more than 2k = {2 * k}"):
        FedBribeproof(k=k, n=n).aggregate_train(1, messages)
    with pytest.raises(AggregationError, match="wait longer"):
        FedBribeproof(k=k, n=n).aggregate_evaluate(1, messages)


def test_more_clients_than_there_are_is_an_error() -> None:
    with pytest.raises(AggregationError, match="5 clients replied, and n = 4"):
        FedBribeproof(k=1, n=4).aggregate_train(1, replies([[0.0]] * 5))


def test_two_layouts_of_honest_clients_are_an_error() -> None:
    with pytest.raises(AggregationError, match="one layout, and more than k of another"):
        FedBribeproof(k=1, n=5).aggregate_train(1, replies([[0.0], [0.0], [0.0], [0.0, 1.0], [0.0, 1.0]]))


def test_what_nobody_was_asked_is_not_aggregated() -> None:
    strategy = FedBribeproof(k=1, n=4, fraction_evaluate=0.0)
    assert strategy.aggregate_evaluate(1, []) is None
    assert FedBribeproof(k=1, n=4, fraction_train=0.0).aggregate_train(1, []) == (None, None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"k": 2, "n": 4}, "give more than 2k, here 5 or more"),
        ({"k": -1, "n": 4}, "k"),
        ({"k": 0.5, "n": 4}, "k"),
        ({"k": 1, "n": 2.5}, "n"),
        ({"k": 1, "n": 4, "min_train_nodes": 2}, "min_train_nodes = 2 with k = 1 of n = 4: give 3 to 4"),
        ({"k": 1, "n": 4, "min_evaluate_nodes": 5}, "min_evaluate_nodes = 5 with k = 1 of n = 4: give 3 to 4"),
    ],
)
def test_settings_without_protection_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        FedBribeproof(**arguments)


class _ClientsHere(Grid):
    """Clients in this process: each has a value that it pulls the model to; some poison it, some are silent."""

    def __init__(self, pulls: dict[int, float], silent: Sequence[int] = ()) -> None:
        self._pulls, self._silent = pulls, silent

    def get_node_ids(self) -> list[int]:
        return list(self._pulls)

    def send_and_receive(self, messages: Iterable[Message], *, timeout: float | None = None) -> list[Message]:
        del timeout
        return [self._answer(message) for message in messages if message.metadata.dst_node_id not in self._silent]

    def _answer(self, message: Message) -> Message:
        pull, weights = self._pulls[message.metadata.dst_node_id], message.content["arrays"]["w"].numpy()
        content = RecordDict({"metrics": MetricRecord({"num-examples": 1, "loss": float(abs(pull - weights[0]))})})
        if message.metadata.message_type == MessageType.TRAIN:
            content["arrays"] = ArrayRecord({"w": Array((weights + pull) / 2)})
        return Message(content, reply_to=message)

    def set_run(self, run: Any) -> None: ...

    @property
    def run(self) -> Any: ...

    def create_message(self, *_: Any, **__: Any) -> Any: ...

    def push_messages(self, messages: Any) -> Any: ...

    def pull_messages(self, message_ids: Any) -> Any: ...


def test_rounds_of_training_end_where_honest_clients_pull() -> None:
    pulls = dict.fromkeys(range(1, 8), 1.0) | {8: 1e6, 9: -1e6}
    grid = _ClientsHere(pulls, silent=(3,))
    initial = ArrayRecord({"w": Array(np.zeros(2, dtype=np.float32))})
    result = FedBribeproof(k=2, n=9, min_train_nodes=9, min_evaluate_nodes=9).start(grid, initial, num_rounds=5)
    assert result.arrays["w"].numpy() == pytest.approx([1 - 2**-5] * 2)
    assert result.train_metrics_clientapp[5]["bribeproof-m"] == 8
    assert result.evaluate_metrics_clientapp[5]["loss"] == pytest.approx(2**-5)


def test_page() -> None:
    check_page("flower")
