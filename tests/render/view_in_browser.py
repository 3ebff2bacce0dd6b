#!/usr/bin/env python3
"""The page of `scree view`, as a browser draws it, shows bodies where they are: view_in_browser.py PROGRAM

Screenshots of headless Chromium are compared with what the picture must be. In a plane, a disc at rest and a disc that moves, both without
contact: colours, areas and places of both at the first and the last frame. In 3D, two balls, and one of them behind a cut. What the page writes to its
console is no error.
"""

import json
import math
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

RADIUS, WAY = 0.01, 0.03  # [m]
FLAT = {
    "dimension": 2,
    "materials": {"grain": {"density": 1000}},
    "shapes": {"disc": {"type": "sphere", "radius": RADIUS}},
    "bodies": [
        {"name": "rests", "shape": "disc", "material": "grain", "position": [0, 0]},
        {"name": "moves", "shape": "disc", "material": "grain", "position": [0.03, -0.02], "velocity": [1, 0]},
    ],
    "interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 1000}}],
    "integrator": {"type": "velocity-verlet", "dt": 1e-4},
    "output": {"interval": WAY},
    "run": {"duration": WAY},
}
SOLID = {
    **FLAT, "dimension": 3,
    "bodies": [
        {"name": "rests", "shape": "disc", "material": "grain", "position": [0, 0, 0]},
        {"name": "moves", "shape": "disc", "material": "grain", "position": [0.04, 0, 0], "velocity": [0, 0, 1e-3]},
    ],
    "run": {"duration": 1e-3}, "output": {"interval": 1e-3},
}
DO = "<script>addEventListener('load', () => setTimeout(() => {{ {} }}, 3000));</script></body>"
CUT = "document.getElementById('axis').value = 'x'; document.getElementById('axis').oninput();"
GROUND = (246, 246, 243)


def skip(reason):
    print(f"{reason} SCREE_NO_SKIPS is set." if os.environ.get("SCREE_NO_SKIPS") else f"SKIPPED: {reason}")
    sys.exit(1 if os.environ.get("SCREE_NO_SKIPS") else 0)


def pixels(file):
    """Rows of (red, green, blue) of a PNG file with 8 bits per channel. Filters as in the PNG specification, sec. 9.2."""
    data, at, packed = file.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
        at += size + 12
    if depth != 8 or colours not in (2, 6):
        raise ValueError(f"{file}: PNG of {depth} bits, colour type {colours}")
    n, raw = (3 if colours == 2 else 4), zlib.decompress(packed)
    rows, before = [], bytearray(width * n)
    for y in range(height):
        method, line = raw[y * (width * n + 1)], bytearray(raw[y * (width * n + 1) + 1:(y + 1) * (width * n + 1)])
        for i in range(len(line)):
            left, up, corner = (line[i - n] if i >= n else 0), before[i], (before[i - n] if i >= n else 0)
            p = left + up - corner
            paeth = min((left, up, corner), key=lambda value: abs(p - value))
            line[i] = (line[i] + (0, left, up, (left + up) // 2, paeth)[method]) & 255
        rows.append([tuple(line[i:i + 3]) for i in range(0, len(line), n)])
        before = line
    return rows


def spot(rows, is_seen):
    """Area [pixels] and middle of what is seen so in the part of the picture without texts."""
    places = [(x, y) for y, row in enumerate(rows[:500]) for x, seen in enumerate(row)
              if is_seen(seen) and y > 30 and not (x < 110 and y < 80) and not (x < 280 and y > 490) and not (x > len(row) - 130 and y < 230)]
    if not places:
        raise AssertionError("what must be there is not drawn")
    return len(places), sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)


def like(colour):
    return lambda seen: max(abs(a - b) for a, b in zip(seen, colour)) < 12


def unlike_ground(seen):
    return max(abs(a - b) for a, b in zip(seen, GROUND)) > 40


class Page:
    def __init__(self, browser, program, folder, scene, name):
        self.browser, self.folder, self.name = browser, folder, name
        (folder / f"{name}.json").write_text(json.dumps(scene), encoding="utf-8")
        subprocess.run([program, "run", folder / f"{name}.json", "--out", folder / name, "--quiet"], check=True)
        subprocess.run([program, "view", folder / name, "--output", folder / f"{name}.html"], check=True)
        self.text = (folder / f"{name}.html").read_text(encoding="utf-8")

    def told(self):
        return json.loads(self.text.split('id="told">')[1].split("</script>")[0])

    def seen(self, frame, script=""):
        page, picture = self.folder / f"{self.name}_{frame}.html", self.folder / "picture.png"
        page.write_text(self.text.replace("</body>", DO.format(script)) if script else self.text, encoding="utf-8")
        done = subprocess.run([self.browser, "--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                               "--enable-logging=stderr", "--hide-scrollbars", f"--user-data-dir={self.folder}/profile",
                               "--virtual-time-budget=20000", "--window-size=900,640", f"--screenshot={picture}",
                               f"file://{page}#frame={frame}"], check=True, capture_output=True, timeout=120, text=True)
        faults = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
        if faults:
            raise AssertionError("the page's console: " + "\n".join(faults))
        return pixels(picture)


def near(what, found, wanted, within):
    print(f"{what}: {found:.4g}, wanted {wanted:.4g}")
    if abs(found - wanted) > within:
        raise AssertionError(f"{what} is {found}, not {wanted} within {within}")


def check_discs(page):
    first, last = page.seen(0), page.seen(1)
    if first[200][3] != GROUND:
        raise AssertionError(f"the ground is {first[200][3]}")
    ends = [tuple(int(page.told()["colours"]["maps"]["dusk"][k][2 * c:2 * c + 2], 16) for c in range(3)) for k in (0, -1)]
    area, x, y = spot(last, like(ends[0]))
    fast_area, fast_x, fast_y = spot(last, like(ends[1]))
    _, start_x, start_y = spot(first, like(ends[1]))
    scale = (fast_x - x) / (0.03 + WAY)  # pixels per metre
    near("the moving disc is below the other one by [m]", (fast_y - y) / scale, 0.02, 1 / scale)
    # The outline, a line of two pixels, is dark.
    for name, pixel_area in ("at rest", area), ("that moves", fast_area):
        near(f"radius of the disc {name} [m]", math.sqrt(pixel_area / math.pi) / scale, RADIUS, 3 / scale)
    near("way from the first frame to the last [m]", (fast_x - start_x) / scale, WAY, 1 / scale)
    near("way across it [m]", (fast_y - start_y) / scale, 0, 1 / scale)


def check_balls(page):
    both, _, _ = spot(page.seen(0), unlike_ground)
    one, _, _ = spot(page.seen(0, CUT), unlike_ground)
    near("part of the picture of two balls that is left when one is cut off", one / both, 0.5, 0.08)


def main():
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        skip("there is no Chromium to draw a page.")
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        check_discs(Page(browser, sys.argv[1], folder, FLAT, "discs"))
        check_balls(Page(browser, sys.argv[1], folder, SOLID, "balls"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
