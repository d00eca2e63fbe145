"""Settings of the whole suite: on a shared machine no deadline, and on a clean checkout the same examples every time."""

import os

from hypothesis import settings

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")
