/* Scores of the search: a page whose title has the words that are asked for comes first, guides before generated pages.

Sphinx's own score of a page is that of its best word, wherever it stands, so that long pages win. */

var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,

  // The most that the words of a title add, and what each part of the site does.
  titleWords: 30,
  parts: [["reference/api/", -10], ["reference/cli/", -5], ["howto/", 5], ["tutorials/", 5]],

  /* Return the stems of the words of a text that say something. */
  stems: (text) => {
    const stemmer = new Stemmer();
    const words = splitQuery(text.toLowerCase()).filter((word) => !stopwords.has(word));
    return new Set(words.map((word) => stemmer.stemWord(word)));
  },

  score: ([docname, title, , , score]) => {
    const asked = Scorer.stems(new URLSearchParams(window.location.search).get("q") || "");
    const named = Scorer.stems(title);
    const shared = [...asked].filter((stem) => named.has(stem)).length;
    const part = Scorer.parts.find(([folder]) => docname.startsWith(folder));
    return score + (Scorer.titleWords * shared) / Math.max(asked.size, 1) + (part ? part[1] : 0);
  },
};
