#pragma once
/// \file A gas of cows between walls that starts without spin: how its energy spreads over all degrees of freedom.

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "scenes.hpp"

namespace scree::test {

struct CowGas {
  int side;          ///< cows along each side of the lattice they start on
  double box;        ///< width of the walls [m]
  double stiffness;  ///< [N/m]
  double dt;         ///< [s]
  double speed = 1;  ///< of all cows at the start [m/s]
};

/// Cows of density 1 that move in random directions, at random angles.
inline std::string cow_gas(const CowGas& gas) {
  const double spacing = gas.box / gas.side, first = (spacing - gas.box) / 2;
  const std::string law =
      fmt::format(R"({{"type": "linear", "normal_stiffness": {}, "tangential": "none"}})", gas.stiffness);
  return fmt::format(
      R"({{"dimension": 2, "materials": {{"cow": {{"density": 1}}, "wall": {{}}}},
"shapes": {{"cow": {{"type": "spheropolygon", "file": "{}", "radius": 0.1, "position_of": "centre-of-mass"}},
"walls": {{"type": "box", "half_sizes": [{}, {}], "inside": true}}}},
"bodies": [{{"shape": "cow", "material": "cow", "orientation": "random", "random_speed": {}, "seed": 7,
"packing": {{"type": "lattice", "lower": [{}, {}], "counts": [{}, {}], "spacing": {}}}}},
{{"shape": "walls", "material": "wall", "fixed": true, "position": [0, 0]}}],
"interactions": [{{"between": ["cow", "cow"], "detector": {{"type": "vertex-edge", "corner_weight": 0}}, "law": {}}},
{{"between": ["cow", "wall"], "law": {}}}],
"integrator": {{"type": "velocity-verlet", "dt": {}}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
      SCREE_COW, gas.box / 2, gas.box / 2, gas.speed, first, first, gas.side, gas.side, spacing, law, law, gas.dt);
}

/// Largest distance between the distribution of a sample and a law.
template <class Cdf>
double kolmogorov_distance(std::vector<double> sample, const Cdf& cdf) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double worst = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double p = cdf(sample[i]), k = static_cast<double>(i);
    worst = std::max({worst, p - k / n, (k + 1) / n - p});
  }
  return worst;
}

struct Equilibrium {
  double ratio = 0;              ///< mean of energy of rotation over that of translation
  double modes[3] = {0, 0, 0};   ///< mean energies of v_x, v_y and spin, in units of their mean
  double variance = 0;           ///< of a cow's energy, in units of its mean
  double distance = 0;           ///< Kolmogorov's, of all energies of cows to the microcanonical law
  double worst_energy = 0;       ///< largest relative error of the energy of all samples, contacts included
  double steps_per_rebuild = 0;  ///< of the list of pairs of bodies
};

/// Samples every 0.5 s after `from` until `until` [s]. With fixed walls and given total energy, a cow's share of the
/// kinetic energy, three squares of 3 N, is distributed as Beta(3/2, 3 (N - 1)/2).
inline Equilibrium equilibrium(const CowGas& gas, double from, double until) {
  Running run(cow_gas(gas));
  World& world = run.world();
  ContactPipeline& pipeline = mechanics_of(run.prepared).pipeline();
  const double start = totals(world, Vec3::Zero()).kinetic();
  const auto n = static_cast<double>(gas.side * gas.side);
  const auto stride = static_cast<std::uint64_t>(std::llround(0.5 / gas.dt));
  Equilibrium out;
  std::vector<double> shares;
  int samples = 0;
  for (int s = 1; 0.5 * s <= until; ++s) {
    run.steps(stride - 1);
    pipeline.compute_energy(true);
    run.steps(1);
    pipeline.compute_energy(false);
    const Totals t = totals(world, Vec3::Zero());
    out.worst_energy =
        std::max(out.worst_energy, std::abs((t.kinetic() + pipeline.counts().elastic_energy) / start - 1));
    if (0.5 * s <= from) continue;
    ++samples;
    out.ratio += t.kinetic_rotation / t.kinetic_translation;
    const auto v = world.velocity.read(), w = world.angular_velocity.read(), inertia = world.inertia.read();
    const auto mass = world.inverse_mass.read();
    for (std::size_t row = 0; row < world.size(); ++row) {
      if (mass[row] == 0) continue;  // the walls
      const double modes[3] = {v[row].x() * v[row].x() / mass[row] / 2, v[row].y() * v[row].y() / mass[row] / 2,
                               inertia[row].z() * w[row].z() * w[row].z() / 2};
      for (int k = 0; k < 3; ++k) out.modes[k] += 3 * modes[k] / t.kinetic();
      shares.push_back((modes[0] + modes[1] + modes[2]) / t.kinetic());
    }
  }
  out.ratio /= samples;
  for (double& mode : out.modes) mode /= samples;
  for (const double share : shares) out.variance += std::pow(n * share - 1, 2) / static_cast<double>(shares.size());
  const boost::math::beta_distribution<> law(1.5, 1.5 * (n - 1));
  out.distance = kolmogorov_distance(shares, [&](double share) { return cdf(law, share); });
  out.steps_per_rebuild = static_cast<double>(world.step) / static_cast<double>(pipeline.rebuilds);
  fmt::print(
      "{} cows: E_rot/E_lin {:.4f}, modes {:.3f} {:.3f} {:.3f}, variance {:.3f}, Kolmogorov distance {:.4f}, "
      "energy error {:.1e}, {:.0f} steps per list of pairs\n",
      n, out.ratio, out.modes[0], out.modes[1], out.modes[2], out.variance, out.distance, out.worst_energy,
      out.steps_per_rebuild);
  return out;
}

}  // namespace scree::test
