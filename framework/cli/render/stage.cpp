#include "stage.hpp"

#include <vtkCamera.h>
#include <vtkCellData.h>
#include <vtkMapper.h>
#include <vtkOpenGLSphereMapper.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkTubeFilter.h>

#include <algorithm>
#include <cmath>

#include "balls.hpp"
#include "round_bodies.hpp"
#include "sand.hpp"
#include "shown_data.hpp"

namespace scree::render {

namespace {

constexpr Colour kInk = {0.28, 0.30, 0.36};
constexpr Colour kWall = {0.87, 0.88, 0.90};
constexpr Colour kWallEdge = {0.50, 0.53, 0.58};
constexpr Colour kForce = {0.80, 0.12, 0.16};
constexpr Colour kBody = {0.66, 0.70, 0.77};  // of bodies in sand
constexpr Colour kMesh = {0.72, 0.73, 0.76};

constexpr float kPale = 0.3f;  // opacity of bodies about force chains

/// Order of layers in 2D, towards the viewer, in units of the scene's size.
constexpr double kBehind = -0.01, kInFront = 0.01, kOnTop = 0.02;

/// Direction to the sun, in the viewer's axes: right, up, and out of the picture.
const Vec3 kSun = {-0.55, 0.75, 0.62};
constexpr double kSunlight = 0.66;

}  // namespace

Stage::Stage(const View& view, const vtkBoundingBox& frame, int width, int height, int fineness)
    : view_(view),
      frame_(frame),
      flat_(view.is_flat()),
      size_(frame_.GetDiagonalLength()),
      width_(width),
      height_(height),
      fineness_(fineness),
      lens_(view.axes, frame_, static_cast<double>(width) / height, view.style.zoom) {
  window_->SetOffScreenRendering(1);
  window_->SetMultiSamples(0);
  window_->SetAlphaBitPlanes(1);
  window_->SetSize(width, height);
  scene_->SetBackground(0, 0, 0);
  scene_->SetBackgroundAlpha(0);
  window_->AddRenderer(scene_);
  add_light(kSun, kSunlight, true);
  add_light({0, 0, 1}, 0.30, false);
  add_light({0.1, 1, 0.25}, 0.28, false);
  add_light({0.95, 0.1, 0.45}, 0.20, false);
}

double Stage::pixels_of(double length) const { return length / seen_height() * height_ / fineness_; }

double Stage::seen_height() const {
  if (!flat_) return lens_.height();
  return std::max(frame_.GetLength(1), frame_.GetLength(0) * height_ / width_) / view_.style.zoom;
}

void Stage::add_light(const Vec3& from, double intensity, bool key) {
  auto light = vtkSmartPointer<vtkLight>::New();
  light->SetLightTypeToCameraLight();
  light->SetPosition(from.data());
  light->SetFocalPoint(0, 0, 0);
  light->SetIntensity(intensity);
  scene_->AddLight(light);
  (key ? key_ : fill_).push_back(light);
}

vtkActor& Stage::add_faces(vtkPolyData* data, const Colour& colour, Group group) {
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(data);
  auto actor = vtkSmartPointer<vtkActor>::New();
  actor->SetMapper(mapper);
  actor->GetProperty()->SetColor(colour[0], colour[1], colour[2]);
  actor->GetProperty()->SetLighting(!flat_);
  scene_->AddActor(actor);
  faces_[group].push_back(actor);
  return *actor;
}

vtkActor& Stage::add_balls(vtkPolyData& points, const char* radius, Group group) {
  vtkNew<vtkOpenGLSphereMapper> balls;
  balls->SetInputData(&points);
  balls->SetScaleArray(radius);
  auto actor = vtkSmartPointer<vtkActor>::New();
  actor->SetMapper(balls);
  scene_->AddActor(actor);
  faces_[group].push_back(actor);
  return *actor;
}

vtkActor& Stage::add_edges(vtkPolyData* lines, const Colour& colour, double pixels, Group group) {
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(lines);
  mapper->ScalarVisibilityOff();
  auto actor = vtkSmartPointer<vtkActor>::New();
  actor->SetMapper(mapper);
  actor->GetProperty()->SetColor(colour[0], colour[1], colour[2]);
  actor->GetProperty()->SetLighting(false);
  actor->GetProperty()->SetLineWidth(static_cast<float>(pixels * fineness_));
  scene_->AddActor(actor);
  edges_[group].push_back(actor);
  return *actor;
}

void Stage::add_walls(vtkPolyData* walls) {
  if (walls == nullptr || walls->GetNumberOfCells() == 0) return;
  if (flat_) {
    vtkActor& faces = add_faces(walls, kWall, kWalls);
    faces.GetMapper()->ScalarVisibilityOff();
    faces.GetProperty()->SetLineWidth(static_cast<float>(2 * fineness_));
    faces.SetPosition(0, 0, layer(2 * kBehind));
    add_edges(outlines(*walls), kWallEdge, 1, kWalls).SetPosition(0, 0, layer(kBehind));
    return;
  }
  const WithBalls parts = with_balls(*walls);
  const ByRoundness by = by_roundness(*parts.others, 2);
  if (parts.balls->GetNumberOfPoints() > 0) {
    vtkActor& balls = add_balls(*parts.balls, kBallRadius, kWalls);
    balls.GetMapper()->ScalarVisibilityOff();
    balls.GetProperty()->SetColor(kWall[0], kWall[1], kWall[2]);
  }
  for (vtkPolyData* const part : {by.round.Get(), by.others.Get()}) {
    if (part->GetNumberOfCells() == 0) continue;
    vtkActor& faces = add_faces(smooth(*part), kWall, kWalls);
    faces.GetMapper()->ScalarVisibilityOff();
    // The viewer looks through the back of a wall: into containers, whose faces look inward.
    faces.GetProperty()->SetBackfaceCulling(true);
  }
  if (by.others->GetNumberOfCells() > 0) add_edges(sharp_edges(*by.others), kWallEdge, 0.9, kWalls);
}

void Stage::add_coloured(vtkPolyData& cells, Group group, const Colour& plain, bool refined) {
  if (cells.GetNumberOfCells() == 0) return;
  if (flat_ || !refined) {
    paint(*cells.GetCellData(), cells.GetNumberOfCells(), view_.colouring, plain);
    add_faces(flat_ ? vtkSmartPointer<vtkPolyData>(&cells) : smooth(cells), plain, group);
    return;
  }
  const WithBalls parts = with_balls(cells);
  if (parts.balls->GetNumberOfPoints() > 0) {
    paint(*parts.balls->GetPointData(), parts.balls->GetNumberOfPoints(), view_.colouring, plain);
    add_balls(*parts.balls, kBallRadius, group);
  }
  if (parts.others->GetNumberOfCells() == 0) return;
  constexpr vtkIdType most = 200'000;  // cells that are worth the time
  const double pixels = pixels_of(typical_diameter(*parts.others));
  const int rounds = parts.others->GetNumberOfCells() > most || pixels < 30 ? 0 : pixels < 120 ? 1 : 2;
  const auto add = [&](vtkPolyData& part) {
    if (part.GetNumberOfCells() == 0) return;
    paint(*part.GetCellData(), part.GetNumberOfCells(), view_.colouring, plain);
    add_faces(smooth(part), plain, group);
  };
  if (rounds == 0) return add(*parts.others);
  const ByRoundness by = by_roundness(*parts.others, rounds);
  add(*by.round);
  add(*by.others);
}

void Stage::add_bodies(vtkPolyData& bodies, bool above) {
  if (bodies.GetNumberOfCells() == 0) return;
  add_coloured(bodies, kBodies, above ? kBody : kPlain, true);
  if (!flat_) return;
  if (above) faces_[kBodies].back()->SetPosition(0, 0, layer(kInFront / 2));
  // Edges thinner than the particles they part: below a few pixels they would only darken the picture.
  const double pixels = pixels_of(typical_diameter(bodies));
  if (pixels <= 4) return;
  add_edges(outlines(bodies), kInk, pixels > 25 ? 1 : 0.5, kBodies).SetPosition(0, 0, layer(kInFront));
}

void Stage::add_solid(vtkPolyData& outside, vtkPolyData& cracks) {
  add_coloured(outside, kBodies, kPlain, false);
  if (cracks.GetNumberOfCells() == 0) return;
  paint(*cracks.GetCellData(), cracks.GetNumberOfCells(), view_.colouring, kPlain);
  add_faces(&cracks, kPlain, kBodies).GetProperty()->SetInterpolationToFlat();
}

void Stage::add_points(vtkPolyData& points) { add_coloured(points, kBodies, kPlain, false); }

void Stage::add_grains(vtkPolyData& grains, vtkPolyData& particles) {
  if (grains.GetNumberOfPoints() == 0) return;
  paint_grains(grains, particles, view_.colouring);
  vtkActor& balls = add_balls(grains, "radius", kBodies);
  if (!flat_) return;
  balls.GetProperty()->SetAmbient(0.5);
  balls.GetProperty()->SetDiffuse(0.6);
  vtkActor& behind = add_balls(*swollen_and_dark(grains), "radius", kBodies);
  behind.SetPosition(0, 0, layer(kBehind / 2));
  behind.GetProperty()->SetAmbient(1);
  behind.GetProperty()->SetDiffuse(0);
}

void Stage::add_rods(vtkPolyData* rods) {
  if (rods == nullptr || rods->GetNumberOfCells() == 0) return;
  const auto round = tubes(*rods);
  if (view_.colouring.kind == Colouring::Kind::strands) {
    number_lines(*rods, view_.colouring.column.c_str());
    const auto numbered = tubes(*rods);
    paint(*numbered->GetCellData(), numbered->GetNumberOfCells(), view_.colouring, kPlain);
    numbered->GetPointData()->SetActiveScalars(nullptr);
    add_faces(numbered, kPlain, kBodies).GetMapper()->SetScalarModeToUseCellData();
    return;
  }
  paint(*round->GetPointData(), round->GetNumberOfPoints(), view_.colouring, kPlain);
  add_faces(round, kPlain, kBodies).GetMapper()->SetScalarModeToUsePointData();
}

void Stage::add_stored(vtkPolyData* stored) {
  if (stored == nullptr || stored->GetNumberOfCells() == 0) return;
  const WithBalls parts = with_balls(*stored);
  if (parts.balls->GetNumberOfPoints() > 0) {
    vtkActor& balls = add_balls(*parts.balls, kBallRadius, kBodies);
    balls.GetMapper()->ScalarVisibilityOff();
    balls.GetProperty()->SetColor(kStored[0], kStored[1], kStored[2]);
  }
  if (parts.others->GetNumberOfCells() > 0)
    add_faces(smooth(*parts.others), kStored, kBodies).GetMapper()->ScalarVisibilityOff();
}

void Stage::add_interface(vtkPolyData* mesh) {
  if (mesh && mesh->GetNumberOfCells() > 0) add_faces(smooth(*mesh), kMesh, kBodies).GetMapper()->ScalarVisibilityOff();
}

void Stage::add_forces(vtkPolyData* contacts, double diameter) {
  if (contacts == nullptr || contacts->GetNumberOfCells() == 0 || !(diameter > 0)) return;
  vtkNew<vtkTubeFilter> tubes;
  tubes->SetInputData(with_radii(*contacts, 0.12 * diameter));
  tubes->SetVaryRadiusToVaryRadiusByAbsoluteScalar();
  tubes->SetNumberOfSides(12);
  tubes->CappingOn();
  tubes->Update();
  vtkActor& forces = add_faces(tubes->GetOutput(), kForce, kForces);
  forces.GetMapper()->ScalarVisibilityOff();
  forces.SetPosition(0, 0, layer(kOnTop));
}

void Stage::aim() {
  vtkCamera& camera = *scene_->GetActiveCamera();
  if (!flat_) {
    lens_.aim(camera, view_.axes);
    scene_->ResetCameraClippingRange();
    double range[2];
    camera.GetClippingRange(range);
    // A floor without end must not take the digits of what stands on it.
    camera.SetClippingRange(std::max(range[0], 0.02 * lens_.distance), std::min(range[1], lens_.distance + 30 * size_));
    return;
  }
  double centre[3];
  frame_.GetCenter(centre);
  camera.SetFocalPoint(centre);
  camera.SetPosition(centre[0], centre[1], centre[2] + size_);
  camera.SetViewUp(0, 1, 0);
  camera.ParallelProjectionOn();
  camera.SetParallelScale(0.5 * seen_height());
  camera.SetClippingRange(0.5 * size_, 1.5 * size_);
}

void Stage::show(const Groups& groups, bool key) {
  constexpr double glow = 0.50;  // of walls, which are no more than a frame
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const auto& actor : faces_[g]) {
      actor->SetVisibility(groups[g]);
      if (flat_ || g != kWalls) continue;
      actor->GetProperty()->SetAmbient(key ? 0 : glow);
      actor->GetProperty()->SetDiffuse(1 - glow);
    }
    for (const auto& actor : edges_[g]) {
      actor->SetVisibility(groups[g]);
      const Colour& colour = g == kWalls ? kWallEdge : kInk;
      if (key)
        actor->GetProperty()->SetColor(0, 0, 0);  // the sun adds nothing to a line
      else
        actor->GetProperty()->SetColor(colour[0], colour[1], colour[2]);
    }
  }
}

const SunMap& Stage::sun() {
  if (!sun_.map.depth.empty()) return sun_;
  const Vec3 out = view_.axes.back(kSun).normalized(), up = view_.axes.out.cross(out).cross(out).normalized();
  sun_.axes = {up.cross(out), up, out};
  double centre[3];
  frame_.GetCenter(centre);
  sun_.middle = view_.axes.back(Vec3(centre));
  const double radius = 0.5 * size_;
  sun_.height = 2 * radius * std::max(1.0, static_cast<double>(height_) / width_);
  vtkNew<vtkCamera> camera;
  const Vec3 from = sun_.middle + 4 * radius * out;
  camera->SetFocalPoint(sun_.middle.data());
  camera->SetPosition(from.data());
  camera->SetViewUp(up.data());
  camera->ParallelProjectionOn();
  camera->SetParallelScale(0.5 * sun_.height);
  sun_.map.near = 2 * radius, sun_.map.far = 6 * radius;
  camera->SetClippingRange(sun_.map.near, sun_.map.far);
  const vtkSmartPointer<vtkCamera> before = scene_->GetActiveCamera();
  scene_->SetActiveCamera(camera);
  show({false, true, false}, true);
  grabbed(*window_, &sun_.map.depth);
  sun_.map.width = width_, sun_.map.height = height_;
  scene_->SetActiveCamera(before);
  return sun_;
}

Bitmap Stage::seen(const Groups& groups, bool shadows) {
  const auto switch_lights = [&](bool key, bool fill) {
    for (const auto& light : key_) light->SetSwitch(key);
    for (const auto& light : fill_) light->SetSwitch(fill);
  };
  show(groups, false);
  switch_lights(flat_, true);
  if (flat_) return grabbed(*window_);
  DepthMap map{width_, height_, {}, 0, 0};
  Bitmap picture = grabbed(*window_, &map.depth);
  show(groups, true);
  switch_lights(true, false);
  const Bitmap key = grabbed(*window_);
  double range[2];
  scene_->GetActiveCamera()->GetClippingRange(range);
  map.near = range[0], map.far = range[1];
  // Between neighbours, and in hollows of a heap.
  const double grain = std::max(view_.diameter, 0.01 * size_);
  auto open = openness(map, lens_, 0.8 * grain);
  const auto hollow = openness(map, lens_, std::min(4 * grain, 0.25 * size_));
  for (std::size_t k = 0; k < open.size(); ++k) open[k] = std::pow(open[k], 0.85f) * std::pow(hollow[k], 0.65f);
  const auto light = shadows ? sunlight(map, lens_, view_.axes, sun()) : std::vector<float>(open.size(), 1);
  for (std::size_t k = 0; k < open.size(); ++k)
    for (std::size_t c = 0; c < 3; ++c) {
      float& value = picture.rgba[4 * k + c];
      value = value * open[k] + key.rgba[4 * k + c] * light[k] * (0.45f + 0.55f * open[k]);
    }
  return picture;
}

Bitmap Stage::picture() {
  aim();
  if (faces_[kForces].empty()) return seen({true, true, false}, true);
  // Bodies are one pale layer, whatever their number, and all forces shine through.
  Bitmap picture = seen({true, false, false}, false);
  const Bitmap bodies = seen({true, true, false}, true);
  for (std::size_t k = 0; k < picture.rgba.size(); ++k)
    picture.rgba[k] = (1 - kPale) * picture.rgba[k] + kPale * bodies.rgba[k];
  lay_over(picture, seen({false, false, true}, false), 0, 0);
  return picture;
}

}  // namespace scree::render
