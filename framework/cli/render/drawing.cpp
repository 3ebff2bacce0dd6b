#include "drawing.hpp"

#include <vtkPolyData.h>

#include <algorithm>

#include "legend.hpp"
#include "sand.hpp"
#include "solid.hpp"
#include "stage.hpp"

namespace scree::render {

namespace {

constexpr int kFineness = 2;          // drawn at twice the size and averaged: smooth lines on any graphics driver
constexpr double kSceneWidth = 0.87;  // of the picture where a legend stands to the right
constexpr double kFoot = 0.045;       // height of the line with time and length, of the picture's width
constexpr double kText = 0.019;       // height of letters

/// Returns the page. Its sizes are even, so that averaging loses no row.
Page page_of(const View& view, int width) {
  constexpr double lowest = 0.42, highest = 1.3;  // height of the scene by its width
  const vtkBoundingBox frame = view.frame();
  const double part = view.style.legend && view.colouring.has_legend() ? kSceneWidth : 1,
               shape = frame.GetLength(1) / std::max(frame.GetLength(0), 1e-300);
  const auto even = [](double pixels) { return 2 * kFineness * static_cast<int>(pixels / (2 * kFineness) + 0.5); };
  const int drawn = kFineness * width, scene = part < 1 ? even(part * drawn) : drawn,
            foot = view.style.legend ? even(kFoot * drawn) : 0;
  return {drawn, foot + even(scene * std::clamp(shape, lowest, highest)), scene, foot, static_cast<int>(kText * drawn)};
}

/// Returns the frame with room for the legend beside it and the foot below: floors run on behind them.
vtkBoundingBox whole_page(const vtkBoundingBox& scene, const Page& page) {
  const double wide = std::max(scene.GetLength(0), scene.GetLength(1) * page.scene_width / (page.height - page.foot)),
               high = std::max(scene.GetLength(1), scene.GetLength(0) * (page.height - page.foot) / page.scene_width);
  double centre[3];
  scene.GetCenter(centre);
  const double right = centre[0] - wide / 2 + wide * page.width / page.scene_width,
               bottom = centre[1] + high / 2 - high * page.height / (page.height - page.foot);
  return {centre[0] - wide / 2, right, bottom, centre[1] + high / 2, scene.GetBound(4), scene.GetBound(5)};
}

/// Returns the ground of the page: white in 2D, and a light sky in 3D.
Bitmap ground(const Page& page, const View& view) {
  Bitmap picture(page.width, page.height);
  if (view.style.transparent) return picture;
  const float top[] = {0.925f, 0.940f, 0.958f};
  for (int y = 0; y < page.height; ++y) {
    const float part = view.is_flat() ? 0 : static_cast<float>(y) / static_cast<float>(page.height);
    for (int x = 0; x < page.width; ++x) {
      float* const pixel = picture.at(x, y);
      for (int c = 0; c < 3; ++c) pixel[c] = 1 - part * part * (1 - top[c]);
      pixel[3] = 1;
    }
  }
  return picture;
}

void add_subject(Stage& stage, const Subject& subject) {
  const Parted parts = parted(*subject.particles);
  const bool given = subject.grains != nullptr && are_grains(*subject.grains);
  const auto grains = given                                  ? subject.grains
                      : parts.points->GetNumberOfCells() > 0 ? sampled_grains(*parts.points)
                                                             : nullptr;
  stage.add_walls(subject.walls);
  if (grains)
    stage.add_grains(*grains, *parts.points);
  else
    stage.add_points(*parts.points);
  if (const auto solid = solid_parts(*parts.bodies))
    stage.add_solid(*solid->outside, *solid->cracks);
  else
    stage.add_bodies(*parts.bodies, grains != nullptr);
  stage.add_rods(subject.rods);
  stage.add_stored(subject.stored);
  stage.add_interface(subject.interface);
  stage.add_forces(subject.contacts, diameter_of(subject));
}

}  // namespace

Bitmap draw(const Subject& subject, const View& view, int width) {
  const Page page = page_of(view, width);
  Stage stage(view, whole_page(view.frame(), page), page.width, page.height, kFineness);
  add_subject(stage, subject);
  Bitmap picture = ground(page, view);
  lay_over(picture, stage.picture(), 0, 0);
  if (view.style.legend) {
    Notes notes;
    if (view.colouring.has_legend()) notes.colouring = &view.colouring;
    notes.mesh = subject.interface != nullptr, notes.stored = subject.stored != nullptr;
    notes.title = view.colouring.column, notes.time = subject.time;
    notes.metres_per_pixel = stage.seen_height() / page.height;
    lay_over(picture, legend(page, notes), 0, 0);
  }
  return shrunk(picture, kFineness);
}

}  // namespace scree::render
