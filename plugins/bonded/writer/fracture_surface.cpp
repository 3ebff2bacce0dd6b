#include "writer/fracture_surface.hpp"

#include <vtkPolyData.h>
#include <vtkUnstructuredGrid.h>

#include "scree/base/error.hpp"
#include "writer/solid_pictures.hpp"

namespace scree::bonded {

void FractureSurface::begin(const World& world) {
  if (solid_frame(world).size() == 0)
    throw InputError(
        "writer fracture-surface: no body is a tetrahedron. Place bodies with the packing \"tetrahedra\" of kind "
        "\"bcc\" or "
        "\"kuhn\", or from a file, or remove this writer.");
}

void FractureSurface::open(const std::string& directory) {
  surface_.emplace(directory, "fracture");
  fragments_.emplace(std::filesystem::path(directory) / "fragments.csv");
  if (options_.tetrahedra) tetrahedra_.emplace(directory, "tetrahedra", "vtu");
}

void FractureSurface::resume(std::uint64_t first_frame) {
  surface_->resume(first_frame);
  fragments_->continue_earlier();
  if (tetrahedra_) tetrahedra_->resume(first_frame);
  continued_ = true;
}

std::vector<std::string> FractureSurface::files() const {
  std::vector<std::string> names = {"fracture.pvd", "fracture", "fragments.csv"};
  if (options_.tetrahedra) names.insert(names.end(), {"tetrahedra.pvd", "tetrahedra"});
  return names;
}

void FractureSurface::observe(const World& world, const ContactView*, const Frame& frame) {
  if (!continued_) {
    surface_->start_anew();
    if (tetrahedra_) tetrahedra_->start_anew();
    continued_ = true;
  }
  const SolidFrame solid = solid_frame(world);
  const std::vector<Seam>& seams = seams_of(solid);
  const Pieces parts = pieces(solid.joints, solid.lost);
  fragments_->add(frame.time, solid, parts);
  const SolidPoints points = points_of(solid.state(), solid.joints, seams, options_.watertight);
  const auto faces = shown_faces(solid.size(), solid.joints, seams, parts, options_.cracks);
  surface_->add(frame.index, frame.time, *surface_picture(solid, faces, parts, points));
  if (tetrahedra_) tetrahedra_->add(frame.index, frame.time, *solid_picture(solid, parts, points));
}

const std::vector<Seam>& FractureSurface::seams_of(const SolidFrame& frame) {
  if (seams_.size() != frame.joints.size() || seams_of_ids_ != frame.id) {
    seams_ = seams(frame.state(), frame.joints);
    seams_of_ids_ = frame.id;
  }
  return seams_;
}

}  // namespace scree::bonded
