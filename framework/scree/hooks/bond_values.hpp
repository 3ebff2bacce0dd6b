#pragma once
/// \file What laws report of the bonds of a run, for writers and probes.

#include <string>
#include <vector>

namespace scree {

/// Columns of all laws with the face BondColumns (law/bond_columns.hpp). Laws that tell the same name in the same unit
/// share a column.
struct BondValues {
  struct Column {
    std::string name, unit;
    bool zero_at_free_end;      ///< see BondColumn
    std::vector<double> value;  ///< by row of World::bonds(); NaN: the bond is broken, or its law does not tell this
  };
  std::vector<Column> columns;
};

}  // namespace scree
