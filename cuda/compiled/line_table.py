"""Which line of the sources each instruction comes from: the table that nvcc -lineinfo puts into a cubin (DWARF 2)."""
import bisect
import struct


def uleb(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def sleb(data, at):
    begin = at
    value, at = uleb(data, at)
    bits = 7 * (at - begin)
    return value - (1 << bits) if value >> (bits - 1) & 1 else value, at


def text(data, at):
    end = data.index(b"\0", at)
    return data[at:end].decode(), end + 1


class LineTable:
    """By section: the (file, line) of an offset. Where code was inlined, those of the innermost function."""

    def __init__(self, section, section_at):
        """section: bytes of .debug_line; section_at: by offset within it, the name of the section an address stands for."""
        self._rows = {}
        at = 0
        while at + 4 <= len(section):
            length, = struct.unpack_from("<I", section, at)
            self._unit(section, at, at + 4 + length, section_at)
            at += 4 + length
        for rows in self._rows.values():
            rows.sort(key=lambda row: row[0])

    def at(self, section, offset):
        rows = self._rows.get(section, [])
        k = bisect.bisect_right(rows, offset, key=lambda row: row[0]) - 1
        return rows[k][1:] if k >= 0 else (None, 0)

    def _unit(self, data, begin, end, section_at):
        header, = struct.unpack_from("<I", data, begin + 6)
        program = begin + 10 + header
        at = begin + 10
        least, _, base, span, first_special = struct.unpack_from("<BBbBB", data, at)
        lengths = data[at + 5:at + 4 + first_special]
        at += 4 + first_special
        folders, files = ["."], [None]
        while data[at]:
            name, at = text(data, at)
            folders.append(name)
        at += 1
        while data[at]:
            name, at = text(data, at)
            folder, at = uleb(data, at)
            _, at = uleb(data, at)
            _, at = uleb(data, at)
            files.append(name if name.startswith("/") else f"{folders[folder]}/{name}")
        at, section, address, file, line = program, None, 0, 1, 1
        while at < end:
            code = data[at]
            at += 1
            if code >= first_special:
                address += (code - first_special) // span * least
                line += base + (code - first_special) % span
                self._add(section, address, files[file], line)
            elif code == 0:  # extended: those of nvcc's own, for inlined calls, are passed over
                size, at = uleb(data, at)
                if data[at] == 1:
                    address, file, line = 0, 1, 1
                elif data[at] == 2:
                    section = section_at.get(at + 1)
                    address, = struct.unpack_from("<Q", data, at + 1)
                at += size
            elif code == 1:
                self._add(section, address, files[file], line)
            elif code == 2:
                step, at = uleb(data, at)
                address += step * least
            elif code == 3:
                step, at = sleb(data, at)
                line += step
            elif code == 4:
                file, at = uleb(data, at)
            elif code == 8:
                address += (255 - first_special) // span * least
            elif code == 9:
                address += struct.unpack_from("<H", data, at)[0]
                at += 2
            else:
                for _ in range(lengths[code - 1]):
                    _, at = uleb(data, at)

    def _add(self, section, address, file, line):
        self._rows.setdefault(section, []).append((address, file, line))
