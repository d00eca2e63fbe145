"""How many random tables a slow test tries: all of them at night, a fifth before each merge."""

from hypothesis import settings


def seeds(start: int, stop: int) -> range:
    """Return seeds of random tables, all of them in the profile `nightly`."""
    nightly = settings.get_current_profile_name() == "nightly"
    return range(start, stop if nightly else start + (stop - start) // 5)
