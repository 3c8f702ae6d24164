"""Measurements: how good, how fast, how much. Each script here is run by hand; tests use its measures."""
