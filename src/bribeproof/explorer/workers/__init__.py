"""Processes in which files are read and answers computed, within limits of time and memory."""
