"""What the name of a reader tells: whose model it is, where it runs, which file it reads.

A name that has a file in it (`table:labels.csv`) is stored in a study relative to the study's folder where
that is possible (`portable_name`), so that both can be moved together. Processes get it with the whole path
(`absolute_name`).
"""

import os
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

TABLE = "table:"
URLS = ("http://", "https://")
OLLAMA = "ollama:"
OLLAMA_URL = "http://localhost:11434/v1"
"""Where Ollama listens, unless the environment says otherwise."""


def provider(name: str) -> str:
    """Whose model it is. Calls to one provider are limited together."""
    return name.partition("#")[0] if "#" in name else name.partition(":")[0]


def ollama_url() -> str:
    """Where Ollama is called: `OLLAMA_BASE_URL`, or this machine."""
    return os.environ.get("OLLAMA_BASE_URL", OLLAMA_URL)


def runs_here(name: str) -> bool:
    """Does this language model run on this machine? Then it costs no money, its energy can be measured, and
    it is taken for a small model with a short window. The only place where this is decided."""
    if name.startswith(OLLAMA):
        return _is_this_machine(ollama_url())
    return name.startswith(URLS) and _is_this_machine(name.partition("#")[0])


def _is_this_machine(url: str) -> bool:
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:  # such as half an IPv6 address
        return False
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def portable_name(name: str, folder: str | Path) -> str:
    """The name as a study in that folder stores it. A file beside the folder, or in it, has its path from
    there; any other file its whole path."""
    if not name.startswith(TABLE) or name == TABLE:
        return name
    file, home = os.path.realpath(name.removeprefix(TABLE)), os.path.realpath(folder)
    parent = os.path.dirname(home)
    beside = parent != os.path.dirname(parent) and os.path.commonpath([file, parent]) == parent
    return TABLE + (os.path.relpath(file, home) if beside else file)


def absolute_name(name: str, folder: str | Path) -> str:
    """A name that a study in that folder stores, as any process can use it: with the file's whole path."""
    if not name.startswith(TABLE) or name == TABLE:
        return name
    return TABLE + os.path.join(os.path.realpath(folder), name.removeprefix(TABLE))
