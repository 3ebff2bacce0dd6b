#pragma once
/// \file The command line of bonded_calibrate.

#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "packing/elements.hpp"
#include "packing/read_mesh.hpp"

namespace scree::bonded {

struct CalibrateOptions {
  std::string kind = "bcc";  ///< bcc, kuhn or cubic
  Cuboid box;                ///< cells of edge 1
  std::optional<MeshSource> mesh;
  FaceArea area = FaceArea::whole;
  std::vector<double> ratios;                          ///< G/E of bonds to measure
  double young = 1;                                    ///< Young's modulus of the bonds [Pa]
  std::optional<double> wanted_young, wanted_poisson;  ///< both: find the bonds for them
  std::string solver = "auto";
  int threads = 1;
  bool json = false;
};

/// \return nothing when only help was asked for, and printed
/// \throws InputError
std::optional<CalibrateOptions> parse_calibrate_options(const cli::Arguments& arguments);

}  // namespace scree::bonded
