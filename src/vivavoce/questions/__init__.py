"""Question sets: those that ship (`sets/*.yaml`), their files, and what is wrong with one."""

from vivavoce.questions.files import split_examples
from vivavoce.questions.loading import DEFAULT_SET, asked, check, load, parse, shipped, text_of
from vivavoce.questions.yaml_lines import Problem

__all__ = [
    "DEFAULT_SET",
    "Problem",
    "asked",
    "check",
    "load",
    "parse",
    "shipped",
    "split_examples",
    "text_of",
]
