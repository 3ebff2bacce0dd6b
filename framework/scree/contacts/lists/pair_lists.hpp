#pragma once
/// \file Which pairs are looked at: chunks of pairs, renewed when bodies have outrun the Verlet skin.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/first_failure.hpp"
#include "scree/base/lanes.hpp"
#include "scree/contacts/body_tile.hpp"
#include "scree/contacts/lists/expected_paths.hpp"
#include "scree/contacts/lists/large_bodies.hpp"
#include "scree/contacts/lists/list_reach.hpp"
#include "scree/contacts/lists/pair_chunk.hpp"
#include "scree/contacts/lists/pair_listing.hpp"
#include "scree/contacts/lists/slender_bodies.hpp"
#include "scree/contacts/methods.hpp"
#include "scree/grid/spatial_order.hpp"
#include "scree/integrate/own_rows.hpp"
#include "scree/world/world.hpp"

namespace scree {

inline constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

/// Where a listed pair was in the previous lists.
struct PreviousPair {
  std::uint32_t chunk = kNowhere, pair = 0;
};

/// How far bodies will have moved since lists were made, if they move on for `ahead` seconds. Only while rows are those
/// of the lists.
struct SCREE_API BodyWays {
  std::span<const Vec3> x, v, x0;
  double ahead;  ///< [s]
  /// By row: 1 for bodies that meet nobody, whose ways are of no account. Empty where there are none.
  std::span<const std::uint8_t> alone;
  /// By row: see ListReach::weight(). Empty where all are 1.
  std::span<const double> weight;
  /// As lists count it: times the weight [m^2].
  double squared(std::size_t row) const {
    if (!alone.empty() && alone[row] != 0) return 0;
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      const double way = x[row][k] + ahead * v[row][k] - x0[row][k];
      sum += way * way;
    }
    return weight.empty() ? sum : sum * weight[row];
  }
  /// Of four rows from `row` on.
  Lanes squared_of_four(std::size_t row) const {
    if (!alone.empty()) return Lanes{squared(row), squared(row + 1), squared(row + 2), squared(row + 3)};
    const FourVectors now = load_vectors(x[row].data()), rate = load_vectors(v[row].data());
    const FourVectors then = load_vectors(x0[row].data());
    FourVectors way;
    for (int k = 0; k < 3; ++k) way.group[k] = now.group[k] + ahead * rate.group[k] - then.group[k];
    const Lanes3 d = columns_of(way);
    const Lanes sum = d.x * d.x + d.y * d.y + d.z * d.z;
    return weight.empty() ? sum : sum * load_lanes(&weight[row]);
  }
  /// The largest of these rows, 0 if none.
  double largest_squared(std::span<const RowRange> rows) const;
};

class SCREE_API PairLists {
 public:
  PairLists(World& world, const Methods& methods);

  // How lists are made, in this order.

  /// Finds methods for bodies that came, and looks whether pairs can be listed in the cell.
  /// \throws NumericalError where that is not so
  void admit_newcomers();
  struct Settled {
    std::vector<std::uint32_t> row_now;  ///< of each row of the previous lists, or kNowhere
    SpatialOrder order;                  ///< of the reference positions
    SpaceBlocks blocks;                  ///< of these
  };
  /// Current positions become the reference. \param reorder  rows are put into canonical order first
  /// \param dt  see ListReach
  Settled settle(bool reorder, double skin, double dt);
  /// The same for the reference positions that the World holds: those of the lists there are, or of a saved run.
  Settled settle_at_reference();
  /// Gives up the chunks there are.
  std::vector<PairChunk> take_chunks();
  /// \param settled  outlives the listing \param part  whose pairs are listed
  PairListing list(const Settled& settled, const ListedPart& part);
  /// Makes room for the chunks of the listed pairs.
  void cut(const PairListing& listing);
  /// Called for each chunk once its pairs are known, before its detector prepares. \param previous  of these pairs
  using Filled = std::function<void(std::size_t chunk, std::span<const PreviousPair> previous)>;
  /// Fills the chunks. \param previous  of each listed pair; sorted as the pairs are
  /// \param failure  of a chunk whose detector could not prepare
  void fill(PairListing& listing, std::span<PreviousPair> previous, const Filled& filled, FirstFailure& failure);
  /// Last, when what lists were made from is gone: the places where chunks leave wrenches.
  void index_slots();

  /// Of images: pairs get new names of them. \param renamed(image, a, b)
  void rename_images(const std::function<std::int32_t(std::int32_t, Id, Id)>& renamed);

  /// Whether the lists were made for other rows or bonds, or for a cell of another shape.
  bool outdated() const;
  /// Whether some pair may have come within reach that is not listed, if bodies move on for \p ahead seconds.
  /// \pre not outdated() \param largest_squared_way, surface_way  of all bodies, from the functions below
  bool stale(double ahead, double largest_squared_way, double surface_way) const;
  /// The largest way of these rows, squared: of centres, and of the ends of slender bodies [m^2].
  double largest_squared_way(double ahead, std::span<const RowRange> rows) const;
  /// Of slender bodies alone.
  double squared_way_of_ends(double ahead, std::span<const RowRange> rows) const {
    return slender_.farthest_squared_way(world_, reference(), paths_, skin_, ahead, rows);
  }
  /// How far surfaces of large bodies that turn have gone, at most [m]: of those that forces move, these rows alone.
  /// \param farthest  how far other bodies have gone, at most [m]
  double surface_way(double ahead, double farthest, std::span<const RowRange> rows) const;
  BodyWays ways(double ahead) const {
    return {world_.position.read(), world_.velocity.read(), reference_position_.read(), ahead, alone_, reach_.weight()};
  }
  /// Whether some bodies meet nobody: lists never end because of them, so that their rows fall out of order.
  bool some_alone() const { return !alone_.empty(); }
  /// Whether gaps count that bodies may close within a step (IntegratorTraits).
  bool looks_ahead() const;
  /// The skin [m] with which lists hold all pairs that may meet within a step, how fast bodies ever are: Methods::skin,
  /// and more where bodies outrun that.
  double skin_for(double dt) const;
  /// How far a point of a body goes when it turns by one radian, where lists depend on that, at most [m].
  double turning_reach() const { return slender_.longest(); }

  std::span<PairChunk> chunks() { return chunks_; }
  std::span<const PairChunk> chunks() const { return chunks_; }
  /// Where a chunk stands among those of all ranks: the order of one rank's chunks, whoever has them.
  std::uint64_t order_of(std::size_t chunk) const;
  /// Of these chunks.
  std::size_t pair_count() const { return pair_count_; }
  /// Of the chunks of all ranks.
  std::size_t pair_count_of_all() const { return pair_count_of_all_; }
  void note_pairs_of_all(std::size_t pairs) { pair_count_of_all_ = pairs; }
  /// Place of a row of the lists along the curve.
  std::uint32_t place_of(std::uint32_t row) const { return in_order_ ? row : places_[row]; }
  /// Appends the pairs of owners that the lists couple, each once, ascending, the lower row first.
  void couplings(std::vector<BodyPair>& out) const;

  /// Whether the World's rows are those of the lists.
  bool of_these_rows() const { return world_.layout_version() == layout_; }
  /// Whether the rows of the lists follow the curve.
  bool in_order() const { return in_order_; }
  /// Whether there are large bodies whose turning counts, and which forces move.
  bool large_turn_freely() const;
  /// Of the rows of the lists.
  std::span<const Id> ids() const { return row_ids_; }
  /// Rows of the lists. \param bodies  ascending
  std::vector<std::uint32_t> rows_of(std::span<const Id> bodies) const;
  /// Chunks that hold one of these rows of the lists, ascending.
  std::vector<std::uint32_t> chunks_of(std::span<const std::uint32_t> rows) const;
  /// Per row, the row of its owner; empty when no body has one.
  std::span<const std::uint32_t> owner_row() const { return owner_row_; }
  /// Per row [m/s]; empty when no body has one.
  std::span<const Vec3> surface_velocity() const { return surface_velocity_; }

  std::size_t slot_count() const { return slots_.size(); }
  std::size_t chunk_of_slot(std::size_t slot) const;
  /// The places where chunks leave a body's share of its wrench, chunk by chunk.
  std::span<const std::uint32_t> slots_of(std::size_t row) const {
    return {slots_.data() + slot_start_[row], slots_.data() + slot_start_[row + 1]};
  }

 private:
  class LocalRows;
  /// One thread's working memory.
  struct Scratch {
    BodyTile tile;
    std::vector<std::uint32_t> local, stamp;  ///< per row of the World: its local row in the chunk with this stamp
    std::uint32_t stamp_now = 0;
  };
  /// Listed pairs [first, last), and where they were before.
  struct Part {
    PairListing& listing;
    std::span<PreviousPair> previous;
    std::size_t first, last;
  };
  void check_cell() const;
  double cell_width() const;
  SpaceBlocks blocks_along(const SpatialOrder& order) const;
  void note_unlike_bodies();
  BodyPoses reference() const;
  Image cells_apart() const;
  double way_of_images(const Mat3& of_edges) const;
  void ask_for_orientations();
  void choose_reach(double dt);
  void choose_paths(double dt);
  double skin_of(const PairChunk& chunk) const;
  std::span<const Quat> reference_orientations() const;
  void note_rows();
  void sort_by_channel(std::span<ListedPair> pairs, std::span<PreviousPair> previous) const;
  void fill_chunk(PairChunk& chunk, const Part& part, Scratch& scratch) const;
  void fill_block(PairChunk& chunk, std::span<const ListedPair> pairs, Scratch& scratch) const;
  void find_owners(PairChunk& chunk, std::size_t first_pair, std::size_t first_row, LocalRows& local) const;

  World& world_;
  const Methods& methods_;
  Column<Vec3> reference_position_;
  Column<Quat> reference_orientation_;  ///< where large or slender bodies turn; see reference_orientations()
  LargeBodies large_;                   ///< by rows of the lists
  SlenderBodies slender_;               ///< by rows of the lists
  double skin_;                         ///< of the lists [m]
  ListReach reach_;                     ///< of bodies in the lists
  ExpectedPaths paths_;                 ///< of slender bodies in the lists
  Image cells_apart_ = Image::Zero();   ///< in lists: see cells_apart()
  std::vector<PairChunk> chunks_;
  std::vector<std::size_t> chunk_first_;  ///< index into the listed pairs of each chunk's first
  std::size_t pair_count_ = 0;            ///< of all chunks
  std::size_t pair_count_of_all_ = 0;     ///< of those of all ranks
  std::vector<std::uint32_t> slot_start_, slots_;
  std::vector<Scratch> scratch_;
  std::vector<Vec3> surface_velocity_;
  std::vector<std::uint32_t> owner_row_;
  std::vector<std::uint8_t> alone_;  ///< BodyWays::alone
  std::vector<Id> row_ids_;
  std::uint64_t layout_ = 0;
  bool in_order_ = false;
  std::vector<std::uint32_t> places_;  ///< by row, where they are not in order
  std::uint64_t bonds_ = 0;            ///< Bonds::version() the lists were made for
};

}  // namespace scree
