"""Tests of `bribeproof.io.labelling`."""
