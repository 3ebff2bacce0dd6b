#pragma once
/// \file Bodies as text, in formats that packings and other codes read. Pure functions of the World. Numbers have as
/// many digits as it takes to read the same bits again.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scree/hooks/stored_bodies.hpp"

namespace scree::particle_files {

/// Bodies to be written, by id.
using Bodies = std::span<const BodyState>;

/// Radius of a body that is one sphere about its centre of mass [m], or of a disc.
std::optional<double> sphere_radius(const World& world, const BodyState& body);

/// A table with a line of column names, as packing `csv` reads it: id, place, orientation, velocity, spin, and `radius`
/// where all are spheres, else `scale`; `shape` where there are several.
std::string csv_text(const World& world, Bodies bodies);

/// Objects that the column `type` of a dump counts, from 1 in the order of the scene.
enum class TypesOf { materials, entries };

struct DumpOptions {
  TypesOf types = TypesOf::materials;
  std::vector<std::string> columns;  ///< names as in the schema
};

/// A frame of a dump of LAMMPS or LIGGGHTS. Ids are those of the bodies plus one: LAMMPS takes none below 1. \pre all
/// are spheres
std::string dump_text(const World& world, Bodies bodies, std::uint64_t step, const DumpOptions& options);

/// Lines x y z r, as Yade's text export. \pre all are spheres
std::string xyzr_text(const World& world, Bodies bodies);

}  // namespace scree::particle_files
