-- bribeproof for DuckDB 2.0 or newer: what a list of reports is worth when k of the reporters may be bribed.
--
-- SELECT entry, bp_trimmed_mean(list(mark), 1) FROM marks GROUP BY entry;
--
-- A NULL or NaN in a list is a reporter who is silent: that lowers m, the number of reports, and not k. Where m <= 2k a
-- number is NULL, as for an empty list and for NULL instead of a list. An infinite mark, an integer or decimal of 2^53 or
-- more (floats do not hold all of them) and a k that is no head count are errors. Marks are added as whole numbers: the
-- answer depends on the reports of its list alone, in any order, and has the same bits as the Python package's.
--
--   bp_trimmed_mean(marks, k)        the mean without the k lowest and the k highest marks
--   bp_lowest(marks, k)              the lowest and the highest trimmed mean
--   bp_highest(marks, k)               that k bribed reporters could have caused
--   bp_status(marks, k)              'ok', 'not certified' (m <= 2k) or 'no reports'
--   bp_scores(marks, k)              all of these, and m, as a STRUCT with the columns of aggregate_scores
--   bp_decision(labels, k)           the label with the most votes; NULL at a tie
--   bp_flips_needed(labels, k)       the fewest reports to rewrite so that it no longer wins; 0 at a tie
--   bp_labels(labels, k)             these and more as a STRUCT with the columns of aggregate_labels
--   bp_votes(labels, label)          how many reports are the label
--   bp_trimmed_share(labels, label, k)  its share without k votes for it and k against it, as in aggregate_votes
--
-- Macros whose names begin with bp__ are parts of these. Where they need a name for a value they transform a list of
-- one element.

CREATE OR REPLACE MACRO bp__head_count(k) AS
  CASE
    WHEN k IS NULL OR k < 0 OR k != floor(k)
    THEN error('bribeproof: k = ' || coalesce(k::VARCHAR, 'NULL') || ' is no head count: use 0, 1, 2, ...')
    ELSE k::BIGINT
  END;

CREATE OR REPLACE MACRO bp__present(reports) AS
  coalesce(
    list_filter(
      reports,
      lambda bp__x: bp__x IS NOT NULL
        AND NOT (typeof(bp__x) IN ('DOUBLE', 'FLOAT') AND coalesce(isnan(TRY_CAST(bp__x AS DOUBLE)), false))
    ),
    []
  );

CREATE OR REPLACE MACRO bp__mark(mark) AS
  CASE
    WHEN isinf(mark::DOUBLE)
    THEN error('bribeproof: a mark is infinite: correct it, or make it NULL')
    WHEN regexp_matches(typeof(mark), 'INT$|^DECIMAL|^BIGNUM') AND abs(mark::DOUBLE) >= 9007199254740992
    THEN error('bribeproof: mark ' || mark::VARCHAR || ' is beyond 2^53, which floats round: subtract an offset')
    ELSE mark::DOUBLE
  END;

CREATE OR REPLACE MACRO bp__sorted(marks) AS
  list_sort(bp__present(list_transform(marks, lambda bp__x: bp__mark(bp__x)))::DOUBLE[]);

CREATE OR REPLACE MACRO bp__ten_to(d) AS
  ([1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12])[d + 1];

CREATE OR REPLACE MACRO bp__decimals(mark) AS
  CASE
    WHEN round(mark) = mark THEN 0
    WHEN round(mark * 1e1) / 1e1 = mark THEN 1
    WHEN round(mark * 1e2) / 1e2 = mark THEN 2
    WHEN round(mark * 1e3) / 1e3 = mark THEN 3
    WHEN round(mark * 1e4) / 1e4 = mark THEN 4
    WHEN round(mark * 1e5) / 1e5 = mark THEN 5
    WHEN round(mark * 1e6) / 1e6 = mark THEN 6
    WHEN round(mark * 1e7) / 1e7 = mark THEN 7
    WHEN round(mark * 1e8) / 1e8 = mark THEN 8
    WHEN round(mark * 1e9) / 1e9 = mark THEN 9
    WHEN round(mark * 1e10) / 1e10 = mark THEN 10
    WHEN round(mark * 1e11) / 1e11 = mark THEN 11
    WHEN round(mark * 1e12) / 1e12 = mark THEN 12
    ELSE 13
  END;

CREATE OR REPLACE MACRO bp__largest(sorted) AS coalesce(greatest(abs(sorted[1]), abs(sorted[-1])), 0e0);

-- The power of ten that makes whole numbers of all marks, if so many of them can be added exactly; else NULL.
CREATE OR REPLACE MACRO bp__grid(sorted, panel) AS
  list_transform(
    [coalesce(list_max(list_transform(sorted, lambda bp__x: bp__decimals(bp__x))), 0)],
    lambda bp__d: CASE
      WHEN bp__d <= 12 AND bp__largest(sorted) * bp__ten_to(bp__d) < 2251799813685248e0 / panel THEN bp__ten_to(bp__d)
    END
  )[1];

-- The power of two that makes large numbers of all marks, whose sum is still below 2^60.
CREATE OR REPLACE MACRO bp__power(sorted) AS
  CASE
    WHEN bp__largest(sorted) > 0
    THEN pow(
      2e0,
      greatest(-1e3, least(1e3, 59 - ceil(log2(len(sorted)) - 1e-9) - floor(log2(bp__largest(sorted)) + 1e-9)))
    )
    ELSE 1e0
  END;

CREATE OR REPLACE MACRO bp__whole(value) AS
  CASE WHEN abs(value) < 4503599627370496e0 THEN sign(value) * floor(abs(value) + 0.5) ELSE value END::BIGINT;

CREATE OR REPLACE MACRO bp__total(marks, factor) AS
  list_sum(list_transform(marks, lambda bp__x: bp__whole(bp__x * factor)))::BIGINT::DOUBLE;

CREATE OR REPLACE MACRO bp__mean(marks, grid) AS
  list_transform(
    [marks],
    lambda bp__w: CASE
      WHEN grid IS NOT NULL
      THEN bp__total(bp__w, grid) / (len(bp__w)::DOUBLE * grid)
      ELSE list_transform(
        [bp__power(bp__w)], lambda bp__p: bp__total(bp__w, bp__p) / len(bp__w)::DOUBLE / bp__p
      )[1]
    END
  )[1];

CREATE OR REPLACE MACRO bp__status(m, k) AS
  CASE WHEN m = 0 THEN 'no reports' WHEN m <= 2 * k THEN 'not certified' ELSE 'ok' END;

CREATE OR REPLACE MACRO bp__scores(sorted, grid, k) AS
  struct_pack(
    m := len(sorted),
    k := k,
    estimate := CASE WHEN len(sorted) > 2 * k THEN bp__mean(sorted[k + 1 : len(sorted) - k], grid) END,
    range_low := CASE WHEN len(sorted) > 2 * k THEN bp__mean(sorted[1 : len(sorted) - 2 * k], grid) END,
    range_high := CASE WHEN len(sorted) > 2 * k THEN bp__mean(sorted[2 * k + 1 : len(sorted)], grid) END,
    status := bp__status(len(sorted), k)
  );

CREATE OR REPLACE MACRO bp_scores(marks, k) AS
  list_transform(
    [struct_pack(sorted := bp__sorted(marks), panel := len(marks), k := bp__head_count(k))],
    lambda bp__s: list_transform(
      [bp__grid(bp__s.sorted, bp__s.panel)], lambda bp__g: bp__scores(bp__s.sorted, bp__g, bp__s.k)
    )[1]
  )[1];

CREATE OR REPLACE MACRO bp_trimmed_mean(marks, k) AS bp_scores(marks, k).estimate;

CREATE OR REPLACE MACRO bp_lowest(marks, k) AS bp_scores(marks, k).range_low;

CREATE OR REPLACE MACRO bp_highest(marks, k) AS bp_scores(marks, k).range_high;

CREATE OR REPLACE MACRO bp_status(marks, k) AS
  list_transform(
    [struct_pack(m := len(bp__present(marks)), k := bp__head_count(k))], lambda bp__s: bp__status(bp__s.m, bp__s.k)
  )[1];

CREATE OR REPLACE MACRO bp__left(counts, k) AS
  coalesce(list_sum(list_transform(counts, lambda bp__x: greatest(bp__x - k, 0))), 0)::BIGINT;

-- From the labels, how many votes each of them has, the same sorted, the number of votes, how many labels have the most.
CREATE OR REPLACE MACRO bp__labels(names, counts, sorted, m, leaders, k) AS
  struct_pack(
    m := m,
    k := k,
    decision := CASE
      WHEN m > 2 * k AND bp__left(sorted, k) > 0 AND leaders = 1 THEN names[list_position(counts, sorted[1])]
    END,
    estimate := CASE
      WHEN m > 2 * k AND bp__left(sorted, k) > 0 AND leaders = 1
      THEN greatest(sorted[1] - k, 0)::DOUBLE / bp__left(sorted, k)::DOUBLE
    END,
    tie := leaders > 1,
    flips_needed := CASE
      WHEN m > 2 * k AND bp__left(sorted, k) > 0
      THEN CASE WHEN leaders = 1 THEN (sorted[1] - coalesce(sorted[2], 0) + 1) // 2 ELSE 0 END
    END,
    additions_needed := CASE
      WHEN m > 2 * k AND bp__left(sorted, k) > 0
      THEN CASE WHEN leaders = 1 THEN sorted[1] - coalesce(sorted[2], 0) ELSE 0 END
    END,
    status := CASE WHEN m > 2 * k AND bp__left(sorted, k) = 0 THEN 'no class left' ELSE bp__status(m, k) END
  );

CREATE OR REPLACE MACRO bp__sorted_counts(counts) AS list_reverse_sort(coalesce(map_values(counts), [])::BIGINT[]);

CREATE OR REPLACE MACRO bp_labels(labels, k) AS
  list_transform(
    [struct_pack(counts := list_aggregate(bp__present(labels), 'histogram'), k := bp__head_count(k))],
    lambda bp__s: list_transform(
      [bp__sorted_counts(bp__s.counts)],
      lambda bp__c: bp__labels(
        map_keys(bp__s.counts),
        map_values(bp__s.counts),
        bp__c,
        coalesce(list_sum(bp__c), 0)::BIGINT,
        len(list_filter(bp__c, lambda bp__x: bp__x = bp__c[1])),
        bp__s.k
      )
    )[1]
  )[1];

CREATE OR REPLACE MACRO bp_decision(labels, k) AS bp_labels(labels, k).decision;

CREATE OR REPLACE MACRO bp_flips_needed(labels, k) AS bp_labels(labels, k).flips_needed;

CREATE OR REPLACE MACRO bp_votes(labels, label) AS
  list_transform([label], lambda bp__l: len(list_filter(bp__present(labels), lambda bp__x: bp__x = bp__l)))[1];

CREATE OR REPLACE MACRO bp__share(votes, m, k) AS
  CASE
    WHEN m <= 2 * k THEN NULL
    WHEN votes <= k THEN 0e0
    WHEN votes >= m - k THEN 1e0
    ELSE (votes - k)::DOUBLE / (m - 2 * k)::DOUBLE
  END;

CREATE OR REPLACE MACRO bp_trimmed_share(labels, label, k) AS
  list_transform(
    [struct_pack(votes := bp_votes(labels, label), m := len(bp__present(labels)), k := bp__head_count(k))],
    lambda bp__s: bp__share(bp__s.votes, bp__s.m, bp__s.k)
  )[1];
