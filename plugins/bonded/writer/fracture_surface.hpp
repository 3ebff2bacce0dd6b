#pragma once
/// \file The observer `fracture-surface`: tetrahedra.pvd and fracture.pvd, for ParaView, and fragments.csv.

#include <optional>

#include "scree/hooks/hook.hpp"
#include "vtk_files/frame_list.hpp"
#include "writer/fragment_table.hpp"

namespace scree::bonded {

struct FractureSurfaceOptions {
  bool watertight = true;  ///< corners that hang together are one point, their mean
  bool tetrahedra = true;  ///< true to write tetrahedra.pvd
  CrackFaces cracks = CrackFaces::broken;
};

class FractureSurface final : public Observer {
 public:
  explicit FractureSurface(const FractureSurfaceOptions& options) : options_(options) {}

  /// \throws InputError where no body is a tetrahedron
  void begin(const World& world) override;
  /// \throws IoError for a folder that cannot be written
  void open(const std::string& directory) override;
  void resume(std::uint64_t first_frame) override;
  void observe(const World& world, const ContactView* contacts, const Frame& frame) override;
  std::vector<std::string> files() const override;

 private:
  const std::vector<Seam>& seams_of(const SolidFrame& frame);

  FractureSurfaceOptions options_;
  std::optional<vtk::FrameList> surface_, tetrahedra_;
  std::optional<FragmentTable> fragments_;
  bool continued_ = false;  ///< the lists go on
  std::vector<Seam> seams_;
  std::vector<Id> seams_of_ids_;  ///< seams change with the set of bodies alone
};

}  // namespace scree::bonded
