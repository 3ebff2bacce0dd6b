"""Bar on a terminal."""

import sys
import time


class Progress:
    """Bar from ``begin`` to ``end`` [s] on stderr; nothing where that is no terminal."""

    def __init__(self, begin: float, end: float):
        self._begin, self._end, self._started, self._shown = begin, end, time.monotonic(), 0.0
        self._on = sys.stderr.isatty() and end > begin

    def show(self, now: float) -> None:
        """Shows the time, ten times a second at most."""
        since = time.monotonic() - self._started
        if not self._on or since - self._shown < 0.1:
            return
        self._shown = since
        part = min(1.0, (now - self._begin) / (self._end - self._begin))
        left = since / part * (1 - part) if part > 0 else 0.0
        full = round(30 * part)
        sys.stderr.write(f"\r{'█' * full}{'·' * (30 - full)} {now:.4g} s of {self._end:.4g} s, {left:.0f} s left\033[K")
        sys.stderr.flush()

    def close(self) -> None:
        """Removes the bar."""
        if self._shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
