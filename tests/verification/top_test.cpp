// A body that turns freely in space, by every integrator: tumbling about its middle axis against Jacobi's elliptic
// functions, and the precession of a symmetric one.

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>
#include <numbers>

#include "file_scene.hpp"

namespace scree::test::top_test {

namespace {

class Top : public FileScene {
 public:
  Top(const std::string& integrator, double dt, const std::string& inertia = "[0.002, 0.003, 0.004]")
      : FileScene("top", {fmt::format("/integrator={{{}, \"dt\": {:.17g}}}", integrator, dt),
                          fmt::format("/shapes/top/inertia={}", inertia)}),
        frame_(orientation(0)) {}
  /// In the axes that the scene gives the moments in [rad/s].
  Vec3 omega() { return frame_ * (orientation(0).conjugate() * spin(0)); }
  Totals sums() { return totals(world(), Vec3::Zero()); }

 private:
  Quat frame_;
};

/// Landau and Lifshitz, Mechanics, sec. 37, from the moment of largest angular velocity about the middle axis on.
struct Tumbling {
  Vec3 moments{0.002, 0.003, 0.004}, start{0, 10, 0.5};
  double twice_energy = moments.cwiseProduct(start).dot(start), momentum2 = moments.cwiseProduct(start).squaredNorm();
  double rate = std::sqrt((moments[2] - moments[1]) * (momentum2 - twice_energy * moments[0]) / moments.prod());
  double modulus = std::sqrt((moments[1] - moments[0]) * (twice_energy * moments[2] - momentum2) /
                             ((moments[2] - moments[1]) * (momentum2 - twice_energy * moments[0])));
  double quarter = boost::math::ellint_1(modulus) / rate;
  double largest1 = std::sqrt((twice_energy * moments[2] - momentum2) / (moments[0] * (moments[2] - moments[0])));
  double largest3 = std::sqrt((momentum2 - twice_energy * moments[0]) / (moments[2] * (moments[2] - moments[0])));

  Vec3 omega(double t) const {
    double cn, dn;
    const double sn = boost::math::jacobi_elliptic(modulus, rate * (t + quarter), &cn, &dn);
    // Not Boost's dn: that of 1.74 is wrong by 2e-3 where cn vanishes.
    return {largest1 * cn, start[1] * sn, largest3 * std::sqrt(1 - std::pow(modulus * sn, 2))};
  }
};

struct Method {
  const char *name, *options;
  double energy, period, path;  ///< gates at 2000 steps per period
  double gain;                  ///< what halving dt divides the error of the path by
};

const Method kMethods[] = {{"euler", R"("type": "symplectic-euler")", 2e-6, 2e-6, 5e-5, 4},
                           {"verlet", R"("type": "velocity-verlet")", 2e-6, 2e-6, 5e-5, 4},
                           {"rk4", R"("type": "rk4")", 5e-10, 5e-9, 1e-7, 32},
                           {"gear 5", R"("type": "gear", "values": 5)", 5e-10, 5e-9, 1e-7, 32}};

struct Errors {
  double momentum = 0, energy = 0, path = 0, period = 0;
};

/// Over two periods. \param steps  per period
Errors tumble(const Method& method, int steps) {
  const Tumbling exact;
  const double period = 4 * exact.quarter, dt = period / steps;
  Top top(method.options, dt);
  const Totals before = top.sums();
  Errors e;
  std::vector<double> flips;  // times at which the angular velocity about the middle axis changes sign
  double last = top.omega()[1];
  for (int n = 1; n <= 2 * steps; ++n) {
    top.steps(1);
    const Vec3 omega = top.omega();
    e.path = std::max(e.path, (omega - exact.omega(n * dt)).norm() / exact.start.norm());
    e.energy = std::max(e.energy, std::abs(top.sums().kinetic() / before.kinetic() - 1));
    if (last * omega[1] <= 0) flips.push_back((n - omega[1] / (omega[1] - last)) * dt);  // between two steps
    last = omega[1];
  }
  e.momentum = (top.sums().angular_momentum - before.angular_momentum).norm() / before.angular_momentum.norm();
  REQUIRE(flips.size() == 4);
  e.period = (flips[2] - flips[0]) / period - 1;
  return e;
}

}  // namespace

TEST_CASE("a free top about its middle axis: Jacobi's period and path, angular momentum to 1e-15 per step") {
  const Tumbling exact;
  CHECK(exact.modulus > 0.99);
  CHECK((exact.omega(0) - exact.start).norm() < 1e-12 * exact.start.norm());
  for (const Method& m : kMethods) {
    const Errors coarse = tumble(m, 1000), fine = tumble(m, 2000);
    const std::string name = fmt::format("free top, {}", m.name);
    compare(name, "angular momentum, error", 0, fine.momentum, 4e-12);  // rounding, 6e-16 a step measured
    compare(name, "energy, error", 0, fine.energy, m.energy);
    compare(name, "period, error", 0, fine.period, m.period);
    compare(name, "angular velocity, error", 0, fine.path, m.path);
    // Errors of the energy, which rules how long a flip takes, are of fifth order for the higher ones.
    compare(name, "gain by halving dt", m.gain, coarse.path / fine.path, m.gain == 4 ? 1e-3 : 0.2);
    if (m.gain == 4) compare(name, "gain of energy", 4, coarse.energy / fine.energy, 1e-3);
  }
}

TEST_CASE("a free symmetric top: the angular velocity turns about the axis at (I3 - I1) omega3/I1") {
  const double sides = 0.002, axis = 0.003, across = 3, along = 8, t = 3;
  const double rate = (axis - sides) * along / sides;
  for (const Method& m : kMethods)
    for (const char* const order : {"xyz", "yzx"}) {  // the axis of symmetry is z, or y
      const bool z = order[0] == 'x';
      Top top(m.options, 1e-3, z ? json({sides, sides, axis}) : json({sides, axis, sides}));
      const Vec3 start = z ? Vec3(across, 0, along) : Vec3(0, along, across);
      top.world().angular_velocity.write()[top.row(0)] = start;
      const double gate = m.gain == 4 ? 1e-11 : 1e-7;  // exact but for rounding, or of fourth order
      top.until(t);
      const Vec3 omega = top.omega();
      const double turned = z ? std::atan2(omega.y(), omega.x()) : std::atan2(omega.x(), omega.z());
      const std::string name = fmt::format("symmetric top, {}, axis {}", m.name, z ? 'z' : 'y');
      compare(name, "precession [rad]", 0, std::remainder(turned - rate * t, 2 * std::numbers::pi), gate);
      compare(name, "along the axis [rad/s]", along, z ? omega.z() : omega.y(), gate);
      compare(name, "across the axis [rad/s]", across,
              z ? std::hypot(omega.x(), omega.y()) : std::hypot(omega.x(), omega.z()), gate);
    }
}

}  // namespace scree::test::top_test
