#pragma once
/// \file Strands along the lines of a file.

#include <iosfwd>
#include <string>
#include <vector>

#include "scree/base/types.hpp"

namespace scree::rods {

struct FileStrand {
  Vec3 root;                 ///< its first joint [m]
  std::vector<Quat> frames;  ///< frames of its segments, one or more
};

/// Lines of a table of comma-separated values with the columns strand, x, y[, z] [m]: rows of one strand follow each
/// other. Each strand gets as many segments as fit; what is left of its line at the end is nearer than a segment to the
/// last joint.
/// \param name  name of the file, for messages
/// \param length, radius  length and radius of a segment [m]
/// \throws InputError "name:line: ..." for lines of one point, repeated points, lines shorter than a segment, and where
/// the strand bends more sharply than 1/radius or a segment spans more of the line than half a circle
std::vector<FileStrand> read_strands(std::istream& in, const std::string& name, int dimension, double length,
                                     double radius);

}  // namespace scree::rods
