"""Turn any data frame into validated reports."""
