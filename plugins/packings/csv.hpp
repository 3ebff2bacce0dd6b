#pragma once
/// \file The packing "csv": places from a file of comma-separated values.

#include <iosfwd>
#include <string>
#include <vector>

#include "scree/plugin/plugin.hpp"

namespace scree::packings {

struct CsvOptions {
  bool skip_unknown = false;  ///< columns of other names are passed over
  double radius = 0;  ///< radius of the shape [m], by which column `radius` is divided; 0: there is no such column
};

/// Reads columns by header name, in any order, SI units: x, y[, z] [m]; theta [rad] (2D) or qw, qx, qy, qz; vx, vy[,
/// vz] [m/s]; omega (2D) or wx, wy, wz [rad/s]; id; scale, or radius [m]. Lines that are empty or begin with # are
/// skipped.
/// \param name  name of the file, for messages
/// \throws InputError "file:line: ..."
std::vector<Placement> read_csv(std::istream& in, const std::string& name, int dimension,
                                const CsvOptions& options = {});

/// The file named by option `file`. \throws OptionError when it cannot be read
std::vector<Placement> read_csv_file(const Options& options, const PackingContext& context);

}  // namespace scree::packings
