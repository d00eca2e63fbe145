/* A question as people type it has words that no page has. Where fewer than three pages have all words of a question, those
   that have all but one follow, then all but two, and so on, each with a lower score. */

document.addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return;
  const enough = 3;
  const lost = 12; // what a missing word costs
  const withAllWords = Search.performTermsSearch;

  /* Return all ways to keep so many of some words. */
  const choices = (words, kept) => {
    if (kept === 0) return [[]];
    if (words.length < kept) return [];
    const [first, ...rest] = words;
    return [...choices(rest, kept - 1).map((others) => [first, ...others]), ...choices(rest, kept)];
  };

  Search.performTermsSearch = (searchTerms, excludedTerms) => {
    const results = withAllWords(searchTerms, excludedTerms);
    const words = [...searchTerms].slice(0, 8);
    const pages = new Set(results.map(([page]) => page));
    for (let missing = 1; missing < words.length && pages.size < enough; missing++) {
      const further = new Map();
      for (const kept of choices(words, words.length - missing)) {
        for (const result of withAllWords(new Set(kept), excludedTerms)) {
          const best = further.get(result[0]);
          if (!pages.has(result[0]) && (!best || best[4] < result[4])) further.set(result[0], result);
        }
      }
      for (const [page, result] of further) {
        result[4] -= lost * missing;
        results.push(result);
        pages.add(page);
      }
    }
    return results;
  };
});
