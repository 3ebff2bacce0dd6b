#pragma once
/// \file Hash of the content of a file.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace scree {

/// Returns 64 bits that distinguish versions of a file; no protection against deliberate deceit. FNV-1a over words of
/// eight bytes, the last one padded with zeros, each step folded so that high bits count too.
inline std::uint64_t content_hash(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ull ^ bytes.size();
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof(word), bytes.size() - at));
    hash = (hash ^ word) * 0x100000001b3ull;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace scree
