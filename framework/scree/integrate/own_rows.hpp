#pragma once
/// \file "own-rows/1": which bodies an integrator advances, where several processes share a run.

#include <cstddef>
#include <span>
#include <string_view>

#include "scree/base/api.hpp"

namespace scree {

class Mechanics;

/// Rows [first, end).
struct RowRange {
  std::size_t first, end;
  std::size_t size() const { return end - first; }
};

/// An ability of a Mechanics. While rows are divided among processes, forces are known for own rows alone, and those of
/// others have an earlier state. Every call of Mechanics may divide rows differently.
class SCREE_API OwnRows {
 public:
  static constexpr std::string_view kName = "own-rows/1";
  virtual ~OwnRows();
  /// Ascending; all rows where they are not divided. Valid until the next call of Mechanics.
  virtual std::span<const RowRange> own_rows() = 0;
};

/// A face of integrators (Integrator::face) that advance no rows but these, and look at no others: only then are rows
/// divided.
struct AdvancesOwnRows {
  static constexpr std::string_view kName = "advances-own-rows/1";
};

/// All rows where the backend lacks the ability: it then does not divide them. Valid until the next call of Mechanics.
SCREE_API std::span<const RowRange> own_rows(Mechanics& mechanics);

}  // namespace scree
