"""Panels that answer with one of m classes."""
