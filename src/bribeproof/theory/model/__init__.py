"""Panels, experts, losses and guarantees."""
