"""The tables of the collected cases that more than one file of tests reads, and two common expectations."""

from typing import Any

from tests.frames.inputs import Row, long

S01 = long(("q1", "j1", "pass"), ("q1", "j2", None), ("q1", "j3", "fail"))
S04 = long(("t1", "w1", "x"), ("t1", "w2", "x"), ("t2", "w1", None), ("t2", "w2", None))
S06 = long(*[("t1", "w1", "x")] * 3, ("t1", "w2", "y"), ("t1", "w3", "y"))
S07 = long(("t1", "w1", "yes"), ("t1", "w1 ", "yes"), ("t1", "w2", "no"))
IDS = ["9007199254740993"] * 2 + ["9007199254740992"] * 3
S08: dict[str, list[Any]] = {"task": IDS, "worker": ["w1", "w2", "w3", "w4", "w5"], "label": [1, 1, 0, 0, 0]}
S10 = long(("t1", "w1", "b"), ("t1", "w2", "a"))
S12 = long(*(("t1", f"w{i}", v) for i, v in enumerate(("cat", " cat", "cat\u00a0", "cat\r", "dog", "dog", "dog"))))
NFC = long(*(("t1", f"w{i}", v) for i, v in enumerate(("caf\u00e9", "cafe\u0301", "tea"))))
S13 = long(("t1", "w1", "NA"), ("t1", "w2", "NA"), ("t1", "w3", "FR"), ("t1", "w4", None))
S14 = long(("t1", "w1", "lo"), ("t1", "w2", "hi"), ("t1", "w3", "hi"))
S29: dict[str, list[Any]] = {"task": ["t1", "t2"], "w1": [1, 2], "w2": [2, 2], "w3": [None, 1]}
CONFLICT = long(
    ("t1", "w1", "x"),
    ("t1", "w2", "y"),
    ("t1", "w1", "y"),
    ("t1", "w3", "y"),
    ("t2", "w1", "x"),
    ("t2", "w2", "x"),
)

NO_ANSWER: Row = {"decision": None, "estimate": None, "flips_needed": None, "additions_needed": None}
TIE: Row = {"decision": None, "tie": True, "flips_needed": 0, "additions_needed": 0, "status": "ok"}
