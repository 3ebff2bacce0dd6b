#include "solid.hpp"

namespace scree::obstacles {

const void* Solid::facet(std::string_view name) const noexcept {
  if (name == device::DeviceFaces::kName) return device_ ? device_->offer() : nullptr;
  if (name == ExactDistance::kName) return static_cast<const ExactDistance*>(this);
  if (name == SignedDistance::kName) return static_cast<const SignedDistance*>(this);
  if (name == Faces::kName) return static_cast<const Faces*>(this);
  if (name == WallFaces::kName && walls_alone_) return static_cast<const WallFaces*>(this);
  if (name == SweptPolyhedron::kName) return polyhedron();
  return nullptr;
}

}  // namespace scree::obstacles
