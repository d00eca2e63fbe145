"""Flower: federated averaging that k bad clients cannot take over, whoever else is silent.

Flower's own `FedTrimmedAvg` cuts a share of the replies that arrive, so that fewer replies mean fewer cuts: none at
four clients, and one of two at nine of ten. `FedBribeproof` cuts a number that does not depend on who replies.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable
from logging import INFO, WARNING
from typing import Any, TypeAlias

import numpy as np
from flwr.app import Array, ArrayRecord, Message, MetricRecord, RecordDict
from flwr.serverapp.exception import AggregationError
from flwr.serverapp.strategy import FedAvg
from flwr.supercore import log
from numpy.typing import NDArray

from bribeproof._validation import validate_k, whole_number
from bribeproof.arrays.blocks import reporters_last
from bribeproof.arrays.trimmed_means import trimmed_means
from bribeproof.errors import ParameterError

__all__ = ["FedBribeproof"]

_MetricsFunction: TypeAlias = Callable[[list[RecordDict], str], MetricRecord]


class FedBribeproof(FedAvg):
    """Average what clients send coordinate by coordinate, without the k lowest and the k highest.

    Parameters
    ----------
    k
        How many clients may be bad in any way: a head count, at least 0. It does not shrink where clients are silent,
        for the bad ones may be among those who reply.
    n
        How many clients there are; more than 2k. With 3k + 1 or more, bad clients cannot stop a round by their silence.
    min_train_nodes, min_evaluate_nodes, min_available_nodes
        As in `FedAvg`: how few clients a round asks, and waits for; None for 2k + 1 (and 2 at least).
    train_metrics_aggr_fn, evaluate_metrics_aggr_fn
        As in `FedAvg`; None for trimmed means.
    **options
        Other parameters of `FedAvg`.

    Raises
    ------
    ParameterError
        If k or n is no head count, n ≤ 2k, or a round may ask 2k clients or fewer, or more than n.

    Notes
    -----
    docs/theory.md §10; the k-trimmed mean of the m replies of a round, for m > 2k. Clients count equally: the numbers
    of examples that they name are not used, as a bad client could name any. Set aside as silent is who replies twice,
    sends parameters that are no finite numbers, or whose names, order, shapes or types of parameters and metrics are
    not those of the other replies: those that more than k of them share.

    Metrics are trimmed means as well. Beside each stand ``bribeproof-low-`` and ``bribeproof-high-`` of it: the results
    that k clients could have caused. ``bribeproof-n``, ``bribeproof-m`` and ``bribeproof-k`` count clients, usable
    replies and those that may be bad; ``bribeproof-reach`` of a training round is the largest difference that k clients
    could have made between two values of one parameter.

    Examples
    --------
    >>> strategy = FedBribeproof(k=1, n=4)
    >>> strategy.k, strategy.n, strategy.min_train_nodes
    (1, 4, 3)
    """

    def __init__(
        self,
        k: int,
        n: int,
        *,
        min_train_nodes: int | None = None,
        min_evaluate_nodes: int | None = None,
        min_available_nodes: int | None = None,
        train_metrics_aggr_fn: _MetricsFunction | None = None,
        evaluate_metrics_aggr_fn: _MetricsFunction | None = None,
        **options: Any,
    ) -> None:
        self.k, self.n = validate_k(k), whole_number("n", n, minimum=2)
        fewest = max(2 * self.k + 1, 2)
        if self.n < fewest:
            raise ParameterError(
                f"n = {n} clients of whom k = {k} may be bad: give more than 2k, here {fewest} or more"
            )
        for name, nodes in (("min_train_nodes", min_train_nodes), ("min_evaluate_nodes", min_evaluate_nodes)):
            if nodes is not None and not fewest <= nodes <= self.n:
                raise ParameterError(f"{name} = {nodes} with k = {k} of n = {n}: give {fewest} to {n}, more than 2k")
        super().__init__(
            min_train_nodes=min_train_nodes or fewest,
            min_evaluate_nodes=min_evaluate_nodes or fewest,
            min_available_nodes=min_available_nodes or fewest,
            train_metrics_aggr_fn=train_metrics_aggr_fn or self._trimmed_metrics,
            evaluate_metrics_aggr_fn=evaluate_metrics_aggr_fn or self._trimmed_metrics,
            **options,
        )

    def summary(self) -> None:
        """Log the settings."""
        log(INFO, "\t├──> FedBribeproof settings:")
        log(INFO, "\t│\t├── Clients that may be bad, k: %d", self.k)
        log(INFO, "\t│\t└── Clients, n: %d", self.n)
        super().summary()

    def aggregate_train(
        self, server_round: int, replies: Iterable[Message]
    ) -> tuple[ArrayRecord | None, MetricRecord | None]:
        """Return the trimmed means of parameters and metrics.

        Raises
        ------
        AggregationError
            If 2k replies or fewer are usable, or more clients reply than there are.
        """
        contents = self._usable(server_round, replies, train=True)
        if not contents:
            return None, None
        metrics = self._counted(self.train_metrics_aggr_fn(contents, self.weighted_by_key), contents)
        arrays, reach = ArrayRecord(), 0.0
        for name in _only(contents[0].array_records):
            values = np.stack([_only(content.array_records)[name].numpy() for content in contents])
            low, mean, high = self._trimmed(values)
            arrays[name] = Array(np.asarray(mean, dtype=values.dtype if values.dtype.kind == "f" else np.float64))
            reach = max(reach, float(np.max(high - low, initial=0.0)))
        metrics["bribeproof-reach"] = reach
        return arrays, metrics

    def aggregate_evaluate(self, server_round: int, replies: Iterable[Message]) -> MetricRecord | None:
        """Return the trimmed means of metrics.

        Raises
        ------
        AggregationError
            If 2k replies or fewer are usable, or more clients reply than there are.
        """
        contents = self._usable(server_round, replies, train=False)
        if not contents:
            return None
        return self._counted(self.evaluate_metrics_aggr_fn(contents, self.weighted_by_key), contents)

    def _usable(self, server_round: int, replies: Iterable[Message], *, train: bool) -> list[RecordDict]:
        """Return the contents of replies that honest clients can have sent; none where nobody was asked."""
        if (self.fraction_train if train else self.fraction_evaluate) == 0:
            return []
        valid, _ = self._check_and_log_replies(list(replies), is_train=train, validate=False)
        senders = Counter(message.metadata.src_node_id for message in valid)
        if len(senders) > self.n:
            raise AggregationError(
                f"round {server_round}: {len(senders)} clients replied, and n = {self.n}: k = {self.k} was said of n; "
                f"authenticate clients, or give the n and k of all who may connect"
            )
        layouts = [
            _layout(message.content, train=train) if senders[message.metadata.src_node_id] == 1 else None
            for message in valid
        ]
        # Honest clients share one layout, and are more than k; so there is no other that more than k share.
        shared = [layout for layout, shares in Counter(layouts).items() if layout is not None and shares > self.k]
        if len(shared) > 1:
            raise AggregationError(
                f"round {server_round}: more than k = {self.k} clients send parameters or metrics of one layout, and "
                f"more than k of another: let honest clients send the same names, shapes and types"
            )
        usable = [message.content for message, layout in zip(valid, layouts, strict=True) if layout in shared]
        for message, layout in zip(valid, layouts, strict=True):
            if layout not in shared:
                log(
                    WARNING,
                    "\t> Set aside the reply of node %d: unreadable, not finite, sent twice or unlike those of others",
                    message.metadata.src_node_id,
                )
        if len(usable) <= 2 * self.k:
            raise AggregationError(
                f"round {server_round}: {len(usable)} usable replies of n = {self.n} clients, of whom k = {self.k} may "
                f"be bad; more than 2k = {2 * self.k} are needed: wait longer for clients, or ask more of them"
            )
        return usable

    def _trimmed_metrics(self, contents: list[RecordDict], weighted_by_key: str) -> MetricRecord:
        """Return the trimmed mean of each metric but the weights, as Flower's own strategies do, with its range."""
        metrics = MetricRecord()
        for name in sorted(_only(contents[0].metric_records)):
            if name != weighted_by_key:
                values = np.array([_only(content.metric_records)[name] for content in contents])
                for part, mean in zip(("bribeproof-low-", "", "bribeproof-high-"), self._trimmed(values), strict=True):
                    metrics[part + name] = mean.tolist()
        return metrics

    def _counted(self, metrics: MetricRecord, contents: list[RecordDict]) -> MetricRecord:
        """Return metrics with the numbers of clients beside them."""
        metrics.update({"bribeproof-n": self.n, "bribeproof-m": len(contents), "bribeproof-k": self.k})
        return metrics

    def _trimmed(self, values: NDArray[Any]) -> list[NDArray[np.float64]]:
        """Return the lowest trimmed mean over clients that k could have caused, the trimmed mean, and the highest."""
        return trimmed_means(reporters_last(values, 0), 2 * self.k, lowest=[0, self.k, 2 * self.k])


def _only(records: Any) -> Any:
    """Return the only record of a kind."""
    (record,) = records.values()
    return record


def _layout(content: RecordDict, *, train: bool) -> tuple[object, ...] | None:
    """Return what a reply shares with those of other honest clients; None if an honest client does not send it."""
    parts: list[object] = []
    try:
        if train:
            parts.extend(content.array_records)
            for name, array in _only(content.array_records).items():
                values = array.numpy()
                if values.dtype.kind not in "biuf" or not np.isfinite(values).all():
                    return None
                parts.append((name, values.shape, values.dtype.str))
        parts.extend(content.metric_records)
        for name, value in sorted(_only(content.metric_records).items()):
            parts.append((name, len(value) if isinstance(value, list) else None))
            if not all(map(math.isfinite, value if isinstance(value, list) else [value])):
                return None
    except Exception:  # what a bad client sends may break anything that reads it
        return None
    return tuple(parts)
