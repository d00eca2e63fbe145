"""Options for groups, prices and budgets: a column by its name, or a file of two columns."""

from pathlib import Path

import pytest

from bribeproof.cli.options.bribes import BribeOptions
from bribeproof.errors import BribeproofError


def test_columns_and_files(tmp_path: Path) -> None:
    nations, fees = tmp_path / "nations.csv", tmp_path / "fees.csv"
    nations.write_text("reporter,group\nann,GBR\nbob,GBR\ncy,\n", encoding="utf-8")
    fees.write_text("who,fee\nGBR,2.5\ncy,1\n", encoding="utf-8")
    assert BribeOptions("nation", "fee", "3").given("judge") == {"group": "nation", "price": "fee", "budget": "3"}
    assert BribeOptions("nation", str(fees)).columns == {"nation": "group"}
    assert BribeOptions(str(nations)).given("judge")["group"] == {"ann": "GBR", "bob": "GBR"}
    with pytest.raises(BribeproofError, match="call its two columns 'group' and 'price'"):
        BribeOptions("nation", str(fees)).given("judge")
    fees.write_text("group,fee\nGBR,2.5\ncy,1\n", encoding="utf-8")
    assert BribeOptions("nation", str(fees)).given("judge")["price"] == {"GBR": "2.5", "cy": "1"}


def test_two_groups_of_one_reporter(tmp_path: Path) -> None:
    nations = tmp_path / "nations.csv"
    nations.write_text("judge,group\nann,GBR\nann,USA\n", encoding="utf-8")
    with pytest.raises(BribeproofError, match=r"line 3.*'ann' has a group already, 'GBR'"):
        BribeOptions(str(nations)).given("judge")
