#pragma once
/// \file Scene of one picture: its bodies, walls and forces, seen by a viewer and lit.

#include <vtkActor.h>
#include <vtkLight.h>
#include <vtkNew.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkSmartPointer.h>

#include <array>
#include <vector>

#include "bitmap.hpp"
#include "light.hpp"
#include "view.hpp"

class vtkPolyData;

namespace scree::render {

class Stage {
 public:
  /// \param frame          box that is seen, in the viewer's axes
  /// \param width, height  size of the picture [pixels]
  /// \param fineness       pixels across a pixel that is shown, for widths of lines
  Stage(const View& view, const vtkBoundingBox& frame, int width, int height, int fineness);

  void add_walls(vtkPolyData* walls);
  /// \param above  in 2D: true if they lie in front of grains
  void add_bodies(vtkPolyData& bodies, bool above);
  /// Adds bonded tetrahedra as one solid, with flat cracks: where a sharp edge ends in a crack, a smooth one would run
  /// from the one side to the other.
  void add_solid(vtkPolyData& outside, vtkPolyData& cracks);
  /// Adds points of a continuum without edges.
  void add_points(vtkPolyData& points);
  /// Adds small balls, each with its colour. In the plane there would be gaps between them.
  void add_grains(vtkPolyData& grains, vtkPolyData& particles);
  void add_rods(vtkPolyData* rods);
  void add_stored(vtkPolyData* stored);
  void add_interface(vtkPolyData* mesh);
  /// Adds contact forces, which shine through pale bodies. \param diameter  of a particle [m]
  void add_forces(vtkPolyData* contacts, double diameter);

  Bitmap picture();
  /// Returns the height that is seen at the middle [m].
  double seen_height() const;

 private:
  enum Group { kWalls, kBodies, kForces };
  using Groups = std::array<bool, 3>;

  vtkActor& add_faces(vtkPolyData* data, const Colour& colour, Group group);
  vtkActor& add_balls(vtkPolyData& points, const char* radius, Group group);
  vtkActor& add_edges(vtkPolyData* lines, const Colour& colour, double pixels, Group group);
  void add_coloured(vtkPolyData& cells, Group group, const Colour& plain, bool refined);
  void add_light(const Vec3& from, double intensity, bool key);
  double pixels_of(double length) const;
  double layer(double depth) const { return flat_ ? depth * size_ : 0; }
  void aim();
  /// \param key  true if the sun alone shines
  void show(const Groups& groups, bool key);
  Bitmap seen(const Groups& groups, bool shadows);
  const SunMap& sun();

  const View& view_;
  vtkBoundingBox frame_;
  bool flat_;
  double size_;
  int width_, height_, fineness_;
  Lens lens_;
  vtkNew<vtkRenderWindow> window_;
  vtkNew<vtkRenderer> scene_;
  std::array<std::vector<vtkSmartPointer<vtkActor>>, 3> faces_, edges_;
  std::vector<vtkSmartPointer<vtkLight>> key_, fill_;
  SunMap sun_;
};

}  // namespace scree::render
