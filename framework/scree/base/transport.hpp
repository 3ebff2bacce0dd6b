#pragma once
/// \file What carries bytes between the processes of one run. The core knows no such library: plugins/mpi brings one.

#include <cstddef>
#include <span>

#include "scree/base/api.hpp"

namespace scree {

/// Bytes for one other process.
struct OutgoingMessage {
  int to;
  std::span<const std::byte> bytes;
};

/// Room for the bytes of one other process, which sends as many.
struct IncomingMessage {
  int from;
  std::span<std::byte> bytes;
};

class SCREE_API Transport {
 public:
  virtual ~Transport();
  /// Number of this process, counted from 0.
  virtual int rank() const = 0;
  /// How many processes there are.
  virtual int size() const = 0;
  /// Gives every process what each has, in the order of ranks. All call it together, from their main threads.
  /// \param all    in: the part of this rank, in its place; out: all parts, one behind the other
  /// \param sizes  of each rank's part [bytes]; the same on all ranks
  virtual void all_gather(std::span<std::byte> all, std::span<const std::size_t> sizes) = 0;
  /// Carries messages between pairs of processes, of each at most one to another. All call it together, from their main
  /// threads, also those that have no message. \param send, receive  none is empty
  virtual void exchange(std::span<const OutgoingMessage> send, std::span<const IncomingMessage> receive) = 0;
};

}  // namespace scree
