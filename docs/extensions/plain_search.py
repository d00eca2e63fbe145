"""Search for questions as people type them: words such as "how" and "my" are not looked for."""

from typing import Any

from sphinx.application import Sphinx
from sphinx.search import languages
from sphinx.search.en import SearchEnglish

QUESTION_WORDS = frozenset(
    [
        "a", "about", "after", "all", "am", "an", "and", "any", "anybody", "anyone", "are", "as", "at", "be",
        "been", "before", "being", "but", "by", "can", "could", "did", "do", "does", "doing", "for", "from", "get",
        "gets", "getting",
        "had", "has", "have", "having", "he", "her", "his", "how", "i", "if", "in", "into", "is", "it",
        "its", "just", "let", "make", "makes", "me", "mine", "much", "my", "need", "needs", "no", "nobody", "not",
        "of", "off", "on", "only", "or", "other", "our", "out", "over", "own", "she", "should", "so", "some",
        "somebody", "someone", "such", "than", "that", "the", "their", "them", "then", "there", "these", "they",
        "this", "those", "to", "too", "use", "used", "uses", "using", "very", "want", "wants", "was", "way", "we",
        "were", "what", "when", "where", "whether", "which", "while", "who", "whom", "whose", "why", "will", "with",
        "within", "without", "work", "works", "would", "you", "your",
    ]
)  # fmt: skip
"""Words of questions that say nothing of what is looked for."""


class SearchQuestions(SearchEnglish):
    """English, of which questions are asked."""

    stopwords = QUESTION_WORDS


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the language in the place of English."""
    languages["en"] = SearchQuestions
    return {"parallel_read_safe": True, "parallel_write_safe": True}
