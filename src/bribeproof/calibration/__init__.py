"""Estimate reporters' error rates from gold items, with confidence bounds."""
