"""Callbacks between steps, and Ctrl-C meanwhile."""

from __future__ import annotations

import contextlib
import math
import signal
import threading


class Every:
    """Callback between steps: it is due after the steps nearest to multiples of its interval."""

    def __init__(self, function, interval: float):
        self.function, self.interval, self.number = function, interval, 1

    @property
    def moment(self) -> float:
        """Time of the next call [s]."""
        return self.number * self.interval

    def go_on(self, core) -> None:
        """Makes the first moment after the present step the next one."""
        self.number = max(1, math.floor(core.time / self.interval))
        ahead = max(1, math.floor(core.dt / (2 * self.interval)))  # many moments may belong to one step
        while core.steps_to(self.moment) <= 0:
            self.number += ahead


@contextlib.contextmanager
def interrupts_between_batches(tell):
    """Keeps Ctrl-C until a whole step is done, where Python computes within one. Yields what is to be called between batches."""
    if threading.current_thread() is not threading.main_thread() or not callable(signal.getsignal(signal.SIGINT)):
        yield tell
        return
    asked: list = []
    before = signal.signal(signal.SIGINT, lambda *what: asked.append(what))

    def look():
        if tell:
            tell()
        if asked:
            before(*asked.pop())

    try:
        yield look
    finally:
        signal.signal(signal.SIGINT, before)
    if asked:
        before(*asked.pop())
