#pragma once
/// \file A checkpoint that somebody has changed, under a right checksum.

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "scree/output/atomic_file.hpp"
#include "scree/output/container.hpp"
#include "scree/output/seal.hpp"

namespace scree::test {

/// Changes the bytes of an array where they lie, and seals the file again. \param change  keeps their number
inline void change_sealed(const std::filesystem::path& file, const std::string& array,
                          const std::function<void(std::vector<std::byte>&)>& change) {
  std::vector<std::byte> values = CheckpointReader(file).read<std::byte>(array);
  std::string text = read_file(file);
  const auto bytes = std::as_writable_bytes(std::span(text));
  const auto at = std::search(bytes.begin(), bytes.end(), values.begin(), values.end());
  if (values.empty() || at == bytes.end()) throw std::runtime_error("no bytes of " + array + " in the file");
  change(values);
  std::copy(values.begin(), values.end(), at);
  text.replace(0, kSealBytes, seal_of(std::as_bytes(std::span(text)).subspan(kSealBytes)));
  write_atomically(file, text);
}

/// Writes a value over bytes.
template <class T>
void overwrite(std::vector<std::byte>& bytes, std::size_t at, const T& value) {
  const auto from = std::as_bytes(std::span(&value, 1));
  std::copy(from.begin(), from.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

}  // namespace scree::test
