#include "scree/contacts/shares/border.hpp"

#include <algorithm>
#include <utility>

#include "scree/contacts/shares/letters.hpp"
#include "scree/contacts/shares/row_shares.hpp"

namespace scree {

namespace {

/// Each once, ascending.
std::vector<std::uint32_t> distinct(std::vector<std::uint32_t> rows) {
  std::ranges::sort(rows);
  rows.erase(std::ranges::unique(rows).begin(), rows.end());
  return rows;
}

}  // namespace

/// Of bodies whose states it takes.
std::vector<std::uint32_t> Border::Need::rows() const {
  std::vector<std::uint32_t> all = bonded;
  for (const Gift& gift : gifts) all.push_back(gift.row);
  return distinct(std::move(all));
}

void Border::reset(std::span<const std::uint32_t> bonded) {
  std::vector<std::vector<std::uint32_t>> slots;
  const Needs own = find_needs(bonded, slots);
  const Needs theirs = hear_of_others(own);
  find_neighbours(own, theirs, slots);
  find_parts(theirs);
}

/// What this rank's chunks leave for others, chunk by chunk, and whom its bonds hold.
/// \param slots  set to where chunks leave it, by rank
Border::Needs Border::find_needs(std::span<const std::uint32_t> bonded,
                                 std::vector<std::vector<std::uint32_t>>& slots) const {
  const Ranks& ranks = shares_.ranks();
  const auto me = static_cast<std::uint32_t>(ranks.rank());
  Needs needs(static_cast<std::size_t>(ranks.size()));
  slots.assign(needs.size(), {});
  for (std::size_t c = 0; c < lists_.chunks().size(); ++c) {
    const PairChunk& chunk = lists_.chunks()[c];
    const auto group = static_cast<std::uint32_t>(lists_.order_of(c) >> 32);
    for (std::size_t r = 0; r < chunk.rows.size(); ++r) {
      const std::uint32_t rank = rows_.rank_of(chunk.rows[r]);
      if (rank == me) continue;
      needs[rank].gifts.push_back({chunk.rows[r], group});
      slots[rank].push_back(static_cast<std::uint32_t>(chunk.first_slot + r));
    }
  }
  for (const std::uint32_t row : bonded) needs[rows_.rank_of(row)].bonded.push_back(row);
  return needs;
}

/// \return what others need of this rank
Border::Needs Border::hear_of_others(const Needs& own) const {
  std::vector<ByteWriter> letters(own.size());
  for (std::size_t r = 0; r < own.size(); ++r) {
    if (own[r].empty()) continue;
    letters[r].put(own[r].gifts.size());
    letters[r].put(own[r].gifts.data(), own[r].gifts.size());
    letters[r].put(own[r].bonded.size());
    letters[r].put(own[r].bonded.data(), own[r].bonded.size());
  }
  const auto heard = exchange_letters(shares_.ranks(), Rendezvous::motion, letters);
  Needs theirs(own.size());
  for (std::size_t r = 0; r < heard.size(); ++r) {
    if (heard[r].empty()) continue;
    ByteReader from(heard[r]);
    from.take(theirs[r].gifts, from.take<std::size_t>());
    from.take(theirs[r].bonded, from.take<std::size_t>());
  }
  return theirs;
}

void Border::find_neighbours(const Needs& own, const Needs& theirs, std::vector<std::vector<std::uint32_t>>& slots) {
  neighbours_.clear();
  number_of_.assign(own.size(), kNowhere);
  for (std::size_t r = 0; r < own.size(); ++r) {
    if (own[r].empty() && theirs[r].empty()) continue;
    number_of_[r] = static_cast<std::uint32_t>(neighbours_.size());
    Neighbour& n = neighbours_.emplace_back();
    n.rank = static_cast<int>(r);
    n.seen = own[r].rows();
    n.shown = theirs[r].rows();
    n.sent = std::move(slots[r]);
    n.shown_states.resize(n.shown.size());
    n.seen_states.resize(n.seen.size());
    n.sent_shares.resize(n.sent.size());
    n.received_shares.resize(theirs[r].gifts.size());
  }
}

/// Of rows for which others leave something: that, and what this rank's own chunks leave.
void Border::find_parts(const Needs& theirs) {
  const auto me = static_cast<std::uint32_t>(shares_.ranks().rank());
  parts_.clear();
  std::vector<std::uint32_t> rows;
  for (std::uint32_t r = 0; r < theirs.size(); ++r)
    for (std::uint32_t k = 0; k < theirs[r].gifts.size(); ++k) {
      const Gift& gift = theirs[r].gifts[k];
      parts_.push_back({gift.row, gift.group, r, k});
      rows.push_back(gift.row);
    }
  for (const std::uint32_t row : distinct(std::move(rows)))
    for (const std::uint32_t slot : lists_.slots_of(row))
      parts_.push_back({row, static_cast<std::uint32_t>(lists_.order_of(lists_.chunk_of_slot(slot)) >> 32), me, slot});
  std::ranges::sort(parts_);
  crossed_.assign(lists_.ids().size(), kNowhere);
  first_part_.clear();
  for (std::uint32_t p = 0; p < parts_.size(); ++p) {
    if (p > 0 && parts_[p].row == parts_[p - 1].row) continue;
    crossed_[parts_[p].row] = static_cast<std::uint32_t>(first_part_.size());
    first_part_.push_back(p);
  }
  first_part_.push_back(static_cast<std::uint32_t>(parts_.size()));
}

void Border::exchange_states(World& world) {
  const auto x = world.position.write(), v = world.velocity.write(), w = world.angular_velocity.write();
  const auto q = world.orientation.write();
  std::vector<OutgoingMessage> send;
  std::vector<IncomingMessage> receive;
  for (Neighbour& n : neighbours_) {
    for (std::size_t k = 0; k < n.shown.size(); ++k) {
      const std::uint32_t row = n.shown[k];
      n.shown_states[k] = {x[row], v[row], w[row], q[row]};
    }
    if (!n.shown.empty()) send.push_back({n.rank, std::as_bytes(std::span(n.shown_states))});
    if (!n.seen.empty()) receive.push_back({n.rank, std::as_writable_bytes(std::span(n.seen_states))});
  }
  shares_.ranks().exchange(send, receive);
  for (const Neighbour& n : neighbours_)
    for (std::size_t k = 0; k < n.seen.size(); ++k) {
      const std::uint32_t row = n.seen[k];
      const State& state = n.seen_states[k];
      x[row] = state.position;
      v[row] = state.velocity;
      w[row] = state.angular_velocity;
      q[row] = state.orientation;
    }
}

void Border::pack_wrenches(std::span<const WrenchSlot> slots) {
  for (Neighbour& n : neighbours_)
    for (std::size_t k = 0; k < n.sent.size(); ++k) {
      n.sent_shares[k] = {};
      n.sent_shares[k].add(slots[n.sent[k]]);
    }
}

void Border::exchange_wrenches() {
  std::vector<OutgoingMessage> send;
  std::vector<IncomingMessage> receive;
  for (Neighbour& n : neighbours_) {
    if (!n.sent_shares.empty()) send.push_back({n.rank, std::as_bytes(std::span(n.sent_shares))});
    if (!n.received_shares.empty()) receive.push_back({n.rank, std::as_writable_bytes(std::span(n.received_shares))});
  }
  shares_.ranks().exchange(send, receive);
}

Wrench Border::sum_of(std::size_t row, std::span<const WrenchSlot> slots) const {
  const auto me = static_cast<std::uint32_t>(shares_.ranks().rank());
  Share sum{};
  for (std::uint32_t p = first_part_[crossed_[row]]; p < first_part_[crossed_[row] + 1]; ++p) {
    const Part& part = parts_[p];
    if (part.rank == me)
      sum.add(slots[part.index]);
    else
      sum.add(neighbours_[number_of_[part.rank]].received_shares[part.index]);
  }
  return {{sum.force[0], sum.force[1], sum.force[2]}, {sum.torque[0], sum.torque[1], sum.torque[2]}};
}

}  // namespace scree
