#pragma once
/// \file The fast path for many pairs at once: the same contacts as pair_contacts.hpp, bit by bit.
///
/// Per pair the core keeps, between steps, which nodes of either side may come inside the other while the relative pose
/// stays close to a reference, and the regions of those last found inside (Candidates). Per step:
///   1. all pairs are placed in each other's frame, eight at a time; those that have moved too far find their
///      candidates anew: the arc facing the other body, then its map;
///   2. the candidates of all pairs, moved into the other body's frame, become one list and are tested in single
///      precision, sixteen at a time; those within the error bound are decided in double precision;
///   3. where the same nodes are inside as before, so are the regions; else runs of inside nodes, from bit masks, are
///      joined to regions. The few nodes of a region that may be its deepest are evaluated in double precision, all
///      pairs together.
/// What the masks cannot hold goes to the plain path.
///
/// Bodies of any size share the tables of their shape: a node is seen from the other's frame at the size of the other's
/// shape, by a pose that also stretches. Depths are brought to the bodies' sizes where sides are compared.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "outline/sweep_kernels.hpp"
#include "scree/detect/pair.hpp"
#include "taubin/pair_contacts.hpp"
#include "taubin/pair_lanes.hpp"

namespace scree::star {

/// A node counted on past the end of the ring, by less than a turn.
inline std::uint32_t modulo(std::uint32_t node, int nodes) {
  const auto n = static_cast<std::uint32_t>(nodes);
  return node < n ? node : node - n;
}

/// A region of one run of either side at most, of at most kLanes nodes each: nearly every one is. By side.
struct SimpleRegion {
  std::uint8_t item[2];   ///< first node: its number among the candidates of both sides
  std::uint8_t count[2];  ///< nodes; 0 = no run
  std::uint16_t node[2];  ///< first node
  std::uint64_t payload;  ///< payload of the contact
};

/// Storage of a pair's candidates.
enum class Extent : std::uint8_t {
  none,  ///< there are none
  few,   ///< one by one in Candidates::offset
  many,  ///< in Candidates::mask
  wide   ///< nodes of a side do not fit its mask
};

/// A pair's row of the cache: a line that every step reads, and one for pairs with nodes inside. Zero means: nothing
/// known.
struct alignas(64) Candidates {
  static constexpr std::uint32_t kRegions = 3;
  FloatPose reference;     ///< pose of a's outline in b's frame, at the size of b's shape, when the masks were made
  float reach2;            ///< [m^2] likewise; the masks hold while (|shift| + lever |change of (c, s)|)^2 is less
  float lever2;            ///< [m^2]
  std::uint16_t first[2];  ///< node of bit 0, side a and b
  std::uint8_t count[2];   ///< bits of a side's mask
  Extent extent;
  std::uint64_t mask[2];        ///< candidates
  std::uint8_t offset[kLanes];  ///< bits of side a's mask, then of side b's, all below 2 kLanes

  std::uint32_t inside;   ///< these of the candidates, lowest bit first, make the regions below; 0 = not known
  std::uint32_t regions;  ///< number of regions; 0 where `inside` is
  SimpleRegion region[kRegions];
};
static_assert(sizeof(Candidates) == 128);

/// Pairs of which one body is larger than this many times the other take the plain path.
inline constexpr float kMostRatio = 64;

/// Outlines by shape, and what all of them share.
struct Outlines {
  std::vector<std::unique_ptr<const Outline>> of_shape;  ///< empty where the facet is missing
  std::vector<Vec2> centre;                              ///< centre of each, zero if the facet is missing
  std::vector<FloatCell> cells;                          ///< float_table of all, one after the other
  std::vector<std::int32_t> first_cell;                  ///< first cell of each shape
  std::uint32_t count = 0;                               ///< shapes that have an outline
  float sign_error = 0;                                  ///< largest of all [m]
  float depth_error = 0;                                 ///< likewise
  float centre_reach2 = 0;                               ///< likewise [m^2]
  double largest_r_min = 0;                              ///< [m]
  bool tables_missing = false;                           ///< some outline has no table in double precision

  const Outline& operator[](std::uint32_t shape) const { return *of_shape[shape]; }
};

/// Works on one chunk at a time, in blocks of pairs whose candidates fit the nearest cache. Large: make one per thread.
class Sweep {
 public:
  /// Appends all contacts of the pairs, in their order.
  void detect(const Outlines& outlines, const TaubinOptions& options, const BodyView& bodies,
              std::span<const Pair> pairs, Candidates* cache, ContactBuffer& out);

  const DetectCounts& counts() const { return counts_; }

 private:
  static constexpr std::uint32_t kItems = 1024;  ///< candidates of a block, about
  /// And at most, padding aside; no multiple of a power of two, or rows of all columns would share one cache set.
  static constexpr std::uint32_t kMostItems = kItems + 2 * kWindow + 8;
  static constexpr std::uint32_t kActive = 1024;  ///< pairs of a block
  /// Most nodes that may be the deepest of a region, and most regions; padding. No multiple of a power of two either.
  static constexpr std::uint32_t kMostDeep = kMostItems + kActive + 8;
  static constexpr std::uint32_t kGroup = 128;  ///< pairs placed together, before their candidates join the block

  /// A pair with candidates.
  struct Active {
    std::uint32_t pair, body[2];
    std::uint32_t item[3];  ///< begin of side a's items, of side b's, and their end
    Candidates* row;
    const Outline* outline[2];
    bool plain;  ///< for the plain path
  };
  /// A run of inside nodes, and what decides whether it meets a run of the other side.
  struct Run {
    NodeRun nodes;
    std::uint32_t item, bit;  ///< item and bit of its first node
    std::uint32_t region;     ///< see join_runs()
    float begin_x, begin_y;   ///< first node in its own frame [m]
    float end_x, end_y;       ///< last node in the other's frame [m]
    float edge_in, edge_out;  ///< edges that lead to the first and from the last node, in these two frames [m]
  };
  /// The runs of both sides of one pair: side a's from 0, side b's behind them.
  struct Runs {
    static constexpr std::uint32_t kMost = 16;
    Run run[kMost];
    std::uint32_t end[2];  ///< end of each side's runs
  };
  /// Result of joining the runs of a pair.
  struct Joint {
    Runs runs;
    std::uint32_t meets[Runs::kMost];  ///< by run of side a: bits of the runs it meets
    std::uint32_t regions;             ///< regions as in Run::region
    bool simple;                       ///< no run meets two others, none is long; then nothing is named
    bool sure;                         ///< single precision can tell which runs meet
    bool lasting;                      ///< runs that meet now will do so as long as the masks hold
  };
  /// A contact to be. Of a region that is not simple `runs` holds the payload alone, and listed_ the nodes that may be
  /// the deepest; a pair for the plain path has none of both.
  struct Region {
    SimpleRegion runs;
    std::uint32_t active, feature;
    std::uint32_t listed, listed_end;  ///< range of listed_

    bool plain() const { return (runs.count[0] | runs.count[1] | (listed_end - listed)) == 0; }
  };
  struct ListedNode {
    std::uint32_t side, node;
  };
  /// A node that may be the deepest of its region: of region i it is deep_[i], and where there are more, they follow
  /// those of all regions.
  struct Deep {
    const PlanarPoint<double>* point;  ///< about its outline's centre [m]
    std::uint32_t own, other;          ///< rows of its body and of the one it lies in
    std::uint32_t active, side;
    std::uint32_t node;  ///< may count on past the end of the ring
  };
  /// A region with several of them.
  struct Rivals {
    std::uint32_t region;
    std::uint32_t picked;      ///< bits of those behind the first one, see kernels::pick()
    std::uint32_t begin, end;  ///< they are deep_[begin], ...
  };
  /// Columns of deep nodes, written in groups of four.
  struct alignas(64) DeepColumns {
    double x[kMostDeep], y[kMostDeep];              ///< in the other's frame, at the size of its shape [m]
    double world_x[kMostDeep], world_y[kMostDeep];  ///< [m]
    double c[kMostDeep], s[kMostDeep];              ///< rotation of the other outline, negative for nodes of side a
    double sign[kMostDeep];                         ///< -1 for nodes of side a, else 1
    const RadialSample<double>* table[kMostDeep];   ///< table of the other outline
    double cells_per_unit[kMostDeep];               ///< likewise
    double angle[kMostDeep], t[kMostDeep], r[kMostDeep], slope[kMostDeep];
    std::int32_t cell[kMostDeep];
    double depth[kMostDeep], nx[kMostDeep], ny[kMostDeep], rho[kMostDeep];  ///< normal: world axes, from a to b
  };

  void place_bodies();
  void gather_candidates();
  void place_pairs(std::uint32_t begin, std::uint32_t end);
  void place_eight(const Pair* pair, const Candidates* row, std::uint32_t at);
  std::uint32_t find_near(std::uint32_t begin, std::uint32_t end);
  void add_candidates(std::uint32_t index, std::uint32_t in_group);
  void append_side(const Outline& own, std::int32_t cells, const FloatPose& pose, std::uint32_t first,
                   std::uint64_t mask, std::uint32_t at);
  void refresh(const Outline& a, const Outline& b, float ratio, const FloatPose& in_b, const FloatPose& in_a,
               Candidates& row);
  bool find_side(const Outline& own, const Outline& other, float ratio, const FloatPose& pose,
                 const FloatPose& other_in_own, int side, Candidates& row);
  void finish_block();
  void test_candidates();
  bool decide(std::uint32_t item);
  std::uint64_t item_bits(std::uint32_t begin) const;
  std::uint64_t inside_bits(const Active& active, int side) const;
  void find_regions(std::uint32_t active);
  bool find_runs(const Active& active, int side, std::uint64_t inside, Runs& runs) const;
  void add_simple_regions(std::uint32_t active, const Joint& joint, std::uint32_t seen);
  void join_runs(const Active& active, Joint& joint) const;
  static void name_regions(Joint& joint);
  void add_region(std::uint32_t active, const SimpleRegion& runs, std::uint32_t feature);
  void add_complex_region(std::uint32_t active, const Runs& runs, std::uint32_t region);
  void pick_deep();
  void list_deep();
  void list_rivals();
  void add_deep(std::uint32_t at, std::uint32_t active, std::uint32_t side, std::uint32_t node);
  void place_deep();
  void evaluate_deep();
  void look_up();
  void choose_deepest();
  std::uint32_t deepest_of(const Rivals& rivals);
  DeepNode deep_node_at(std::uint32_t deep) const;
  void emit();
  void emit_regions(std::uint32_t begin, std::uint32_t end);
  StarPair star_pair(const Active& active) const;
  void note_sizes();
  void size_lanes(MutualLanes& lanes, const Pair* pair) const;
  void size_depths();
  Sizes sizes(std::uint32_t own, std::uint32_t other) const {
    return sized_ ? Sizes{bodies_->scale[own], bodies_->scale[other]} : Sizes{};
  }
  static float ratio(const Sizes& size) { return static_cast<float>(size.own / size.other); }
  /// Error of depths of a pair in single precision [m], depth_error aside.
  float doubt(const Active& active) const {
    const Sizes size = sizes(active.body[0], active.body[1]);
    return sized_ ? static_cast<float>(std::max(size.own, size.other)) * sign_error_ : sign_error_;
  }

  // The chunk.
  const Outlines* outlines_ = nullptr;
  const TaubinOptions* options_ = nullptr;
  const BodyView* bodies_ = nullptr;
  std::span<const Pair> pairs_;
  Candidates* cache_ = nullptr;
  ContactBuffer* out_ = nullptr;
  bool both_ = true;              ///< nodes of both sides count
  bool mixed_ = true;             ///< there are several outlines
  bool sized_ = false;            ///< some body has another size than its shape
  float sign_error_ = 0;          ///< Outlines::sign_error, of nodes at the size of the other's shape [m]
  std::vector<float> unit_;       ///< by row, where sized_: size of the shape over that of the body
  std::vector<PlanarPose> pose_;  ///< by row
  std::vector<Turn> turn_;        ///< likewise
  DetectCounts counts_;

  // The group.
  MutualColumns<kGroup> mutual_;
  std::int32_t moved_[kGroup];    ///< -1: farther than the masks hold; else 0
  std::int32_t crowded_[kGroup];  ///< -1: some centre may lie inside the other outline; else 0
  std::uint32_t stale_[kGroup], near_[kGroup];

  // The block.
  std::uint32_t actives_ = 0, items_ = 0, regions_ = 0, deeps_ = 0, rivalries_ = 0;
  bool crushed_ = false;  ///< some node may have come too near the other's centre
  static_assert(kMostDeep % 4 == 0);
  alignas(64) float item_x_[kMostItems + kLanes], item_y_[kMostItems + kLanes], item_depth_[kMostItems + kLanes];
  std::int32_t item_cells_[kMostItems + kLanes];
  std::uint64_t inside_[kMostItems / 64 + 2];  ///< bit per item
  Active active_[kActive];
  Region region_[kMostDeep];
  std::uint32_t picked_[kMostDeep];  ///< by region, see kernels::pick()
  Deep deep_[kMostDeep];
  Rivals rivals_[kMostItems];
  DeepColumns at_;

  std::vector<ListedNode> listed_;
  std::vector<std::uint64_t> arc_;  ///< mask over the nodes of an arc
  PairHits plain_;
};

}  // namespace scree::star
