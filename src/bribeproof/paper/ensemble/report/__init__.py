"""What the experiment reports: figures, observations and a page."""
