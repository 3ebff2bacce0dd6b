#include "scree/contacts/decomposition/all_to_all.hpp"

namespace scree {

std::vector<std::vector<std::byte>> all_to_all_v(Ranks& ranks, CollectiveTag tag, std::span<const ByteWriter> to) {
  std::vector<std::size_t> sizes;
  for (const ByteWriter& message : to) sizes.push_back(message.bytes().size());
  const auto sizes_of_all = ranks.gather(tag, std::as_bytes(std::span(sizes)));
  std::vector<std::vector<std::byte>> received(to.size());
  std::vector<OutgoingMessage> send;
  std::vector<IncomingMessage> receive;
  for (std::size_t r = 0; r < to.size(); ++r) {
    ByteReader(sizes_of_all[r]).take(sizes, to.size());
    received[r].resize(sizes[static_cast<std::size_t>(ranks.rank())]);
    const auto rank = static_cast<int>(r);
    if (!to[r].bytes().empty()) send.push_back({rank, to[r].bytes()});
    if (!received[r].empty()) receive.push_back({rank, received[r]});
  }
  ranks.exchange(send, receive);
  return received;
}

}  // namespace scree
