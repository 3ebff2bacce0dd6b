// Chung and Ooi's tests 4 and 5 (Granular Matter 13 (2011) 643) at small angles of incidence, where contacts stick for
// part of the impact. Two references, integrated here: the law's own equations, to which the program must converge, and
// Mindlin's contact with micro-slip, the solution of Maw, Barber and Fawcett (Wear 38 (1976) 101), which tells what the
// law loses by leaving that out.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "series.hpp"

namespace scree::test::oblique_impact_test {

namespace {

/// A sphere that meets a rigid wall. Velocities of the surface at the contact follow from those of the sphere.
struct Impact {
  double young, poisson, density, r, friction, vt, vn;
  double mass() const { return density * 4 / 3 * std::numbers::pi * r * r * r; }
  double plane_modulus() const { return young / (1 - poisson * poisson); }
  double shear_modulus() const { return young / (2 * (1 + poisson) * (2 - poisson)); }
  double depth() const { return std::pow(15 * mass() * vn * vn / (16 * plane_modulus() * std::sqrt(r)), 0.4); }
  double duration() const { return 2.9432751843 * depth() / vn; }
};

struct Left {
  double vt, vn, spin;  ///< [m/s], [m/s], [rad/s]
  double surface(double r) const { return vt - r * spin; }
};

/// Integrates an elastic impact. \param contact  (overlap, slip of the surface [m]) -> forces (normal, tangential) [N]
template <class Contact>
Left integrate(const Impact& i, int steps, Contact contact) {
  const double dt = i.duration() / steps, m = i.mass(), inertia = 0.4 * m * i.r * i.r;
  double d = 0, vn = i.vn, vt = i.vt, spin = 0;
  do {
    d += vn * dt / 2;
    const double lever = i.r - d / 2;
    const auto [normal, tangential] = contact(std::max(d, 0.0), (vt - lever * spin) * dt);
    vn -= normal / m * dt, vt += tangential / m * dt, spin -= lever * tangential / inertia * dt;
    d += vn * dt / 2;
  } while (d > 0);
  return {vt, -vn, spin};
}

/// The law's equations: dF = -k_t times slip while loading, F shrinks with the contact radius while unloading, |F| <=
/// mu N.
Left without_micro_slip(const Impact& i) {
  double a = 0, f = 0;
  return integrate(i, 200000, [&](double d, double slip) {
    const double now = std::sqrt(i.r * d), normal = 4.0 / 3 * i.plane_modulus() * now * d;
    if (now < a) f *= now / a;
    a = now;
    f = std::clamp(f - 8 * i.shear_modulus() * a * slip, -i.friction * normal, i.friction * normal);
    return std::pair(normal, f);
  });
}

/// Mindlin's contact with micro-slip, for any history, as a row of springs that slip one by one.
/// \source V. L. Popov, M. Hess, Method of Dimensionality Reduction, Springer 2015, chapters 3 and 5
Left with_micro_slip(const Impact& i) {
  const int springs = 400;
  const double reach = 1.05 * std::sqrt(i.r * i.depth()), dx = reach / springs;
  const double kz = 2 * i.plane_modulus() * dx, kx = 8 * i.shear_modulus() * dx;  // of both sides of the centre
  std::vector<double> stretch(springs, 0);
  return integrate(i, 8000, [&](double d, double slip) {
    double normal = 0, tangential = 0;
    for (int k = 0; k < springs; ++k) {
      const double x = (k + 0.5) * dx, fz = kz * std::max(0.0, d - x * x / i.r), cap = i.friction * fz / kx;
      stretch[k] = std::clamp(stretch[k] + slip, -cap, cap);
      normal += fz, tangential -= kx * stretch[k];
    }
    return std::pair(normal, tangential);
  });
}

/// The same by the program. \param scene  "t4" or "t5"
Left ours(const char* scene, const Impact& i) {
  const double duration = i.duration(), m = i.mass();
  const Series s(scene, {{"/bodies/0/velocity", fmt::format("[{}, 0, {}]", i.vt, -i.vn)},
                         {"/integrator/dt", fmt::format("{}", duration / 20000)},
                         {"/output/metrics_interval", fmt::format("{}", duration / 10)},
                         {"/run/duration", fmt::format("{}", 1.2 * duration)}});
  return {s.last("momentum_x_kg_m_per_s") / m, s.last("momentum_z_kg_m_per_s") / m,
          std::sqrt(s.last("kinetic_rotation_J") / (0.2 * m * i.r * i.r))};
}

}  // namespace

TEST_CASE("test 5 at small angles: stick and slip as Mindlin's increments say") {
  const double mu = 0.3, vn = 5, unit = mu * vn;
  for (const int degrees : {5, 10, 20, 30, 40, 50, 55}) {
    const Impact impact{208e9, 0.3, 7850, 1e-5, mu, vn * std::tan(degrees * std::numbers::pi / 180), vn};
    const Left exact = without_micro_slip(impact), left = ours("t5", impact);
    const std::string name = fmt::format("T5 steel, {} degrees", degrees);
    // Where the contact shrinks the increments are of first order in dt: 2e-3 at 2000 steps per contact, here 20000.
    compare(name, "R w'/(mu v_n)", impact.r * exact.spin / unit, impact.r * left.spin / unit, 1e-3);
    compare(name, "v_s'/(mu v_n)", exact.surface(impact.r) / unit, left.surface(impact.r) / unit, 1e-3);
  }
}

TEST_CASE("the reference with micro-slip slides throughout from tan(theta) = mu (7 - (2 - nu)/(2 (1 - nu))) on") {
  const double mu = 0.3, vn = 5, limit = mu * (7 - 1.7 / 1.4);
  for (const double share : {0.97, 1.03}) {
    const Impact impact{208e9, 0.3, 7850, 1e-5, mu, vn * limit * share, vn};
    const double impulse = (impact.vt - with_micro_slip(impact).vt) / (mu * vn);
    const std::string name = fmt::format("tan = {} of the elastic limit", share);
    if (share > 1)
      compare(name, "impulse/(mu m v_n)", 2, impulse, 1e-6);
    else
      CHECK(impulse < 2 - 1e-3);
  }
}

TEST_CASE("test 4 at small angles: contacts rebound backwards from 10 to 30 degrees, as they do with micro-slip") {
  const double v = 3.9;
  for (const int degrees : {2, 5, 10, 15, 20, 25, 30, 35, 40}) {
    const double angle = degrees * std::numbers::pi / 180;
    const Impact impact{380e9, 0.23, 4000, 0.0025, 0.092, v * std::sin(angle), v * std::cos(angle)};
    const Left left = ours("t4", impact), real = with_micro_slip(impact);
    const auto rebound = [&](const Left& l) { return std::atan(l.surface(impact.r) / l.vn) * 180 / std::numbers::pi; };
    const std::string name = fmt::format("T4 Al oxide, {} degrees", degrees);
    // What leaving out micro-slip costs; the reference takes e = 1 for 0.98.
    compare(name, "v_t'/v_t", real.vt / impact.vt, left.vt / impact.vt,
            degrees < 15   ? 0.18
            : degrees < 25 ? 0.08
                           : 0.03);
    if (degrees >= 10) compare(name, "rebound of contact - ref. [deg]", 0, rebound(left) - rebound(real), 3);
    if (degrees >= 10 && degrees <= 30) {
      CHECK(rebound(left) < 0);
      CHECK(left.vt / impact.vt < 5.0 / 7);  // 5/7: the contact is left without speed
    } else {
      CHECK(rebound(left) > 0);
      CHECK(left.vt / impact.vt > 5.0 / 7);
    }
  }
}

}  // namespace scree::test::oblique_impact_test
