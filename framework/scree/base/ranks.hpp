#pragma once
/// \file Ranks: the processes of one run, as each of them sees them.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/failure.hpp"
#include "scree/base/transport.hpp"

namespace scree {

/// Purpose of a collective call: all ranks must be at the same one.
enum class CollectiveTag : std::uint32_t { agreement, state, motion, evaluation, history, end };

/// Ranks of a run, one by default. All ranks make the same calls in the same order. A rank that fails reports it to the
/// others at their next call, which then throws on all ranks alike.
class SCREE_API Ranks {
 public:
  Ranks() = default;
  explicit Ranks(std::unique_ptr<Transport> transport);
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool one() const { return size_ == 1; }
  /// Checks whether this is rank 0, which writes files and messages.
  bool first() const { return rank_ == 0; }

  /// Returns the bytes of every rank, in the order of ranks; valid until the next call.
  /// \throws failure of another rank; InternalError if ranks have come to different calls
  std::span<const std::span<const std::byte>> gather(CollectiveTag tag, std::span<const std::byte> mine = {});
  /// Gathers parts into their places in an array that all ranks have. Called after a gather() from which all ranks know
  /// the sizes.
  /// \param all  see Transport::all_gather()
  void gather_in_place(std::span<std::byte> all, std::span<const std::size_t> sizes);
  /// Returns the largest number over all ranks. \throws as gather()
  double largest(CollectiveTag tag, double mine);
  /// Exchanges messages between ranks, after a call that throws on all ranks if one has failed: see
  /// Transport::exchange().
  void exchange(std::span<const OutgoingMessage> send, std::span<const IncomingMessage> receive);

  /// Reports the failure of this rank to the others. All ranks get the failure of the lowest `order`, and of the lowest
  /// rank among equals.
  /// \param order  number of the failed item, if the work had an order
  /// \return failure that all ranks end with: `failure` itself if ranks had agreed before
  Failure agree_on(const Failure& failure, std::uint64_t order = kUnordered);
  /// Checks whether all ranks have agreed on a failure.
  bool failed() const { return failed_; }

  /// Requests that all ranks stop. They see it at the next gather(), all at the same one.
  void ask_to_stop() { asked_to_stop_ = true; }
  bool stopping() const { return one() ? asked_to_stop_ : stopping_; }

  /// Waits for all ranks, failed ones included.
  void wait();

  /// Time that such calls have taken so far, waiting included [s].
  double seconds() const { return seconds_; }

 private:
  static constexpr std::uint64_t kUnordered = ~std::uint64_t{0};
  struct Status;
  std::vector<Status> exchange_status(const Status& mine);
  std::vector<Status> synchronise(const Status& mine);
  Failure lowest_failure(std::span<const Status> all, const Failure* mine);

  void all_gather(std::span<std::byte> all, std::span<const std::size_t> sizes);

  std::unique_ptr<Transport> transport_;
  double seconds_ = 0;
  int rank_ = 0, size_ = 1;
  bool asked_to_stop_ = false, stopping_ = false, failed_ = false;
  std::vector<std::byte> received_;
  std::vector<std::span<const std::byte>> parts_;
};

/// Returns the ranks of the calling thread: one rank, unless a RanksScope sets others.
SCREE_API Ranks& current_ranks();

/// Sets the ranks of the calling thread during its lifetime: anything set up then divides its work among them.
class SCREE_API RanksScope {
 public:
  explicit RanksScope(Ranks& ranks);
  ~RanksScope();
  RanksScope(const RanksScope&) = delete;
  RanksScope& operator=(const RanksScope&) = delete;

 private:
  Ranks* before_;
};

}  // namespace scree
