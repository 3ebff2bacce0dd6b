#pragma once
/// \file A copy of a column that is small where its rows repeat.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/api.hpp"

namespace scree {

/// Masses, moments, radii, shapes and kinds are those of a few sorts of bodies: up to 256 different rows are kept once
/// each, and a byte for each row says which one it is. Ids, as whole numbers of 8 bytes whose upper 4 are 0, are kept
/// in
/// 4. Other columns are kept as they are.
class SCREE_API RowCopies {
 public:
  RowCopies() = default;
  /// \param bytes  whole rows
  RowCopies(std::span<const std::byte> bytes, std::size_t row_bytes);
  std::vector<std::byte> bytes() const;

 private:
  /// \return whether there are few enough different rows
  bool keep_different(std::span<const std::byte> bytes);
  /// \return whether they are small numbers
  bool keep_small(std::span<const std::byte> bytes);

  std::size_t row_bytes_ = 1;
  std::vector<std::byte> rows_;       ///< the different ones, or all
  std::vector<std::uint32_t> small_;  ///< all rows, where they are small numbers; then rows_ is empty
  std::vector<std::uint8_t> number_;  ///< of each row among the different ones; empty: rows_ are all
};

}  // namespace scree
