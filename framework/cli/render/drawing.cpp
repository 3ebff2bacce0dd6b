#include "drawing.hpp"

#include <fmt/format.h>
#include <vtkActor.h>
#include <vtkActor2D.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkColorTransferFunction.h>
#include <vtkFloatArray.h>
#include <vtkInformation.h>
#include <vtkInformationStringKey.h>
#include <vtkLight.h>
#include <vtkMapper.h>
#include <vtkNew.h>
#include <vtkOpenGLSphereMapper.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkPolyDataMapper2D.h>
#include <vtkProperty.h>
#include <vtkProperty2D.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkScalarBarActor.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>
#include <vtkTubeFilter.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "picture.hpp"
#include "round_bodies.hpp"
#include "sand.hpp"
#include "shown_data.hpp"
#include "solid.hpp"

namespace scree::render {

namespace {

using Colour = std::array<double, 3>;
constexpr Colour kInk = {0.13, 0.13, 0.15};
constexpr Colour kWall = {0.80, 0.80, 0.82};
constexpr Colour kWallEdge = {0.45, 0.45, 0.48};
constexpr Colour kPlain = {0.66, 0.70, 0.76};  // bodies without a value for the colours
constexpr Colour kForce = {0.78, 0.10, 0.12};
constexpr Colour kBody = {0.62, 0.66, 0.72};  // of bodies in sand
constexpr Colour kExterior = {0.90, 0.80, 0.58}, kInterface = {0.86, 0.37, 0.16}, kStored = {0.20, 0.42, 0.68};
constexpr Colour kMesh = {0.62, 0.63, 0.65};

constexpr int kSupersampling = 2;      // drawn at twice the size and averaged: smooth lines on any graphics driver
constexpr double kSceneWidth = 0.86;   // of the picture where a colour scale or legend stands to the right
constexpr double kTitleHeight = 0.05;  // of the picture's width; the time stands above the scene
constexpr double kMargin = 0.03;       // around the particles, of their larger extent
constexpr double kWallReach = 0.08;    // how far walls may widen the view beyond the particles, of their larger extent
constexpr double kNearWalls = 4;       // and at least, of the particles' diameter: what one that flies alone will meet

constexpr double kPale = 0.35;  // opacity of particles behind force chains

/// Order of layers in 2D, towards the viewer, in units of the scene's size.
constexpr double kBehind = -0.01, kInFront = 0.01, kOnTop = 0.02;

/// Control points of the colour map viridis (S. van der Walt, N. Smith; CC0), equally spaced.
constexpr std::array<Colour, 9> kViridis = {{{0.267, 0.005, 0.329},
                                             {0.279, 0.175, 0.483},
                                             {0.230, 0.322, 0.546},
                                             {0.173, 0.449, 0.558},
                                             {0.128, 0.567, 0.551},
                                             {0.158, 0.684, 0.502},
                                             {0.369, 0.789, 0.383},
                                             {0.678, 0.864, 0.190},
                                             {0.993, 0.906, 0.144}}};

/// Returns the next value whose quarters are short numbers, for a readable colour scale.
double round_up(double value) {
  const double decade = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 1.2, 1.6, 2.0, 2.4, 3.0, 4.0, 5.0, 6.0, 8.0})
    if (step * decade >= value) return step * decade;
  return 10 * decade;
}

/// Returns colours of the column culling_state: 0 exterior, 1 interface.
vtkSmartPointer<vtkColorTransferFunction> colours_of_states() {
  auto colours = vtkSmartPointer<vtkColorTransferFunction>::New();
  colours->AddRGBPoint(0, kExterior[0], kExterior[1], kExterior[2]);
  colours->AddRGBPoint(1, kInterface[0], kInterface[1], kInterface[2]);
  return colours;
}

vtkSmartPointer<vtkColorTransferFunction> colours_between(double lowest, double highest) {
  auto colours = vtkSmartPointer<vtkColorTransferFunction>::New();
  for (std::size_t i = 0; i < kViridis.size(); ++i) {
    const auto& [r, g, b] = kViridis[i];
    colours->AddRGBPoint(lowest + (highest - lowest) * static_cast<double>(i) / (kViridis.size() - 1), r, g, b);
  }
  colours->SetNanColor(kPlain[0], kPlain[1], kPlain[2]);
  return colours;
}

/// Returns colours from dark to light brown.
vtkSmartPointer<vtkColorTransferFunction> colours_of_hair() {
  auto colours = vtkSmartPointer<vtkColorTransferFunction>::New();
  colours->AddRGBPoint(0, 0.20, 0.10, 0.05);
  colours->AddRGBPoint(0.6, 0.40, 0.22, 0.10);
  colours->AddRGBPoint(1, 0.66, 0.43, 0.22);
  return colours;
}

/// Adds a number from 0 to 1 for each line, by its place among them, as cell data.
void add_shades(vtkPolyData& lines, const char* name) {
  vtkNew<vtkFloatArray> shades;
  shades->SetName(name);
  constexpr double golden = 0.6180339887498949;
  for (vtkIdType k = 0; k < lines.GetNumberOfCells(); ++k)
    shades->InsertNextValue(static_cast<float>(std::fmod(golden * static_cast<double>(k), 1.0)));
  lines.GetCellData()->AddArray(shades);
}

/// Colours of fragments by their shade: hues of equal lightness.
vtkSmartPointer<vtkColorTransferFunction> colours_of_fragments() {
  auto colours = vtkSmartPointer<vtkColorTransferFunction>::New();
  for (const auto& [shade, r, g, b] :
       {std::array{0.0, 0.80, 0.47, 0.36}, std::array{0.17, 0.84, 0.69, 0.38}, std::array{0.33, 0.56, 0.70, 0.40},
        std::array{0.5, 0.35, 0.67, 0.64}, std::array{0.67, 0.42, 0.56, 0.78}, std::array{0.83, 0.68, 0.50, 0.74},
        std::array{1.0, 0.80, 0.47, 0.36}})
    colours->AddRGBPoint(shade, r, g, b);
  return colours;
}

bool is_flat(const vtkBoundingBox& box) { return !box.IsValid() || box.GetLength(2) == 0; }

/// Returns the direction to the viewer in 3D, from the middle: of any length, 27 degrees beside the direction of the
/// cut's normal and somewhat above it; without a cut like that of one across y.
Vec3 viewpoint(const std::optional<Cut>& cut) {
  constexpr double beside = 0.4636, above = 0.357, tilt = 0.7;  // [rad]
  const Vec3 towards = cut ? cut->normal.normalized() : Vec3(-Vec3::UnitY());
  const bool lies = std::hypot(towards.x(), towards.y()) < 1e-6;  // its normal has no direction in the plane
  const double around = (lies ? -std::numbers::pi / 2 : std::atan2(towards.y(), towards.x())) + beside;
  const double height = above + tilt * towards.z();
  return {std::cos(height) * std::cos(around), std::cos(height) * std::sin(around), std::sin(height)};
}

/// Returns the box of the particles with a margin, and of the walls nearby.
vtkBoundingBox visible_part(const View& view) {
  if (!view.particles.IsValid()) return view.walls.IsValid() ? view.walls : vtkBoundingBox(0, 1, 0, 1, 0, 0);
  vtkBoundingBox reach = view.particles, seen = view.particles;
  reach.Inflate(std::max(kWallReach * view.particles.GetMaxLength(), kNearWalls * view.diameter));
  if (view.walls.IsValid()) seen.AddBox(view.walls);
  seen.IntersectBox(reach);
  const double margin = kMargin * view.particles.GetMaxLength();
  seen.Inflate(margin, margin, is_flat(view.particles) ? 0 : margin);
  return seen;
}

/// Sizes of the picture in pixels, as it is drawn.
struct Layout {
  int width, height, title;
  double scene_top() const { return 1 - static_cast<double>(title) / height; }
};

/// Returns the layout. \param part  part of the width that the scene takes
Layout layout(const vtkBoundingBox& seen, int width, double part) {
  constexpr double lowest = 0.4, highest = 1.5, solid = 0.8;  // height of the scene by its width
  const double shape = is_flat(seen) ? seen.GetLength(1) / seen.GetLength(0) : solid;
  const int drawn = kSupersampling * width, title = static_cast<int>(kTitleHeight * drawn);
  const double scene = part * drawn * std::clamp(shape, lowest, highest);
  // An even number, so that averaging loses no row.
  return {drawn, kSupersampling * (static_cast<int>(scene + title) / kSupersampling), title};
}

class Stage {
 public:
  /// \param scale  true to leave room for one beside the scene
  Stage(const View& view, int width, bool scale)
      : part_(scale ? kSceneWidth : 1),
        seen_(visible_part(view)),
        flat_(is_flat(seen_)),
        size_(seen_.GetDiagonalLength()),
        viewpoint_(viewpoint(view.cut)),
        layout_(layout(seen_, width, part_)) {
    window_->SetOffScreenRendering(1);
    window_->SetMultiSamples(0);
    window_->SetSize(layout_.width, layout_.height);
    window_->SetNumberOfLayers(2);
    page_->SetBackground(1, 1, 1);
    page_->SetLayer(0);
    scene_->SetLayer(1);
    scene_->SetViewport(0, 0, part_, layout_.scene_top());
    window_->AddRenderer(page_);
    window_->AddRenderer(scene_);
  }

  void add_walls(vtkPolyData* walls) {
    if (walls == nullptr || walls->GetNumberOfCells() == 0) return;
    if (flat_) return add_angular_walls(walls);
    const ByRoundness parts = by_roundness(*walls);
    if (parts.round->GetNumberOfCells() > 0)
      add_faces(smooth(*parts.round), kWall).GetProperty()->SetBackfaceCulling(1);  // as below
    if (parts.others->GetNumberOfCells() > 0) add_angular_walls(parts.others);
  }

  void add_angular_walls(vtkPolyData* walls) {
    vtkActor& faces = add_faces(walls, kWall);
    faces.GetProperty()->SetLineWidth(3 * kSupersampling);
    faces.SetPosition(0, 0, layer(2 * kBehind));
    // In 3D the viewer looks through the back of a wall: into containers, whose faces look inward.
    faces.GetProperty()->SetBackfaceCulling(!flat_);
    faces.GetProperty()->SetAmbient(flat_ ? 0 : 0.7);
    faces.GetProperty()->SetDiffuse(flat_ ? 1 : 0.3);
    add_edges(walls, kWallEdge, 1)->SetPosition(0, 0, layer(kBehind));
  }

  /// Adds particles.
  /// \param column  column of the colours; plain if it is none of the particles'
  /// \param above   in 2D: true if they lie in front of grains
  void add_particles(vtkPolyData* particles, const char* column, vtkColorTransferFunction* colours, bool pale,
                     bool above) {
    if (particles->GetNumberOfCells() == 0) return;
    particles->GetCellData()->SetActiveScalars(column);
    vtkActor& faces = add_faces(flat_ ? vtkSmartPointer<vtkPolyData>(particles) : smooth(*particles), kPlain);
    if (above) {
      faces.SetPosition(0, 0, layer(kInFront / 2));
      faces.GetProperty()->SetColor(kBody[0], kBody[1], kBody[2]);
    }
    if (particles->GetCellData()->HasArray(column)) paint(*faces.GetMapper(), colours);
    const double diameter = typical_diameter(*particles);
    const double pixels = diameter / size_ * layout_.width / kSupersampling;
    // Edges thinner than the particles they part: below a few pixels they would only darken the picture.
    vtkActor* edges = flat_ && pixels > 4 ? add_edges(particles, kInk, pixels > 25 ? 1 : 0.5) : nullptr;
    if (edges) edges->SetPosition(0, 0, layer(kInFront));
    if (!pale) return;
    faces.GetProperty()->SetOpacity(kPale);
    if (edges) edges->GetProperty()->SetOpacity(kPale);
  }

  /// Adds bonded tetrahedra as one solid. Each face of a crack has one shade: where a sharp edge ends in a crack, a smooth one
  /// would run from the one side to the other.
  void add_solid(const SolidParts& solid, const char* column, vtkColorTransferFunction* colours, bool pale) {
    const auto outside = smooth(*solid.outside);
    for (vtkPolyData* const part : {outside.Get(), solid.cracks.Get()}) {
      part->GetCellData()->SetActiveScalars(column);
      vtkActor& faces = add_faces(part, kPlain);
      if (part->GetCellData()->HasArray(column)) paint(*faces.GetMapper(), colours);
      if (part == solid.cracks) faces.GetProperty()->SetInterpolationToFlat();
      faces.GetProperty()->SetAmbient(0.3);
      faces.GetProperty()->SetDiffuse(0.8);
      if (pale) faces.GetProperty()->SetOpacity(kPale);
    }
    add_light(kSunlight, 0.7);
    add_light(Vec3::UnitZ(), 0.4);
  }

  /// Adds points of a continuum: they overlap, and have no edges.
  /// \param column  column of the colours
  void add_points(vtkPolyData* points, const std::string& column, vtkColorTransferFunction* colours) {
    if (points->GetNumberOfCells() == 0) return;
    points->GetCellData()->SetActiveScalars(column.c_str());
    vtkActor& faces = add_faces(flat_ ? vtkSmartPointer<vtkPolyData>(points) : smooth(*points), kPlain);
    paint(*faces.GetMapper(), colours);
  }

  /// Adds small balls, each with its colour. In the plane there would be gaps between them.
  void add_grains(vtkPolyData& grains, vtkPolyData& particles, GrainColours how) {
    if (!flat_) how.sun = sun();
    grains.GetPointData()->SetScalars(colours_of_grains(grains, particles, how));
    vtkActor& balls = add_balls(&grains);
    balls.GetProperty()->SetAmbient(0.4);
    balls.GetProperty()->SetDiffuse(0.9);
    add_light(kSunlight, 0.7);
    add_light(Vec3::UnitZ(), 0.4);
    if (!flat_) return;
    vtkActor& behind = add_balls(swollen_and_dark(grains));
    behind.SetPosition(0, 0, layer(kBehind / 2));
    behind.GetProperty()->SetAmbient(1);
    behind.GetProperty()->SetDiffuse(0);
  }

  /// Adds rods like add_particles(); kStrands in place of a column gives each rod a shade of its own.
  void add_rods(vtkPolyData* rods, const char* column, vtkColorTransferFunction* colours, bool pale) {
    if (rods == nullptr || rods->GetNumberOfCells() == 0) return;
    const bool strands = std::string_view(column) == kStrands;
    if (strands) add_shades(*rods, column);
    vtkActor& faces = add_faces(tubes(*rods), kPlain);
    if (strands || rods->GetPointData()->HasArray(column)) {
      paint(*faces.GetMapper(), strands ? colours_of_hair().Get() : colours);
      if (strands)
        faces.GetMapper()->SetScalarModeToUseCellFieldData();
      else
        faces.GetMapper()->SetScalarModeToUsePointFieldData();
      faces.GetMapper()->SelectColorArray(column);
      faces.GetMapper()->InterpolateScalarsBeforeMappingOn();
    }
    if (pale) faces.GetProperty()->SetOpacity(kPale);
  }

  void add_stored(vtkPolyData* stored) {
    if (stored && stored->GetNumberOfCells() > 0) add_faces(smooth(*stored), kStored);
  }
  void add_interface(vtkPolyData* mesh) {
    if (mesh && mesh->GetNumberOfCells() > 0) add_faces(smooth(*mesh), kMesh);
  }

  void add_contacts(vtkPolyData* contacts, double particle_diameter) {
    if (contacts->GetNumberOfCells() == 0 || particle_diameter <= 0) return;
    vtkNew<vtkTubeFilter> tubes;
    tubes->SetInputData(with_radii(*contacts, 0.15 * particle_diameter));
    tubes->SetVaryRadiusToVaryRadiusByAbsoluteScalar();
    tubes->SetNumberOfSides(8);
    tubes->CappingOn();
    tubes->Update();
    add_faces(tubes->GetOutput(), kForce).SetPosition(0, 0, layer(kOnTop));
  }

  void add_scale(vtkColorTransferFunction* colours, const std::string& title) {
    vtkNew<vtkScalarBarActor> bar;
    bar->SetLookupTable(colours);
    bar->SetTitle((title + "\n ").c_str());
    bar->SetNumberOfLabels(5);
    bar->SetLabelFormat("  %-.3g");
    bar->UnconstrainedFontSizeOn();
    bar->SetBarRatio(0.22);
    bar->SetPosition(kSceneWidth + 0.01, 0.12);
    bar->SetPosition2(0.99 - kSceneWidth - 0.01, 0.7);
    style(*bar->GetTitleTextProperty());
    style(*bar->GetLabelTextProperty());
    page_->AddViewProp(bar);
  }

  /// Adds the meaning of the colours of states, in the place of the colour scale.
  void add_legend(const Subject& subject) {
    std::vector<std::pair<const char*, Colour>> entries = {{"exterior", kExterior}, {"interface", kInterface}};
    if (subject.stored) entries.emplace_back("stored", kStored);
    if (subject.interface) entries.emplace_back("mesh", kMesh);
    const double size = 0.5 * layout_.title, left = (kSceneWidth + 0.01) * layout_.width;
    double y = 0.5 * layout_.height + 2 * size;
    for (const auto& [name, colour] : entries) {
      page_->AddViewProp(square(left, y, size, colour));
      vtkNew<vtkTextActor> label;
      label->SetInput(name);
      style(*label->GetTextProperty());
      label->GetTextProperty()->SetVerticalJustificationToCentered();
      label->SetDisplayPosition(static_cast<int>(left + 1.5 * size), static_cast<int>(y + size / 2));
      page_->AddViewProp(label);
      y -= 2 * size;
    }
  }

  void add_time(double time) {
    vtkNew<vtkTextActor> label;
    label->SetInput(fmt::format("t = {:.4g} s", time).c_str());
    style(*label->GetTextProperty());
    label->GetTextProperty()->SetVerticalJustificationToCentered();
    label->SetDisplayPosition(layout_.title / 2, layout_.height - layout_.title / 2);
    page_->AddViewProp(label);
  }

  std::string png() {
    aim();
    window_->Render();
    return png_of(*window_, kSupersampling);
  }

 private:
  /// Direction to the sun, in the viewer's axes: right, up, and out of the picture.
  static inline const Vec3 kSunlight = {-0.6, 0.75, 0.8};

  /// Returns the direction to the sun in the scene.
  Vec3 sun() const {
    const Vec3 out = viewpoint_.normalized(), right = Vec3::UnitZ().cross(out).normalized(), up = out.cross(right);
    return (kSunlight[0] * right + kSunlight[1] * up + kSunlight[2] * out).normalized();
  }

  /// Adds a light. \param from  direction in the viewer's axes
  void add_light(const Vec3& from, double intensity) {
    vtkNew<vtkLight> light;
    light->SetLightTypeToCameraLight();
    light->SetPosition(from.data());
    light->SetFocalPoint(0, 0, 0);
    light->SetIntensity(intensity);
    scene_->AddLight(light);
  }

  static void paint(vtkMapper& mapper, vtkColorTransferFunction* colours) {
    mapper.SetLookupTable(colours);
    mapper.UseLookupTableScalarRangeOn();
    mapper.ScalarVisibilityOn();
  }

  double layer(double depth) const { return flat_ ? depth * size_ : 0; }

  void style(vtkTextProperty& text) const {
    text.SetColor(kInk.data());
    text.SetFontFamilyToArial();
    text.SetFontSize(static_cast<int>(0.4 * layout_.title));
    text.BoldOff();
    text.ItalicOff();
    text.ShadowOff();
  }

  /// Returns a square on the page. \param x, y, size  [pixels]
  static vtkSmartPointer<vtkActor2D> square(double x, double y, double size, const Colour& colour) {
    vtkNew<vtkPoints> corners;
    for (const auto& [right, up] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
      corners->InsertNextPoint(x + right * size, y + up * size, 0);
    vtkNew<vtkCellArray> face;
    face->InsertNextCell({0, 1, 2, 3});
    vtkNew<vtkPolyData> data;
    data->SetPoints(corners);
    data->SetPolys(face);
    vtkNew<vtkPolyDataMapper2D> mapper;
    mapper->SetInputData(data);
    auto actor = vtkSmartPointer<vtkActor2D>::New();
    actor->SetMapper(mapper);
    actor->GetProperty()->SetColor(colour[0], colour[1], colour[2]);
    return actor;
  }

  vtkActor& add_faces(vtkPolyData* data, const Colour& colour) {
    vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputData(data);
    mapper->ScalarVisibilityOff();
    vtkNew<vtkActor> actor;
    actor->SetMapper(mapper);
    actor->GetProperty()->SetColor(colour[0], colour[1], colour[2]);
    actor->GetProperty()->SetLighting(!flat_);
    scene_->AddActor(actor);
    return *actor;
  }

  /// Adds points with a radius and a colour.
  vtkActor& add_balls(vtkPolyData* points) {
    vtkNew<vtkOpenGLSphereMapper> balls;
    balls->SetInputData(points);
    balls->SetScaleArray("radius");
    vtkNew<vtkActor> actor;
    actor->SetMapper(balls);
    scene_->AddActor(actor);
    return *actor;
  }

  vtkActor* add_edges(vtkPolyData* data, const Colour& colour, double pixels) {
    vtkActor& edges = add_faces(outlines(*data, flat_), colour);
    edges.GetProperty()->SetLighting(false);
    edges.GetProperty()->SetLineWidth(static_cast<float>(pixels * kSupersampling));
    return &edges;
  }

  void aim() {
    double centre[3];
    seen_.GetCenter(centre);
    vtkCamera& camera = *scene_->GetActiveCamera();
    camera.SetFocalPoint(centre);
    if (!flat_) {
      const Vec3 from = Vec3(centre) + viewpoint_;
      camera.SetPosition(from.data());
      camera.SetViewUp(0, 0, 1);
      double bounds[6];
      seen_.GetBounds(bounds);
      scene_->ResetCamera(bounds);
      camera.Zoom(1.3);
    } else {
      const double wide = part_ * layout_.width, high = layout_.height - layout_.title;
      camera.SetPosition(centre[0], centre[1], centre[2] + size_);
      camera.SetViewUp(0, 1, 0);
      camera.ParallelProjectionOn();
      camera.SetParallelScale(0.5 * std::max(seen_.GetLength(1), seen_.GetLength(0) * high / wide));
      camera.SetClippingRange(0.5 * size_, 1.5 * size_);
    }
  }

  double part_;  ///< part of the picture's width that the scene takes
  vtkBoundingBox seen_;
  bool flat_;
  double size_;
  Vec3 viewpoint_;
  Layout layout_;
  vtkNew<vtkRenderWindow> window_;
  vtkNew<vtkRenderer> page_, scene_;
};

vtkSmartPointer<vtkColorTransferFunction> colours_of(const View& view) {
  constexpr double at_rest = 1e-12;  // [m/s]: keeps the colour scale of a frame without motion finite
  if (view.column == "speed") return colours_between(0, round_up(std::max(view.highest, at_rest)));
  return colours_between(view.lowest, view.highest > view.lowest ? view.highest : view.lowest + 1);
}

}  // namespace

namespace {

/// Returns the diameter of the particles, or of the rods if there are only rods [m].
double diameter_of(const Subject& subject) {
  const double of_particles = typical_diameter(*subject.particles);
  if (of_particles > 0 || !subject.rods) return of_particles;
  return 2 * quantile(subject.rods->GetPointData()->GetArray("radius"), 0.5);
}

/// Returns the title of the colour scale, in lines that have room beside the picture.
std::string title_of(const View& view) {
  constexpr std::size_t longest = 12;
  const std::string unit = view.column == "speed" ? "m/s" : view.unit;
  std::string title = view.column;
  if (title.size() > longest) std::ranges::replace(title, '_', '\n');
  if (unit.empty()) return title;
  return fmt::format("{}{}[{}]", title, title.size() + unit.size() + 3 <= longest ? " " : "\n", unit);
}

/// Returns the box around tubes; in the plane it has no height.
vtkBoundingBox box_of(vtkPolyData& rods) {
  double bounds[6];
  rods.GetCellsBounds(bounds);
  vtkBoundingBox box(bounds);
  vtkDataArray* const radius = rods.GetPointData()->GetArray("radius");
  const double most = radius ? radius->GetRange()[1] : 0;
  box.Inflate(most, most, box.GetLength(2) > 0 ? most : 0);
  return box;
}

void take_range(View& view, vtkDataArray* values) {
  if (values == nullptr || values->GetNumberOfTuples() == 0) return;
  if (values->GetInformation()->Has(vtkDataArray::UNITS_LABEL()))
    view.unit = values->GetInformation()->Get(vtkDataArray::UNITS_LABEL());
  if (view.column == "speed") {
    view.highest = std::max(view.highest, quantile(values, kNearlyAll));
    return;
  }
  double range[2];
  values->GetFiniteRange(range, 0);
  if (range[0] > range[1]) return;
  view.lowest = std::min(view.lowest, range[0]);
  view.highest = std::max(view.highest, range[1]);
}

}  // namespace

void View::include(const Subject& subject) {
  const auto add = [](vtkBoundingBox& box, vtkPolyData* data) {
    if (data == nullptr || data->GetNumberOfCells() == 0) return;
    double bounds[6];
    data->GetCellsBounds(bounds);  // a cut leaves points that no cell has
    box.AddBounds(bounds);
  };
  add(particles, subject.particles);
  add(particles, subject.stored);
  add(particles, subject.interface);
  add(walls, subject.walls);
  diameter = std::max(diameter, diameter_of(subject));
  take_range(*this, subject.particles->GetCellData()->GetArray(column.c_str()));
  if (!subject.rods) return;
  take_range(*this, subject.rods->GetPointData()->GetArray(column.c_str()));
  if (subject.rods->GetNumberOfCells() > 0) particles.AddBox(box_of(*subject.rods));
}

std::string draw(const Subject& subject, const View& view, int width) {
  const bool states = subject.tells_states();
  const bool grains = subject.grains != nullptr && are_grains(*subject.grains);
  const bool sand = grains && view.as_sand && !states;  // colours have no meaning
  const std::string column = states ? "culling_state" : sand ? "" : view.column;
  const auto colours = states ? colours_of_states() : colours_of(view);
  const bool fragments = view.column == kFragment && subject.particles->GetCellData()->HasArray(kFragment.data());
  if (fragments) add_fragment_shades(*subject.particles, "shade");
  const Parted parts = parted(*subject.particles);
  Stage stage(view, width, !sand && !fragments);
  stage.add_walls(subject.walls);
  if (grains)
    stage.add_grains(*subject.grains, *parts.points, {column, colours});
  else
    stage.add_points(parts.points, column, colours);
  if (const auto solid = solid_parts(*parts.bodies))
    stage.add_solid(*solid, fragments ? "shade" : column.c_str(),
                    fragments ? colours_of_fragments().Get() : colours.Get(), subject.contacts != nullptr);
  else
    stage.add_particles(parts.bodies, column.c_str(), colours, subject.contacts != nullptr, grains);
  stage.add_rods(subject.rods, view.column.c_str(), colours, subject.contacts != nullptr);
  stage.add_stored(subject.stored);
  stage.add_interface(subject.interface);
  if (subject.contacts) stage.add_contacts(subject.contacts, diameter_of(subject));
  if (states) {
    stage.add_legend(subject);
  } else if (!sand && !fragments && view.column != kStrands) {
    stage.add_scale(colours, title_of(view));
  }
  stage.add_time(subject.time);
  return stage.png();
}

}  // namespace scree::render
