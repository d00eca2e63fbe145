"""Simulate bribed reporters and measure what each rule loses to them."""
