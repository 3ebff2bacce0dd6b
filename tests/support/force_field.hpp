#pragma once
/// \file Bodies in a field of force, without contacts: what integrators are tested on.

#include <functional>
#include <memory>
#include <vector>

#include "scree/integrate/integrator.hpp"

namespace scree::test {

/// A mass of 2 kg with the given principal moments, by default three different ones, and nothing else.
class Lump : public Shape {
 public:
  explicit Lump(int dimension, const Vec3& moments = {2, 3, 7}) : dimension_(dimension), moments_(moments) {}
  int dimension() const noexcept override { return dimension_; }
  MassProperties mass(double) const override { return {2, moments_}; }
  double bounding_radius() const noexcept override { return 1; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }

 private:
  int dimension_;
  Vec3 moments_;
};

using ForceField = std::function<Wrench(const World&, std::size_t row)>;

/// Mechanics without contacts: a force field over bodies.
class Field : public Mechanics {
 public:
  Field(World& world, ForceField field) : world_(world), field_(std::move(field)) {}
  World& world() override { return world_; }
  Wrenches forces(double, double) override {
    ++evaluations;
    force_.resize(world_.size());
    torque_.resize(world_.size());
    for (std::size_t i = 0; i < world_.size(); ++i) {
      const Wrench wrench = field_(world_, i);
      force_[i] = wrench.force;
      torque_[i] = wrench.torque;
    }
    return last_forces();
  }
  Wrenches last_forces() const override { return {force_, torque_}; }
  void commit() override { ++commits; }
  void* ability(std::string_view) noexcept override { return nullptr; }
  int evaluations = 0, commits = 0;

 private:
  World& world_;
  ForceField field_;
  std::vector<Vec3> force_, torque_;
};

/// One body on a spring of friction: the spring grows by velocity times dt from what was committed, as in contact laws.
class FrictionSpring : public Mechanics {
 public:
  explicit FrictionSpring(World& world) : world_(world) {}
  World& world() override { return world_; }
  Wrenches forces(double dt, double) override {
    trial_ = committed_ + world_.velocity.read()[0][0] * dt;
    force_[0] = {-2 * trial_, 0, 0};  // omega = 1: the mass is 2 kg
    return last_forces();
  }
  Wrenches last_forces() const override { return {force_, torque_}; }
  void commit() override { committed_ = trial_; }
  void* ability(std::string_view) noexcept override { return nullptr; }

 private:
  World& world_;
  double committed_ = 0, trial_ = 0;
  std::vector<Vec3> force_{Vec3::Zero()}, torque_{Vec3::Zero()};
};

/// A World of one shape and one material.
struct Stage {
  explicit Stage(int dimension, const Vec3& moments = {2, 3, 7}) : world(dimension) {
    world.add_shape("lump", std::make_shared<Lump>(dimension, moments));
    world.add_material({"stuff", 1});
  }
  Id add(BodySpec spec) { return world.add(std::vector{spec}).front(); }
  void run(Integrator& integrator, Mechanics& field, double dt, int steps) {
    integrator.columns(world);
    for (int n = 0; n < steps; ++n) {
      integrator.step(field, dt);
      world.time = static_cast<double>(++world.step) * dt;
    }
  }
  World world;
};

inline BodySpec moving(const Vec3& velocity) {
  BodySpec spec;
  spec.velocity = velocity;
  return spec;
}

}  // namespace scree::test
