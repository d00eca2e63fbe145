"""Adapters: bribeproof inside programs that people already run.

Each module adapts one program and imports it; ``import bribeproof.integrations`` imports none of them. All keep three
promises: a reporter who fails or is silent lowers neither the panel nor the number that may be bribed, the answer does
not depend on the order of the panel, and a tie is told as a tie.
"""
