select photo, unnest(bp_labels(list(label), {{ var('k') }}))
from {{ ref('labels') }}
group by photo
