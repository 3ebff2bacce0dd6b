#pragma once
/// \file "bond-columns/1": numbers that a law tells of each bond, for files and pictures.

#include <span>
#include <string>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/law/energy_term.hpp"

namespace scree {

/// Name and unit of a number that a law reports of each bond.
struct BondColumn {
  std::string name;  ///< name in files: "tension", "bending_moment"; letters, digits and underscores
  std::string unit;  ///< SI: "N", "N m"; "" where it has none
  /// True where the number is 0 at an end of a rod that no bond holds, as forces are. Else it goes on to the end as it
  /// is at the last bond, as curvature does.
  bool zero_at_free_end = true;
};

/// A face of bond laws. Asked only when somebody looks.
class SCREE_API BondColumns {
 public:
  static constexpr std::string_view kName = "bond-columns/1";
  virtual ~BondColumns();
  /// Always the same, and no name twice.
  virtual std::vector<BondColumn> columns() const = 0;
  /// \param out  one span per column, (bonds) each, in the order in which bonds were bound; every entry is to be
  ///             written, with a finite number
  virtual void values(const Configuration& x, std::span<const std::span<double>> out) const = 0;
};

}  // namespace scree
