// The paper's scheme, the benchmark's baseline, against a plain loop over all pairs and all nodes.
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "bench/cross.hpp"
#include "bench/paper/scheme.hpp"
#include "catch.hpp"

using namespace scree;
using namespace scree::paper;

namespace {

/// Crosses that overlap a little, each turned and moving in its own way.
Pile small_pile() {
  Pile pile;
  pile.mass = device::kStarMass, pile.moment = device::kStarMoment;
  pile.law = {1000, 0.1, 500, 0.5, 1e-4};
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1, 1);
  const double pitch = 1.5 * device::kStarRadius;
  for (int i = 0; i < 200; ++i) {
    pile.place.push_back(
        {pitch * (i % 16) + 2e-4 * any(random), pitch * (i / 16) + 2e-4 * any(random), std::numbers::pi * any(random)});
    pile.rate.push_back({0.1 * any(random), 0.1 * any(random), 20 * any(random)});
  }
  return pile;
}

struct Sums {
  std::vector<Planar> wrench;
  std::uint32_t contacts = 0;
};

/// Distance and normal at a point of the star's frame.
using Distance = std::function<Texel(double, double)>;

struct Deepest {
  Texel hit;
  double ax, ay, bx, by;  ///< from both centres to the node [m]
};

void push(const Pile& pile, std::size_t i, std::size_t j, const Deepest& d, Sums& sums) {
  const Planar &v = pile.rate[i], &w = pile.rate[j];
  const double c = std::cos(pile.place[j].turn), s = std::sin(pile.place[j].turn);
  const double size = std::hypot(d.hit.nx, d.hit.ny);
  const double nx = (c * d.hit.nx - s * d.hit.ny) / size, ny = (s * d.hit.nx + c * d.hit.ny) / size;
  const double ux = v.x - v.turn * d.ay - w.x + w.turn * d.by, uy = v.y + v.turn * d.ax - w.y - w.turn * d.bx;
  const double un = ux * nx + uy * ny, tx = ux - un * nx, ty = uy - un * ny, ut = std::hypot(tx, ty);
  const double normal = std::max(0.0, -pile.law.stiffness * d.hit.distance - pile.law.damping * un);
  const double friction = std::min(pile.law.tangential * ut * pile.law.dt, pile.law.friction * normal);
  const double fx = normal * nx - (ut > 0 ? friction * tx / ut : 0),
               fy = normal * ny - (ut > 0 ? friction * ty / ut : 0);
  Planar &a = sums.wrench[i], &b = sums.wrench[j];
  a = {a.x + fx, a.y + fy, a.turn + d.ax * fy - d.ay * fx};
  b = {b.x - fx, b.y - fy, b.turn - d.bx * fy + d.by * fx};
  ++sums.contacts;
}

/// Every pair; of the lower one every node that is in the sector between the points where the circles meet.
Sums plain_loop(const Pile& pile, const RadialFunction& star, const Distance& distance) {
  Sums sums{std::vector<Planar>(pile.place.size(), {0, 0, 0}), 0};
  const int n = star.node_count();
  for (std::size_t i = 0; i < pile.place.size(); ++i)
    for (std::size_t j = i + 1; j < pile.place.size(); ++j) {
      const Planar &a = pile.place[i], &b = pile.place[j];
      const double dx = b.x - a.x, dy = b.y - a.y, apart = std::hypot(dx, dy);
      if (apart >= 2 * star.max_radius()) continue;
      const double half = std::acos(apart / (2 * star.max_radius())), towards = std::atan2(dy, dx);
      Deepest deepest{{0, 0, 0}, 0, 0, 0, 0};
      // Begins opposite to the other star, so that no contact is cut in two.
      const int begin =
          static_cast<int>(std::floor((towards + std::numbers::pi - a.turn) * n / (2 * std::numbers::pi)));
      for (int k = begin; k <= begin + n; ++k) {
        const double theta = 2 * std::numbers::pi * k / n, turned = theta + a.turn, r = star.radius(theta);
        const double ax = r * std::cos(turned), ay = r * std::sin(turned), bx = ax - dx, by = ay - dy;
        const double c = std::cos(b.turn), s = std::sin(b.turn);
        const Texel hit = distance(c * bx + s * by, c * by - s * bx);
        const bool inside =
            std::abs(std::remainder(turned - towards, 2 * std::numbers::pi)) <= half && hit.distance < 0;
        if (inside && hit.distance < deepest.hit.distance) deepest = {hit, ax, ay, bx, by};
        if (!inside && deepest.hit.distance < 0) {
          push(pile, i, j, deepest, sums);
          deepest.hit.distance = 0;
        }
      }
    }
  return sums;
}

/// Root of the mean square of differences over that of the forces, and likewise of torques.
double difference(const std::vector<Planar>& found, const std::vector<Planar>& expected) {
  double force = 0, of_force = 0, torque = 0, of_torque = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    force += std::pow(found[i].x - expected[i].x, 2) + std::pow(found[i].y - expected[i].y, 2);
    of_force += std::pow(expected[i].x, 2) + std::pow(expected[i].y, 2);
    torque += std::pow(found[i].turn - expected[i].turn, 2);
    of_torque += std::pow(expected[i].turn, 2);
  }
  return std::sqrt(std::max(force / of_force, torque / of_torque));
}

}  // namespace

TEST_CASE("the paper's scheme finds the contacts and forces of a loop over all pairs") {
  const Pile pile = small_pile();
  const device::Cross star;
  for (const device::Order order : {device::Order::forward, device::Order::reversed, device::Order::shuffled}) {
    const auto host = device::make_host_device({nullptr, order, 5, true, nullptr}, {});
    Scheme scheme(*host, pile, star);
    scheme.evaluate();

    const std::uint32_t side = kSpriteSide;
    const double size = star.max_radius() * (1 + 4.0 / side);
    const std::vector<Texel> texels = bake(star, side, size);
    const Sprite sprite{texels.data(), side, static_cast<float>(size), static_cast<float>((side - 1) / (2 * size))};
    const Sums by_table = plain_loop(pile, star, [&](double x, double y) {
      Sprite::Place at;
      if (!sprite.place(static_cast<float>(x), static_cast<float>(y), at)) return Texel{1, 1, 0};
      return Texel{sprite.between(at, &Texel::distance), sprite.between(at, &Texel::nx),
                   sprite.between(at, &Texel::ny)};
    });
    CHECK(by_table.contacts > 250);
    CHECK(scheme.contacts() == by_table.contacts);
    CHECK(difference(scheme.wrenches(), by_table.wrench) < 2e-5);  // nodes are in single precision
  }
}

TEST_CASE("the sprite of the paper's scheme errs by the square of a texel") {
  const Pile pile = small_pile();
  const device::Cross star;
  const auto host = device::make_host_device({}, {});
  const Sums by_formula = plain_loop(pile, star, [&](double x, double y) { return first_order(star, x, y); });
  double error[2];
  for (const int k : {0, 1}) {
    Scheme scheme(*host, pile, star, kSpriteSide << k);
    scheme.evaluate();
    CHECK(scheme.contacts() == by_formula.contacts);
    error[k] = difference(scheme.wrenches(), by_formula.wrench);
  }
  CHECK(error[0] < 5e-3);
  CHECK(error[0] / error[1] == Approx(4).epsilon(0.2));
}

TEST_CASE("the paper's scheme moves a star that meets none straight on") {
  Pile pile = small_pile();
  pile.place = {{0, 0, 0.3}, {0.02, 0, 0}}, pile.rate = {{0.1, -0.2, 3}, {0, 0, 0}};
  const auto host = device::make_host_device({}, {});
  Scheme scheme(*host, pile, device::Cross());
  scheme.advance(10);
  const Planar p = scheme.places()[0];
  CHECK(scheme.contacts() == 0);
  CHECK(p.x == Approx(1e-4));
  CHECK(p.y == Approx(-2e-4));
  CHECK(p.turn == Approx(0.303));
}
