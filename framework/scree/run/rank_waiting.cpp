#include "scree/run/rank_waiting.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/base/packed_bytes.hpp"

namespace scree {

Summary::Waiting compare_waiting(Ranks& ranks, double own) {
  Summary::Waiting waiting;
  ByteWriter mine;
  mine.put(own);
  for (const auto& of_rank : ranks.gather(Rendezvous::end, mine.bytes())) {
    const auto seconds = ByteReader(of_rank).take<double>();
    waiting.mean += seconds / ranks.size();
    waiting.most = std::max(waiting.most, seconds);
  }
  return waiting;
}

std::string told(const Summary::Waiting& waiting, int ranks, double seconds) {
  return fmt::format(
      "{} ranks: each waited for others, and for messages, during {:.2g} % of the time, at most {:.2g} %.", ranks,
      100 * waiting.mean / seconds, 100 * waiting.most / seconds);
}

}  // namespace scree
