#pragma once
/// \file The shape of the bodies that aggregates are: a frame that tells others what is stored in it.

#include "scree/hooks/stored_bodies.hpp"

namespace scree::culling {

class Culling;

/// Bodies of it have no surface. World::frame_shape() is this shape while the culling is at work.
class Carrier final : public Shape, private StoredBodies {
 public:
  explicit Carrier(Culling& culling) : culling_(&culling) {}
  /// The culling ends: nothing is stored from now on.
  void forget() { culling_ = nullptr; }
  const Culling* culling() const { return culling_; }

  int dimension() const noexcept override { return 3; }
  MassProperties mass(double) const override { return {}; }
  double bounding_radius() const noexcept override { return 0; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view name) const noexcept override;

 private:
  std::size_t size() const override;
  void each(const World& world, const VisitBody& visit) const override;
  void bring_back(World& world, HistoryStore& history, std::span<const Id> ids) const override;

  Culling* culling_;
};

}  // namespace scree::culling
