#pragma once
/// \file The bond law "ball-joint": two bodies keep a point in common; in the plane a hinge.

#include <vector>

#include "scree/law/bond_law.hpp"

namespace scree::nonsmooth {

class BallJoint final : public BondLaw, public BondJoints {
 public:
  /// \param position  place of the point on the branch when the bond is made: 0 at the first body's centre, 1 at the
  ///                  second's
  explicit BallJoint(double position) : position_(position) {}

  void bind(const BondView& bonds, std::size_t bodies) override;
  const void* face(std::string_view name) const noexcept override;
  BondTraits traits() const override { return {.can_break = false}; }
  void utilisation(const Configuration& x, std::span<double> out) const override;

  void arms(const Configuration& x, std::span<Vec3> arm_a, std::span<Vec3> arm_b) const override;

 private:
  struct Bound {
    std::uint32_t a, b;     ///< rows
    Vec3 point_a, point_b;  ///< the point, from the centres, in the bodies' axes [m]
  };
  double position_;
  std::vector<Bound> bonds_;
};

}  // namespace scree::nonsmooth
