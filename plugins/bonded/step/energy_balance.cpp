#include "step/energy_balance.hpp"

#include <cmath>

#include "scree/base/parallel.hpp"

namespace scree::bonded {

EnergyBalance::EnergyBalance(std::span<const EnergyTerm* const> terms, std::span<const std::uint8_t> driven,
                             const BodyColumns& bodies, const Motion& x, const Applied& applied)
    : terms_(terms),
      driven_(driven),
      bodies_(bodies),
      position_(x.position.begin(), x.position.end()),
      orientation_(x.orientation.begin(), x.orientation.end()),
      start_(sum(x, applied)) {}

EnergyBalance::Sum EnergyBalance::sum(const Motion& x, const Applied& applied) const {
  std::vector<double> energy(x.position.size());
  for (std::size_t i = 0; i < energy.size(); ++i)
    if (!driven_[i])
      energy[i] = 0.5 * bodies_.mass[i] * x.velocity[i].squaredNorm() +
                  0.5 * bodies_.moment[i] * x.angular_velocity[i].squaredNorm();
  std::vector<Wrench> resisted(x.position.size());
  std::vector<double> of_items;
  double all = ordered_sum(energy);
  for (const EnergyTerm* term : terms_) {
    of_items.assign(term->items(), 0);
    term->energies(x.moving(), of_items);
    all += ordered_sum(of_items);
    term->add_gradient(x.moving(), resisted);
  }
  return {all,
          std::move(resisted),
          {applied.force.begin(), applied.force.end()},
          {applied.torque.begin(), applied.torque.end()}};
}

double EnergyBalance::defect(const Motion& x, const Applied& applied, double friction) const {
  const Sum end = sum(x, applied);
  std::vector<double> work(x.position.size());
  for (std::size_t i = 0; i < work.size(); ++i) {
    const Vec3 way = x.position[i] - position_[i];
    const Vec3 turn = logarithm(x.orientation[i] * orientation_[i].conjugate());
    if (driven_[i])
      work[i] = 0.5 * (start_.resisted[i].force + end.resisted[i].force).dot(way) +
                0.5 * (start_.resisted[i].torque + end.resisted[i].torque).dot(turn);
    else
      work[i] = 0.5 * (start_.force[i] + end.force[i]).dot(way) + 0.5 * (start_.torque[i] + end.torque[i]).dot(turn);
  }
  const double missing = std::abs(start_.energy + ordered_sum(work) + friction - end.energy);
  return missing > 0 ? missing / end.energy : 0;
}

}  // namespace scree::bonded
