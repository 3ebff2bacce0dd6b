#include "conformance/integrator_stage.hpp"

#include <cmath>
#include <utility>

namespace scree::conformance {

namespace {

class Lump final : public Shape {
 public:
  explicit Lump(const Vec3& moments) : moments_(moments) {}
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double) const override { return {2, moments_}; }
  double bounding_radius() const noexcept override { return 1; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }

 private:
  Vec3 moments_;
};

}  // namespace

IntegratorStage::IntegratorStage(std::unique_ptr<Integrator> integrator, const Vec3& moments, ForceField force)
    : world(3), field(world, std::move(force)), integrator_(std::move(integrator)) {
  world.add_shape("lump", std::make_shared<Lump>(moments));
  world.add_material({"stuff", 1});
}

void IntegratorStage::run(double dt, int steps) {
  if (world.step == 0) {
    integrator_->columns(world);
    world.take_edits();
  }
  for (int n = 0; n < steps; ++n) {
    integrator_->step(field, dt);
    world.time = static_cast<double>(++world.step) * dt;
  }
}

Vec3 IntegratorStage::spin_momentum() const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (world.inverse_mass[i] == 0) continue;
    const Quat& q = world.orientation[i];
    sum += q * Vec3(world.inertia[i].cwiseProduct(q.conjugate() * world.angular_velocity[i]));
  }
  return sum;
}

double IntegratorStage::spin_energy() const {
  double sum = 0;
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (world.inverse_mass[i] == 0) continue;
    const Vec3 spin = world.orientation[i].conjugate() * world.angular_velocity[i];
    sum += 0.5 * world.inertia[i].dot(spin.cwiseProduct(spin));
  }
  return sum;
}

double IntegratorStage::angle() const {
  const Quat& q = world.orientation[0];
  return 2 * std::atan2(q.z(), q.w());
}

}  // namespace scree::conformance
