#include "solvers/newton/stages.hpp"

#include "solvers/newton/for_each.hpp"

namespace scree::solvers {

Stage first_stage(const Motion& start, double dt) {
  const auto copy = [](const auto& span) { return std::vector(span.begin(), span.end()); };
  const double h = kStageShare * dt;
  return {copy(start.position), copy(start.orientation), copy(start.velocity), copy(start.angular_velocity), h, h};
}

Stage second_stage(const Stage& first, std::span<const Vec3> v, std::span<const Vec3> w, double dt) {
  constexpr double kOn = (1 - kStageShare) / kStageShare;
  Stage stage = first;
  stage.reached = dt;
  for_each(v.size(), [&](std::size_t i) {
    stage.position[i] += (dt - stage.h) * v[i];
    stage.orientation[i] = retracted(first.orientation[i], (dt - stage.h) * w[i]);
    stage.velocity[i] += kOn * (v[i] - first.velocity[i]);
    stage.angular_velocity[i] += kOn * (w[i] - first.angular_velocity[i]);
  });
  return stage;
}

void finish(const Stage& stage, const Unknowns& unknowns, const Motion& x) {
  for_each(unknowns.rows(), [&](std::size_t row) {
    const std::uint32_t i = unknowns.body[row];
    x.velocity[i] = (x.position[i] - stage.position[i]) / stage.h;
    const Vec3& spin = stage.angular_velocity[i];
    const Quat base = exponential<double>(stage.h * spin) * stage.orientation[i];
    x.angular_velocity[i] = spin + logarithm(x.orientation[i] * base.conjugate()) / stage.h;
  });
}

}  // namespace scree::solvers
