"""Serve the application: connections, the checks of each request, and responses of one sentence."""
