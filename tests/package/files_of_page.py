"""Writes the files that a page shows after comments <!-- file: NAME --> into a folder."""
import pathlib
import re
import sys

page, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
files = re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
for name, text in files:
    (folder / name).write_text(text, encoding="utf-8")
sys.exit(not files)
