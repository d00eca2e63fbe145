"""The room "Your data": a file in, what bribes could have changed of its answers out."""
