"""Files that a deck names: only regular files in its folder or in folders that the user allows, of bounded size."""

import os
import stat

from report import DeckError

MOST_BYTES = 512 * 1024 * 1024  # of a mesh or a data file
MOST_SCRIPT_BYTES = 4 * 1024 * 1024


class Files:
    """Reads files of a deck. Nothing of a file outside of the allowed folders is ever shown."""

    def __init__(self, deck, allowed=()):
        self.folder = os.path.dirname(os.path.realpath(deck)) or "/"
        self.allowed = [self.folder] + [os.path.realpath(folder) for folder in allowed]

    def path(self, name, where):
        """Returns the path of a file that the deck names. \\where  place in the deck, for messages"""
        path = os.path.realpath(os.path.join(self.folder, name))
        if not any(os.path.commonpath([path, folder]) == folder for folder in self.allowed):
            raise DeckError(
                f"{where}: the file {name!r} lies outside of the deck's folder and was not opened. "
                "Allow its folder with --allow-path."
            )
        return path

    def read(self, name, where, most=MOST_BYTES):
        """Returns the bytes of a file that the deck names."""
        path = self.path(name, where)
        try:
            # A pipe or a device could wait for ever.
            handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        except OSError as error:
            raise DeckError(f"{where}: the file {name!r} cannot be read: {error.strerror}.") from None
        with os.fdopen(handle, "rb") as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise DeckError(f"{where}: {name!r} is no regular file.")
            if status.st_size > most:
                raise DeckError(f"{where}: {name!r} has {status.st_size} bytes; {most} are the most that is read.")
            return stream.read(most + 1)

    def text(self, name, where, most=MOST_SCRIPT_BYTES):
        """Returns the text of a script or a table."""
        data = self.read(name, where, most)
        if b"\0" in data:
            raise DeckError(f"{where}: {name!r} is no text: it holds bytes of value 0.")
        return data.decode("utf-8", errors="replace")
