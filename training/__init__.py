"""How the built-in reader's weights are made: data, networks, export, calibration, comparison.

`python -m training --help` says how to run it; README.md what it needs; MODEL_CARD.md what came out.
Nothing here is part of the installed package.
"""
