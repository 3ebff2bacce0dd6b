#pragma once
/// \file Copy of a column that is small if its rows repeat.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/api.hpp"

namespace scree {

/// Copy of a column. Masses, moments, radii, shapes and kinds are those of a few sorts of bodies. Up to 256 different
/// rows are kept once each, with the number of one of them, a byte, for each row. Ids, as whole numbers of 8 bytes
/// whose upper 4 are 0, are kept in 4. Other columns are kept as they are.
class SCREE_API RowCopies {
 public:
  RowCopies() = default;
  /// \param bytes  whole rows
  RowCopies(std::span<const std::byte> bytes, std::size_t row_bytes);
  std::vector<std::byte> bytes() const;

 private:
  /// Tries to keep different rows once. \return false if there are too many
  bool keep_different(std::span<const std::byte> bytes);
  /// Tries to keep rows as small numbers. \return false if they are not
  bool keep_small(std::span<const std::byte> bytes);

  std::size_t row_bytes_ = 1;
  std::vector<std::byte> rows_;       ///< different rows, or all rows
  std::vector<std::uint32_t> small_;  ///< all rows, if they are small numbers; rows_ is then empty
  std::vector<std::uint8_t> number_;  ///< number of each row among the different ones; empty: rows_ are all rows
};

}  // namespace scree
