#pragma once
/// \file The processes that share one run, as each of them sees it.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/failure.hpp"
#include "scree/base/transport.hpp"

namespace scree {

/// What a collective call is about: all ranks must be at the same one.
enum class Rendezvous : std::uint32_t { agreement, state, motion, evaluation, history, end };

/// One rank by default. Several take part in the same calls in the same order, so that a rank that fails can tell the
/// others at whichever call they come to next. Every such call throws on all ranks alike then.
class SCREE_API Ranks {
 public:
  Ranks() = default;
  explicit Ranks(std::unique_ptr<Transport> transport);
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool one() const { return size_ == 1; }
  /// Rank 0 writes files and talks to the user.
  bool first() const { return rank_ == 0; }

  /// The bytes of every rank, in the order of ranks; valid until the next call.
  /// \throws what another rank failed with; InternalError where ranks have come to different calls
  std::span<const std::span<const std::byte>> gather(Rendezvous meeting, std::span<const std::byte> mine = {});
  /// Behind a gather(), from which all know the sizes: parts go to their places in an array that all ranks have.
  /// \param all  see Transport::all_gather()
  void gather_in_place(std::span<std::byte> all, std::span<const std::size_t> sizes);
  /// The largest number that a rank gives. \throws as gather()
  double largest(Rendezvous meeting, double mine);
  /// Behind a call that throws on all ranks if one has failed: see Transport::exchange().
  void exchange(std::span<const OutgoingMessage> send, std::span<const IncomingMessage> receive);

  /// Tells the others that this rank has failed, and hears who else has. All ranks get the failure of the lowest
  /// `order`, and of the lowest rank among equals.
  /// \param order  where the work had an order, the item that failed
  /// \return what all end with: `failure` itself where ranks had agreed before
  Failure agree_on(const Failure& failure, std::uint64_t order = kUnordered);
  /// Whether all have agreed on a failure.
  bool failed() const { return failed_; }

  /// Asks all ranks to stop. They hear of it at the next gather(), all at the same one.
  void ask_to_stop() { asked_to_stop_ = true; }
  bool stopping() const { return one() ? asked_to_stop_ : stopping_; }

  /// Waits for all, whatever has become of them.
  void wait();

  /// What such calls have taken so far: waiting for others, and messages [s].
  double seconds() const { return seconds_; }

 private:
  static constexpr std::uint64_t kUnordered = ~std::uint64_t{0};
  struct Status;
  std::vector<Status> tell(const Status& mine);
  std::vector<Status> meet(const Status& mine);
  Failure told_failure(std::span<const Status> all, const Failure* mine);

  void all_gather(std::span<std::byte> all, std::span<const std::size_t> sizes);

  std::unique_ptr<Transport> transport_;
  double seconds_ = 0;
  int rank_ = 0, size_ = 1;
  bool asked_to_stop_ = false, stopping_ = false, failed_ = false;
  std::vector<std::byte> received_;
  std::vector<std::span<const std::byte>> parts_;
};

/// Those of the calling thread: one rank, unless a RanksScope says otherwise.
SCREE_API Ranks& current_ranks();

/// While it lives, what the thread sets up shares its work among these ranks.
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
