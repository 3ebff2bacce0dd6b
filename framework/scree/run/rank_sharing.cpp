#include "scree/run/rank_sharing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/base/packed_bytes.hpp"

namespace scree {

Summary::Sharing compare_waiting(Ranks& ranks, double own) {
  Summary::Sharing sharing;
  ByteWriter mine;
  mine.put(own);
  for (const auto& of_rank : ranks.gather(CollectiveTag::end, mine.bytes())) {
    const auto seconds = ByteReader(of_rank).take<double>();
    sharing.mean_waiting += seconds / ranks.size();
    sharing.most_waiting = std::max(sharing.most_waiting, seconds);
  }
  return sharing;
}

std::string told(const Summary::Sharing& sharing, int ranks, double seconds, std::uint64_t steps) {
  const bool seldom = 2 * sharing.divided_steps < static_cast<double>(steps);
  return fmt::format(
      "{} ranks: each waited for others, and for messages, during {:.2g} % of the time, at most {:.2g} %. In {:.0f} of "
      "{} steps each advanced bodies of its own alone{}.",
      ranks, 100 * sharing.mean_waiting / seconds, 100 * sharing.most_waiting / seconds, sharing.divided_steps, steps,
      seldom ? "; plugins/mpi/README.md tells what keeps bodies from being divided" : "");
}

}  // namespace scree
