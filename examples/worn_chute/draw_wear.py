#!/usr/bin/env python3
"""Draws the last frame of wear.pvd in a run's folder: depth of wear on the chute, by sliding and by impacts.

    draw_wear.py OUT [PICTURE]

Needs VTK for Python (Debian: python3-vtk9).
"""

import pathlib
import sys

import vtk


def last_frame(folder, name):
    reader = vtk.vtkXMLPolyDataReader()
    reader.SetFileName(str(sorted((folder / name).glob(f"{name}_*.vtp"))[-1]))
    reader.Update()
    return reader.GetOutput()


def main():
    folder = pathlib.Path(sys.argv[1])
    picture = sys.argv[2] if len(sys.argv) > 2 else str(folder / "wear.png")
    wear = last_frame(folder, "wear")
    renderer = vtk.vtkRenderer()
    renderer.SetBackground(1, 1, 1)

    colours = vtk.vtkLookupTable()
    colours.SetHueRange(0.66, 0.0)
    colours.SetSaturationRange(0.15, 1.0)
    colours.SetValueRange(0.9, 0.85)
    colours.Build()
    titles = {"archard_depth": "sliding, depth [m]", "finnie_depth": "impacts, depth [m]"}
    for k, (name, title) in enumerate(titles.items()):
        mapper = vtk.vtkPolyDataMapper()
        mapper.SetInputData(wear)
        mapper.SetScalarModeToUseCellFieldData()
        mapper.SelectColorArray(name)
        values = wear.GetCellData().GetArray(name)
        top = sorted(values.GetValue(i) for i in range(values.GetNumberOfTuples()))[int(0.995 * values.GetNumberOfTuples())]
        mapper.SetScalarRange(0, top)
        mapper.SetLookupTable(colours)
        actor = vtk.vtkActor()
        actor.SetMapper(mapper)
        actor.SetPosition(0, 0.22 * k, 0)
        actor.GetProperty().SetAmbient(0.35)
        renderer.AddActor(actor)
        bar = vtk.vtkScalarBarActor()
        own = vtk.vtkLookupTable()
        own.DeepCopy(colours)
        own.SetTableRange(0, top)
        bar.SetLookupTable(own)
        bar.SetTitle(title)
        bar.SetNumberOfLabels(3)
        bar.SetLabelFormat("%.1e")
        bar.UnconstrainedFontSizeOn()
        for text in (bar.GetTitleTextProperty(), bar.GetLabelTextProperty()):
            text.SetColor(0, 0, 0)
            text.SetFontSize(22)
            text.ItalicOff()
            text.BoldOff()
            text.ShadowOff()
        bar.SetOrientationToHorizontal()
        bar.SetPosition(0.05 + 0.5 * k, 0.88)
        bar.SetWidth(0.4)
        bar.SetHeight(0.11)
        renderer.AddActor2D(bar)

    camera = renderer.GetActiveCamera()
    camera.SetFocalPoint(0.2, 0.11, -0.2)
    camera.SetPosition(1.1, -0.35, 0.7)
    camera.SetViewUp(0, 0, 1)
    renderer.ResetCamera()
    camera.Zoom(0.97)
    renderer.ResetCameraClippingRange()
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(8)
    window.SetSize(1200, 800)
    window.AddRenderer(renderer)
    window.Render()
    image = vtk.vtkWindowToImageFilter()
    image.SetInput(window)
    writer = vtk.vtkPNGWriter()
    writer.SetInputConnection(image.GetOutputPort())
    writer.SetFileName(picture)
    writer.Write()


if __name__ == "__main__":
    main()
