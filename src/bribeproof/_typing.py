"""Array types that several packages use."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]
ByteArray: TypeAlias = NDArray[np.uint8]
Float32Array: TypeAlias = NDArray[np.float32]
HalfArray: TypeAlias = NDArray[np.float16]
