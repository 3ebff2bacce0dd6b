#include <cmath>
#include <random>

#include "bench/packing.hpp"
#include "plugins/compliant/law_models.hpp"

namespace scree::compliant {
const device::StageTable* host_stages();
}
namespace scree::spheres {
const device::StageTable* host_stages();
}

namespace scree::device {

namespace {

constexpr double kRadius = 1e-3, kMass = 2500 * 4.18879e-9;
constexpr double kOverlap = 1e-4;  ///< relative to the radius
constexpr double kSpeed = 0.01;    ///< [m/s]

const compliant::HertzMindlinModel& law() {
  static const compliant::HertzMindlinModel model = [] {
    compliant::HertzMindlinModel m;
    m.planar = false;
    m.p.elasticity = compliant::elasticity(5e7, 0.25, 5e7, 0.25);
    m.p.damping_ratio = 0.2;
    m.p.friction = 0.5;
    return m;
  }();
  return model;
}

}  // namespace

Packing pack_spheres(std::uint32_t count) {
  const auto side = static_cast<std::uint32_t>(std::lround(std::cbrt(static_cast<double>(count) / 2)));
  const double pitch = 2 * kRadius * (1 - kOverlap) * 2 / std::sqrt(3.0);
  Packing p;
  p.radius = kRadius, p.mass = kMass, p.moment = 0.4 * kMass * kRadius * kRadius;
  p.cell = PeriodicCell(Vec3::Zero(), Vec3::Constant(side * pitch));
  p.skin = 0.3 * kRadius, p.dt = 1e-6, p.planar = false;
  std::mt19937 random(1);
  std::normal_distribution<double> speed(0, kSpeed);
  for (std::uint32_t i = 0; i < 2 * side * side * side; ++i) {
    const std::uint32_t cell = i / 2;
    const double half = i % 2 ? 0.5 : 0;
    p.x.push_back(
        {pitch * (cell % side + half), pitch * (cell / side % side + half), pitch * (cell / side / side + half)});
    p.v.push_back({speed(random), speed(random), speed(random)});
    p.w.push_back({0, 0, 0});
    p.q.push_back({0, 0, 0, 1});
  }
  static const char nothing = 0;
  p.methods->law = {{"compliant", "hertz-mindlin", &law(), compliant::host_stages()}};
  p.methods->channel.curvature = true;
  p.methods->interaction.history = law().rolling_column();
  p.define({"spheres", "sphere-sphere", &nothing, spheres::host_stages()}, 1, true);
  return p;
}

}  // namespace scree::device
