"""Aggregate votes, labels and scores when up to k of the reporters may be bribed, with worst-case guarantees.

The functions for files, data frames and arrays are here. Rules are in `bribeproof.rules`, the mathematics in
`bribeproof.theory`, pictures in `bribeproof.plots` and estimators in `bribeproof.learn`. Names are imported on first
use, so that ``import bribeproof`` costs next to nothing.
"""

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
