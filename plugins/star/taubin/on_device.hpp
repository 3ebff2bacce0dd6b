#pragma once
/// \file Part of the detector on a device.

#include "scree/device/shape_pairs.hpp"
#include "taubin/sweep.hpp"

namespace scree::star {

class StarPairsOnDevice final : public device::DeviceShapePairs {
 public:
  explicit StarPairsOnDevice(const Outlines& outlines) : outlines_(outlines) {}

  device::DeviceStage stage() const override;
  device::DeviceStage sized_stage() const override;
  int contacts() const override;
  std::size_t memory() const override;
  /// \throws InputError where a shape has no table of its radius
  std::vector<std::byte> tables(std::span<const std::uint32_t> shapes) const override;
  std::string trouble(int code, const device::NamedBody& a, const device::NamedBody& b) const override;

 private:
  const Outlines& outlines_;
};

}  // namespace scree::star
