/// \file Times the vertex-edge detector on a bed of bodies that jostle: ns per pair and per test of a vertex with an
/// edge.
///
///     spheropolygon_bench [cow|square|hexagon] [alpha as a part of the bounding radius] [step, as a part of it]

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "test_bodies.hpp"

namespace {

using namespace scree;
using namespace scree::spheropolygon;
using namespace scree::spheropolygon::test;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// The distance at which two of the same shape, side by side along `way`, just overlap [m].
double spacing(const std::shared_ptr<const Shape>& shape, const Vec2& way) {
  Bodies two;
  two.shapes = {shape};
  two.add(0, {0, 0}, 0);
  two.add(0, {0, 0}, 0);
  double distance = 2 * shape->bounding_radius() + 0.01;
  for (double gap = 1; gap > -0.01; distance -= std::max(gap, 0.001) / 2) {
    two.at[1] = distance * way;
    gap = plain_energy(two, 0, 1, 0).gap;
  }
  return distance;
}

/// A lattice of bodies that touch their neighbours here and there.
Bodies bed(const std::string& kind, int side) {
  Bodies bodies;
  std::vector<Vec2> hexagon;
  for (int k = 0; k < 6; ++k) hexagon.push_back(Eigen::Rotation2Dd(k * std::numbers::pi / 3) * Vec2(0.62, 0));
  bodies.shapes = {polygon(kind == "cow" ? cow() : kind == "hexagon" ? hexagon : square(1), 0.1)};
  const double dx = spacing(bodies.shapes[0], {1, 0}), dy = spacing(bodies.shapes[0], {0, 1}), turn = 0.02;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      bodies.add(0, {dx * i + 0.01 * any(random), dy * j + 0.01 * any(random)}, turn * any(random));
  return bodies;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "cow";
  const double fraction = argc > 2 ? std::atof(argv[2]) : kAlphaFraction, part = argc > 3 ? std::atof(argv[3]) : 5e-4;
  Bodies bodies = bed(kind, 20);
  const double radius = bodies.shapes[0]->bounding_radius();
  std::vector<Pair> pairs;
  for (std::uint32_t a = 0; a < bodies.at.size(); ++a)
    for (std::uint32_t b = a + 1; b < bodies.at.size(); ++b)
      if ((bodies.at[a] - bodies.at[b]).norm() < 2.5 * radius) pairs.push_back({a, b});
  VertexEdge detector({2, 0, fraction * radius});
  bodies.bind(detector);
  PairCache cache;
  ContactBuffer out;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<Vec2> velocity;
  std::vector<double> spin;
  for (std::size_t i = 0; i < bodies.at.size(); ++i) {
    velocity.emplace_back(part * radius * Vec2(any(random), any(random)));
    spin.push_back(part * any(random));
  }
  const Bodies start = bodies;
  constexpr int kSteps = 126, kRounds = 7;
  double best = 1e300;
  std::size_t contacts = 0;
  ListCounts of_round;
  for (int round = 0; round < kRounds; ++round) {
    double spent = 0;
    contacts = 0;
    const ListCounts before = VertexEdge::counts();
    for (int k = 0; k < kSteps; ++k) {
      for (std::size_t i = 0; i < bodies.at.size(); ++i) {  // there and back, no farther than a few hundredths
        const double way = 20 * std::sin(k / 20.0);
        bodies.at[i] = start.at[i] + way * velocity[i];
        bodies.angle[i] = start.angle[i] + way * spin[i];
      }
      const BodyView view = bodies.view();
      out.clear();
      const double began = seconds();
      detector.detect(view, pairs, cache, 0, out);
      spent += seconds() - began;
      contacts += out.size();
    }
    best = std::min(best, spent);
    const ListCounts after = VertexEdge::counts();
    of_round = {after.pairs - before.pairs, after.made - before.made, after.tests - before.tests};
  }
  const double visits = static_cast<double>(of_round.pairs), tests = static_cast<double>(of_round.tests);
  fmt::print("{}: alpha {} R, {} pairs, {:.1f} tests and {:.2f} contacts per pair, {:.1f} steps per list\n", kind,
             fraction, pairs.size(), tests / visits, static_cast<double>(contacts) / visits,
             visits / std::max<double>(1, static_cast<double>(of_round.made)));
  fmt::print("  {:.1f} ns per pair and step, {:.2f} ns per test\n", 1e9 * best / visits, 1e9 * best / tests);
}
