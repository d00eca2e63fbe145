"""Read and write workbooks."""
