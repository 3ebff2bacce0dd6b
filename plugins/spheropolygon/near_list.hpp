#pragma once
/// \file Near vertices and edges of a pair of bodies. Lists are made from time to time and kept in the pair cache, with
/// a certificate of how long nothing is missing.

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "parts.hpp"
#include "pose.hpp"
#include "scree/detect/pair.hpp"
#include "touch.hpp"

namespace scree::spheropolygon {

/// A pair of bodies: side 0 is a, side 1 is b.
struct Encounter {
  const Parts* parts[2];
  Pose pose[2];
  double size[2] = {1, 1};  ///< relative to the shape [-]

  double bounding_radius(int side) const { return size[side] * parts[side]->bounding_radius; }
};

/// Distances at which vertices and edges are listed.
struct Reach {
  double alpha;   ///< Verlet distance [m]; 0: kAlphaFraction of the smaller bounding radius
  double margin;  ///< gaps up to this are contacts too [m]
};

/// Small lists cost less per step, long-lived ones are made less often. Of cows that move by 5e-4 of their radius per
/// step the time is least about here, and within a tenth from 0.02 to 0.05; of squares it hardly changes.
inline constexpr double kAlphaFraction = 0.03;

/// The list of one pair while it is made.
struct NearParts {
  std::vector<std::uint32_t> vertex[2], edge[2];  ///< parts of each side that are in some test, ascending
  /// Index into all of them: vertices of a, edges of a, vertices of b, edges of b. In order of the side of the vertex,
  /// the vertex, the edge.
  std::vector<std::uint32_t> test_vertex, test_edge;
  /// Nothing unlisted touches before vertices and edges have come closer by this [m].
  double slack = 0;
  /// And nothing at all before they have come closer by this [m]; 0 where something touches.
  double clear = 0;
};

/// Returns the message for skeletons that intersect.
std::string intersection_text(Trouble trouble, Id a, Id b);

/// Finds near parts. \param check  true to search for skeletons that intersect: for pairs that are not known yet
Trouble find_near(const Encounter& pair, const Reach& reach, bool check, NearParts& to);

enum class Standing {
  outdated,  ///< something that touches may be missing
  near,      ///< touching parts are in the list
  clear,     ///< nothing touches
};

/// A pair's list as it is kept. Zero means: nothing known.
struct ListRow {
  double x, y;           ///< from b's centre to a's when it was made [m]
  double c[2], s[2];     ///< cosine and sine of both angles
  double slack, margin;  ///< [m]; slack > 0 where known
  double clear;          ///< see NearParts [m]
  std::uint64_t first;   ///< word where it begins
  std::uint32_t capacity, tests;
  std::uint32_t vertices[2], edges[2];

  std::size_t parts() const { return vertices[0] + edges[0] + vertices[1] + edges[1]; }
  /// Returns the standing of the list. Vertices and edges of one body have moved relative to those of the other by at
  /// most the centres' relative displacement plus each body's reach times the chord of its rotation, 2 sin(angle/2).
  Standing standing(const Encounter& pair, double margin_now) const {
    if (!(slack > 0) || margin != margin_now) return Standing::outdated;
    const double dx = pair.pose[0].x - pair.pose[1].x - x, dy = pair.pose[0].y - pair.pose[1].y - y;
    const double way2 = dx * dx + dy * dy;
    double turn2[2];
    for (int side = 0; side < 2; ++side) {
      const double dc = pair.pose[side].c - c[side], ds = pair.pose[side].s - s[side];
      const double r = pair.size[side] * pair.parts[side]->reach;
      turn2[side] = r * r * (dc * dc + ds * ds);
    }
    // The square of the sum of the three is at least the sum of the squares, and at most three times that.
    const double sum2 = way2 + turn2[0] + turn2[1];
    if (3 * sum2 < clear * clear) return Standing::clear;
    if (3 * sum2 < slack * slack && sum2 >= clear * clear) return Standing::near;
    const double moved = std::sqrt(way2) + std::sqrt(turn2[0]) + std::sqrt(turn2[1]);
    return moved < clear ? Standing::clear : moved < slack ? Standing::near : Standing::outdated;
  }
};

constexpr std::size_t padded_tests(std::size_t tests) { return (tests + 3) / 4 * 4; }

/// The numbers of a list: parts in order, then the tests' two columns, padded to fours.
struct ListView {
  const std::uint32_t *part, *test_vertex, *test_edge;
};

/// All lists of a chunk, in its PairCache: rows for all pairs, then the lists, which move to the end when they outgrow
/// their place.
class NearLists {
 public:
  NearLists(PairCache& cache, std::size_t pairs) : cache_(cache), pairs_(pairs) { attach(0); }

  ListRow& row(std::size_t pair) { return reinterpret_cast<ListRow*>(header_ + 1)[pair]; }
  ListView view(const ListRow& row) const {
    const std::uint32_t* const part = words() + row.first;
    const std::uint32_t* const tests = part + row.parts();
    return {part, tests, tests + padded_tests(row.tests)};
  }
  void store(std::size_t pair, const Encounter& at, double margin, const NearParts& near);

 private:
  struct alignas(64) Header {
    std::uint64_t used;  ///< words of lists
  };
  void attach(std::size_t words);
  std::uint32_t* words() const {
    return reinterpret_cast<std::uint32_t*>(reinterpret_cast<ListRow*>(header_ + 1) + pairs_);
  }

  PairCache& cache_;
  std::size_t pairs_;
  Header* header_ = nullptr;
};

}  // namespace scree::spheropolygon
