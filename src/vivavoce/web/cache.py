"""A cache of the things that were used last."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Thing = TypeVar("Thing")


class Cache(Generic[Key, Thing]):
    """At most so many things; or, with `weigh`, things of at most so much weight. Threads may share it: two
    who ask for the same at the same time wait for one making of it."""

    def __init__(self, most: int, weigh: Callable[[Thing], int] = lambda _: 1) -> None:
        self._most, self._weigh = most, weigh
        self._things: OrderedDict[Key, Thing] = OrderedDict()
        self._weight = 0
        self._lock = threading.Lock()
        self._making: dict[Key, threading.Lock] = {}
        self._age = 0

    def __contains__(self, key: Key) -> bool:
        with self._lock:
            return key in self._things

    def get(self, key: Key, make: Callable[[], Thing]) -> Thing:
        """The thing, made if it is not there."""
        with self._lock:
            if key in self._things:
                self._things.move_to_end(key)
                return self._things[key]
            turn = self._making.setdefault(key, threading.Lock())
        with turn:
            with self._lock:
                if key in self._things:
                    return self._things[key]
                age = self._age
            try:
                thing = make()
            finally:
                with self._lock:
                    self._making.pop(key, None)
            with self._lock:
                if age == self._age:  # else all was forgotten meanwhile, and this is old, too
                    self._things[key] = thing
                    self._weight += self._weigh(thing)
                while self._weight > self._most and len(self._things) > 1:
                    self._weight -= self._weigh(self._things.popitem(last=False)[1])
        return thing

    def clear(self) -> None:
        """Forget all of them."""
        with self._lock:
            self._things.clear()
            self._weight = 0
            self._age += 1
