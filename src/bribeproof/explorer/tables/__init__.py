"""Uploaded files, and the tables in them."""
