#include "lattice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/base/error.hpp"
#include "scree/base/philox.hpp"

namespace scree::packings {

namespace {

double read_jitter(const Options& options, double spacing, double radius) {
  const Options jitter = options.object("jitter");
  if (jitter.is_number()) return jitter.as_number();
  const double room = spacing / 2 - radius;
  if (room < 0)
    throw OptionError("/jitter", fmt::format("\"free\" needs room between the bodies; their diameter is {:.6g} m, the "
                                             "spacing {:.6g} m. Widen the spacing or give a length.",
                                             2 * radius, spacing));
  return room;
}

std::array<std::int64_t, 3> read_counts(const Options& options, int dimension) {
  const std::vector<double> counts = options.numbers("counts");
  if (counts.size() != static_cast<std::size_t>(dimension))
    throw OptionError("/counts", fmt::format("has {} numbers; the scene has dimension {}. Give one count per axis.",
                                             counts.size(), dimension));
  std::array<std::int64_t, 3> result{1, 1, 1};
  for (std::size_t k = 0; k < counts.size(); ++k) result[k] = static_cast<std::int64_t>(counts[k]);
  return result;
}

}  // namespace

std::int64_t places_between(double lower, double upper, double spacing) {
  const double steps = std::floor((upper - lower) / spacing + 1e-9);
  return static_cast<std::int64_t>(std::min(steps, 1e18)) + 1;  // beyond all that is allowed
}

Lattice read_lattice(const Options& options, const PackingContext& context) {
  if (options.has("upper") == options.has("counts"))
    throw OptionError(
        "", fmt::format("a lattice needs either \"upper\" or \"counts\"; {} given. {} one of them.",
                        options.has("upper") ? "both are" : "neither is", options.has("upper") ? "Remove" : "Add"));
  Lattice lattice;
  lattice.spacing = options.number_or("spacing", 2 * context.bounding_radius);
  lattice.jitter = read_jitter(options, lattice.spacing, context.bounding_radius);
  lattice.lower = read_corner(options, "lower", context.dimension);
  if (options.has("counts")) {
    lattice.counts = read_counts(options, context.dimension);
  } else {
    const BoxRegion region = read_region(options, context.dimension);
    for (int k = 0; k < context.dimension; ++k)
      lattice.counts[static_cast<std::size_t>(k)] = places_between(region.lower[k], region.upper[k], lattice.spacing);
  }
  double total = 1;
  for (const std::int64_t n : lattice.counts) total *= static_cast<double>(n);
  check_places("/spacing", fmt::format("a spacing of {:.6g} m makes", lattice.spacing), total,
               "Widen the spacing or shrink the box.");
  return lattice;
}

std::vector<Placement> place(const Lattice& lattice, const PackingContext& context) {
  const RandomStream random(context.seed, "lattice");
  std::vector<Placement> places;
  places.reserve(static_cast<std::size_t>(lattice.counts[0] * lattice.counts[1] * lattice.counts[2]));
  for (std::int64_t k = 0; k < lattice.counts[2]; ++k) {
    for (std::int64_t j = 0; j < lattice.counts[1]; ++j) {
      for (std::int64_t i = 0; i < lattice.counts[0]; ++i) {
        Vec3 offset = lattice.jitter * random.triple(places.size());
        if (context.dimension == 2) offset[2] = 0;
        const Vec3 cell(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
        Placement& p = places.emplace_back();
        p.position = lattice.lower + lattice.spacing * cell + offset;
      }
    }
  }
  return places;
}

}  // namespace scree::packings
