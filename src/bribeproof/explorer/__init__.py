"""The web application that runs on the user's machine: three pages and a JSON API."""
