/// \file Life of PairLists: the skin they are made with, and the check whether bodies have outrun it.

#include <algorithm>
#include <cmath>

#include "scree/base/parallel.hpp"
#include "scree/contacts/lists/pair_lists.hpp"

namespace scree {

namespace {

/// Returns the number of steps that lists are made for if an integrator looks ahead. If all bodies have paths, the skin
/// is only for pairs with large bodies, and a wide one costs little.
double steps_of_lists(const SlenderBodies& slender) { return slender.all() ? 4 : 2; }

}  // namespace

bool PairLists::looks_ahead() const { return methods_.integrator && methods_.integrator->traits().looks_ahead; }

double PairLists::skin_for(double dt) const {
  if (!looks_ahead()) return methods_.skin;
  const auto v = world_.velocity.read();
  const auto radius = world_.radius.read();
  const auto material = world_.material.read();
  double fastest2 = 0, largest = 0;
  for (std::uint32_t i = 0; i < v.size(); ++i) {
    if (methods_.meets_nobody(material[i])) continue;
    fastest2 = std::max(fastest2, v[i].squaredNorm());
    if (std::isfinite(radius[i]) && may_move(world_, i)) largest = std::max(largest, radius[i]);
  }
  // Walls without bound that rotate mostly slide along themselves, as drums do.
  double surface = 0;
  const LargeBodies of_now(world_, methods_.alone);
  for (const LargeBodies::Turning& large : of_now.turning())
    if (std::isfinite(radius[large.row]))
      surface = std::max(surface, world_.angular_velocity.read()[large.row].norm() * large.reach);
  // Lists end when two bodies have moved, or are about to move, by the skin towards each other.
  const SlenderBodies slender(world_, of_now.others());
  const double fastest = std::sqrt(fastest2) + slender.fastest_turn(world_);
  const double of_step = (2 * fastest + surface + way_of_images(world_.cell.rate)) * dt;
  double skin = std::max(methods_.skin, steps_of_lists(slender) * of_step);
  // A body that moves must not meet itself around the cell.
  const double margin = methods_.largest_margin();
  for (int k = 0; k < 3; ++k)
    if (world_.cell.periodic(k))
      skin = std::min(skin, std::max(methods_.skin, 0.99 * (world_.cell.length(k) - 2 * largest - margin)));
  return skin;
}

/// Chooses h of all bodies: a body must not meet itself around the cell. With integrators that look ahead, the skin
/// follows the fastest body, and no body gets more than half of it.
void PairLists::choose_reach(double dt) {
  double largest = looks_ahead() ? 0 : HUGE_VAL;
  const double room = 2 * large_.largest_other() + methods_.largest_margin();
  for (int k = 0; k < 3; ++k)
    if (world_.cell.periodic(k)) largest = std::min(largest, 0.49 * (world_.cell.length(k) - room));
  reach_.choose(world_, {large_.others(), skin_, largest, dt});
}

/// Chooses paths of slender bodies if the integrator looks ahead: they are expected to keep their motion.
void PairLists::choose_paths(double dt) {
  if (looks_ahead() && slender_.any() && skin_ > 0 && dt > 0)
    paths_.choose(world_, slender_.starts(world_), {dt, steps_of_lists(slender_), skin_ / 2});
  else
    paths_.none(world_);
}

/// Returns the largest distance by which the bodies of a pair may come closer [m].
double PairLists::skin_of(const PairChunk& chunk) const {
  double most = 0;
  if (!reach_.beyond().empty())
    for (const Pair& p : chunk.pairs)
      most = std::max(most, reach_.beyond(chunk.rows[p.a]) + reach_.beyond(chunk.rows[p.b]));
  return skin_ + most;
}

/// Makes the column of reference orientations, which lists need if large or slender bodies rotate. A resumed run reads
/// it.
void PairLists::ask_for_orientations() {
  constexpr const char* kName = "reference_orientation";
  if (!large_.turning().empty() || slender_.any() || world_.find_column(kName))
    reference_orientation_ = world_.column<Quat>(kName, "", false);
}

/// Returns the orientations at the last rebuild. If no large or slender body rotates, current orientations do: they do
/// not change a list.
std::span<const Quat> PairLists::reference_orientations() const {
  return reference_orientation_ ? Column<Quat>(reference_orientation_).read() : world_.orientation.read();
}

bool PairLists::large_turn_freely() const {
  return std::ranges::any_of(large_.turning(), [&](const auto& large) { return may_move(world_, large.row); });
}

double PairLists::largest_squared_way(double ahead, std::span<const RowRange> rows) const {
  return std::max(ways(ahead).largest_squared(rows), squared_way_of_ends(ahead, rows));
}

double BodyWays::largest_squared(std::span<const RowRange> rows) const {
  return parallel_max_of_fours(
      rows, [this](std::ptrdiff_t i) { return squared_of_four(static_cast<std::size_t>(i)); },
      [this](std::ptrdiff_t i) { return squared(static_cast<std::size_t>(i)); });
}

/// Returns the largest displacement of images relative to their bodies, for a displacement of the cell's edges.
double PairLists::way_of_images(const Mat3& of_edges) const {
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += cells_apart_[k] * of_edges.col(k).norm();
  return sum;
}

/// Returns how many cells apart two bodies within reach of each other may be. Walls may lie outside the cell.
Image PairLists::cells_apart() const {
  const PeriodicCell& cell = world_.reference_cell;
  Image most = Image::Zero();
  if (!cell.any() || world_.size() == 0) return most;
  const auto x = reference_position_.read();
  const auto radius = world_.radius.read();
  const auto material = world_.material.read();
  Vec3 low = x[0], high = x[0];
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(radius[i]) || methods_.meets_nobody(material[i])) continue;
    low = low.cwiseMin(x[i]);
    high = high.cwiseMax(x[i]);
    largest = std::max(largest, radius[i]);
  }
  const double reach = 2 * (largest + skin_ + reach_.largest_beyond()) + methods_.largest_margin();
  for (int k = 2; k >= 0; --k) {
    if (!cell.periodic(k)) continue;
    const double of_tilts = (cell.edges.row(k).cwiseAbs() * most.cast<double>()).value();
    most[k] = static_cast<int>(std::ceil((high[k] - low[k] + reach + of_tilts) / cell.length(k)));
  }
  return most;
}

bool PairLists::outdated() const {
  return !of_these_rows() || world_.bonds().version() != bonds_ || !world_.cell.is_triangular();
}

double PairLists::surface_way(double ahead, double farthest, std::span<const RowRange> rows) const {
  const auto among = [&](std::size_t row) {
    return std::ranges::any_of(rows, [&](const RowRange& r) { return r.first <= row && row < r.end; });
  };
  const double most_way = skin_ > 0 ? farthest * (1 + 2 * reach_.largest_beyond() / skin_) : farthest;
  double most = 0;
  for (const LargeBodies::Turning& large : large_.turning()) {
    if (may_move(world_, large.row) && !among(large.row)) continue;
    const Quat q = world_.orientation.read()[large.row], q0 = reference_orientations()[large.row];
    const double angle = q.angularDistance(q0) + ahead * world_.angular_velocity.read()[large.row].norm();
    const double reach = large.endless ? large.reach + 2 * most_way : large.reach;  // bodies may move farther away
    const double turn = angle == 0 || reach == 0 ? 0 : angle * reach;
    most = std::max(most, std::sqrt(ways(ahead).squared(large.row)) + turn);
  }
  return most;
}

/// Compares displacements with the skin. Both bodies of a pair may move. The surface of a large body, whose distance
/// counts, also moves as it rotates.
bool PairLists::stale(double ahead, double largest_squared_way, double surface_way) const {
  const double of_images =
      way_of_images(world_.cell.edges - world_.reference_cell.edges) + ahead * way_of_images(world_.cell.rate);
  const double farthest = std::sqrt(largest_squared_way);
  return 2 * farthest + of_images > skin_ || farthest + surface_way + of_images > skin_;
}

}  // namespace scree
