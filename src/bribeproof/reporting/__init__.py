"""One page or workbook that says what the answers in a file are worth, what to do about it, and how to repeat it."""
