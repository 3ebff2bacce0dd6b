#pragma once
/// \file Ranks that are threads of the test: what several processes do, without any.

#include <algorithm>
#include <barrier>
#include <cstring>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

#include "scree/base/ranks.hpp"

namespace scree::test {

/// Where the threads meet.
struct ThreadMeeting {
  explicit ThreadMeeting(int n) : barrier(n), all(static_cast<std::size_t>(n)), messages(static_cast<std::size_t>(n)) {}
  std::barrier<> barrier;
  std::vector<std::byte*> all;
  std::vector<std::span<const OutgoingMessage>> messages;  ///< of each rank
};

class ThreadTransport final : public Transport {
 public:
  ThreadTransport(ThreadMeeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(meeting_.all.size()); }
  void all_gather(std::span<std::byte> all, std::span<const std::size_t> sizes) override {
    meeting_.all[static_cast<std::size_t>(rank_)] = all.data();
    meeting_.barrier.arrive_and_wait();
    for (std::size_t r = 0, at = 0; r < sizes.size(); at += sizes[r++])
      if (r != static_cast<std::size_t>(rank_) && sizes[r] > 0)
        std::memcpy(all.data() + at, meeting_.all[r] + at, sizes[r]);
    meeting_.barrier.arrive_and_wait();
  }
  void exchange(std::span<const OutgoingMessage> send, std::span<const IncomingMessage> receive) override {
    meeting_.messages[static_cast<std::size_t>(rank_)] = send;
    meeting_.barrier.arrive_and_wait();
    for (const IncomingMessage& in : receive)
      for (const OutgoingMessage& out : meeting_.messages[static_cast<std::size_t>(in.from)])
        if (out.to == rank_)
          std::memcpy(in.bytes.data(), out.bytes.data(), std::min(in.bytes.size(), out.bytes.size()));
    meeting_.barrier.arrive_and_wait();
  }

 private:
  ThreadMeeting& meeting_;
  int rank_;
};

/// Calls work(ranks) on as many threads, each of them a rank. \return what each has ended with; empty texts: nothing
template <class Work>
std::vector<Failure> on_thread_ranks(int count, const Work& work) {
  ThreadMeeting meeting(count);
  std::vector<Failure> failures(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  for (int r = 0; r < count; ++r)
    threads.emplace_back([&, r] {
      Ranks ranks(std::make_unique<ThreadTransport>(meeting, r));
      const RanksScope scope(ranks);
      try {
        work(ranks);
        ranks.gather(Rendezvous::end);
      } catch (...) {
        failures[static_cast<std::size_t>(r)] = ranks.agree_on(failure_of(std::current_exception()));
      }
      ranks.wait();
    });
  for (std::thread& thread : threads) thread.join();
  return failures;
}

}  // namespace scree::test
