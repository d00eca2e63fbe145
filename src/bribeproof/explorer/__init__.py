"""The local web page: design a panel, look into your data, attack it. The same app serves a JSON API."""
