"""Answers from elsewhere, in a table, as a reader."""
