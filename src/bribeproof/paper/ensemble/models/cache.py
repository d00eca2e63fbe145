"""Cache features and predictions of models in a folder, with the time that each took to compute."""

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bribeproof._typing import ByteArray, HalfArray
from bribeproof.errors import FileError
from bribeproof.io.atomic import write_whole
from bribeproof.io.formats import POLARS_ERRORS, reason

_TIMES = "seconds.csv"
_TIME = re.compile(r"(features|model|benchmark)[-.][^,]*,([0-9]+\.[0-9]+)")


@dataclass(frozen=True, slots=True)
class ModelCache:
    """A cache folder of features and predictions.

    Attributes
    ----------
    folder
        The folder; created if it does not exist.

    Raises
    ------
    FileError
        The folder cannot be created.
    """

    folder: Path

    def __post_init__(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(
                f"{self.folder}: cannot be created ({error.strerror or error}); name another folder"
            ) from None

    def has(self, name: str) -> bool:
        """Return whether a file is in the cache; files are never incomplete."""
        return (self.folder / name).exists()

    def features(self, name: str, shape: tuple[int, ...], describe: Callable[[], NDArray[np.float32]]) -> HalfArray:
        """Return a block of features, computed if it is not in the cache.

        Raises
        ------
        FileError
            A file that is incomplete, has another shape or cannot be written.
        """
        path = self.folder / name
        if not path.exists():
            self._keep(path, lambda: partial(np.save, arr=describe().astype(np.float16)))
        try:
            block: HalfArray = np.load(path)
        except (OSError, EOFError, ValueError) as error:
            raise FileError(f"{path}: not a whole file of features ({error}); delete it and run again") from None
        if block.shape != shape:
            raise FileError(f"{path}: holds features of shape {block.shape}, not {shape}; delete it and run again")
        return block

    def predictions(self, name: str, images: int, predict: Callable[[], ByteArray]) -> ByteArray:
        """Return the predicted class of each image, from a model that is trained if it is not in the cache.

        Raises
        ------
        FileError
            A file that is incomplete, has another number of images or cannot be written.
        """
        path = self.folder / name
        if not path.exists():
            self._keep(path, lambda: pl.DataFrame({"said": predict()}).write_parquet)
        try:
            table = pl.scan_parquet(path, glob=False, hive_partitioning=False).collect()
        except (*POLARS_ERRORS, OSError) as error:
            raise FileError(f"{path}: not a whole Parquet file ({reason(error)}); delete it and run again") from None
        if table.schema != {"said": pl.UInt8} or table.height != images or table["said"].has_nulls():
            raise FileError(f"{path}: does not hold the classes of {images:,} images; delete it and run again")
        return table["said"].to_numpy()

    def seconds(self) -> Mapping[str, float]:
        """Return the seconds that features, models and benchmark took to compute, including earlier runs."""
        path = self.folder / _TIMES
        try:
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []
        except OSError as error:
            raise FileError(f"{path}: cannot be read ({error.strerror or error}); delete it") from None
        # The last line for a file counts: it may have been deleted and computed again.
        last = {line.partition(",")[0]: match for line in lines if (match := _TIME.fullmatch(line))}
        spent: dict[str, float] = {}
        for name, match in last.items():
            if self.has(name):
                spent[match[1]] = spent.get(match[1], 0.0) + float(match[2])
        return spent

    def _keep(self, path: Path, make: Callable[[], Callable[..., object]]) -> None:
        """Compute something, write it to a file, and record the time that it took."""
        begin = time.monotonic()
        write = make()
        spent = time.monotonic() - begin
        write_whole(path, write)
        times = self.folder / _TIMES
        try:
            with times.open("a", encoding="utf-8") as file:
                file.write(f"{path.name},{spent:.3f}\n")
        except OSError as error:
            raise FileError(f"{times}: cannot be written ({error.strerror or error})") from None
