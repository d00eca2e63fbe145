"""Bound the share of right answers that no k bribed reporters can push below."""
