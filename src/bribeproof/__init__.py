"""Votes, labels and scores combined so that up to k bribed reporters cannot buy the answer."""
