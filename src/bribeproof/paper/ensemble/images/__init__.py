"""Readers of the image sets."""
