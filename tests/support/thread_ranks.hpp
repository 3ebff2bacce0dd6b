#pragma once
/// \file Ranks that are threads of the test: what several processes do, without any.

#include <algorithm>
#include <barrier>
#include <exception>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "scree/base/ranks.hpp"

namespace scree::test {

/// Where the threads meet: each leaves copies of what it brings, in turn in one of two places. Who is at the next
/// meeting has read what was left at this one.
struct ThreadMeeting {
  struct Letter {
    int to;
    std::vector<std::byte> bytes;
  };
  explicit ThreadMeeting(int n)
      : barrier(n),
        letters{std::vector<std::vector<Letter>>(static_cast<std::size_t>(n)),
                std::vector<std::vector<Letter>>(static_cast<std::size_t>(n))} {}
  std::barrier<> barrier;
  std::vector<std::vector<Letter>> letters[2];  ///< of each rank
};

class ThreadTransport final : public Transport {
 public:
  ThreadTransport(ThreadMeeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(meeting_.letters[0].size()); }
  void all_gather(std::span<std::byte> all, std::span<const std::size_t> sizes) override {
    const auto me = static_cast<std::size_t>(rank_);
    std::size_t before = 0;
    for (std::size_t r = 0; r < me; ++r) before += sizes[r];
    const std::span<const std::byte> mine = all.subspan(before, sizes[me]);
    const auto& letters = meet({{rank_, {mine.begin(), mine.end()}}});
    for (std::size_t r = 0, at = 0; r < sizes.size(); at += sizes[r++])
      if (r != me) std::ranges::copy(letters[r][0].bytes, all.subspan(at, sizes[r]).begin());
  }
  void exchange(std::span<const OutgoingMessage> send, std::span<const IncomingMessage> receive) override {
    std::vector<ThreadMeeting::Letter> mine;
    for (const OutgoingMessage& m : send) mine.push_back({m.to, {m.bytes.begin(), m.bytes.end()}});
    const auto& letters = meet(std::move(mine));
    for (const IncomingMessage& in : receive)
      for (const ThreadMeeting::Letter& letter : letters[static_cast<std::size_t>(in.from)])
        if (letter.to == rank_) std::ranges::copy(letter.bytes, in.bytes.begin());
  }

 private:
  const std::vector<std::vector<ThreadMeeting::Letter>>& meet(std::vector<ThreadMeeting::Letter> mine) {
    auto& letters = meeting_.letters[meetings_++ % 2];
    letters[static_cast<std::size_t>(rank_)] = std::move(mine);
    meeting_.barrier.arrive_and_wait();
    return letters;
  }

  ThreadMeeting& meeting_;
  int rank_;
  unsigned meetings_ = 0;
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
        ranks.gather(CollectiveTag::end);
      } catch (...) {
        failures[static_cast<std::size_t>(r)] = ranks.agree_on(failure_of(std::current_exception()));
      }
      ranks.wait();
    });
  for (std::thread& thread : threads) thread.join();
  return failures;
}

}  // namespace scree::test
