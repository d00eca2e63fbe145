"""Plot results: one function per picture, which draws on the given axes or on a new figure and returns the axes.

A new figure is not registered with pyplot: show it as ``plots.rule(...).figure``, or save it with `write`. Importing
this package does not import matplotlib; drawing does.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
