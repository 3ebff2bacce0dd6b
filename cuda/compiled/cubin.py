"""Sections of a cubin, which is a 64-bit little-endian ELF file."""
import struct

from .line_table import LineTable


class Cubin:
    def __init__(self, data):
        self._data = data
        offset, = struct.unpack_from("<Q", data, 0x28)
        size, count, names = struct.unpack_from("<HHH", data, 0x3A)
        self._headers = [struct.unpack_from("<IIQQQQIIQQ", data, offset + i * size) for i in range(count)]
        table = self._headers[names][4]
        self._names = [self._text(table + h[0]) for h in self._headers]

    def code(self):
        """(mangled name, bytes) of all kernels."""
        for name, header in zip(self._names, self._headers):
            if name.startswith(".text."):
                yield name[len(".text."):], self._bytes(header)

    def lines(self):
        """LineTable, by mangled names of kernels; empty without -lineinfo."""
        if ".debug_line" not in self._names:
            return LineTable(b"", {})
        return LineTable(self._section(".debug_line"), dict(self._addresses()))

    def _addresses(self):
        """Where .debug_line has the address of a kernel, and of which."""
        symbols = self._section(".symtab")
        name, entry = (".rela.debug_line", "<QQq") if ".rela.debug_line" in self._names else (".rel.debug_line", "<QQ")
        for offset, info, *_ in struct.iter_unpack(entry, self._section(name)):
            section, = struct.unpack_from("<H", symbols, 24 * (info >> 32) + 6)
            yield offset, self._names[section].removeprefix(".text.")

    def _section(self, name):
        return self._bytes(self._headers[self._names.index(name)])

    def _bytes(self, header):
        return self._data[header[4]:header[4] + header[5]] if header[1] != 8 else b""

    def _text(self, at):
        return self._data[at:self._data.index(b"\0", at)].decode()
