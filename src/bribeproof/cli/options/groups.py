"""The groups of options on help pages: what most need comes first, what some files need last."""

from cyclopts import Group

BRIBES = Group("Who may be bribed", sort_key=1)
OPTIONS = Group("Options", sort_key=2)
REPORTS = Group("Reports (default: inferred)", sort_key=3)
SCORES = Group("Scores", sort_key=4)
VALUE = Group("What the answer is worth", sort_key=5)
RANKED = Group("Judges' rankings (--kind rankings)", sort_key=5)
OUTPUT = Group("Output", sort_key=6)
PIPELINES = Group("Pipelines: exit status 3", sort_key=7)
COLUMNS = Group("Advanced: rows and columns", sort_key=11)
TIES = Group("Advanced: ties and draws", sort_key=12)
RANKED_COLUMNS = Group("Advanced: rows and columns of rankings", sort_key=12)
CRITERIA = Group("Advanced: criteria and totals", sort_key=13)
LABEL_SETS = Group("Advanced: several labels in a report", sort_key=14)
HONESTY = Group("Advanced: silence and faulty reports", sort_key=15)
COSTS = Group("Advanced: losses and costs", sort_key=16)
FORMAT = Group("Advanced: format of the file", sort_key=17)
