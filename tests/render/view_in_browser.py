#!/usr/bin/env python3
"""The page of `scree view`, as a browser draws it, shows bodies where they are: view_in_browser.py PROGRAM

A disc at rest and a disc that moves, both without contact, of one shape, which the page has once. Screenshots of headless Chromium at the first and the last frame are
compared with what the picture must be: colours, areas and places of both discs.
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
SCENE = {
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
SLOWEST, FASTEST = (68, 1, 84), (253, 231, 37)  # ends of the scale of colours
FIRST_FRAME = "<script>slider = document.getElementById('slider'); slider.value = 0; slider.oninput();</script>"


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


def spot(rows, colour):
    """Area [pixels] and middle of what has this colour."""
    places = [(x, y) for y, row in enumerate(rows) for x, seen in enumerate(row)
              if max(abs(a - b) for a, b in zip(seen, colour)) < 12 and (y > 220 or x < len(row) - 130)]  # the scale is at the top right
    if not places:
        raise AssertionError(f"nothing is drawn in the colour {colour}")
    return len(places), sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)


def screenshot(browser, page, folder):
    picture = folder / "picture.png"
    subprocess.run([browser, "--headless", "--no-sandbox", "--use-gl=swiftshader", "--enable-unsafe-swiftshader", "--hide-scrollbars",
                    f"--user-data-dir={folder}/profile", "--virtual-time-budget=20000", "--window-size=900,640",
                    f"--screenshot={picture}", f"file://{page}"], check=True, capture_output=True, timeout=120)
    return pixels(picture)


def near(what, found, wanted, within):
    print(f"{what}: {found:.4g}, wanted {wanted:.4g}")
    if abs(found - wanted) > within:
        raise AssertionError(f"{what} is {found}, not {wanted} within {within}")


def main():
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        skip("there is no Chromium to draw a page.")
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        (folder / "scene.json").write_text(json.dumps(SCENE), encoding="utf-8")
        subprocess.run([sys.argv[1], "run", folder / "scene.json", "--out", folder / "out", "--quiet"], check=True)
        subprocess.run([sys.argv[1], "view", folder / "out", "--output", folder / "view.html"], check=True)
        last = screenshot(browser, folder / "view.html", folder)
        page = (folder / "view.html").read_text(encoding="utf-8")
        (folder / "first.html").write_text(page.replace("</body>", FIRST_FRAME + "</body>"), encoding="utf-8")
        first = screenshot(browser, folder / "first.html", folder)
    if last[3][3] != (255, 255, 255):
        raise AssertionError("the ground is not white")
    area, x, y = spot(last, SLOWEST)
    fast_area, fast_x, fast_y = spot(last, FASTEST)
    _, start_x, start_y = spot(first, FASTEST)
    scale = (fast_x - x) / (0.03 + WAY)  # pixels per metre
    near("the moving disc is below the other one by [m]", (fast_y - y) / scale, 0.02, 1 / scale)
    # The outline, a line of one pixel, is dark.
    for name, pixel_area in ("at rest", area), ("that moves", fast_area):
        near(f"radius of the disc {name} [m]", math.sqrt(pixel_area / math.pi) / scale, RADIUS, 1.5 / scale)
    near("way from the first frame to the last [m]", (fast_x - start_x) / scale, WAY, 1 / scale)
    near("way across it [m]", (fast_y - start_y) / scale, 0, 1 / scale)
    return 0


if __name__ == "__main__":
    sys.exit(main())
