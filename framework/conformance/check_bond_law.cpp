#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "conformance/checks.hpp"
#include "conformance/encounter.hpp"
#include "scree/base/error.hpp"
#include "scree/law/bond_law.hpp"

namespace scree::conformance {

namespace {

constexpr std::size_t kBodies = 4;

/// Bodies in a row along z, each joined to the next, at rest when they were made.
struct Chain {
  std::vector<std::uint32_t> a = {0, 1, 2}, b = {1, 2, 3};
  std::vector<Id> id_a = {0, 1, 2}, id_b = {1, 2, 3};
  std::vector<double> section, scale = std::vector<double>(3, 1.0), memory;
  std::vector<Vec3> branch, joint, position;
  std::vector<Quat> made = std::vector<Quat>(3, Quat::Identity()), orientation;
  std::vector<const Shape*> shapes;
  double length;

  explicit Chain(const Shape& shape) : length(2 * shape.bounding_radius()) {
    section.assign(3, std::numbers::pi / 64 * length * length);
    branch.assign(3, Vec3(0, 0, length));
    joint.assign(3, Vec3(0, 0, length / 2));
    shapes.assign(3, &shape);
    for (std::size_t i = 0; i < kBodies; ++i) position.emplace_back(0, 0, length * static_cast<double>(i));
    orientation.assign(kBodies, Quat::Identity());
  }
  BondView view(std::size_t from = 0) const {
    const auto rest = [&](const auto& column) { return std::span(column).subspan(from); };
    const auto of_memory = std::span(memory).subspan(from * (memory.size() / 3));
    return {rest(a),      rest(b),      rest(section), rest(branch), rest(made), rest(made), rest(joint),
            rest(shapes), rest(shapes), rest(scale),   rest(scale),  of_memory,  rest(id_a), rest(id_b)};
  }
  Configuration now() const { return {position, orientation}; }

  /// Moves every body a little: by `by` times the numbers of `draws`.
  void move(Draws draws, double by) {
    for (std::size_t i = 0; i < kBodies; ++i) {
      position[i] += by * length * draws.direction(3);
      orientation[i] = (Quat(Eigen::AngleAxisd(by, draws.direction(3))) * orientation[i]).normalized();
    }
  }
  void move_one(std::size_t body, int coordinate, double by) {
    if (coordinate < 3) {
      position[body][coordinate] += by;
    } else {
      Vec3 axis = Vec3::Zero();
      axis[coordinate - 3] = 1;
      orientation[body] = Quat(Eigen::AngleAxisd(by, axis)) * orientation[body];
    }
  }
};

/// Returns a coordinate in which derivatives are compared: forces times the length, like torques.
double coordinate_of(const Wrench& w, int k, double length) { return k < 3 ? w.force[k] * length : w.torque[k - 3]; }

/// Returns the deviation of wrenches from minus the derivative of an energy, over the largest of them.
template <class Energy>
double slope_error(const Chain& chain, const std::vector<Wrench>& wrench, double sign, const Energy& energy) {
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < kBodies; ++i)
    for (int k = 0; k < 6; ++k) {
      const double unit = k < 3 ? chain.length : 1, step = 1e-6 * unit;
      Chain up = chain, down = chain;
      up.move_one(i, k, step);
      down.move_one(i, k, -step);
      const double slope = (energy(up) - energy(down)) / (2 * step) * unit;
      const double given = sign * coordinate_of(wrench[i], k, chain.length);
      worst = std::max(worst, std::abs(slope - given));
      largest = std::max(largest, std::abs(given));
    }
  return largest > 0 ? worst / largest : 0;
}

/// Returns the sum of bonds' wrenches, over the largest of them: bonds exert no net force.
double imbalance(const Chain& chain, const std::vector<Wrench>& wrench) {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  double largest = 0;
  for (std::size_t i = 0; i < kBodies; ++i) {
    force += wrench[i].force;
    torque += wrench[i].torque + chain.position[i].cross(wrench[i].force);
    largest = std::max({largest, wrench[i].force.norm() * chain.length, wrench[i].torque.norm()});
  }
  return largest > 0 ? std::max(force.norm() * chain.length, torque.norm()) / largest : 0;
}

class Blocks final : public HessianSink {
 public:
  Blocks() : block_(kBodies * kBodies, Block6::Zero()) {}
  Block6* block(std::uint32_t a, std::uint32_t b) const override { return &block_[a * kBodies + b]; }
  double at(std::size_t row, int k, std::size_t column, int m) const { return block_[row * kBodies + column](k, m); }

 private:
  mutable std::vector<Block6> block_;
};

double hessian_error(const EnergyTerm& energy, const Chain& chain) {
  Blocks blocks;
  energy.add_hessian(chain.now(), Curvature::exact, blocks);
  double worst = 0, largest = 0;
  for (std::size_t j = 0; j < kBodies; ++j)
    for (int m = 0; m < 6; ++m) {
      const double unit = m < 3 ? chain.length : 1, step = 1e-6 * unit;
      std::vector<Wrench> to[2];
      for (const int side : {0, 1}) {
        Chain moved = chain;
        moved.move_one(j, m, side == 0 ? -step : step);
        to[side].assign(kBodies, Wrench{Vec3::Zero(), Vec3::Zero()});
        energy.add_gradient(moved.now(), to[side]);
      }
      for (std::size_t i = 0; i < kBodies; ++i)
        for (int k = 0; k < 6; ++k) {
          const double slope =
              (coordinate_of(to[1][i], k, chain.length) - coordinate_of(to[0][i], k, chain.length)) / (2 * step) * unit;
          const double given = blocks.at(i, k, j, m) * (k < 3 ? chain.length : 1) * unit;
          // The second derivative by two rotations of one body depends on their order: half a commutator each.
          if (i == j && k >= 3 && m >= 3 && k != m) continue;
          worst = std::max(worst, std::abs(slope - given));
          largest = std::max(largest, std::abs(given));
        }
    }
  return largest > 0 ? worst / largest : 0;
}

/// Results of a law for the last two bonds, and for the bodies that no other bond holds.
struct Told {
  std::vector<Wrench> wrench = std::vector<Wrench>(kBodies, Wrench{Vec3::Zero(), Vec3::Zero()});
  double load[2];

  Told(BondLaw& law, const Chain& chain, std::size_t first_bond) {
    law.bind(chain.view(first_bond), kBodies);
    if (const auto* forces = face<BondForces>(law)) forces->add_wrenches(chain.now(), wrench);
    std::vector<double> loads(3 - first_bond);
    law.utilisation(chain.now(), loads);
    std::copy(loads.end() - 2, loads.end(), load);
  }
  bool operator==(const Told& other) const {
    for (const std::size_t i : {2, 3})
      if (wrench[i].force != other.wrench[i].force || wrench[i].torque != other.wrench[i].torque) return false;
    return load[0] == other.load[0] && load[1] == other.load[1];
  }
};

/// Checks a law on several processes that share bonds: each knows those of its bodies.
Row judge_alone(BondLaw& law, const Chain& chain) {
  const Told all(law, chain, 0), some(law, chain, 1);
  return judged(
      "a bond is the same whatever others are bound", all == some,
      all == some ? "same bits without the first of three bonds" : "other bits without the first of three bonds");
}

Rows look(const BondLaw& law, const Chain& chain) {
  Rows rows;
  const std::string none = "no face ";
  if (const auto* forces = face<BondForces>(law)) {
    std::vector<Wrench> wrench(kBodies, Wrench{Vec3::Zero(), Vec3::Zero()});
    forces->add_wrenches(chain.now(), wrench);
    const double error = slope_error(chain, wrench, -1, [&](const Chain& c) { return forces->energy(c.now()); });
    rows.push_back(
        judged("forces are the derivative of energy()", error < 1e-4, fmt::format("error {:.2g}, bound 1e-4", error)));
    const double sum = imbalance(chain, wrench);
    rows.push_back(judged("forces and torques of a bond sum up to 0", sum < 1e-9,
                          fmt::format("{:.2g} of the largest, bound 1e-9", sum)));
  } else {
    rows.push_back(not_applicable("forces are the derivative of energy()", none + "bond-force/1"));
  }
  if (const auto* energy = face<EnergyTerm>(law)) {
    std::vector<Wrench> gradient(kBodies, Wrench{Vec3::Zero(), Vec3::Zero()});
    energy->add_gradient(chain.now(), gradient);
    const double error = slope_error(chain, gradient, 1, [&](const Chain& c) {
      std::vector<double> each(energy->items());
      energy->energies(c.now(), each);
      double sum = 0;
      for (const double e : each) sum += e;
      return sum;
    });
    rows.push_back(judged("gradient is the derivative of the energies", error < 1e-4,
                          fmt::format("error {:.2g}, bound 1e-4", error)));
    const double second = hessian_error(*energy, chain);
    rows.push_back(judged("Hessian is the derivative of the gradient", second < 1e-3,
                          fmt::format("error {:.2g}, bound 1e-3", second)));
  } else {
    rows.push_back(not_applicable("gradient is the derivative of the energies", none + "energy/1"));
  }
  if (const auto* joints = face<BondJoints>(law)) {
    std::vector<Vec3> arm_a(3), arm_b(3);
    joints->arms(chain.now(), arm_a, arm_b);
    double apart = 0;
    for (std::size_t k = 0; k < 3; ++k)
      apart = std::max(apart, (chain.position[k] + arm_a[k] - chain.position[k + 1] - arm_b[k]).norm() / chain.length);
    rows.push_back(judged("arms lead to one point", apart < 0.05,
                          fmt::format("{:.2g} of the length apart after a small motion", apart)));
  } else {
    rows.push_back(not_applicable("arms lead to one point", none + "joint/1"));
  }
  std::vector<double> load(3);
  law.utilisation(chain.now(), load);
  rows.push_back(judged("utilisation() is at least 0", *std::min_element(load.begin(), load.end()) >= 0,
                        fmt::format("{:.3g}, {:.3g}, {:.3g}", load[0], load[1], load[2])));
  return rows;
}

}  // namespace

Rows check_bond_law(const Registry& registry, const std::string& name) {
  const MaterialEntry material{"m", 2500, 5e6, 0.3};
  const std::string check = "is made from its examples";
  std::string refused = "no loaded shape is joined by it.";
  for (const Json& example : examples(registry, "bond-law", name)) {
    const auto law = registry.bond_law(name)(made_of(registry, "bond-law", example), {3, material, material});
    const BondTraits traits = law->traits();
    for (const Figure& figure : figures(registry, 3)) {
      if (!figure.free || !std::isfinite(figure.shape->bounding_radius())) continue;
      if (!traits.facet_of_either.empty() && figure.shape->facet(traits.facet_of_either) == nullptr) continue;
      Chain chain(*figure.shape);
      chain.memory.assign(3 * static_cast<std::size_t>(traits.memory), 0);
      if (const std::string fault = law->fault(chain.view()); !fault.empty()) {
        refused = fault;
        continue;
      }
      law->bind(chain.view(), kBodies);
      chain.move(Draws(3), 1e-3);
      Rows rows = look(*law, chain);
      rows.push_back(judge_alone(*law, chain));
      rows.insert(rows.begin(), passed(check, fmt::format("{}, joining {}", example.dump(), figure.options.dump())));
      return rows;
    }
  }
  return {failed(check, refused)};
}

}  // namespace scree::conformance
