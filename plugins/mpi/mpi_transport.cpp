/// \file Transport by MPI: the only file that knows it.

#include <mpi.h>

#include <algorithm>
#include <climits>
#include <numeric>
#include <vector>

#include "scree/plugin/transport_plugin.hpp"

namespace {

/// Errors of MPI itself end all processes, which is its default.
class MpiTransport final : public scree::Transport {
 public:
  MpiTransport() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiTransport() override { MPI_Finalize(); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void all_gather(std::span<std::byte> all, std::span<const std::size_t> sizes) override {
    if (all.size() > INT_MAX) return all_gather_large(all, sizes);
    const std::vector<int> counts(sizes.begin(), sizes.end());
    std::vector<int> places(counts.size(), 0);
    std::partial_sum(counts.begin(), counts.end() - 1, places.begin() + 1);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), counts.data(), places.data(), MPI_BYTE,
                   MPI_COMM_WORLD);
  }

  void exchange(std::span<const scree::OutgoingMessage> send,
                std::span<const scree::IncomingMessage> receive) override {
    requests_.clear();
    for (const scree::IncomingMessage& m : receive)
      in_pieces(m.bytes.size(), [&](std::size_t at, int size) {
        MPI_Irecv(m.bytes.data() + at, size, MPI_BYTE, m.from, 0, MPI_COMM_WORLD, &requests_.emplace_back());
      });
    for (const scree::OutgoingMessage& m : send)
      in_pieces(m.bytes.size(), [&](std::size_t at, int size) {
        MPI_Isend(m.bytes.data() + at, size, MPI_BYTE, m.to, 0, MPI_COMM_WORLD, &requests_.emplace_back());
      });
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

 private:
  /// Calls each(first, size) for pieces of a message. MPI counts bytes in an int.
  template <class Each>
  static void in_pieces(std::size_t bytes, const Each& each) {
    for (std::size_t at = 0, size; at < bytes; at += size) {
      size = std::min<std::size_t>(bytes - at, INT_MAX);
      each(at, static_cast<int>(size));
    }
  }

  static void all_gather_large(std::span<std::byte> all, std::span<const std::size_t> sizes) {
    std::size_t at = 0;
    for (std::size_t r = 0; r < sizes.size(); at += sizes[r++])
      in_pieces(sizes[r], [&](std::size_t first, int size) {
        MPI_Bcast(all.data() + at + first, size, MPI_BYTE, static_cast<int>(r), MPI_COMM_WORLD);
      });
  }

  int rank_ = 0, size_ = 1;
  std::vector<MPI_Request> requests_;
};

}  // namespace

SCREE_TRANSPORT(mpi, "0.1.0") { return std::make_unique<MpiTransport>(); }
