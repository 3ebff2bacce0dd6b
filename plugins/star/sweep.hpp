#pragma once
/// \file The fast path for many pairs at once: the same contacts as pair_contacts.hpp, bit by bit.
///
/// Per pair the core keeps, between steps, which nodes of either side may come inside the other while the relative pose
/// stays close to a reference (Candidates). Per step:
///   1. pairs that have moved too far find their candidates anew: the arc facing the other body, then its map;
///   2. the candidates of all pairs, moved into the other body's frame, are compressed into one list and tested in
///      single precision, sixteen at a time; those within the error bound are decided in double precision;
///   3. runs of inside nodes from bit masks, joined to regions; the few nodes of a region that may be its deepest are
///      evaluated in double precision, all pairs together.
/// What the masks cannot hold goes to the plain path.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pair_contacts.hpp"
#include "scree/detect/pair.hpp"
#include "sweep_kernels.hpp"

namespace scree::star {

/// A pair's row of the cache. Zero means: nothing known.
struct Candidates {
  FloatPose reference;     ///< of a's outline in b's frame, when the masks were made
  float reach2;            ///< [m^2] the masks hold while |shift|^2 + lever2 |change of (c, s)|^2 is less
  float lever2;            ///< [m^2]
  std::uint16_t first[2];  ///< node of bit 0, side a and b
  std::uint32_t wide;      ///< 1: the candidates of a side do not fit its mask
  std::uint64_t mask[2];
};

/// Outlines by shape, and what all of them share.
struct Outlines {
  std::vector<std::unique_ptr<const Outline>> of_shape;  ///< empty where the facet is missing
  std::vector<FloatCell> cells;                          ///< float_table of all, one after the other
  float sign_error = 0;                                  ///< largest of all [m]

  const Outline& operator[](std::uint32_t shape) const { return *of_shape[shape]; }
  static std::int32_t cells_of(std::uint32_t shape) {
    return static_cast<std::int32_t>(shape) * (Outline::kFloatCells + 1);
  }
};

/// Works on one chunk at a time; holds columns that are filled anew for each, and kept for their memory.
class Sweep {
 public:
  /// Appends all contacts of the pairs, in their order.
  void detect(const Outlines& outlines, const TaubinOptions& options, const BodyView& bodies,
              std::span<const Pair> pairs, Candidates* cache, ContactBuffer& out);

  const DetectCounts& counts() const { return counts_; }

 private:
  /// A pair with candidates.
  struct Active {
    std::uint32_t pair;
    std::uint32_t item[3];  ///< begin of side a's items, of side b's, and their end
    const Candidates* row;
    const Outline* outline[2];
    bool plain;  ///< for the plain path
  };
  struct Run {
    NodeRun nodes;
    std::uint32_t item, last;  ///< of its first and last node
    std::uint32_t region;
  };
  /// The runs of both sides of one pair: side a's from 0, side b's behind them.
  struct Runs {
    static constexpr std::uint32_t kMost = 16;
    Run run[kMost];
    std::uint32_t end[2] = {0, 0};  ///< of each side's
  };
  /// A contact to be: its nodes that may be the deepest are deep_[first], ..., deep_[first + count - 1].
  struct Region {
    std::uint32_t active, feature;
    std::uint64_t payload;
    std::uint32_t first, count;  ///< count 0: a pair for the plain path
  };
  /// A node that may be the deepest of its region.
  struct Deep {
    const Outline* other;  ///< the outline it lies in
    std::uint32_t node, side;
  };
  /// The same nodes, columns.
  struct DeepColumns {
    std::vector<double> x, y;              ///< in the other's frame [m]
    std::vector<double> world_x, world_y;  ///< [m]
    std::vector<double> c, s;              ///< rotation of the other outline, negative for nodes of side a
    std::vector<double> angle, r, slope;
    std::vector<double> depth, nx, ny, rho;  ///< normal in world axes, from a to b
    void resize(std::size_t size);
  };

  void place_bodies();
  void gather_candidates();
  void append_side(const Outline& own, std::int32_t cells, const FloatPose& pose, std::uint32_t first,
                   std::uint64_t mask);
  void refresh(const Outline& a, const Outline& b, const FloatPose& in_b, const FloatPose& in_a, Candidates& row);
  void find_side(const Outline& own, const Outline& other, const FloatPose& pose, const FloatPose& other_in_own,
                 int side, Candidates& row);
  void test_candidates();
  bool decide(std::uint32_t item);
  std::uint64_t inside_bits(const Active& active, int side) const;
  void find_regions(std::uint32_t active);
  bool find_runs(const Active& active, int side, std::uint64_t inside, Runs& runs) const;
  bool meet(const Active& active, int from, const Run& run, const Run& facing, bool& sure) const;
  bool join_runs(const Active& active, Runs& runs, std::uint32_t& regions) const;
  static void name_regions(Runs& runs, const std::uint32_t* meets, std::uint32_t& regions);
  void add_region(std::uint32_t active, const Runs& runs, std::uint32_t region);
  void add_simple_region(std::uint32_t active, const Run* a, const Run* b, std::uint32_t feature);
  void add_deep(const Active& active, std::uint32_t side, std::uint32_t node);
  void evaluate_deep();
  void emit();
  void emit(const Region& region);
  DeepNode deep_node_at(std::uint32_t deep) const;
  StarPair star_pair(const Active& active) const;

  // The chunk.
  const Outlines* outlines_ = nullptr;
  const TaubinOptions* options_ = nullptr;
  const BodyView* bodies_ = nullptr;
  std::span<const Pair> pairs_;
  Candidates* cache_ = nullptr;
  ContactBuffer* out_ = nullptr;

  DetectCounts counts_;
  std::vector<PlanarPose> pose_;  ///< by row
  std::vector<Active> active_;
  std::vector<float> item_x_, item_y_, item_depth_;
  std::vector<std::int32_t> item_cells_;
  std::uint32_t items_ = 0;
  std::vector<std::uint64_t> inside_;  ///< bit per item
  std::vector<std::uint64_t> arc_;     ///< mask over the nodes of an arc
  std::vector<Region> regions_;
  std::vector<Deep> deep_;
  DeepColumns at_;
  PairHits plain_;
};

}  // namespace scree::star
