-- A decision that k people could have changed, or that has too few labels for one, fails.
{% test more_than(model, column_name, least) %}
select *
from {{ model }}
where {{ column_name }} is null or {{ column_name }} <= {{ least }}
{% endtest %}
