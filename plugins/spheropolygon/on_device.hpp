#pragma once
/// \file Part of the detector on a device.

#include "pair_kernel.hpp"
#include "parts.hpp"

namespace scree::spheropolygon {

class VertexEdgeOnDevice final : public device::DeviceShapePairs {
 public:
  /// \param parts  parts of the detector's shapes, by number of the shape
  VertexEdgeOnDevice(int corner_weight, const std::vector<Parts>& parts) : kernel_{corner_weight}, parts_(parts) {}

  device::DeviceStage stage() const override { return {"spheropolygon", "vertex-edge", &kernel_}; }
  /// Twice as many as two bodies have vertices, 16 to 32: small polygons pressed into each other as far as they may be
  /// have fewer. Two cows have up to 17 while overlaps are below half the sum of radii, and 29 with a margin of a
  /// quarter of it.
  int contacts() const override;
  std::vector<std::byte> tables(std::span<const std::uint32_t> shapes) const override;
  std::string trouble(int code, const device::NamedBody& a, const device::NamedBody& b) const override;

 private:
  VertexEdgeKernel kernel_;
  const std::vector<Parts>& parts_;
};

}  // namespace scree::spheropolygon
