#pragma once
/// \file Interface that an integrator drives: contacts and forces at any trial state, committed once per step.

#include <span>
#include <string>
#include <string_view>

#include "scree/base/api.hpp"
#include "scree/base/error.hpp"
#include "scree/base/types.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Forces [N] and torques [N m] on bodies, world axes, rows as in the World. Valid until the next evaluation.
struct Wrenches {
  std::span<const Vec3> force, torque;
  Wrench operator[](std::size_t row) const { return {force[row], torque[row]}; }
};

/// Rows [first, end).
struct RowRange {
  std::size_t first, end;
  std::size_t size() const { return end - first; }
};

/// Implemented by the host's engine and by device backends.
///
/// The trial state is what stands in the World's columns. Evaluations read *committed* contact history and write
/// *trial* history; commit() makes the last trial the committed one. An integrator that evaluates several times per
/// step (RK4, Newton) therefore never corrupts a spring. Rows keep their order until commit(), which may reorder them:
/// take spans again after it.
class SCREE_API Mechanics {
 public:
  virtual ~Mechanics();
  virtual World& world() = 0;

  /// Total force and torque on each body, rows as in the World: contacts, gravity, global damping. Members' contact
  /// forces are already on their owners. The World must have been brought to the time of the trial by
  /// World::move_prescribed(): prescribed bodies and forces that vary in time (gravity) are those of that time.
  /// \param dt   [s] the time over which tangential springs grow since the last commit. Where the integrator
  ///             `evaluates_once` (IntegratorTraits), the history of an evaluation with dt > 0 is committed at once,
  ///             and one with dt = 0 leaves none
  /// \param lag  [s] velocities are those of so long before the positions: dt/2 where they are those of the middle of
  ///             the step (kicks and drifts), 0 where both are of one moment. Laws get velocities at the contact with
  ///             the normal and the arms of the velocities' moment, turned with the contact since then: else bodies
  ///             that turn as one would slip by about w^2 R lag [m/s], always in the same direction
  virtual Wrenches forces(double dt, double lag = 0) = 0;

  /// Forces and torques of the last evaluation, by current rows: forces follow their bodies when rows change order, and
  /// are in checkpoints. Zero for bodies added since then, and before the first evaluation.
  virtual Wrenches last_forces() const = 0;

  /// Accepts the last evaluation's history and the World's state as the new step. Checks the state: \throws
  /// NumericalError.
  virtual void commit() = 0;

  /// Rows to advance, ascending: all, unless processes share the run and the integrator has
  /// IntegratorTraits::owned_rows_only. Forces are then known for owned rows alone, and other rows have an earlier
  /// state. Valid until the next call, any of which may divide rows differently. Default: all.
  virtual std::span<const RowRange> owned_rows();

  /// Further abilities by versioned name ("impulses/1", "energies/1"), or nullptr when this backend lacks them.
  /// Converted from a pointer to exactly the ability's type.
  virtual void* ability(std::string_view name) noexcept = 0;

 private:
  RowRange all_{};
};

/// \throws InputError when this backend lacks the ability
template <class A>
A& ability(Mechanics& mechanics) {
  if (void* const found = mechanics.ability(A::kName)) return *static_cast<A*>(found);
  throw InputError("this device offers no " + std::string(A::kName) +
                   ", which the integrator needs. Use --device cpu, or another integrator.");
}

}  // namespace scree
