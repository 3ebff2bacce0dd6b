#include "scree/run/compare_states.hpp"

#include <fmt/format.h>

#include <vector>

#include "scree/base/internal_error.hpp"
#include "scree/base/packed_bytes.hpp"

namespace scree {

void compare_states(const World& world, Ranks& ranks) {
  if (ranks.one()) return;
  ByteWriter own;
  own.put(state_hash(world));
  std::vector<std::uint64_t> hashes;
  for (const auto& part : ranks.gather(CollectiveTag::state, own.bytes()))
    hashes.push_back(ByteReader(part).take<std::uint64_t>());
  for (std::size_t r = 1; r < hashes.size(); ++r)
    if (hashes[r] != hashes[0])
      throw InternalError(
          fmt::format("rank {} has come to another state than rank 0 in step {} (hash {:016x}, {:016x}). Some method "
                      "does not compute the same on both. Are their processors of one kind?",
                      r, world.step, hashes[r], hashes[0]));
}

}  // namespace scree
