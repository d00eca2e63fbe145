-- An entry that k bribed judges of each entry could have lifted to the first place, or level with it, fails.
select other.*
from {{ ref('final') }} as other
where
    other.range_low is null
    or other.entry != (select arg_max(entry, estimate) from {{ ref('final') }})
    and other.range_high >= (select arg_max(range_low, estimate) from {{ ref('final') }})
