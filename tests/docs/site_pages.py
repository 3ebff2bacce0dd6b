#!/usr/bin/env python3
"""Every page of the repository has a place of its own in the site, and what builds and runs leave has none."""

import pathlib
import sys
import tempfile

import pages

import make_site

PLACES = {
    "cuda/README.md": "developers/cuda.md",
    "cuda/SPEED.md": "developers/cuda/SPEED.md",
    "cuda/bench/README.md": "developers/cuda/bench.md",
    "plugins/star/README.md": "methods/star.md",
    "plugins/star/theory.md": "methods/star-theory.md",
    "examples/out_of_tree_shape/README.md": "examples/out_of_tree_shape.md",
    "examples/building/README.md": "examples/building.md",
    "examples/out_of_tree_shape/build/README.md": None,
    "examples/star/out/README.md": None,
    "plugins/build-debug/README.md": None,
}


def misplaced():
    """Pages of a small repository that are elsewhere than they should be."""
    with tempfile.TemporaryDirectory(prefix="scree-pages-") as folder:
        make_site.ROOT = pathlib.Path(folder)
        make_site.DOCS = make_site.ROOT / "framework/docs"
        for source in PLACES:
            (make_site.ROOT / source).parent.mkdir(parents=True, exist_ok=True)
            (make_site.ROOT / source).write_text("# A page\n", encoding="utf-8")
        found = make_site.page_map()
    for source, place in PLACES.items():
        if found.get(source) != place:
            yield f"{source} is at {found.get(source)} of the site, not at {place}"


def shared():
    """Places that two pages of this repository would take."""
    places = list(make_site.page_map().values())
    return [f"{place} would be several pages" for place in sorted(set(places)) if places.count(place) > 1]


def main():
    faults = [*shared(), *misplaced()]
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
