#include "scree/contacts/shares/border.hpp"

#include <algorithm>

#include "scree/contacts/shares/row_shares.hpp"

namespace scree {

std::uint32_t Border::neighbour_of(std::uint32_t rank) {
  std::uint32_t& number = number_of_[rank];
  if (number == kNowhere) {
    number = static_cast<std::uint32_t>(neighbours_.size());
    neighbours_.emplace_back().rank = static_cast<int>(rank);
  }
  return number;
}

void Border::reset() {
  const std::vector<std::uint32_t> rank_of_slot = shares_.ranks_of_slots(lists_.chunks());
  const std::size_t rows = lists_.ids().size();
  neighbours_.clear();
  number_of_.assign(static_cast<std::size_t>(shares_.ranks().size()), kNowhere);
  crossed_.assign(rows, kNowhere);
  first_part_.assign(1, 0);
  parts_.clear();
  for (std::uint32_t row = 0; row < rows; ++row) add(row, rank_of_slot);
  sent_.clear();
  for (std::uint32_t n = 0; n < neighbours_.size(); ++n) {
    Neighbour& to = neighbours_[n];
    to.shown_states.resize(to.shown.size());
    to.seen_states.resize(to.seen.size());
    to.sent_shares.resize(to.sent.size());
    to.received_shares.resize(to.expected);
    for (std::uint32_t k = 0; k < to.sent.size(); ++k) sent_.emplace_back(n, k);
  }
}

/// Notes what this rank tells others of a row, and what it hears of it.
void Border::add(std::uint32_t row, std::span<const std::uint32_t> rank_of_slot) {
  const auto me = static_cast<std::uint32_t>(shares_.ranks().rank());
  const std::uint32_t owner = rows_.rank_of(row);
  const std::span<const std::uint32_t> slots = lists_.slots_of(row);
  const auto elsewhere = [&](std::uint32_t slot) { return rank_of_slot[slot] != owner; };
  if (std::ranges::none_of(slots, elsewhere)) return;
  const auto note = [row](std::vector<std::uint32_t>& rows) {
    if (rows.empty() || rows.back() != row) rows.push_back(row);
  };
  for (std::size_t k = 0, count; k < slots.size(); k += count) {
    const std::uint32_t rank = rank_of_slot[slots[k]];
    count = 1;
    while (k == 0 && count < slots.size() && rank_of_slot[slots[count]] == rank) ++count;
    if (owner == me && rank == me) {
      for (const std::uint32_t slot : slots.subspan(k, count)) parts_.push_back({kHere, slot});
    } else if (owner == me) {
      const std::uint32_t from = neighbour_of(rank);
      note(neighbours_[from].shown);
      parts_.push_back({from, neighbours_[from].expected++});
    } else if (rank == me) {
      Neighbour& to = neighbours_[neighbour_of(owner)];
      note(to.seen);
      to.sent.push_back({slots.data() + k, static_cast<std::uint32_t>(count)});
    }
  }
  if (owner != me) return;
  crossed_[row] = static_cast<std::uint32_t>(first_part_.size() - 1);
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

void Border::sum_sent(std::size_t k, std::span<const WrenchSlot> slots) {
  const auto [to, number] = sent_[k];
  const Run& run = neighbours_[to].sent[number];
  Share sum{};
  for (std::uint32_t s = 0; s < run.count; ++s) sum.add(slots[run.first[s]]);
  neighbours_[to].sent_shares[number] = sum;
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
  Share sum{};
  for (std::uint32_t p = first_part_[crossed_[row]]; p < first_part_[crossed_[row] + 1]; ++p) {
    const Part& part = parts_[p];
    if (part.neighbour == kHere)
      sum.add(slots[part.index]);
    else
      sum.add(neighbours_[part.neighbour].received_shares[part.index]);
  }
  return {{sum.force[0], sum.force[1], sum.force[2]}, {sum.torque[0], sum.torque[1], sum.torque[2]}};
}

}  // namespace scree
