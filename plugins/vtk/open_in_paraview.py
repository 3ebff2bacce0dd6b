"""Shows this run in ParaView: particles by speed over all frames, walls as outlines, forces as tubes.

    paraview --script=open_in_paraview.py           or in ParaView: File, Load State
    pvbatch open_in_paraview.py picture.png         draws the last frame
"""

import os
import sys

import paraview.simple
from paraview.simple import *

paraview.simple._DisableFirstRenderCameraReset()
WRITTEN_IN = "FOLDER_OF_THE_RUN"
MOST_SHAPES = 50  # that are drawn one by one


def folder():
    """Where this run is: beside this script, where it was written, or where ParaView was started."""
    beside = os.path.dirname(os.path.abspath(__file__)) if "__file__" in globals() else WRITTEN_IN
    for place in (beside, WRITTEN_IN, os.getcwd()):
        if os.path.exists(os.path.join(place, "particles.pvd")):
            return place
    raise SystemExit("There is no particles.pvd in " + beside + ". Start ParaView in the folder of the run.")


FOLDER = folder()
view = GetActiveViewOrCreate("RenderView")
view.Background = [1, 1, 1]
view.UseColorPaletteForBackground = 0
view.OrientationAxesLabelColor = view.OrientationAxesOutlineColor = [0, 0, 0]


def opened(name):
    """A series of this folder at its last frame, or None."""
    file = os.path.join(FOLDER, name + ".pvd")
    if not os.path.exists(file):
        return None
    source = PVDReader(registrationName=name, FileName=file)
    source.UpdatePipeline(times[-1] if times else 0)
    return source


def is_empty(source):
    return source.GetDataInformation().GetNumberOfPoints() == 0


def colour(display, place, array, title):
    """By an array, with one range for all frames."""
    ColorBy(display, (place, array))
    display.RescaleTransferFunctionToDataRangeOverTime()
    display.SetScalarBarVisibility(view, True)
    bar = GetScalarBar(GetColorTransferFunction(array), view)
    bar.Title, bar.ComponentTitle = title, ""
    bar.TitleColor = bar.LabelColor = [0, 0, 0]
    bar.TitleFontSize = bar.LabelFontSize = 10
    bar.AutomaticLabelFormat, bar.LabelFormat, bar.RangeLabelFormat = 0, "%.2g", "%.2g"


def last_frame():
    """Particles of the last file."""
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(os.path.join(FOLDER, "particles", sorted(os.listdir(os.path.join(FOLDER, "particles")))[-1]))
    reader.Update()
    return reader.GetOutput()


def names_in_file():
    """Field data of the last frame: what the integers in `shape`, `material` and `group` stand for."""
    data, names = last_frame().GetFieldData(), {}
    for array in ("shape", "material", "group"):
        values = data.GetAbstractArray(array + "_names")
        if values:
            names[array] = [values.GetValue(k) for k in range(values.GetNumberOfTuples())]
    return names


def colour_particles(display, place):
    colour(display, place, "speed", "speed [m/s]")


def shapes_of_points():
    """Numbers and files of the outlines that particles of the last frame have; empty where the run wrote none, or too many."""
    shapes = last_frame().GetPointData().GetArray("shape")
    used = sorted({int(shapes.GetTuple1(k)) for k in range(shapes.GetNumberOfTuples())} if shapes else [])
    files = {shape: os.path.join(FOLDER, "shapes", "shape_%06d.vtp" % shape) for shape in used}
    return files if len(files) <= MOST_SHAPES and all(os.path.exists(file) for file in files.values()) else {}


def show_in_shapes(files):
    """Each point as the outline of its shape, turned and scaled as the particle is."""
    names = names_in_file().get("shape", {})
    for shape, file in files.items():
        outline = XMLPolyDataReader(registrationName="outline %d" % shape, FileName=[file])
        of_shape = particles
        if len(files) > 1:
            of_shape = Threshold(registrationName=names[shape] if names else "shape %d" % shape, Input=particles, Scalars=["POINTS", "shape"],
                                 ThresholdMethod="Between", LowerThreshold=shape, UpperThreshold=shape)
        display = Show(of_shape, view)
        display.SetRepresentationType("3D Glyphs")
        display.GlyphType = "Pipeline Connection"
        display.GlyphType.Input = outline
        display.Orient, display.OrientationMode, display.SelectOrientationVectors = 1, "Quaternion", "quaternion"
        display.Scaling, display.ScaleMode, display.SelectScaleArray, display.ScaleFactor = 1, "Vector Components", "scale", 1
        colour_particles(display, "POINTS")


def show_points():
    """Each point as a ball of the particle's radius."""
    display = Show(particles, view)
    display.SetRepresentationType("Point Gaussian")
    if "radius" in particles.PointData.keys():
        display.UseScaleFunction = 0
        display.ScaleByArray, display.SetScaleArray, display.GaussianRadius = 1, ["POINTS", "radius"], 1
    colour_particles(display, "POINTS")


def show_particles():
    if particles.CellData.keys():
        colour_particles(Show(particles, view), "CELLS")
    elif shapes_of_points():
        show_in_shapes(shapes_of_points())
    else:
        show_points()
    for array, names in names_in_file().items():
        table = GetColorTransferFunction(array)
        table.InterpretValuesAsCategories = 1
        table.Annotations = [text for number, name in enumerate(names) for text in (str(number), name)]
        bar = GetScalarBar(table, view)
        bar.TitleColor = bar.LabelColor = [0, 0, 0]
        bar.Visibility = 0


def box_of(source):
    """Lower corner and size of what the particles take, with some room, and whether they lie in a plane."""
    low, high = [1e300] * 3, [-1e300] * 3
    for time in sorted({times[0], times[len(times) // 2], times[-1]}) if times else [0]:
        source.UpdatePipeline(time)
        if is_empty(source):
            continue
        bounds = source.GetDataInformation().GetBounds()
        for k in range(3):
            low[k], high[k] = min(low[k], bounds[2 * k]), max(high[k], bounds[2 * k + 1])
    room = 0.15 * max(high[k] - low[k] for k in range(3))
    return [x - room for x in low], [high[k] - low[k] + 2 * room for k in range(3)], high[2] == low[2]


def show_walls(walls):
    """As outlines, and no farther than the particles go."""
    corner, size, flat = box_of(particles)
    clip = Clip(registrationName="walls near particles", Input=walls, ClipType="Box", Crinkleclip=0, Invert=1)
    clip.Exact = 1  # walls may have no corner near the particles
    clip.ClipType.Position, clip.ClipType.Length, clip.ClipType.Rotation = corner, size, [0, 0, 0]
    clip.UpdatePipeline(times[-1] if times else 0)
    display = Show(clip, view)
    display.SetRepresentationType("Wireframe" if flat else "Surface")
    display.ColorArrayName = [None, ""]
    display.AmbientColor = display.DiffuseColor = [0.45, 0.45, 0.5]
    display.Opacity = 1 if flat else 0.15
    display.LineWidth = 2


def show_forces(contacts):
    """Tubes whose radius grows with the force; hidden, for a click on the eye shows them."""
    lines = CellDatatoPointData(registrationName="forces", Input=contacts)
    tubes = Tube(registrationName="force tubes", Input=lines, Scalars=["POINTS", "force_magnitude"])
    size = box_of(particles)[1]
    tubes.VaryRadius, tubes.Radius, tubes.RadiusFactor = "By Scalar", 0.0005 * max(size), 20
    Hide(tubes, view)


animation = GetAnimationScene()
times = []
particles = opened("particles")
times = list(particles.TimestepValues)
animation.UpdateAnimationUsingDataTimeSteps()
if times:
    view.ViewTime = animation.AnimationTime = times[-1]
particles.UpdatePipeline(times[-1] if times else 0)
show_particles()
walls, contacts = opened("walls"), opened("contacts")
if walls is not None and not is_empty(walls):
    show_walls(walls)
if contacts is not None:
    show_forces(contacts)
SetActiveSource(particles)

corner, size, flat = box_of(particles)
if not flat:  # in space: from the side, a little from above
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0.4, -1, 0.3], [0, 0, 0], [0, 0, 1]
view.ResetCamera([x for k in range(3) for x in (corner[k], corner[k] + size[k])])
GetActiveCamera().Dolly(1.2)
Render()
if len(sys.argv) > 1 and sys.argv[-1].endswith(".png"):
    SaveScreenshot(sys.argv[-1], view, ImageResolution=[1200, 900])
