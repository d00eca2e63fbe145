"""Finite families of joint distributions."""
