#pragma once
/// \file Columns behind a BondView.

#include <vector>

#include "scree/law/bond_law.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Bonds as a law reads them. \see BondView
class BoundBonds {
 public:
  /// Adds a bond. \param memory  numbers kept by laws: the same count for all
  void add(const World& world, const Bonds::Spec& bond, std::span<const double> memory = {}) {
    const std::size_t i = *world.row(bond.a), j = *world.row(bond.b);
    const auto shape = world.shape.read();
    const auto scale = world.scale.read();
    a_.push_back(static_cast<std::uint32_t>(i));
    b_.push_back(static_cast<std::uint32_t>(j));
    id_a_.push_back(bond.a);
    id_b_.push_back(bond.b);
    section_.push_back(bond.section);
    branch_.push_back(bond.branch);
    joint_.push_back(bond.joint);
    made_a_.push_back(bond.made_a);
    made_b_.push_back(bond.made_b);
    shape_a_.push_back(world.shapes()[shape[i]].shape.get());
    shape_b_.push_back(world.shapes()[shape[j]].shape.get());
    scale_a_.push_back(scale[i]);
    scale_b_.push_back(scale[j]);
    memory_.insert(memory_.end(), memory.begin(), memory.end());
  }
  std::size_t size() const { return a_.size(); }
  std::span<const std::uint32_t> a() const { return a_; }
  std::span<const std::uint32_t> b() const { return b_; }
  std::span<double> memory() { return memory_; }
  BondView view() const {
    return {a_,       b_,       section_, branch_,  made_a_, made_b_, joint_,
            shape_a_, shape_b_, scale_a_, scale_b_, memory_, id_a_,   id_b_};
  }

 private:
  std::vector<std::uint32_t> a_, b_;
  std::vector<Id> id_a_, id_b_;
  std::vector<double> section_;
  std::vector<Vec3> branch_, joint_;
  std::vector<Quat> made_a_, made_b_;
  std::vector<const Shape*> shape_a_, shape_b_;
  std::vector<double> scale_a_, scale_b_, memory_;
};

}  // namespace scree
