"""The paper's figures: their numbers and their drawing."""
