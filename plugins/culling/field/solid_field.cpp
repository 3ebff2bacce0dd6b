#include "field/solid_field.hpp"

namespace scree::culling {

namespace {

/// From where OpenVDB is faster. A compact heap has about 60 voxels per ball; at 200 they take the same time.
constexpr double kVoxelsPerBall = 300;

bool is_sparse(const FieldBox& box, std::size_t balls) {
  const double voxels = ((box.upper - box.lower) / box.voxel).prod();
  return voxels > kVoxelsPerBall * static_cast<double>(balls) || voxels > kMostDenseVoxels;
}

}  // namespace

SolidField::~SolidField() = default;

std::unique_ptr<SolidField> make_field(FieldKind kind, const FieldBox& box, double deepest, std::size_t balls) {
  const bool sparse =
      kind == FieldKind::openvdb || (kind == FieldKind::automatic && has_openvdb() && is_sparse(box, balls));
  return sparse ? make_openvdb_field(box, deepest) : make_dense_field(box);
}

}  // namespace scree::culling
