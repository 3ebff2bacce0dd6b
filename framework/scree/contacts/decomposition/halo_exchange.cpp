#include "scree/contacts/decomposition/halo_exchange.hpp"

#include <algorithm>
#include <utility>

#include "scree/contacts/decomposition/all_to_all.hpp"
#include "scree/contacts/decomposition/decomposition.hpp"

namespace scree {

namespace {

/// Returns rows each once, ascending.
std::vector<std::uint32_t> distinct(std::vector<std::uint32_t> rows) {
  std::ranges::sort(rows);
  rows.erase(std::ranges::unique(rows).begin(), rows.end());
  return rows;
}

}  // namespace

/// Returns the rows of bodies whose states are requested, each once, ascending.
std::vector<std::uint32_t> HaloExchange::GhostRequest::rows() const {
  std::vector<std::uint32_t> all = bonded;
  for (const RemoteWrench& wrench : wrenches) all.push_back(wrench.row);
  return distinct(std::move(all));
}

void HaloExchange::reset(std::span<const std::uint32_t> bonded) {
  std::vector<std::vector<std::uint32_t>> slots;
  const GhostRequests own = find_requests(bonded, slots);
  const GhostRequests of_others = exchange_requests(own);
  find_neighbours(own, of_others, slots);
  find_terms(of_others);
}

/// Lists the wrenches that this rank's chunks leave for others, chunk by chunk, and the ghosts of its bonds.
/// \param slots  set to where chunks leave it, by rank
HaloExchange::GhostRequests HaloExchange::find_requests(std::span<const std::uint32_t> bonded,
                                                        std::vector<std::vector<std::uint32_t>>& slots) const {
  const Ranks& ranks = shares_.ranks();
  const auto me = static_cast<std::uint32_t>(ranks.rank());
  GhostRequests requests(static_cast<std::size_t>(ranks.size()));
  slots.assign(requests.size(), {});
  for (std::size_t c = 0; c < lists_.chunks().size(); ++c) {
    const PairChunk& chunk = lists_.chunks()[c];
    const auto group = static_cast<std::uint32_t>(lists_.order_of(c) >> 32);
    for (std::size_t r = 0; r < chunk.rows.size(); ++r) {
      const std::uint32_t rank = rows_.rank_of(chunk.rows[r]);
      if (rank == me) continue;
      requests[rank].wrenches.push_back({chunk.rows[r], group});
      slots[rank].push_back(static_cast<std::uint32_t>(chunk.first_slot + r));
    }
  }
  for (const std::uint32_t row : bonded) requests[rows_.rank_of(row)].bonded.push_back(row);
  return requests;
}

/// Sends this rank's requests. \return requests of others to this rank
HaloExchange::GhostRequests HaloExchange::exchange_requests(const GhostRequests& own) const {
  std::vector<ByteWriter> messages(own.size());
  for (std::size_t r = 0; r < own.size(); ++r) {
    if (own[r].empty()) continue;
    messages[r].put(own[r].wrenches.size());
    messages[r].put(own[r].wrenches.data(), own[r].wrenches.size());
    messages[r].put(own[r].bonded.size());
    messages[r].put(own[r].bonded.data(), own[r].bonded.size());
  }
  const auto received = all_to_all_v(shares_.ranks(), CollectiveTag::motion, messages);
  GhostRequests of_others(own.size());
  for (std::size_t r = 0; r < received.size(); ++r) {
    if (received[r].empty()) continue;
    ByteReader from(received[r]);
    from.take(of_others[r].wrenches, from.take<std::size_t>());
    from.take(of_others[r].bonded, from.take<std::size_t>());
  }
  return of_others;
}

void HaloExchange::find_neighbours(const GhostRequests& own, const GhostRequests& of_others,
                                   std::vector<std::vector<std::uint32_t>>& slots) {
  neighbours_.clear();
  number_of_.assign(own.size(), kNowhere);
  for (std::size_t r = 0; r < own.size(); ++r) {
    if (own[r].empty() && of_others[r].empty()) continue;
    number_of_[r] = static_cast<std::uint32_t>(neighbours_.size());
    Neighbour& n = neighbours_.emplace_back();
    n.rank = static_cast<int>(r);
    n.ghost_rows = own[r].rows();
    n.sent_rows = of_others[r].rows();
    n.sent = std::move(slots[r]);
    n.sent_states.resize(n.sent_rows.size());
    n.ghost_states.resize(n.ghost_rows.size());
    n.sent_wrenches.resize(n.sent.size());
    n.received_wrenches.resize(of_others[r].wrenches.size());
  }
}

/// Lists the terms of rows on which others leave wrenches: those, and what this rank's own chunks leave.
void HaloExchange::find_terms(const GhostRequests& of_others) {
  const auto me = static_cast<std::uint32_t>(shares_.ranks().rank());
  terms_.clear();
  std::vector<std::uint32_t> rows;
  for (std::uint32_t r = 0; r < of_others.size(); ++r)
    for (std::uint32_t k = 0; k < of_others[r].wrenches.size(); ++k) {
      const RemoteWrench& wrench = of_others[r].wrenches[k];
      terms_.push_back({wrench.row, wrench.group, r, k});
      rows.push_back(wrench.row);
    }
  for (const std::uint32_t row : distinct(std::move(rows)))
    for (const std::uint32_t slot : lists_.slots_of(row))
      terms_.push_back({row, static_cast<std::uint32_t>(lists_.order_of(lists_.chunk_of_slot(slot)) >> 32), me, slot});
  std::ranges::sort(terms_);
  shared_index_.assign(lists_.ids().size(), kNowhere);
  first_term_.clear();
  for (std::uint32_t p = 0; p < terms_.size(); ++p) {
    if (p > 0 && terms_[p].row == terms_[p - 1].row) continue;
    shared_index_[terms_[p].row] = static_cast<std::uint32_t>(first_term_.size());
    first_term_.push_back(p);
  }
  first_term_.push_back(static_cast<std::uint32_t>(terms_.size()));
}

void HaloExchange::exchange_states(World& world) {
  const auto x = world.position.write(), v = world.velocity.write(), w = world.angular_velocity.write();
  const auto q = world.orientation.write();
  std::vector<OutgoingMessage> send;
  std::vector<IncomingMessage> receive;
  for (Neighbour& n : neighbours_) {
    for (std::size_t k = 0; k < n.sent_rows.size(); ++k) {
      const std::uint32_t row = n.sent_rows[k];
      n.sent_states[k] = {x[row], v[row], w[row], q[row]};
    }
    if (!n.sent_rows.empty()) send.push_back({n.rank, std::as_bytes(std::span(n.sent_states))});
    if (!n.ghost_rows.empty()) receive.push_back({n.rank, std::as_writable_bytes(std::span(n.ghost_states))});
  }
  shares_.ranks().exchange(send, receive);
  for (const Neighbour& n : neighbours_)
    for (std::size_t k = 0; k < n.ghost_rows.size(); ++k) {
      const std::uint32_t row = n.ghost_rows[k];
      const State& state = n.ghost_states[k];
      x[row] = state.position;
      v[row] = state.velocity;
      w[row] = state.angular_velocity;
      q[row] = state.orientation;
    }
}

void HaloExchange::pack_wrenches(std::span<const WrenchSlot> slots) {
  for (Neighbour& n : neighbours_)
    for (std::size_t k = 0; k < n.sent.size(); ++k) {
      n.sent_wrenches[k] = {};
      n.sent_wrenches[k].add(slots[n.sent[k]]);
    }
}

void HaloExchange::exchange_wrenches() {
  std::vector<OutgoingMessage> send;
  std::vector<IncomingMessage> receive;
  for (Neighbour& n : neighbours_) {
    if (!n.sent_wrenches.empty()) send.push_back({n.rank, std::as_bytes(std::span(n.sent_wrenches))});
    if (!n.received_wrenches.empty())
      receive.push_back({n.rank, std::as_writable_bytes(std::span(n.received_wrenches))});
  }
  shares_.ranks().exchange(send, receive);
}

Wrench HaloExchange::sum_of(std::size_t row, std::span<const WrenchSlot> slots) const {
  const auto me = static_cast<std::uint32_t>(shares_.ranks().rank());
  WrenchSum sum{};
  for (std::uint32_t p = first_term_[shared_index_[row]]; p < first_term_[shared_index_[row] + 1]; ++p) {
    const Term& part = terms_[p];
    if (part.rank == me)
      sum.add(slots[part.index]);
    else
      sum.add(neighbours_[number_of_[part.rank]].received_wrenches[part.index]);
  }
  return {{sum.force[0], sum.force[1], sum.force[2]}, {sum.torque[0], sum.torque[1], sum.torque[2]}};
}

}  // namespace scree
