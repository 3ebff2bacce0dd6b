#!/usr/bin/python3
"""Draws the last frame of flow.pvd in a run's folder: speed with paths of the flow, pressure, and solid fraction.

    draw_fields.py OUT [PICTURE]

Needs VTK and Matplotlib for Python (Debian: python3-vtk9, python3-matplotlib).
"""

import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy


def last_frame(folder, name):
    """Returns centres of cells along x and y [m], and the fields by name."""
    reader = vtk.vtkXMLImageDataReader()
    reader.SetFileName(str(sorted((folder / name).glob(f"{name}_*.vti"))[-1]))
    reader.Update()
    image = reader.GetOutput()
    nx, ny = (n - 1 for n in image.GetDimensions()[:2])
    (x0, y0), (hx, hy) = image.GetOrigin()[:2], image.GetSpacing()[:2]
    cells = image.GetCellData()
    fields = {}
    for k in range(cells.GetNumberOfArrays()):
        array = cells.GetArray(k)
        fields[array.GetName()] = vtk_to_numpy(array).reshape(ny, nx, -1)
    return x0 + hx * (np.arange(nx) + 0.5), y0 + hy * (np.arange(ny) + 0.5), fields


def main():
    folder = pathlib.Path(sys.argv[1])
    picture = sys.argv[2] if len(sys.argv) > 2 else str(folder / "fields.png")
    x, y, fields = last_frame(folder, "flow")
    solid = fields["solid_fraction"][:, :, 0]
    full = solid > 0.3  # beyond the rim of the grains are few
    full &= (abs(x) < 0.1) | (y[:, None] < 0)  # fields reach into walls by the kernel's radius
    full &= (y[:, None] > 0) | (abs(x) < 0.02)
    velocity = fields["velocity"]
    panels = [
        ("speed [m/s]", np.hypot(velocity[:, :, 0], velocity[:, :, 1]), "viridis", 0.4),
        ("pressure [Pa]", fields["pressure"][:, :, 0], "inferno", None),
        ("solid fraction", solid, "cividis", None),
    ]
    figure, axes = plt.subplots(1, 3, figsize=(12, 7.4), sharey=True, constrained_layout=True)
    for axis, (title, value, colours, most) in zip(axes, panels):
        shown = np.ma.masked_where(~full, value)
        least = 0.6 if title == "solid fraction" else 0
        drawn = axis.pcolormesh(100 * x, 100 * y, shown, cmap=colours, vmin=least, vmax=most, shading="nearest")
        figure.colorbar(drawn, ax=axis, location="top", shrink=0.9, label=title)
        axis.set_aspect("equal")
        axis.set_xlabel("x [cm]")
        for side in (-1, 1):
            axis.plot([10 * side, 10 * side, 2 * side], [34, 0, 0], color="black", linewidth=2)
        axis.set_xlim(-11, 11)
        axis.set_ylim(-5, 34)
    axes[0].set_ylabel("y [cm]")
    moving = np.where(full[:, :, None], velocity[:, :, :2], np.nan)
    axes[0].streamplot(100 * x, 100 * y, moving[:, :, 0], moving[:, :, 1], color="white", linewidth=0.7, density=1.1,
                       arrowsize=0.7)
    figure.savefig(picture, dpi=100)


if __name__ == "__main__":
    main()
