"""The JSON API: the same answers for programs in other languages."""
