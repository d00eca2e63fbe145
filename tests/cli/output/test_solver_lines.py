"""What a solver in C prints does not get between the lines of an answer."""

import subprocess
import sys
import textwrap

import pytest

CODE = """
    import ctypes, os
    from bribeproof.cli.output.solver_lines import solver_lines_to_stderr
    print("before")
    with solver_lines_to_stderr():
        ctypes.CDLL(None).printf(b"a line of the solver\\n")
    print("after")
"""


def run(code: str) -> tuple[str, str]:
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
    return done.stdout, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="C's library has another name there")
def test_lines_of_the_solver_are_on_standard_error() -> None:
    assert run(CODE) == ("before\nafter\n", "a line of the solver\n")


def test_a_closed_standard_output_is_no_error() -> None:
    code = """
        import os, sys
        from bribeproof.cli.output.solver_lines import solver_lines_to_stderr
        os.close(1)
        with solver_lines_to_stderr():
            print("searched", file=sys.stderr)
    """
    assert run(code) == ("", "searched\n")
