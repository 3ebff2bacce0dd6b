#pragma once
/// \file pairs -> detect -> match -> law -> accumulate, over chunks, in parallel, with sums in a fixed order.
///
/// Determinism: each pair belongs to a block of space (SpaceBlocks). The contacts of a block are summed serially, in
/// the order of their pairs along the curve, into one slot per block and body, and each body sums its slots block by
/// block. No sum depends on the number of threads, or on bodies elsewhere. Chunks are blocks that one thread works on
/// at once.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scree/base/clock.hpp"
#include "scree/base/lanes.hpp"
#include "scree/contacts/chunk.hpp"
#include "scree/contacts/detail/work_sharing.hpp"
#include "scree/contacts/large_bodies.hpp"
#include "scree/contacts/methods.hpp"
#include "scree/contacts/space_blocks.hpp"
#include "scree/grid/periodic_pairs.hpp"
#include "scree/grid/spatial_order.hpp"
#include "scree/hooks/history_store.hpp"
#include "scree/hooks/history_table.hpp"
#include "scree/integrate/cones.hpp"
#include "scree/integrate/potential.hpp"
#include "scree/world/world.hpp"

namespace scree {

namespace detail {
struct ContactBlock;
}

class SCREE_API ContactPipeline {
 public:
  ContactPipeline(World& world, const Methods& methods);
  ~ContactPipeline();

  /// Lists the pairs for the bodies' present positions. \p reorder puts the World's rows into canonical order first:
  /// only between steps. History moves along with its pairs.
  void rebuild(bool reorder) { rebuild(reorder, methods_.skin); }
  /// The same with a skin of one's own [m].
  void rebuild(bool reorder, double skin);
  /// The same from the reference positions stored in the World (after a resume): gives the list the saved run had.
  void rebuild_at_reference();

  /// Whether some pair may have come within reach that is not listed, if bodies moved on for \p ahead seconds.
  bool stale(double ahead) const;
  /// The same for who knows the largest Ways::squared() of all bodies.
  bool stale(double ahead, double largest_squared_way) const;
  /// How far bodies will have moved since the lists were made, if they move on for `ahead` seconds. Only while rows are
  /// those of the lists.
  struct Ways {
    std::span<const Vec3> x, v, x0;
    double ahead;  ///< [s]
    double squared(std::size_t row) const {
      double sum = 0;
      for (int k = 0; k < 3; ++k) {
        const double way = x[row][k] + ahead * v[row][k] - x0[row][k];
        sum += way * way;
      }
      return sum;
    }
    /// Of four rows from `row` on.
    Lanes squared_of_four(std::size_t row) const {
      const FourVectors now = load_vectors(x[row].data()), rate = load_vectors(v[row].data());
      const FourVectors then = load_vectors(x0[row].data());
      FourVectors way;
      for (int k = 0; k < 3; ++k) way.group[k] = now.group[k] + ahead * rate.group[k] - then.group[k];
      const Lanes3 d = columns_of(way);
      return d.x * d.x + d.y * d.y + d.z * d.z;
    }
    /// The largest of all rows, 0 if none.
    double largest_squared() const;
  };
  Ways ways(double ahead) const {
    return {world_.position.read(), world_.velocity.read(), reference_position_.read(), ahead};
  }

  /// Forces and torques on all bodies at the World's state, from committed history.
  /// \param dt, lag  see Mechanics::forces()
  /// \param others   what else acts on bodies (bonds), by row; or empty
  /// \param keep     where the history of this evaluation goes
  void evaluate(double dt, double lag, std::span<const Wrench> others, std::span<Vec3> force, std::span<Vec3> torque,
                Keep keep);

  /// Whether gaps count that bodies may close within a step (IntegratorTraits).
  bool looks_ahead() const;
  /// The skin [m] with which lists hold all pairs that may meet within a step, how fast bodies ever are: Methods::skin,
  /// and more where bodies outrun that.
  double skin_for(double dt) const;

  /// Contacts at the World's state with their cones, instead of forces; writes the external wrenches alone.
  /// \param others  as in evaluate()  \return see Cones::contacts()
  std::span<const ConeContact> cones(double dt, std::span<const Wrench> others, std::span<Vec3> force,
                                     std::span<Vec3> torque);
  /// See Cones::accept() and Potential::accept_forces(); adds the impulses' forces to the external wrenches. Contacts
  /// that do not push count no longer, and have no records. \param dt  [s] what forces are impulses over; 1 for forces
  /// \param history  impulses are kept as such
  void accept(std::span<const Vec3> impulses, double dt, bool history, std::span<Vec3> force, std::span<Vec3> torque);

  /// Contacts at the World's state with their energies. \return see Potential::potentials()
  std::span<const PotentialContact> potentials();
  /// Gravity, damping and what else acts on bodies, at the World's state.
  void external(std::span<const Wrench> others, std::span<Vec3> force, std::span<Vec3> torque) const;

  /// Which contacts there are at the World's state, and how deep: counts, and records without forces.
  void look();

  /// The history of the last evaluation that kept a trial becomes what is committed.
  void commit_trial();

  /// What evaluate() is to keep beyond forces.
  bool keep_records = false, compute_energy = false;

  /// Appends the pairs of owners that the lists couple, each once, ascending, the lower row first.
  void couplings(std::vector<BodyPair>& out) const;

  const ContactTotals& counts() const { return totals_; }
  /// Records of the last evaluation that kept them, by the images of now; also when lists were made anew since.
  ContactView contact_view() const;
  /// All committed history.
  HistoryTable history() const;
  /// That of these bodies, by (interaction, a, b, image, order of contacts in the pair).
  std::vector<HistoryRecord> history_of(std::span<const Id> bodies) const;
  void insert(std::span<const HistoryRecord> records);
  std::uint64_t rebuilds = 0;
  StageSeconds seconds;

 private:
  struct Listed;
  struct Scratch;
  struct LawColumns;
  struct LawHistory;
  struct Origin;    ///< where a pair's history comes from
  class OldChunks;  ///< of the lists before
  /// What the channels of a chunk have in common.
  struct Group {
    std::uint32_t number;
    const ContactDetector* detector;
    std::size_t cache_row;
    bool curvature;
    double margin;  ///< [m]
    int history;    ///< columns
    bool impulses;  ///< history is of impulses, for solvers of cones
  };
  class LocalRows;  ///< of one block in its chunk
  struct External;  ///< what acts on bodies besides contacts
  class OwnForces;  ///< what a body's own contacts give it, where somebody asks

  void settle_newcomers();
  double cell_width() const;
  std::vector<std::uint32_t> settle_rows(bool reorder);
  void check_cell() const;
  Image cells_apart() const;
  double way_of_images(const Mat3& of_edges) const;
  void ask_for_orientations();
  std::span<const Quat> reference_orientations() const;
  void list_pairs(std::span<const Vec3> position);
  void note_rows();
  void find_fragments();
  bool anyone_may_touch(const std::vector<std::uint32_t>& rows) const;
  bool held_together(std::uint32_t i, std::uint32_t j) const;
  std::vector<ImagePair> pairs_of_large_bodies(std::span<const Vec3> position) const;
  std::vector<double> grown_radii() const;
  double reach_of(std::int32_t channel) const;
  std::int32_t channel_of(std::uint32_t i, std::uint32_t j) const;
  bool within_reach(std::uint32_t i, std::uint32_t j, const Image& image, std::int32_t channel) const;
  template <class Candidate>
  void add_candidates(const std::vector<Candidate>& candidates);
  Listed listed(std::uint32_t i, std::uint32_t j, Image image) const;
  void check_unscaled(std::uint32_t i, std::uint32_t j) const;
  void wrap();
  void sort_listed();
  void sort_bucket(std::span<Listed> bucket) const;
  std::vector<Origin> origins(OldChunks& old, std::span<const std::uint32_t> new_row) const;
  std::size_t end_of_block(std::size_t first, std::size_t end) const;
  void cut_chunks(OldChunks& old, std::span<Origin> origin);
  std::uint32_t group_of(const Listed& pair) const;
  Group group_of(const Chunk& chunk) const;
  void sort_by_channel(std::span<Listed> pairs, std::span<Origin> origin) const;
  void fill_chunk(Chunk& chunk, std::size_t first, std::size_t last, Scratch& scratch) const;
  void fill_block(Chunk& chunk, std::span<const Listed> pairs, Scratch& scratch) const;
  void inherit(OldChunks& old, std::span<const Origin> from, Chunk& chunk, Scratch& scratch) const;
  void place_pending();
  void check(const HistoryRecord& record) const;
  void place_in(Chunk& chunk, std::span<char> placed) const;
  std::vector<std::uint32_t> chunks_of_pending() const;
  std::vector<std::uint32_t> list_rows_of(std::span<const Id> bodies) const;
  void add_chunks_of(std::uint32_t row, std::vector<std::uint32_t>& chunks) const;
  void append_history(const Chunk& chunk, std::size_t contact, std::vector<double>& values, HistoryTable& to) const;
  void index_slots();
  OwnForces ask_for_own_forces();

  template <class Work, class Each>
  void over_chunks(const Work& work, const Each& each);
  template <class Work>
  void over_blocks(const Chunk& chunk, Scratch& scratch, const Work& work);
  void detect_chunk(Chunk& chunk, Scratch& scratch, Keep keep, double ahead = 0);
  void make_room(Chunk& chunk, Keep keep, Scratch& scratch) const;
  double margin_for(const Chunk& chunk, const Scratch& scratch, double ahead) const;
  void sum_counts();
  void inherited(const Chunk& chunk, const detail::ContactBlock& block, bool copy, int columns, Scratch& scratch,
                 const double** last) const;
  void sum_slots(std::ptrdiff_t body, Vec3& force, Vec3& torque) const;
  void add_inputs(const Chunk& chunk, const detail::ContactBlock& block, LawColumns& columns, Scratch& s) const;
  LawColumns law_columns(const Chunk& chunk, const detail::ContactBlock& block, double dt, double lag,
                         Scratch& scratch) const;
  void apply_law(Chunk& chunk, const detail::ContactBlock& block, double dt, double lag, Keep keep, Scratch& scratch);
  LawHistory law_history(Chunk& chunk, const detail::ContactBlock& block, Keep keep, bool copy, Scratch& scratch) const;
  static void replace(Chunk& chunk, const detail::ContactBlock& block, const LawHistory& history);
  void commit_at_once(Chunk& chunk, Scratch& scratch) const;
  void add_cones(Chunk& chunk, const detail::ContactBlock& block, double dt, Scratch& scratch) const;
  void add_potentials(Chunk& chunk, const detail::ContactBlock& block, Scratch& scratch) const;
  static const HandedContact& hand_out(Chunk& chunk, const detail::ContactBlock& block, std::size_t i,
                                       const ContactBuffer& contacts);
  template <class Contact>
  void hand_out_all(std::vector<Contact> Chunk::*of_chunk, std::vector<Contact>& all);
  static void keep_impulses(Chunk& chunk, std::span<const Vec3> impulses);
  void accept_chunk(Chunk& chunk, std::span<const Vec3> impulses, double dt);

  World& world_;
  const Methods& methods_;
  Column<Vec3> reference_position_;
  Column<Quat> reference_orientation_;  ///< where large bodies turn; see reference_orientations()
  LargeBodies large_;                   ///< by rows of the lists
  double skin_;                         ///< of the lists [m]
  Image cells_apart_ = Image::Zero();   ///< in lists: see cells_apart()
  std::vector<Listed> listed_;          ///< only while lists are made, as is row_start_
  bool reach_varies_ = false;           ///< from channel to channel; only while lists are made
  std::vector<std::uint32_t>
      row_start_;       ///< (groups x bodies + 1) listed pairs by group of channels and rank of the home
  SpatialOrder order_;  ///< of reference positions; only while lists are made, as are blocks_
  SpaceBlocks blocks_;
  std::size_t pair_count_ = 0;  ///< of all chunks
  std::vector<Chunk> chunks_;
  std::vector<std::size_t> chunk_first_;           ///< index into listed_ of each chunk's first pair
  std::vector<std::uint32_t> slot_start_, slots_;  ///< body -> its slots, ascending
  std::vector<WrenchSlot> slot_wrench_;
  std::vector<Vec3> surface_velocity_;        ///< per row, empty when no body has one
  std::vector<std::uint32_t> owner_row_;      ///< per row, the row of its owner; empty when no body has one
  bool own_forces_ = false;                   ///< members too are to know what their contacts give them
  std::vector<ConeContact> cones_;            ///< of the last cones()
  std::vector<PotentialContact> potentials_;  ///< of the last potentials()
  std::vector<HistoryRecord> pending_;        ///< inserted, until lists are made next
  std::optional<ContactView> kept_records_;   ///< of the last evaluation, if lists were made anew since
  std::vector<Id> row_ids_;                   ///< ids of the rows the lists refer to
  std::uint64_t layout_ = 0;
  std::uint64_t bonds_ = 0;                ///< Bonds::version() the lists were made for
  std::vector<std::pair<Id, Id>> bonded_;  ///< pairs that one bond joins, ascending; only while lists are made
  std::vector<std::uint32_t> fragment_;    ///< per row, a number for all that hang together; likewise
  std::vector<Scratch> scratch_;
  detail::WorkSharing sharing_;
  ContactTotals totals_;
};

}  // namespace scree
