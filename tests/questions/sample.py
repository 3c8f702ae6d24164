"""A whole question set, and writing one to a file."""

from pathlib import Path

WHOLE = """\
name: bees
title: Bees
about: >
  What a paper
  on bees says.
source: nobody
questions:
  - {id: B, text: "Is it about bees?", screen: yes}
  - id: B1
    text: Which  bees?
    hints: honey bees
    topic: bees
    kind: list
  - {id: B2, text: "Wild or kept?", kind: choice, choices: [wild, kept]}
variables:
  - {name: Bees, category: what, questions: [B1, B2], need: all}
  - {name: Kept, category: how, questions: [B2]}
levels:
  - {number: 2, name: both, categories: [what, how]}
  - {number: 1, name: some, categories: [what]}
"""
ONE = "questions:\n  - {id: A, text: 'Who?'}\n"
TWO = ONE + "  - {id: B, text: 'Why?'}\n"
PUBLISHED = (
    "What methods are utilized for collecting raw data in the deep learning pipeline "
    "(e.g., surveys, sensors, public datasets)?"
)


def write(folder: Path, content: str, name: str = "my-set.yaml") -> str:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return str(path)
