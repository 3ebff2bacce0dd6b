#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>

#include "bench/copies.hpp"
#include "bench/cross.hpp"
#include "plugins/compliant/law_models.hpp"
#include "scree/base/error.hpp"
#include "taubin/on_device.hpp"
#include "taubin/pair_kernel.hpp"

namespace scree::device {

namespace {

/// So short that the pile, which has no walls here, stays as it is.
constexpr double kStarStep = 1e-9;

const star::Outlines& outlines() {
  static const Cross cross;
  static const star::Outlines all = [] {
    star::Outlines o;
    o.of_shape.push_back(std::make_unique<const star::Outline>(cross));
    return o;
  }();
  return all;
}

const compliant::ElasticModel<compliant::LinearSpring>& springs() {
  static const compliant::ElasticModel<compliant::LinearSpring> model = [] {
    compliant::ElasticModel<compliant::LinearSpring> m;
    m.planar = true;
    m.spring.stiffness = kStarStiffness;
    m.spring.damping = kStarDamping;
    m.tangential.stiffness = kStarTangential;
    m.tangential.friction = kStarFriction;
    return m;
  }();
  return model;
}

/// Those at the bottom, if not all are wanted. \param stir  [m/s], and over the radius [rad/s]
void read_pile(const std::string& file, std::uint32_t most, double stir, Packing& p) {
  struct Place {
    double x, y, theta;
  };
  std::vector<Place> pile;
  std::ifstream in(file);
  double x, y, theta, rest[3];
  while (in >> x >> y >> theta >> rest[0] >> rest[1] >> rest[2]) pile.push_back({x * 1e-3, y * 1e-3, theta});
  if (pile.empty()) throw InputError(file + ": no stars. Run the benchmark in the folder of the sources.");
  if (pile.size() > most) {
    std::ranges::stable_sort(pile, {}, &Place::y);
    pile.resize(most);
  }
  std::mt19937 random(1);
  const auto any = [&] { return stir * (2 * static_cast<double>(random()) / 4294967295.0 - 1); };
  for (const Place& star : pile) {
    p.x.push_back({star.x, star.y, 0});
    p.v.push_back({any(), any(), 0});
    p.w.push_back({0, 0, any() / kStarRadius});
    p.q.push_back({0, 0, std::sin(star.theta / 2), std::cos(star.theta / 2)});
  }
}

/// Copies side by side.
void repeat(std::uint32_t count, Packing& p) {
  const std::size_t pile = p.x.size(), copies = std::max<std::size_t>(1, (count + pile / 2) / pile);
  const auto columns = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(copies))));
  double widest = 0;
  for (const Vector3d& x : p.x) widest = std::max({widest, std::abs(x.x), std::abs(x.y)});
  const double pitch = widest + 4 * kStarRadius;
  for (std::size_t c = 1; c < copies; ++c)
    for (std::size_t i = 0; i < pile; ++i) {
      p.x.push_back(p.x[i] + pitch * Vector3d{static_cast<double>(c % columns), static_cast<double>(c / columns), 0});
      p.v.push_back(p.v[i]);
      p.w.push_back(p.w[i]);
      p.q.push_back(p.q[i]);
    }
}

Packing equal_stars() {
  Packing p;
  p.radius = kStarRadius, p.mass = kStarMass, p.moment = kStarMoment;
  p.skin = 0.3 * kStarRadius, p.dt = kStarStep, p.planar = true;
  return p;
}

/// By `taubin` and `linear`. Last, since it counts bodies.
void meet_as_stars(Packing& p) {
  p.methods->law = {{"compliant", "linear", &springs()}, true};
  p.methods->interaction.history = springs().rolling_column();
  static const star::StarPairsOnDevice stars(outlines());
  p.define(stars.stage(), static_cast<std::uint32_t>(stars.contacts()), false);
  const std::uint32_t shape = 0;
  p.plan.pairs[0].shapes = &stars;
  p.plan.pairs[0].tables = stars.tables({&shape, 1});
}

}  // namespace

Packing pack_stars(std::uint32_t count, const std::string& file, double stir) {
  Packing p = equal_stars();
  read_pile(file, count, stir * kStarRadius / kStarStep, p);
  repeat(count, p);
  meet_as_stars(p);
  return p;
}

Packing pack_flowing_stars(std::uint32_t count, const std::string& file) {
  constexpr double kFloor = 0.01, kLeft = 0.02, kRight = 0.58;  ///< walls of the reference scene [m]
  constexpr double kSpeed = 0.2;                                ///< of the uppermost [m/s]
  Packing p = equal_stars();
  p.dt = 4e-5;
  read_pile(file, count, 0, p);
  run_down(p, 1, kSpeed);
  const auto highest = std::ranges::max_element(p.x, {}, &Vector3d::y);
  const double height = highest->y + kStarRadius - kFloor;
  tile(p, count, Vec3(kLeft, kFloor, 0), Vec3(kRight - kLeft, height, 0));
  meet_as_stars(p);
  return p;
}

}  // namespace scree::device
