"""The room "Design a panel": sliders in, a guarantee and its worst case out."""
