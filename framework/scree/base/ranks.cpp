#include "scree/base/ranks.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "scree/base/clock.hpp"

namespace scree {

Transport::~Transport() = default;

/// Data that each rank brings to a call.
struct Ranks::Status {
  std::uint64_t bytes = 0;  ///< size of its part, or of the text of its failure
  std::uint64_t order = 0;  ///< order of its failure
  double number = 0;        ///< see largest()
  CollectiveTag tag = CollectiveTag::agreement;
  FailureKind kind = FailureKind::internal;
  std::uint32_t failed = 0, stop = 0;
};

namespace {

std::size_t together(std::span<const std::size_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
}

}  // namespace

Ranks::Ranks(std::unique_ptr<Transport> transport)
    : transport_(std::move(transport)), rank_(transport_->rank()), size_(transport_->size()) {}

void Ranks::all_gather(std::span<std::byte> all, std::span<const std::size_t> sizes) {
  const double start = clock_seconds();
  transport_->all_gather(all, sizes);
  seconds_ += clock_seconds() - start;
}

std::vector<Ranks::Status> Ranks::exchange_status(const Status& mine) {
  std::vector<Status> all(static_cast<std::size_t>(size_));
  all[static_cast<std::size_t>(rank_)] = mine;
  const std::vector<std::size_t> sizes(all.size(), sizeof(Status));
  all_gather(std::as_writable_bytes(std::span(all)), sizes);
  stopping_ = stopping_ || std::ranges::any_of(all, [](const Status& s) { return s.stop != 0; });
  return all;
}

/// Returns the failure of the lowest order. \param mine  failure of this rank, if it has one
Failure Ranks::lowest_failure(std::span<const Status> all, const Failure* mine) {
  std::vector<std::size_t> sizes;
  for (const Status& s : all) sizes.push_back(s.failed ? s.bytes : 0);
  std::vector<std::byte> texts(together(sizes));
  const auto text_of = [&](std::size_t rank) {
    return std::span(texts).subspan(together(std::span(sizes).first(rank)), sizes[rank]);
  };
  if (mine) std::memcpy(text_of(static_cast<std::size_t>(rank_)).data(), mine->text.data(), mine->text.size());
  all_gather(texts, sizes);
  failed_ = true;
  const auto before = [](const Status& a, const Status& b) {
    return std::pair(!a.failed, a.order) < std::pair(!b.failed, b.order);
  };
  const auto told = static_cast<std::size_t>(std::ranges::min_element(all, before) - all.begin());
  const std::span<const std::byte> text = text_of(told);
  return {all[told].kind, std::string(reinterpret_cast<const char*>(text.data()), text.size())};
}

/// Synchronises all ranks. \throws failure of another rank, or an error if ranks have come to different calls
std::vector<Ranks::Status> Ranks::synchronise(const Status& mine) {
  std::vector<Status> all = exchange_status(mine);
  if (std::ranges::any_of(all, [](const Status& s) { return s.failed != 0; })) raise(lowest_failure(all, nullptr));
  if (std::ranges::any_of(all, [&](const Status& s) { return s.tag != mine.tag; })) {
    failed_ = true;  // all ranks see it
    raise({FailureKind::internal,
           "the ranks of this run have come apart: they do not do the same thing at the same time. Are the program, "
           "its plugins and the scene the same for all of them?"});
  }
  return all;
}

std::span<const std::span<const std::byte>> Ranks::gather(CollectiveTag tag, std::span<const std::byte> mine) {
  if (one()) {
    parts_.assign(1, mine);
    return parts_;
  }
  const std::vector<Status> all = synchronise({.bytes = mine.size(), .tag = tag, .stop = asked_to_stop_ ? 1u : 0u});
  std::vector<std::size_t> sizes;
  for (const Status& s : all) sizes.push_back(s.bytes);
  received_.resize(together(sizes));
  parts_.clear();
  for (std::size_t r = 0, at = 0; r < sizes.size(); at += sizes[r++])
    parts_.push_back(std::span(received_).subspan(at, sizes[r]));
  const std::size_t own = together(std::span(sizes).first(static_cast<std::size_t>(rank_)));
  std::ranges::copy(mine, received_.begin() + static_cast<std::ptrdiff_t>(own));
  all_gather(received_, sizes);
  return parts_;
}

void Ranks::gather_in_place(std::span<std::byte> all, std::span<const std::size_t> sizes) {
  if (!one()) all_gather(all, sizes);
}

double Ranks::largest(CollectiveTag tag, double mine) {
  if (one()) return mine;
  double largest = mine;
  for (const Status& s : synchronise({.number = mine, .tag = tag, .stop = asked_to_stop_ ? 1u : 0u}))
    largest = std::max(largest, s.number);
  return largest;
}

void Ranks::exchange(std::span<const OutgoingMessage> send, std::span<const IncomingMessage> receive) {
  if (one()) return;
  const double start = clock_seconds();
  transport_->exchange(send, receive);
  seconds_ += clock_seconds() - start;
}

Failure Ranks::agree_on(const Failure& failure, std::uint64_t order) {
  if (one() || failed_) return failure;
  const std::vector<Status> all =
      exchange_status({.bytes = failure.text.size(), .order = order, .kind = failure.kind, .failed = 1});
  return lowest_failure(all, &failure);
}

void Ranks::wait() {
  if (!one()) exchange_status({.tag = CollectiveTag::end});
}

namespace {

thread_local Ranks* ranks_in_scope = nullptr;

}  // namespace

Ranks& current_ranks() {
  thread_local Ranks one;
  return ranks_in_scope ? *ranks_in_scope : one;
}

RanksScope::RanksScope(Ranks& ranks) : before_(std::exchange(ranks_in_scope, &ranks)) {}
RanksScope::~RanksScope() { ranks_in_scope = before_; }

}  // namespace scree
