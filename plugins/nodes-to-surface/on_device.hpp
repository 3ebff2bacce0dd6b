#pragma once
/// \file Part of the detector on a device.

#include <map>

#include "bake.hpp"
#include "outline.hpp"
#include "scree/device/node_walls.hpp"

namespace scree::nodes_to_surface {

/// Tables of shapes: nodes and baked fields. A field is baked once, when it is first asked for.
class ShapesOnDevice {
 public:
  explicit ShapesOnDevice(const std::vector<Outline>& outlines) : outlines_(outlines) {}

  /// \throws InputError where a field cannot be baked
  std::vector<std::byte> tables(std::span<const std::uint32_t> nodes_of,
                                std::span<const std::uint32_t> fields_of) const;
  /// The outlines are others now.
  void forget() { baked_.clear(); }
  /// Returns the errors of all baked shapes.
  std::vector<device::ShapeError> errors() const;

 private:
  const BakedShape& baked(std::uint32_t shape) const;

  const std::vector<Outline>& outlines_;
  mutable std::map<std::uint32_t, BakedShape> baked_;  ///< asked for at set-up, by one thread
};

/// Pairs of bodies.
class PairsOnDevice final : public device::DeviceShapePairs {
 public:
  explicit PairsOnDevice(const ShapesOnDevice& shapes) : shapes_(shapes) {}
  device::DeviceStage stage() const override;
  int contacts() const override { return device::NodesInFields::kContacts; }
  std::vector<std::byte> tables(std::span<const std::uint32_t> shapes) const override {
    return shapes_.tables(shapes, shapes);
  }
  std::vector<device::ShapeError> errors() const override { return shapes_.errors(); }
  std::string trouble(int code, const device::NamedBody& a, const device::NamedBody& b) const override;

 private:
  const ShapesOnDevice& shapes_;
};

/// Bodies and obstacles.
class OutlinesOnDevice final : public device::DeviceOutlines {
 public:
  explicit OutlinesOnDevice(const ShapesOnDevice& shapes) : shapes_(shapes) {}
  std::vector<std::byte> tables(std::span<const std::uint32_t> nodes_of,
                                std::span<const std::uint32_t> fields_of) const override {
    return shapes_.tables(nodes_of, fields_of);
  }
  std::string trouble(int code, const device::NamedBody& a, const device::NamedBody& b) const override;

 private:
  const ShapesOnDevice& shapes_;
};

/// Why two bodies have no contact where a field has no gradient.
std::string no_normal_text(Id a, Id b);

}  // namespace scree::nodes_to_surface
