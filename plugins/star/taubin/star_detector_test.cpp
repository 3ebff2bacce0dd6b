#include "taubin/star_detector.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <set>

#include "catch.hpp"
#include "random_cases.hpp"
#include "scree/base/error.hpp"
#include "shape/test_bodies.hpp"
#include "shape/test_shapes.hpp"

namespace scree::star {
namespace {

// ------------------------------------------------------------------------------------------------------------- oracle

struct OracleContact {
  double depth;
  Vec2 normal, point;
};

/// Two stars seen by brute force: every node of both, angles by atan2, the series itself, components by flooding.
/// Shares nothing with the detector but the definition.
struct Oracle {
  const StarShape* shape[2];
  Vec2 centre[2];
  double angle[2];
  double size[2];  ///< metres per unit of the series

  static Vec2 turned(Vec2 v, double t) {
    return {std::cos(t) * v.x() - std::sin(t) * v.y(), std::sin(t) * v.x() + std::cos(t) * v.y()};
  }
  void put(int i, const StarShape& of, double at_angle) {
    shape[i] = &of;
    angle[i] = at_angle;
    size[i] = facet<RadialFunction>(of)->radius(0.3) / of.radius(0.3);
  }
  int nodes(int i) const { return facet<RadialFunction>(*shape[i])->node_count(); }
  Vec2 node(int i, double k) const {
    const double t = 2 * std::numbers::pi * k / nodes(i);
    return centre[i] + turned(size[i] * shape[i]->radius(t) * Vec2(std::cos(t), std::sin(t)), angle[i]);
  }
  /// Depth of a world point in star i, by Taubin's distance or along the radius, and the outward normal there.
  double depth(int i, Vec2 p, Vec2& normal, bool radial = false) const {
    const Vec2 q = turned(p - centre[i], -angle[i]);
    const double rho = q.norm(), t = std::atan2(q.y(), q.x());
    const double r = size[i] * shape[i]->radius(t), s = size[i] * shape[i]->slope(t);
    const double g = s / std::max(rho, r / 2);
    normal = turned((q / rho - g * Vec2(-q.y(), q.x()) / rho) / std::sqrt(1 + g * g), angle[i]);
    return radial ? r - rho : (r - rho) / std::sqrt(1 + g * g);
  }
  bool crushed() const {
    for (int i = 0; i < 2; ++i) {
      Vec2 n;
      if (depth(i, centre[1 - i], n) > 0) return true;
      const double clear = facet<RadialFunction>(*shape[i])->min_radius() * 0.1;
      if ((centre[0] - centre[1]).norm() > facet<RadialFunction>(*shape[1 - i])->max_radius() + clear) continue;
      for (int k = 0; k < nodes(1 - i); ++k)
        if ((node(1 - i, k) - centre[i]).norm() < clear) return true;
    }
    return false;
  }
  /// Returns how far the outline deviates from nodes k and k + 1 between them.
  double edge(int i, int k) const {
    double reach = 0, step = 0;
    for (int m = 1; m <= 8; ++m) {
      const Vec2 p = node(i, k + m / 8.0);
      reach = std::max({reach, (p - node(i, k)).norm(), (p - node(i, k + 1)).norm()});
      step = std::max(step, (p - node(i, k + (m - 1) / 8.0)).norm());
    }
    return reach + step / 2;
  }

  std::vector<OracleContact> contacts(const TaubinOptions& options = {}) const {
    using Key = std::pair<int, int>;  // side, node
    std::map<Key, OracleContact> inside;
    for (int i = 0; i < (options.scheme == Scheme::s1_only ? 1 : 2); ++i) {
      for (int k = 0; k < nodes(i); ++k) {
        OracleContact c;
        c.point = node(i, k);
        if ((c.point - centre[1 - i]).norm() > 1.001 * facet<RadialFunction>(*shape[1 - i])->max_radius()) continue;
        c.depth = depth(1 - i, c.point, c.normal, options.radial);
        if (i == 0) c.normal = -c.normal;
        if (c.depth > 0) inside[{i, k}] = c;
      }
    }
    const auto linked = [&](Key a, Key b) {
      const int n = nodes(a.first);
      if (a.first == b.first) return (a.second + 1) % n == b.second || (b.second + 1) % n == a.second;
      const auto crossing = [&](Key end, Key begin) {
        const int after = (end.second + 1) % nodes(end.first);
        const int before = (begin.second + nodes(begin.first) - 1) % nodes(begin.first);
        if (inside.count({end.first, after}) != 0 || inside.count({begin.first, before}) != 0) return false;
        const double reach = edge(end.first, end.second) + edge(begin.first, before);
        return (inside.at(end).point - inside.at(begin).point).norm() <= reach;
      };
      return crossing(a, b) || crossing(b, a);
    };
    std::vector<OracleContact> found;
    if (options.scheme == Scheme::all_nodes) {
      for (const auto& [key, c] : inside) found.push_back(c);
      return found;
    }
    std::set<Key> open;
    for (const auto& [key, c] : inside) open.insert(key);
    while (!open.empty()) {
      std::vector<Key> flood{*open.begin()};  // of the first star, where the region has any of its nodes
      if (options.scheme == Scheme::s1_then_s2 && flood[0].first == 1) break;
      open.erase(open.begin());
      OracleContact best = inside.at(flood[0]);
      for (std::size_t f = 0; f < flood.size(); ++f) {
        if (inside.at(flood[f]).depth > best.depth) best = inside.at(flood[f]);
        for (auto it = open.begin(); it != open.end();) {
          if (!linked(flood[f], *it)) {
            ++it;
            continue;
          }
          flood.push_back(*it);
          it = open.erase(it);
        }
      }
      found.push_back(best);
    }
    return found;
  }
};

/// Random pairs of unequal stars near contact, and their oracle.
struct RandomPairs {
  std::vector<std::shared_ptr<const StarShape>> shapes;
  TestBodies bodies;
  std::vector<Pair> pairs;
  std::vector<Oracle> oracle;

  RandomPairs(int count, int table_size, unsigned seed) {
    for (double r : {1.0, 0.5, 0.125}) {
      shapes.push_back(circle(r, 100, table_size));
      shapes.push_back(cross(r, 100, table_size));
      shapes.push_back(butterfly(r, 100, table_size));
      shapes.push_back(bat(r, 61, table_size));
      shapes.push_back(pear(r, 100, table_size));
    }
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    while (static_cast<int>(pairs.size()) < count) {
      Oracle o;
      std::uint32_t kind[2];
      for (int i = 0; i < 2; ++i) {
        kind[i] = static_cast<std::uint32_t>(unit(random) * static_cast<double>(shapes.size()));
        o.put(i, *shapes[kind[i]], 2 * std::numbers::pi * unit(random));
      }
      const double r0 = facet<RadialFunction>(*o.shape[0])->max_radius();
      const double r1 = facet<RadialFunction>(*o.shape[1])->max_radius();
      const double gap = (r0 + r1) * (0.35 + 0.65 * unit(random)), direction = 2 * std::numbers::pi * unit(random);
      o.centre[0] = Vec2(unit(random), unit(random));
      o.centre[1] = o.centre[0] + gap * Vec2(std::cos(direction), std::sin(direction));
      if (o.crushed()) continue;
      const auto row = static_cast<std::uint32_t>(bodies.id.size());
      for (int i = 0; i < 2; ++i) {
        const Vec2 mass_centre = o.centre[i] - Oracle::turned(o.shape[i]->reference_point().head<2>(), o.angle[i]);
        bodies.add(mass_centre.x(), mass_centre.y(), o.angle[i], kind[i], bodies.id.size());
      }
      pairs.push_back({row, row + 1});
      oracle.push_back(o);
    }
  }
};

/// Contacts of pair p as rows of a buffer, [first, last).
std::pair<std::size_t, std::size_t> rows_of(const ContactBuffer& contacts, std::uint32_t pair) {
  const std::uint32_t* begin = contacts.pair();
  const std::uint32_t* end = begin + contacts.size();
  const auto range = std::equal_range(begin, end, pair);
  return {static_cast<std::size_t>(range.first - begin), static_cast<std::size_t>(range.second - begin)};
}

/// Checks whether some row of [first, last) is this contact, to `tolerance` [m]; the order of a pair's contacts is
/// free.
bool has_contact(const ContactBuffer& contacts, std::pair<std::size_t, std::size_t> rows, const OracleContact& wanted,
                 double tolerance) {
  for (std::size_t i = rows.first; i < rows.second; ++i) {
    const bool same = std::abs(contacts.overlap()[i] - wanted.depth) < tolerance &&
                      (contacts.normal_at(i).head<2>() - wanted.normal).norm() < tolerance &&
                      (contacts.point_at(i).head<2>() - wanted.point).norm() < tolerance;
    if (same) return true;
  }
  return false;
}

TEST_CASE("contacts of random unequal stars are those of brute force over all nodes") {
  const RandomPairs sample(test::random_cases(100000), 0, 1);
  TaubinDetector detector;
  detector.bind(raw(sample.shapes));
  PairCache cache;
  const ContactBuffer contacts = contacts_of(detector, sample.bodies, sample.pairs, cache);
  std::size_t wrong = 0, total = 0, touching = 0;
  for (std::uint32_t p = 0; p < sample.pairs.size(); ++p) {
    const std::vector<OracleContact> wanted = sample.oracle[p].contacts();
    const auto rows = rows_of(contacts, p);
    bool good = wanted.size() == rows.second - rows.first;
    // The two round positions of up to 2 m differently, by about 1e-15 m; the normal turns by up to 1000 times as much
    // where the outline bends most (radius of curvature of the smallest stars: millimetres).
    for (const OracleContact& w : wanted) good = good && has_contact(contacts, rows, w, 2e-12);
    wrong += good ? 0 : 1;
    total += wanted.size();
    touching += wanted.empty() ? 0 : 1;
  }
  INFO(total << " contacts in " << touching << " touching pairs");
  CHECK(wrong == 0);
  CHECK(2 * touching > sample.pairs.size());
}

TEST_CASE("every scheme and either distance: contacts are those of brute force, each with a feature of its own") {
  const RandomPairs sample(test::random_cases(3000), 0, 3);
  for (const Scheme scheme : {Scheme::symmetric, Scheme::s1_then_s2, Scheme::s1_only, Scheme::all_nodes})
    for (const bool radial : {false, true}) {
      TaubinDetector detector({scheme, radial});
      detector.bind(raw(sample.shapes));
      PairCache cache;
      const ContactBuffer contacts = contacts_of(detector, sample.bodies, sample.pairs, cache);
      std::size_t wrong = 0, touching = 0;
      for (std::uint32_t p = 0; p < sample.pairs.size(); ++p) {
        const std::vector<OracleContact> wanted = sample.oracle[p].contacts({scheme, radial});
        const auto rows = rows_of(contacts, p);
        bool good = wanted.size() == rows.second - rows.first;
        for (const OracleContact& w : wanted) good = good && has_contact(contacts, rows, w, 2e-12);  // as above
        const std::set<std::uint32_t> features(contacts.feature() + rows.first, contacts.feature() + rows.second);
        wrong += good && features.size() == wanted.size() ? 0 : 1;
        touching += wanted.empty() ? 0 : 1;
      }
      INFO("scheme " << static_cast<int>(scheme) << ", radial " << radial);
      CHECK(wrong == 0);
      CHECK(2 * touching > sample.pairs.size());
    }
}

TEST_CASE("exchanging the bodies, ids included, mirrors the contacts") {
  for (const int table : {0, 20000}) {
    const RandomPairs sample(test::random_cases(100000), table, 2);
    TaubinDetector detector;
    detector.bind(raw(sample.shapes));
    std::vector<Pair> swapped = sample.pairs;
    for (Pair& p : swapped) std::swap(p.a, p.b);
    PairCache cache, other;
    const ContactBuffer one = contacts_of(detector, sample.bodies, sample.pairs, cache);
    const ContactBuffer two = contacts_of(detector, sample.bodies, swapped, other);
    REQUIRE(one.size() == two.size());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
      const OracleContact mirrored{one.overlap()[i], -one.normal_at(i).head<2>(), one.point_at(i).head<2>()};
      wrong += has_contact(two, rows_of(two, one.pair()[i]), mirrored, 1e-12) ? 0 : 1;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("exact ties between the sides are mirrored too") {
  // Two equal bodies placed point-symmetrically: the deepest nodes of both are equally deep, to the last bit.
  std::size_t total = 0;
  for (const auto& shape : {circle(1), cross(1), butterfly(1)}) {
    TaubinDetector detector;
    const Shape* list[] = {shape.get()};
    detector.bind(list);
    for (double angle : {0.0, 0.5, 1.25}) {
      TestBodies bodies;
      bodies.add(0, 0, angle, 0, 0);
      bodies.add(1.3, 0.25, angle, 0, 1);
      bodies.orientation[1] = Quat(0, 0, 0, 1) * bodies.orientation[0];
      const std::vector<Pair> ab{{0, 1}}, ba{{1, 0}};
      PairCache cache, other;
      const ContactBuffer one = contacts_of(detector, bodies, ab, cache);
      const ContactBuffer two = contacts_of(detector, bodies, ba, other);
      REQUIRE(one.size() == two.size());
      total += one.size();
      for (std::size_t i = 0; i < one.size(); ++i) {
        const OracleContact mirrored{one.overlap()[i], -one.normal_at(i).head<2>(), one.point_at(i).head<2>()};
        CHECK(has_contact(two, rows_of(two, 0), mirrored, 1e-12));
      }
    }
  }
  CHECK(total >= 6);
}

TEST_CASE("a run over node 0 is one contact") {
  const auto shape = circle(1);
  TaubinDetector detector;
  const Shape* list[] = {shape.get()};
  detector.bind(list);
  for (double first : {0.0, std::numbers::pi}) {  // node 0 of the first, then of the second body faces the other
    TestBodies bodies;
    bodies.add(0, 0, first, 0, 0);
    bodies.add(1.9, 0, first, 0, 1);
    PairCache cache;
    const ContactBuffer contacts = contacts_of(detector, bodies, std::vector<Pair>{{0, 1}}, cache);
    REQUIRE(contacts.size() == 1);
    CHECK(contacts.overlap()[0] == Approx(0.1).epsilon(1e-6));  // table of 20000 cells: 1e-8
    CHECK(contacts.normal_at(0).x() == Approx(1));
  }
}

TEST_CASE("gaps up to the margin are reported, with negative overlap") {
  const auto shape = circle(1);
  TaubinDetector detector;
  const Shape* list[] = {shape.get()};
  detector.bind(list);
  TestBodies bodies;
  bodies.add(0, 0, 0, 0, 0);
  bodies.add(2.01, 0, 0, 0, 1);
  const std::vector<Pair> pairs{{0, 1}};
  PairCache cache;
  CHECK(contacts_of(detector, bodies, pairs, cache, 0).size() == 0);
  CHECK(contacts_of(detector, bodies, pairs, cache, 0.009).size() == 0);
  const ContactBuffer contacts = contacts_of(detector, bodies, pairs, cache, 0.011);
  REQUIRE(contacts.size() == 1);
  CHECK(contacts.overlap()[0] == Approx(-0.01).epsilon(1e-6));
}

TEST_CASE("a centre that is about to be crossed stops the run and names both bodies") {
  const auto shape = cross(1);
  TaubinDetector detector;
  const Shape* list[] = {shape.get()};
  detector.bind(list);
  TestBodies bodies;
  bodies.add(0, 0, 0, 0, 17);
  bodies.add(0.3, 0.05, 0.2, 0, 42);
  PairCache cache;
  std::string message;
  try {
    contacts_of(detector, bodies, std::vector<Pair>{{0, 1}}, cache);
  } catch (const NumericalError& e) {
    message = e.what();
  }
  CHECK(message.find("bodies 17 and 42: the outline of body ") == 0);
  CHECK(message.find("has reached the centre of body") != std::string::npos);
}

TEST_CASE("the fast path gives the contacts of the plain path, bit by bit") {
  for (const int table : {0, 20000}) {
    const RandomPairs sample(test::random_cases(100000), table, 3);
    for (const Scheme scheme : {Scheme::symmetric, Scheme::s1_only}) {
      TaubinDetector detector({scheme});
      detector.bind(raw(sample.shapes));
      PairCache cache;
      const ContactBuffer fast = contacts_of(detector, sample.bodies, sample.pairs, cache);
      ContactBuffer plain;
      detector.detect_plain(sample.bodies.view(), sample.pairs, 0, plain);
      CHECK(fast.size() == plain.size());
      CHECK(same_contacts(fast, plain));
      CHECK(TaubinDetector::last_counts().reference < sample.pairs.size() / 20);  // the fast path is the one tested
    }
  }
}

// ----------------------------------------------------------------------------------------------------------- the pile

struct Pile {
  std::vector<std::shared_ptr<const StarShape>> shapes{cross(4.37e-3)};
  TestBodies bodies = read_pile(std::string(SCREE_SOURCE_DIR) + "/tests/bench/cross_pile_3154.txt");
  std::vector<Pair> pairs = near_pairs(bodies, 2 * 4.37e-3);

  std::size_t touching(const ContactBuffer& contacts) const {
    std::set<std::uint32_t> seen(contacts.pair(), contacts.pair() + contacts.size());
    return seen.size();
  }
  ContactBuffer contacts(Scheme scheme) const {
    TaubinDetector detector({scheme});
    detector.bind(raw(shapes));
    PairCache cache;
    return contacts_of(detector, bodies, pairs, cache);
  }
};

TEST_CASE("counts on the settled pile of crosses") {
  const Pile pile;
  REQUIRE(pile.bodies.id.size() == 3154);
  CHECK(pile.pairs.size() == 8163);
  CHECK(pile.touching(pile.contacts(Scheme::s1_only)) == 5395);
  CHECK(pile.touching(pile.contacts(Scheme::symmetric)) == 5511);
  CHECK(pile.touching(pile.contacts(Scheme::s1_then_s2)) == 5395);
  const ContactBuffer every = pile.contacts(Scheme::all_nodes);
  CHECK(pile.touching(every) == 5511);
  const auto of_a = std::count_if(every.feature(), every.feature() + every.size(), [](auto f) { return f % 2 == 0; });
  CHECK(std::abs(of_a - 15800) < 100);  // "15.8k"
  const ContactBuffer contacts = pile.contacts(Scheme::symmetric);
  CHECK(contacts.size() == 8903);
  CHECK(std::abs(static_cast<double>(pile.contacts(Scheme::s1_only).size()) - 8700) < 50);  // "about 8,700"
}

}  // namespace
}  // namespace scree::star
