#pragma once
/// \file Bodies in a field of force, without contacts: cases of integrators with known solutions.

#include <functional>
#include <memory>
#include <vector>

#include "scree/integrate/integrator.hpp"

namespace scree::conformance {

using ForceField = std::function<Wrench(const World&, std::size_t row)>;

/// State of the first body when forces were evaluated.
struct Evaluation {
  std::uint64_t step;
  double dt, lag, trial_time;  ///< [s]
  Vec3 position, velocity;
  Quat orientation;
};

/// Mechanics without contacts.
class Field final : public Mechanics {
 public:
  Field(World& world, ForceField field) : world_(world), field_(std::move(field)) {}
  World& world() override { return world_; }
  Wrenches forces(double dt, double lag) override {
    force_.resize(world_.size()), torque_.resize(world_.size());
    for (std::size_t i = 0; i < world_.size(); ++i) {
      const Wrench wrench = field_(world_, i);
      force_[i] = wrench.force, torque_[i] = wrench.torque;
    }
    evaluations.push_back(
        {world_.step, dt, lag, world_.trial_time(), world_.position[0], world_.velocity[0], world_.orientation[0]});
    return last_forces();
  }
  Wrenches last_forces() const override { return {force_, torque_}; }
  void commit() override {}
  void* ability(std::string_view) noexcept override { return nullptr; }

  std::vector<Evaluation> evaluations;

 private:
  World& world_;
  ForceField field_;
  std::vector<Vec3> force_, torque_;
};

/// World of lumps of 2 kg, advanced by an integrator.
class IntegratorStage {
 public:
  IntegratorStage(std::unique_ptr<Integrator> integrator, const Vec3& moments, ForceField field);

  World world;
  Field field;

  void add(const BodySpec& body) { world.add({&body, 1}); }
  void run(double dt, int steps);

  /// Returns the angular momentum of all bodies that move freely [kg m^2/s].
  Vec3 spin_momentum() const;
  /// Returns the energy of rotation of all bodies that move freely [J].
  double spin_energy() const;
  /// Returns the rotation of the first body about z [rad].
  double angle() const;

 private:
  std::unique_ptr<Integrator> integrator_;
};

}  // namespace scree::conformance
