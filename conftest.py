"""Profiles of Hypothesis for all tests; the environment variable ``HYPOTHESIS_PROFILE`` names one, else it is quick."""

import os

from hypothesis import HealthCheck, settings

# No example is timed, since machines are busy; a folder of the test may hold the files of all its examples.
settings.register_profile(
    "quick", max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
settings.register_profile("ci", settings.get_profile("quick"), max_examples=80, derandomize=True)
settings.register_profile("nightly", settings.get_profile("quick"), max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
