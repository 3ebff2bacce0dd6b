#pragma once
/// \file What the detector answers when a device asks for its part.

#include "outline.hpp"
#include "scree/device/node_walls.hpp"

namespace scree::nodes_to_surface {

class NodesOnDevice final : public device::DeviceOutlines {
 public:
  explicit NodesOnDevice(const std::vector<Outline>& outlines) : outlines_(outlines) {}
  std::vector<std::byte> tables(std::span<const std::uint32_t> shapes) const override;
  std::string trouble(int code, const device::NamedBody& a, const device::NamedBody& b) const override;

 private:
  const std::vector<Outline>& outlines_;
};

/// Why two bodies have no contact where a field has no gradient.
std::string no_normal_text(Id a, Id b);

}  // namespace scree::nodes_to_surface
