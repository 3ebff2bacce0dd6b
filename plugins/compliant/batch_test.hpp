#pragma once
/// \file Contacts as columns, for tests of laws without a scene.

#include <random>
#include <vector>

#include "scree/law/contact_law.hpp"
#include "triple.hpp"

namespace scree::compliant::test {

using V = Triple<double>;

constexpr std::size_t kCount = 203;  ///< number of contacts: not a multiple of any vector width

inline double length(V v) { return std::sqrt(dot(v, v)); }

/// Returns the normal velocity for dashpots in a step of dt: a contact that begins closes no faster than overlap/dt.
inline double damped_speed(double overlap, double speed, double dt) {
  return overlap > 0 ? larger(speed, -(1 / dt) * overlap) : speed;
}

/// `size` contacts with all columns a law may ask for, and its history.
class Batch {
 public:
  explicit Batch(std::size_t size, int history_size = 0)
      : overlap(size),
        mass(size, 1.0),
        radius(size, 1.0),
        energy(size),
        history(history_size, std::vector<double>(size)) {
    for (auto* group : {&normal, &velocity, &spin, &turn, &force, &moment})
      for (auto& column : *group) column.resize(size);
    for (double& x : normal[0]) x = 1;
  }

  /// Overlaps of either sign, any directions and speeds. \param depth, speed, rate  largest [m], [m/s], [rad/s]
  void randomize(double depth, double speed, double rate, bool planar = false) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> any(-1, 1), positive(0.5, 1.5);
    for (std::size_t i = 0; i < overlap.size(); ++i) {
      overlap[i] = depth * any(random);
      mass[i] = positive(random);
      radius[i] = positive(random);
      V n{any(random), any(random), planar ? 0 : any(random)};
      set(normal, i, (1 / length(n)) * n);
      set(velocity, i, speed * V{any(random), any(random), planar ? 0 : any(random)});
      const double flat = planar ? 0 : 1;
      set(spin, i, rate * V{flat * any(random), flat * any(random), any(random)});
      set(turn, i, rate * V{flat * any(random), flat * any(random), any(random)});
    }
  }

  ContactColumns view(std::size_t first = 0) const {
    ContactColumns c;
    c.size = overlap.size() - first;
    c.dt = dt;
    c.overlap = overlap.data() + first;
    c.mass = mass.data() + first;
    c.radius = radius.data() + first;
    for (int k = 0; k < 3; ++k) {
      c.normal[k] = normal[k].data() + first;
      c.velocity[k] = velocity[k].data() + first;
      c.spin[k] = spin[k].data() + first;
      c.turn[k] = turn[k].data() + first;
    }
    return c;
  }

  /// One evaluation: forces, moments, history, energies.
  void evaluate(const ForceFace& law, std::size_t first = 0) {
    const std::vector<std::vector<double>> before = history;
    evaluate_from(before, law, first);
  }
  /// Evaluates the law with input and output history in the same memory (ForceNeeds::history_in_place).
  void evaluate_in_place(const ForceFace& law) { evaluate_from(history, law, 0); }

  void evaluate_from(const std::vector<std::vector<double>>& before, const ForceFace& law, std::size_t first) {
    std::vector<const double*> last;
    std::vector<double*> now;
    for (auto& column : before) last.push_back(column.data() + first);
    for (auto& column : history) now.push_back(column.data() + first);
    last.resize(before.size() + 3);  // laws take the addresses of columns they do not use
    now.resize(before.size() + 3);
    ForceColumns out;
    for (int k = 0; k < 3; ++k) {
      out.force[k] = force[k].data() + first;
      out.moment[k] = moment[k].data() + first;
    }
    law.force(view(first), last.data(), now.data(), out);
    law.energy(view(first), now.data(), energy.data() + first);
  }

  using Vectors = std::vector<double>[3];
  static V at(const Vectors& group, std::size_t i = 0) { return {group[0][i], group[1][i], group[2][i]}; }
  static void set(Vectors& group, std::size_t i, V v) { group[0][i] = v.x, group[1][i] = v.y, group[2][i] = v.z; }

  double dt = 1e-4;
  std::vector<double> overlap, mass, radius, energy;
  Vectors normal, velocity, spin, turn, force, moment;
  std::vector<std::vector<double>> history;
};

/// Checks whether the law, if history may be updated in place, gives the same bits in place, twice in a row.
inline bool same_in_place(const ForceFace& law, Batch apart) {
  if (!law.needs().history_in_place) return true;
  apart.evaluate(law);  // then there is some history
  Batch in_place = apart;
  for (int step = 0; step < 2; ++step) {
    apart.evaluate(law);
    in_place.evaluate_in_place(law);
    for (int k = 0; k < 3; ++k)
      if (apart.force[k] != in_place.force[k] || apart.moment[k] != in_place.moment[k]) return false;
    if (apart.history != in_place.history || apart.energy != in_place.energy) return false;
  }
  return true;
}

}  // namespace scree::compliant::test
