"""The steps of the page "Your data" after the answers, each computed when it is opened."""
