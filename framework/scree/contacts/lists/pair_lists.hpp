#pragma once
/// \file Pair lists: chunks of pairs, rebuilt when bodies have outrun the Verlet skin.

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
#include "scree/grid/spatial_order.hpp"
#include "scree/integrate/mechanics.hpp"
#include "scree/model/methods.hpp"
#include "scree/world/world.hpp"

namespace scree {

inline constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

/// Place of a listed pair in the previous lists.
struct PreviousPair {
  std::uint32_t chunk = kNowhere, pair = 0;
};

/// Displacements of bodies since the last rebuild, if they move on for `ahead` seconds. Valid only while rows are those
/// of the lists.
struct SCREE_API BodyWays {
  std::span<const Vec3> x, v, x0;
  double ahead;  ///< [s]
  /// Flag by row: 1 for bodies that touch nothing, whose displacements do not count. Empty if there are none.
  std::span<const std::uint8_t> alone;
  /// Weights by row: see ListReach::weight(). Empty if all are 1.
  std::span<const double> weight;
  /// Returns the squared displacement of a row, times its weight [m^2].
  double squared(std::size_t row) const {
    if (!alone.empty() && alone[row] != 0) return 0;
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      const double way = x[row][k] + ahead * v[row][k] - x0[row][k];
      sum += way * way;
    }
    return weight.empty() ? sum : sum * weight[row];
  }
  /// Returns the squared displacements of four rows from `row` on.
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
  /// Returns the largest squared displacement of these rows, 0 if there are none.
  double largest_squared(std::span<const RowRange> rows) const;
};

class SCREE_API PairLists {
 public:
  PairLists(World& world, const Methods& methods);

  // Functions of a rebuild, in this order.

  /// Finds methods for bodies of new species, and checks whether pairs can be listed in the cell.
  /// \throws NumericalError if they cannot
  void admit_newcomers();
  struct Settled {
    std::vector<std::uint32_t> row_now;  ///< current row of each row of the previous lists, or kNowhere
    SpatialOrder order;                  ///< order of the reference positions
    SpaceBlocks blocks;                  ///< blocks of the reference positions
  };
  /// Makes current positions the reference. \param reorder  true to put rows into canonical order first
  /// \param dt  see ListReach
  Settled settle(bool reorder, double skin, double dt);
  /// Settles at the reference positions that the World holds: those of the present lists, or of a saved run.
  Settled settle_at_reference();
  /// Moves out the chunks.
  std::vector<PairChunk> take_chunks();
  /// Lists the pairs of a part of the curve. \param settled  outlives the listing
  PairListing list(const Settled& settled, const ListedPart& part);
  /// Divides the listed pairs into chunks, and allocates these.
  void cut(const PairListing& listing);
  /// Callback for each chunk once its pairs are known, before its detector prepares. \param previous  places of its
  /// pairs in the previous lists
  using Filled = std::function<void(std::size_t chunk, std::span<const PreviousPair> previous)>;
  /// Fills the chunks. \param previous  previous place of each listed pair; sorted along with the pairs
  /// \param failure  failure of a detector to prepare a chunk
  void fill(PairListing& listing, std::span<PreviousPair> previous, const Filled& filled, FirstFailure& failure);
  /// Numbers the slots where chunks leave wrenches; the last function, after memory of the listing is freed.
  void index_slots();

  /// Renames the images of pairs. \param renamed  renamed(image, a, b)
  void rename_images(const std::function<std::int32_t(std::int32_t, Id, Id)>& renamed);

  /// Checks whether the lists were made for other rows or bonds, or for a cell of another shape.
  bool outdated() const;
  /// Checks whether some unlisted pair may have come within reach, if bodies move on for \p ahead seconds.
  /// \pre not outdated()
  /// \param largest_squared_way, surface_way  displacements over all bodies, from the functions below
  bool stale(double ahead, double largest_squared_way, double surface_way) const;
  /// Returns the largest squared displacement of these rows: of centres, and of the ends of slender bodies [m^2].
  double largest_squared_way(double ahead, std::span<const RowRange> rows) const;
  /// Returns the largest squared displacement of the ends of slender bodies in these rows [m^2].
  double squared_way_of_ends(double ahead, std::span<const RowRange> rows) const {
    return slender_.farthest_squared_way(world_, reference(), paths_, skin_, ahead, rows);
  }
  /// Returns the largest displacement of surfaces of large bodies that rotate [m]; of those moved by forces, only these
  /// rows.
  /// \param farthest  largest displacement of other bodies [m]
  double surface_way(double ahead, double farthest, std::span<const RowRange> rows) const;
  BodyWays ways(double ahead) const {
    return {world_.position.read(), world_.velocity.read(), reference_position_.read(), ahead, alone_, reach_.weight()};
  }
  /// Checks whether some bodies touch nothing: lists never end because of them, so their rows fall out of order.
  bool some_alone() const { return !alone_.empty(); }
  /// Checks whether gaps count that bodies may close within a step (IntegratorTraits).
  bool looks_ahead() const;
  /// Returns the skin [m] with which lists hold all pairs that may meet within a step, however fast bodies are:
  /// Methods::skin, or more if bodies outrun that.
  double skin_for(double dt) const;
  /// Returns the largest displacement of a point of a body per radian of rotation, if lists depend on it [m].
  double turning_reach() const { return slender_.longest(); }

  std::span<PairChunk> chunks() { return chunks_; }
  std::span<const PairChunk> chunks() const { return chunks_; }
  /// Returns the number that orders a chunk among the chunks of all ranks: the order they have on one rank.
  std::uint64_t order_of(std::size_t chunk) const;
  /// Number of pairs in chunks().
  std::size_t pair_count() const { return pair_count_; }
  /// Number of pairs in the chunks of all ranks.
  std::size_t pair_count_of_all() const { return pair_count_of_all_; }
  void note_pairs_of_all(std::size_t pairs) { pair_count_of_all_ = pairs; }
  /// Returns the place of a row of the lists along the curve.
  std::uint32_t place_of(std::uint32_t row) const { return in_order_ ? row : places_[row]; }
  /// Appends the pairs of owners that the lists couple, each once, ascending, the lower row first.
  void couplings(std::vector<BodyPair>& out) const;

  /// Checks whether the World's rows are those of the lists.
  bool of_these_rows() const { return world_.layout_version() == layout_; }
  /// Checks whether the rows of the lists follow the curve.
  bool in_order() const { return in_order_; }
  /// Checks whether there are large bodies whose rotation counts, and which forces move.
  bool large_turn_freely() const;
  /// Ids of the rows of the lists.
  std::span<const Id> ids() const { return row_ids_; }
  /// Returns the rows of the lists of some bodies. \param bodies  ascending
  std::vector<std::uint32_t> rows_of(std::span<const Id> bodies) const;
  /// Returns the chunks that hold one of these rows of the lists, ascending.
  std::vector<std::uint32_t> chunks_of(std::span<const std::uint32_t> rows) const;
  /// Row of each row's owner; empty if no body has one.
  std::span<const std::uint32_t> owner_row() const { return owner_row_; }
  /// Surface velocity by row [m/s]; empty if no body has one.
  std::span<const Vec3> surface_velocity() const { return surface_velocity_; }

  std::size_t slot_count() const { return slots_.size(); }
  std::size_t chunk_of_slot(std::size_t slot) const;
  /// Slots where chunks leave wrenches on a body, chunk by chunk.
  std::span<const std::uint32_t> slots_of(std::size_t row) const {
    return {slots_.data() + slot_start_[row], slots_.data() + slot_start_[row + 1]};
  }

 private:
  class LocalRows;
  /// Working memory of one thread.
  struct Scratch {
    BodyTile tile;
    std::vector<std::uint32_t> local, stamp;  ///< by row of the World: its local row in the chunk with this stamp
    std::uint32_t stamp_now = 0;
  };
  /// Listed pairs [first, last), and their previous places.
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
  Column<Quat> reference_orientation_;  ///< set if large or slender bodies rotate; see reference_orientations()
  LargeBodies large_;                   ///< by rows of the lists
  SlenderBodies slender_;               ///< by rows of the lists
  double skin_;                         ///< skin of the lists [m]
  ListReach reach_;                     ///< reach of bodies in the lists
  ExpectedPaths paths_;                 ///< paths of slender bodies in the lists
  Image cells_apart_ = Image::Zero();   ///< value of cells_apart() in the lists
  std::vector<PairChunk> chunks_;
  std::vector<std::size_t> chunk_first_;  ///< index of each chunk's first pair among the listed pairs
  std::size_t pair_count_ = 0;            ///< number of pairs in all chunks
  std::size_t pair_count_of_all_ = 0;     ///< number of pairs in the chunks of all ranks
  std::vector<std::uint32_t> slot_start_, slots_;
  std::vector<Scratch> scratch_;
  std::vector<Vec3> surface_velocity_;
  std::vector<std::uint32_t> owner_row_;
  std::vector<std::uint8_t> alone_;  ///< BodyWays::alone
  std::vector<Id> row_ids_;
  std::uint64_t layout_ = 0;
  bool in_order_ = false;
  std::vector<std::uint32_t> places_;  ///< places by row, if rows are not in order
  std::uint64_t bonds_ = 0;            ///< Bonds::version() the lists were made for
};

}  // namespace scree
