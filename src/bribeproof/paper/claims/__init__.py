"""The paper's claims, each as a check against exact solvers."""
