#pragma once
/// \file Lists of features of one body that are near features of the other. They are made now and then, and kept in the
/// pair cache with a certificate that says until when nothing is missing.

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "encounter.hpp"
#include "scree/detect/pair.hpp"

namespace scree::spheropolyhedron {

/// Features of one kind that a shape may have: two of them are one number of a list.
inline constexpr std::size_t kMostFeatures = 1u << 16;

/// Two features: of a and of b, or the vertex and what it is near (see Kind).
struct FeaturePair {
  std::uint32_t i, j;

  std::uint32_t packed() const { return i << 16 | j; }
  static FeaturePair unpacked(std::uint32_t word) { return {word >> 16, word & 0xffff}; }
};

/// Distances up to which features are listed.
struct Reach {
  double alpha;   ///< Verlet distance [m]; 0: kAlphaFraction of the smaller bounding radius
  double margin;  ///< gaps up to this are contacts too [m]
};

inline constexpr double kAlphaFraction = 0.03;

/// The list of one pair while it is made.
struct NearFeatures {
  std::array<std::vector<std::uint32_t>, kKinds> tests;  ///< FeaturePair::packed(), ascending
  std::vector<std::uint32_t> vertices[2];                ///< vertices of each side that the tests look at, ascending
  /// Nothing unlisted touches before features have come closer by this [m].
  double slack = 0;
  /// And nothing at all before they have come closer by this [m]; 0 where something touches.
  double clear = 0;
};

/// Faults in the places of two bodies.
enum class Trouble { none, surfaces_cross, one_within_the_other };

/// Returns the message for users that names the fault and both bodies.
std::string trouble_text(Trouble trouble, Id a, Id b);

/// Returns how often two features count: the number in front of their term of the energy, README.md, eq. (4).
int weight_of(const Encounter& pair, Kind kind, FeaturePair features);

/// Looks for surfaces that cross, too: bodies may have been put so, or may have passed into each other in one step.
Trouble find_near(const Encounter& pair, const Reach& reach, NearFeatures& to);

enum class Standing {
  outdated,  ///< something that touches may be missing
  near,      ///< all that touches is in the list
  clear,     ///< nothing touches
};

/// A pair's list as it is kept. Zero means: nothing known.
struct ListRow {
  double apart[3];              ///< from b's centre to a's when the list was made [m]
  double orientation[2][4];     ///< orientations of both bodies when the list was made
  double slack, margin, clear;  ///< see NearFeatures [m]; slack > 0 where known
  std::uint64_t first;          ///< word where it begins
  std::uint32_t capacity;       ///< words
  std::uint32_t vertices[2];    ///< numbers of listed vertices of either side
  std::uint32_t tests[kKinds];

  std::size_t test_count() const {
    std::size_t sum = 0;
    for (const std::uint32_t n : tests) sum += n;
    return sum;
  }
  std::size_t words() const { return vertices[0] + vertices[1] + test_count(); }
  void stand_at(const Encounter& pair);
  /// Tells what the list is worth now. Points of one body have moved relative to those of the other by at most a sum.
  /// Its terms are the centres' relative way and, for each body, its reach times the chord of its turn, 2 sin(angle/2).
  /// The chord is below twice the change of the quaternion, 2 sin(angle/4).
  Standing standing(const Encounter& pair, double margin_now) const;
};

/// The lists of a chunk, in its PairCache: rows for all pairs, then the lists, which move to the end when they outgrow
/// their place.
class NearLists {
 public:
  NearLists(PairCache& cache, std::size_t pairs) : cache_(cache), pairs_(pairs) { attach(0); }

  ListRow& row(std::size_t pair) { return reinterpret_cast<ListRow*>(header_ + 1)[pair]; }
  /// Vertices of a, of b, then tests kind by kind.
  const std::uint32_t* list(const ListRow& row) const { return words() + row.first; }
  void store(std::size_t pair, const Encounter& at, double margin, const NearFeatures& near);

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

}  // namespace scree::spheropolyhedron
