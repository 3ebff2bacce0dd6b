#pragma once
/// \file Transport of bytes between the processes of one run. The core has no such library: plugins/mpi brings one.

#include <cstddef>
#include <span>

#include "scree/base/api.hpp"

namespace scree {

/// Bytes to be sent to one other process.
struct OutgoingMessage {
  int to;
  std::span<const std::byte> bytes;
};

/// Memory for the bytes from one other process, which sends the same number.
struct IncomingMessage {
  int from;
  std::span<std::byte> bytes;
};

class SCREE_API Transport {
 public:
  virtual ~Transport();
  /// Number of this process, counted from 0.
  virtual int rank() const = 0;
  /// Number of processes.
  virtual int size() const = 0;
  /// Gathers the parts of all processes on each of them, in the order of ranks. Collective, called from main threads.
  /// \param all    in: the part of this rank, in its place; out: all parts, one behind the other
  /// \param sizes  size of each rank's part [bytes]; the same on all ranks
  virtual void all_gather(std::span<std::byte> all, std::span<const std::size_t> sizes) = 0;
  /// Exchanges messages between pairs of processes, at most one in each direction. Collective, called from main
  /// threads, also by processes that have no message. \param send, receive  none is empty
  virtual void exchange(std::span<const OutgoingMessage> send, std::span<const IncomingMessage> receive) = 0;
};

}  // namespace scree
