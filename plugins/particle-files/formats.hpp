#pragma once
/// \file Bodies as text, in formats that packings and other codes read. Pure functions of the World. Numbers have as
/// many digits as it takes to read the same bits again.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "scree/world/world.hpp"

namespace scree::particle_files {

/// Rows of the World to be written, by id.
using Rows = std::span<const std::size_t>;

/// Radius of a body that is one sphere about its centre of mass [m], or of a disc.
std::optional<double> sphere_radius(const World& world, std::size_t row);

/// A table with a line of column names, as packing `csv` reads it: id, place, orientation, velocity, spin, and `radius`
/// where all are spheres, else `scale`; `shape` where there are several.
std::string csv_text(const World& world, Rows rows);

/// A frame of a dump of LAMMPS or LIGGGHTS: id type x y z vx vy vz omegax omegay omegaz radius. The type counts
/// materials from 1. \pre all are spheres
std::string dump_text(const World& world, Rows rows, std::uint64_t step);

/// Lines x y z r, as Yade's text export. \pre all are spheres
std::string xyzr_text(const World& world, Rows rows);

}  // namespace scree::particle_files
