"""The page "Design a panel": the rule, its guarantee and its worst case for a panel of reporters."""
