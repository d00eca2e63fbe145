"""The figures of the paper: their numbers and their drawing."""
