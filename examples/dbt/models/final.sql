select entry, unnest(bp_scores(list(mark), {{ var('k') }}))
from {{ ref('marks') }}
group by entry
