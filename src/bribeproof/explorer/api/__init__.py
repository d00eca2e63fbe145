"""The JSON API: the functions of the library for programs in other languages."""
