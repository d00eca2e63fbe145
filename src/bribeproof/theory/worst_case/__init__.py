"""The exact worst case of any rule."""
