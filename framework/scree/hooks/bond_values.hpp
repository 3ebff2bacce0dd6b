#pragma once
/// \file Values of bonds that laws report to writers and probes.

#include <string>
#include <vector>

namespace scree {

/// Columns of all laws with the face BondColumns (law/bond_columns.hpp). Laws that report the same name in the same
/// unit share a column.
struct BondValues {
  struct Column {
    std::string name, unit;
    bool zero_at_free_end;      ///< see BondColumn
    std::vector<double> value;  ///< by row of World::bonds(); NaN: the bond is broken, or its law does not report this
  };
  std::vector<Column> columns;
};

}  // namespace scree
