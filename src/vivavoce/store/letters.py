"""Text that a database doesn't take, kept in letters that it does.

A file's name may hold bytes that are no text, which Python has as lone surrogates; and PostgreSQL takes no
NUL character. They are kept as four hexadecimal digits behind a mark that is no character.
"""

import re

_MARK = "\uffff"
_NO_TEXT = re.compile("[\x00\ud800-\udfff\uffff]")
_ESCAPE = re.compile("\uffff([0-9a-f]{4})")


def escaped(text: str) -> str:
    return _NO_TEXT.sub(lambda found: f"{_MARK}{ord(found[0]):04x}", text)


def unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text) if _MARK in text else text
