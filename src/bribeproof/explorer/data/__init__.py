"""The page "Your data": upload a file and see which of its answers bribes could have changed."""
