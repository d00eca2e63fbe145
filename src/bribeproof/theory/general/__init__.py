"""The general model: finite families of information structures over any reports and states."""
