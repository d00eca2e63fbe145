"""What training leaves in a folder: each thing is made once, and beside it stands how long that took."""

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
    """A folder of features and predictions.

    Attributes
    ----------
    folder
        Where they are; made where it is not there.

    Raises
    ------
    FileError
        If the folder cannot be made.
    """

    folder: Path

    def __post_init__(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(f"{self.folder}: cannot be made ({error.strerror or error}); name another folder") from None

    def has(self, name: str) -> bool:
        """Whether a file is there; none is there in part."""
        return (self.folder / name).exists()

    def features(self, name: str, shape: tuple[int, ...], describe: Callable[[], NDArray[np.float32]]) -> HalfArray:
        """Return a block of features, described now if it never was.

        Raises
        ------
        FileError
            If the file is not whole or holds another shape, or cannot be written.
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
        """Return the class that a model gives each image, the model trained now if it never was.

        Raises
        ------
        FileError
            If the file is not whole or holds another number of images, or cannot be written.
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
        """Return the seconds that all features, models and the benchmark took to make, whenever that was."""
        path = self.folder / _TIMES
        try:
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []
        except OSError as error:
            raise FileError(f"{path}: cannot be read ({error.strerror or error}); delete it") from None
        # A line for each file that is there: one that was deleted and made again counts as it was made last.
        last = {line.partition(",")[0]: found for line in lines if (found := _TIME.fullmatch(line))}
        spent: dict[str, float] = {}
        for name, found in last.items():
            if self.has(name):
                spent[found[1]] = spent.get(found[1], 0.0) + float(found[2])
        return spent

    def _keep(self, path: Path, make: Callable[[], Callable[..., object]]) -> None:
        """Make something, write it, and note how long it took to make."""
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
