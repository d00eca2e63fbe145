"""Options that several commands have, each in its group."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from bribeproof.cli.options.converters import Names, Rate, Whole
from bribeproof.cli.options.groups import BRIBES, OUTPUT, PIPELINES, REPORTS, SCORES, TIES, VALUE

Adversaries = Annotated[Whole, Parameter(name=["--k", "-k"], group=BRIBES)]
PlainK = Annotated[Whole, Parameter(name=["--k", "-k"])]
"""For commands whose k is not the number of the bribed alone."""
PanelSize = Annotated[Whole, Parameter(name=["--n", "-n"])]
AdversariesIfAny = Annotated[Whole | None, Parameter(name=["--k", "-k"], group=BRIBES)]
Share = Annotated[str | None, Parameter(group=BRIBES)]
ShareOf = Annotated[Literal["panel", "item"], Parameter(group=BRIBES)]
Kind = Literal["scores", "votes", "labels"]
KindIfStated = Annotated[Kind | None, Parameter(group=REPORTS)]
Positive = Annotated[str, Parameter(group=REPORTS)]
PositiveIfStated = Annotated[str | None, Parameter(group=REPORTS)]
Classes = Annotated[Names, Parameter(group=REPORTS)]
Decimals = Annotated[Whole | None, Parameter(name="--round", group=SCORES)]
Confidence = Annotated[Rate, Parameter(group=VALUE)]
ConfidenceIfStated = Annotated[Rate | None, Parameter(group=VALUE)]
Ties = Annotated[Literal["none", "first", "last", "random"], Parameter(group=TIES)]
SeedIfStated = Annotated[Whole | None, Parameter(group=TIES)]
Beacon = Annotated[str | None, Parameter(group=TIES)]
Picture = Annotated[Path | None, Parameter(group=OUTPUT)]
OutputFile = Annotated[Path | None, Parameter(name=["--output", "-o"], group=OUTPUT)]
OutputForm = Annotated[Literal["table", "label-studio"], Parameter(name="--as", group=OUTPUT)]
Rows = Annotated[Whole, Parameter(group=OUTPUT)]
RowsIfStated = Annotated[Whole | None, Parameter(group=OUTPUT)]
MostMovable = Annotated[Whole | None, Parameter(group=PIPELINES)]
Threshold = Annotated[Rate | None, Parameter(group=PIPELINES)]
Json = Annotated[bool, Parameter(negative=(), show_default=False, group=OUTPUT)]
