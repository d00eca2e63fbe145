"""Extensions of Sphinx for this documentation."""
