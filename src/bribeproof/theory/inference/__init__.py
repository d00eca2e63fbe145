"""Bounds of the truthful reporters' rates from gold items, valid whatever the adversaries answer there."""
