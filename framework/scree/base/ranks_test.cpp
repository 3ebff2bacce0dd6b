#include "scree/base/ranks.hpp"

#include <string>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/base/packed_bytes.hpp"
#include "thread_ranks.hpp"

using namespace scree;
using namespace scree::test;
using Catch::Matchers::ContainsSubstring;

namespace {

std::vector<int> gathered(Ranks& ranks, std::span<const int> mine) {
  std::vector<int> all;
  for (const auto& part : ranks.gather(CollectiveTag::state, std::as_bytes(mine))) {
    ByteReader from(part);
    std::vector<int> values;
    from.take(values, part.size() / sizeof(int));
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

/// On each of three ranks, what all end with where these throw.
std::vector<Failure> where_ranks_throw(std::vector<int> throwing) {
  return on_thread_ranks(3, [&](Ranks& ranks) {
    ranks.gather(CollectiveTag::evaluation);
    if (std::ranges::find(throwing, ranks.rank()) != throwing.end())
      throw NumericalError("rank " + std::to_string(ranks.rank()));
    ranks.gather(CollectiveTag::history);
  });
}

}  // namespace

TEST_CASE("a thread is one rank, which has itself alone for company") {
  Ranks& ranks = current_ranks();
  CHECK((ranks.one() && ranks.first() && ranks.size() == 1));
  const int mine[] = {1, 2};
  CHECK(gathered(ranks, mine) == std::vector{1, 2});
}

TEST_CASE("every rank gets the parts of all in their order, empty ones too") {
  std::vector<std::vector<int>> all(4);
  std::vector<char> current(4);
  on_thread_ranks(4, [&](Ranks& ranks) {
    current[static_cast<std::size_t>(ranks.rank())] = &current_ranks() == &ranks;
    const std::vector<int> mine(static_cast<std::size_t>(ranks.rank()), ranks.rank());
    all[static_cast<std::size_t>(ranks.rank())] = gathered(ranks, mine);
  });
  CHECK(current == std::vector<char>(4, 1));
  for (const auto& of_rank : all) CHECK(of_rank == std::vector{1, 2, 2, 3, 3, 3});
}

TEST_CASE("messages between pairs of ranks reach whom they are for, and nobody else") {
  // Of four ranks each sends to all of higher number as many numbers as that number, and the third sends none.
  std::vector<std::vector<int>> got(4);
  on_thread_ranks(4, [&](Ranks& ranks) {
    const auto sent = [](int from, int to) {
      return from < to && from != 2 ? std::vector<int>(static_cast<std::size_t>(to), 10 * from + to)
                                    : std::vector<int>();
    };
    std::vector<std::vector<int>> out, in;
    for (int r = 0; r < 4; ++r) {
      out.push_back(sent(ranks.rank(), r));
      in.emplace_back(sent(r, ranks.rank()).size());
    }
    std::vector<OutgoingMessage> send;
    std::vector<IncomingMessage> receive;
    for (int r = 0; r < 4; ++r) {
      const auto other = static_cast<std::size_t>(r);
      if (!out[other].empty()) send.push_back({r, std::as_bytes(std::span(out[other]))});
      if (!in[other].empty()) receive.push_back({r, std::as_writable_bytes(std::span(in[other]))});
    }
    ranks.exchange(send, receive);
    for (const auto& from : in)
      got[static_cast<std::size_t>(ranks.rank())].insert(got[static_cast<std::size_t>(ranks.rank())].end(),
                                                         from.begin(), from.end());
  });
  CHECK(got == std::vector<std::vector<int>>{{}, {1}, {2, 2, 12, 12}, {3, 3, 3, 13, 13, 13}});
}

TEST_CASE("all ranks get the largest number that one has, and hear of failures there") {
  std::vector<double> largest(3);
  on_thread_ranks(3, [&](Ranks& ranks) {
    largest[static_cast<std::size_t>(ranks.rank())] =
        ranks.largest(CollectiveTag::motion, ranks.rank() == 1 ? 7 : -ranks.rank());
  });
  CHECK(largest == std::vector<double>(3, 7));
  CHECK(current_ranks().largest(CollectiveTag::motion, -2) == -2);
  for (const Failure& failure : on_thread_ranks(3, [](Ranks& ranks) {
         if (ranks.rank() == 2) throw NumericalError("no number");
         ranks.largest(CollectiveTag::motion, 1);
       }))
    CHECK(failure.text == "no number");
}

TEST_CASE("a rank that fails ends all with its words, the lowest of several") {
  for (const auto& [throwing, text] : {std::pair<std::vector<int>, std::string>{{1}, "rank 1"},
                                       {{2, 1}, "rank 1"},
                                       {{0, 1, 2}, "rank 0"},
                                       {{2}, "rank 2"}})
    for (const Failure& failure : where_ranks_throw(throwing)) {
      CHECK(failure.text == text);
      CHECK(failure.kind == FailureKind::numerical);
    }
}

TEST_CASE("of failures with an order, that of the lowest item is told") {
  const auto failures = on_thread_ranks(3, [](Ranks& ranks) {
    const int item = 10 - ranks.rank();
    if (ranks.rank() > 0)
      raise(ranks.agree_on({FailureKind::files, std::to_string(item)}, static_cast<unsigned>(item)));
    ranks.gather(CollectiveTag::evaluation);
  });
  for (const Failure& failure : failures) CHECK((failure.text == "8" && failure.kind == FailureKind::files));
}

TEST_CASE("ranks at different calls end with a sentence instead of waiting for ever") {
  const auto failures = on_thread_ranks(
      2, [](Ranks& ranks) { ranks.gather(ranks.first() ? CollectiveTag::evaluation : CollectiveTag::history); });
  for (const Failure& failure : failures) CHECK_THAT(failure.text, ContainsSubstring("have come apart"));
}

TEST_CASE("one rank that is to stop stops all at the same call") {
  std::vector<int> made(3);
  on_thread_ranks(3, [&](Ranks& ranks) {
    int calls = 0;
    while (!ranks.stopping()) {
      if (ranks.rank() == 1 && calls == 4) ranks.ask_to_stop();
      ranks.gather(CollectiveTag::evaluation);
      ++calls;
    }
    made[static_cast<std::size_t>(ranks.rank())] = calls;
  });
  CHECK(made == std::vector(3, 5));
}

TEST_CASE("failures keep their class from thrower to thrower") {
  const auto again = [](const auto& error) {
    try {
      raise(failure_of(std::make_exception_ptr(error)));
    } catch (...) {
      return failure_of(std::current_exception());
    }
  };
  CHECK(again(InputError("a")).kind == FailureKind::input);
  CHECK(again(NumericalError("a")).kind == FailureKind::numerical);
  CHECK(again(IoError("a")).kind == FailureKind::files);
  CHECK(again(std::bad_alloc()).kind == FailureKind::memory);
  CHECK(again(std::runtime_error("a")).kind == FailureKind::internal);
  CHECK(again(7).kind == FailureKind::internal);
  CHECK(again(IoError("the text")).text == "the text");
}
