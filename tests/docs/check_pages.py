#!/usr/bin/env python3
"""Links of the pages lead somewhere, and generated pages are up to date: check_pages.py PROGRAM"""

import json
import re
import sys

import pages

import links
import make_gallery
import make_papers
import make_reference
import make_site
import make_verification
import time_gallery


def dead_links(page, site):
    """Links of a page that lead nowhere, or to a page that the site does not have."""
    text = page.read_text(encoding="utf-8")
    own = links.anchors(text)
    for number, line in links.lines_outside_code(text):
        for _, _, target in links.targets(line):
            if links.is_outside(target):
                continue
            path, _, fragment = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            if (file / "README.md").exists():
                file = file / "README.md"
            if not file.exists() or pages.ROOT not in (file, *file.parents):
                yield f"{page.relative_to(pages.ROOT)}:{number}: {target} leads nowhere"
                continue
            if file.suffix != ".md":
                continue
            if file.relative_to(pages.ROOT).as_posix() not in site:
                yield f"{page.relative_to(pages.ROOT)}:{number}: {target} is no page of the site: framework/docs/tools/make_site.py"
            if fragment and fragment not in (own if file == page else links.anchors(file.read_text(encoding="utf-8"))):
                yield f"{page.relative_to(pages.ROOT)}:{number}: {target}: the page has no such heading"


def unlisted():
    """Pages that the site's navigation does not show."""
    text = (pages.DOCS / "mkdocs.yml").read_text(encoding="utf-8")
    folders = re.findall(r"# pages of (\S+)", text)
    for page in sorted(pages.DOCS.rglob("*.md")):
        name = page.relative_to(pages.DOCS).as_posix()
        if not re.search(rf"[-:] {re.escape(name)}$", text, re.M) and not any(name.startswith(folder + "/") for folder in folders):
            yield f"{name} is not in the navigation of framework/docs/mkdocs.yml"


def keys_of(schema):
    """All keys of objects that a schema names, at any depth."""
    if isinstance(schema, list):
        for part in schema:
            yield from keys_of(part)
    elif isinstance(schema, dict):
        for word, part in schema.items():
            if word == "properties":
                yield from part
                yield from keys_of(list(part.values()))
            elif word in ("definitions", "patternProperties"):
                yield from keys_of(list(part.values()))
            elif word not in ("default", "enum", "const", "examples"):
                yield from keys_of(part)


def missing_keys(schema):
    """Keys of the complete schema of a scene that no page of the reference has."""
    text = "".join(page.read_text(encoding="utf-8") for page in sorted(make_reference.OUT.glob("*.md")))
    for key in sorted(set(keys_of(schema))):
        if not re.search(rf"`[^`]*(?<![\w-]){re.escape(key)}`", text):
            yield f"the key {key} of a scene is on no page of framework/docs/reference"


def broken_promises():
    """Tests that the page of promises names and that are not there."""
    page = pages.DOCS / "reference/promises.md"
    sources = [file for folder in ("framework", "plugins", "tests") for ending in ("*_test.cpp", "CMakeLists.txt", "*.cmake")
               for file in sorted((pages.ROOT / folder).rglob(ending))]
    text = " ".join(file.read_text(encoding="utf-8") for file in sources)
    text = re.sub(r'"\s*"', "", text)  # a name may stand on two lines
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        cells = line.strip("|").split("|")
        for name in re.findall(r"`([^`]+)`", cells[-1]) if line.startswith("|") and len(cells) > 1 else []:
            fuzz = re.fullmatch(r"fuzz: (\w+)", name)
            if not (f"scree_add_fuzz_target({fuzz[1]} " in text if fuzz else name in text):
                yield f"framework/docs/reference/promises.md:{number}: there is no test \"{name}\""


def main():
    site = make_site.page_map()
    faults = [fault for page in sorted(site) if page.endswith(".md") for fault in dead_links(pages.ROOT / page, site)]
    faults += unlisted()
    if make_gallery.PAGE.read_text(encoding="utf-8") != make_gallery.page():
        faults.append("framework/docs/gallery.md does not show the examples as they are. Run ./scree docs --renew.")
    faults += [f"framework/docs/gallery_times.csv has no run time of {name}. Run framework/docs/tools/time_gallery.py."
               for name in sorted(set(time_gallery.timed()) - set(time_gallery.read_times()))]
    text, gone = make_verification.page()
    faults += gone
    if make_verification.PAGE.read_text(encoding="utf-8") != text:
        faults.append("framework/docs/verification.md is not what tests/verification/figures.csv says. Run ./scree docs --renew.")
    text, gone = make_papers.page()
    faults += gone
    if make_papers.PAGE.read_text(encoding="utf-8") != text:
        faults.append("framework/docs/papers.md has other figures than tests/verification/figures.csv. Run ./scree docs --renew.")
    faults += broken_promises()
    faults += missing_keys(json.loads(make_reference.ask(sys.argv[1], "schema")))
    made, lacking = make_reference.pages_of(sys.argv[1])
    incomplete = {entry.split(":")[0] + ".md" for entry in lacking}
    for name, text in made.items():
        if name not in incomplete and (make_reference.OUT / name).read_text(encoding="utf-8") != text:
            faults.append(f"framework/docs/reference/{name} is not what the program says. Run ./scree docs --renew.")
    print("\n".join(faults))
    if faults:
        return 1
    if lacking:
        pages.skip_in_this_build("part of the reference was not compared, for this build lacks " + ", ".join(lacking))
    return 0


if __name__ == "__main__":
    sys.exit(main())
