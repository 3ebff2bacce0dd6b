#include "scree/contacts/shares/border.hpp"

#include <algorithm>
#include <utility>

#include "scree/contacts/shares/letters.hpp"
#include "scree/contacts/shares/row_shares.hpp"

namespace scree {

namespace {

/// Rows of these, each once, ascending.
template <class Gifts>
std::vector<std::uint32_t> rows_of(const Gifts& gifts) {
  std::vector<std::uint32_t> rows;
  for (const auto& gift : gifts) rows.push_back(gift.row);
  std::ranges::sort(rows);
  rows.erase(std::ranges::unique(rows).begin(), rows.end());
  return rows;
}

}  // namespace

void Border::reset() {
  std::vector<std::vector<std::uint32_t>> slots;
  const Gifts given = find_given(slots);
  const Gifts received = hear_of_others(given);
  find_neighbours(given, received, slots);
  find_parts(received);
}

/// What this rank's chunks leave for others, chunk by chunk. \param slots  set to where they leave it, by rank
Border::Gifts Border::find_given(std::vector<std::vector<std::uint32_t>>& slots) const {
  const Ranks& ranks = shares_.ranks();
  const auto me = static_cast<std::uint32_t>(ranks.rank());
  Gifts given(static_cast<std::size_t>(ranks.size()));
  slots.assign(given.size(), {});
  for (std::size_t c = 0; c < lists_.chunks().size(); ++c) {
    const PairChunk& chunk = lists_.chunks()[c];
    const auto group = static_cast<std::uint32_t>(lists_.order_of(c) >> 32);
    for (std::size_t r = 0; r < chunk.rows.size(); ++r) {
      const std::uint32_t rank = rows_.rank_of(chunk.rows[r]);
      if (rank == me) continue;
      given[rank].push_back({chunk.rows[r], group});
      slots[rank].push_back(static_cast<std::uint32_t>(chunk.first_slot + r));
    }
  }
  return given;
}

/// \return what others leave for this rank
Border::Gifts Border::hear_of_others(const Gifts& given) const {
  std::vector<ByteWriter> letters(given.size());
  for (std::size_t r = 0; r < given.size(); ++r) letters[r].put(given[r].data(), given[r].size());
  const auto heard = exchange_letters(shares_.ranks(), Rendezvous::motion, letters);
  Gifts received(given.size());
  for (std::size_t r = 0; r < heard.size(); ++r) ByteReader(heard[r]).take(received[r], heard[r].size() / sizeof(Gift));
  return received;
}

void Border::find_neighbours(const Gifts& given, const Gifts& received,
                             std::vector<std::vector<std::uint32_t>>& slots) {
  neighbours_.clear();
  number_of_.assign(given.size(), kNowhere);
  for (std::size_t r = 0; r < given.size(); ++r) {
    if (given[r].empty() && received[r].empty()) continue;
    number_of_[r] = static_cast<std::uint32_t>(neighbours_.size());
    Neighbour& n = neighbours_.emplace_back();
    n.rank = static_cast<int>(r);
    n.seen = rows_of(given[r]);
    n.shown = rows_of(received[r]);
    n.sent = std::move(slots[r]);
    n.shown_states.resize(n.shown.size());
    n.seen_states.resize(n.seen.size());
    n.sent_shares.resize(n.sent.size());
    n.received_shares.resize(received[r].size());
  }
}

/// Of rows for which others leave something: that, and what this rank's own chunks leave.
void Border::find_parts(const Gifts& received) {
  const auto me = static_cast<std::uint32_t>(shares_.ranks().rank());
  parts_.clear();
  for (std::uint32_t r = 0; r < received.size(); ++r)
    for (std::uint32_t k = 0; k < received[r].size(); ++k)
      parts_.push_back({received[r][k].row, received[r][k].group, r, k});
  for (const std::uint32_t row : rows_of(parts_))
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
