#pragma once
/// \file The packing "import": spheres from files of other codes.

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "scree/plugin/plugin.hpp"

namespace scree::packings {

/// Reading of a file of spheres.
struct ImportOptions {
  int dimension = 3;
  double radius = 0;  ///< radius of the shape [m], > 0: bodies get the scale that makes them as large as the file says
  std::vector<std::int64_t> types = {};  ///< spheres of these types are read; none: all
};

/// A dump of LAMMPS or LIGGGHTS: the frame of this timestep, or the last one. Columns id, x y z, radius or diameter,
/// and where they are there vx vy vz and omegax omegay omegaz; others are skipped. A body's id is that of the file less
/// one. \throws InputError "file:line: ..."
std::vector<Placement> read_dump(std::istream& in, const std::string& name, const ImportOptions& options,
                                 std::optional<std::int64_t> timestep);

/// A data file of LAMMPS, atom_style sphere (granular of LIGGGHTS): sections Atoms (id type diameter density
/// x y z) and Velocities. Ids are those of the file less one.
std::vector<Placement> read_data(std::istream& in, const std::string& name, const ImportOptions& options);

/// Lines "x y z r", as Yade's export.text writes them; further columns are skipped, # begins a comment.
std::vector<Placement> read_xyzr(std::istream& in, const std::string& name, const ImportOptions& options);

/// By option `format`. \throws OptionError for shapes that are no spheres
std::vector<Placement> read_import(const Options& options, const PackingContext& context);

/// Radius of the shape of an entry whose bodies are spheres of one shape [m].
std::optional<double> sphere_radius(const PackingContext& context);

}  // namespace scree::packings
