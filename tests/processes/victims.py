"""Functions that do to a worker process what a hostile file might. Only ever called in a worker."""

import ctypes
import errno
import os
import re
import sys
import time

from vivavoce.errors import PaperError, VivaError


def pid() -> int:
    return os.getpid()


def path() -> list[str]:
    return sys.path


def echo(value: object) -> object:
    return value


def noise() -> str:
    print("printed")
    print("complained", file=sys.stderr)
    os.write(1, b"\x00\x01\x02 straight to the descriptor")
    os.system("echo from a child")
    sys.stdin.read()
    return "quiet"


def sleep(note: str = "") -> None:
    if note:
        with open(note, "w") as file:
            file.write(str(os.getpid()))
    time.sleep(1000)


def spin() -> None:
    """Holds the interpreter's lock all the while, as a C library can."""
    re.fullmatch(r"(a+)+b", "a" * 60)


def segfault() -> None:
    ctypes.string_at(0)


def abort() -> None:
    os.abort()


def leave() -> None:
    os._exit(7)


def hog() -> None:
    held = []
    while True:
        held.append(bytearray(50_000_000))


def native_hog() -> None:
    """Takes memory until there is none and then writes where none was given, as a C library can."""
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    while True:
        got = libc.malloc(20_000_000)
        ctypes.memset(got or 8, 1, 20_000_000)


def terminate() -> None:
    """What C++ does when it runs out of memory."""
    os.write(2, b"terminate called after throwing an instance of 'std::bad_alloc'\n")
    os.abort()


def import_too_much() -> None:
    """What the loader of libraries says when it runs out of memory."""
    raise ImportError("/lib/etree.so: failed to map segment from shared object")


def map_too_much() -> None:
    raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))


def keep(size: int) -> None:
    held.append(b"x" * size)


held: list[bytes] = []


def refuse() -> None:
    raise PaperError("is encrypted; save it without a password.")


def lack() -> None:
    raise VivaError("install it")


def stumble() -> None:
    raise KeyError("first line\nsecond line")


def large(size: int) -> bytes:
    return bytes(size)


class Trap:
    def __init__(self, file: str) -> None:
        self.file = file

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return open, (self.file, "w")


def trap(file: str) -> Trap:
    return Trap(file)
