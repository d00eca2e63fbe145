"""Work for the processes that tests of them start."""

import os
import time
from typing import NoReturn

from bribeproof.errors import DataError


def name_process() -> bytes:
    """Tell which process it is, a little later, so that several are at work at once."""
    time.sleep(0.1)
    return str(os.getpid()).encode()


def sleep_on() -> bytes:
    """Never come to an end."""
    while True:
        time.sleep(1)


def refuse() -> NoReturn:
    """Refuse as the library does."""
    raise DataError("this cannot be read")


def die() -> NoReturn:
    """End as the system ends what takes all memory."""
    os._exit(137)
