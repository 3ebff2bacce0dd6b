#include "fill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "box_region.hpp"
#include "scree/base/error.hpp"
#include "scree/base/philox.hpp"
#include "scree/grid/free_space_query.hpp"
#include "scree/shape/facets.hpp"

namespace scree::packings {

namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

/// After so many bodies it is judged how many there will be: sizes may be far apart, so that this may be wrong by
/// kDoubt.
constexpr std::size_t kSample = 1000;
constexpr double kDoubt = 10;

/// Draws of one body.
enum Draw : std::uint32_t { kShape = 0, kPlace = 1 };

/// One body to be placed.
struct Grain {
  std::uint32_t shape;
  double radius;  ///< radius of a sphere around its position that contains it, with half of the gap [m]
};

double ball(double radius, int dimension) {
  return dimension == 2 ? std::numbers::pi * radius * radius : 4 * std::numbers::pi / 3 * radius * radius * radius;
}

/// Returns the share of one body of scale 1 in the region: volume, in 2D area. \throws OptionError for 2D shapes except
/// discs
double extent(const ShapeEntry& entry, int dimension) {
  if (dimension == 3) return entry.shape->mass(1).mass;
  const auto* discs = facet<SphereSet>(*entry.shape);
  if (discs == nullptr || discs->radii().size() != 1)
    throw OptionError(
        "/solid_fraction",
        fmt::format("the area of shape \"{}\" is not known; in 2D that of discs is. Give a number or a mass.",
                    entry.name));
  return ball(discs->radii()[0], 2);
}

/// Draws bodies one by one until there are as many as wanted; mass and fraction are met to half of a body.
class Drawing {
 public:
  Drawing(const Fill& fill, const PackingContext& context)
      : fill_(fill), context_(context), random_(context.seed, "fill") {
    for (const ShapeEntry& entry : context.shapes) {
      radii_.push_back(entry.shape->bounding_radius() + entry.shape->reference_point().norm());
      masses_.push_back(fill.mass < kNone ? entry.shape->mass(context.density).mass : 0);
      extents_.push_back(fill.fraction < kNone ? extent(entry, context.dimension) : 0);
    }
  }

  std::vector<Grain> grains() {
    const double measure = fill_.region.measure();
    const double most = context_.dimension == 2 ? kMostFilled2 : kMostFilled3;
    std::vector<Grain> grains;
    double mass = 0, filled = 0, balls = 0;
    for (std::size_t i = 0; static_cast<double>(i) < fill_.number; ++i) {
      const std::uint32_t k = fill_.takes_turns ? static_cast<std::uint32_t>(i % radii_.size())
                                                : fill_.shares.at(random_.pair(i, 0, kShape)[0]);
      const double size = context_.size ? context_.size(i) : 1, square = size * size;
      const double power = context_.dimension == 2 ? square : square * size;
      if (fill_.mass - mass < power * masses_[k] / 2 || fill_.fraction * measure - filled < power * extents_[k] / 2)
        break;
      mass += power * masses_[k];
      filled += power * extents_[k];
      grains.push_back({k, size * radii_[k] + fill_.gap / 2});
      balls += ball(grains.back().radius, context_.dimension);
      if (balls > most * measure) refuse(grains.size(), balls / measure, most);
      if (grains.size() == kSample || static_cast<double>(grains.size()) >= kMostPlaces)
        check_number(static_cast<double>(grains.size()), mass, filled / measure);
    }
    return grains;
  }

 private:
  /// Checks whether this number of bodies is possible. \param mass, fraction  mass and fraction of those drawn so far
  void check_number(double drawn, double mass, double fraction) const {
    if (fill_.number < kNone) return;  // checked
    const bool by_mass = fill_.mass < kNone;
    const double share = by_mass ? mass / fill_.mass : fraction / fill_.fraction;
    const double all = drawn >= kMostPlaces ? std::max(drawn / share, 1.01 * kMostPlaces) : drawn / share / kDoubt;
    if (!(all <= kMostPlaces))
      check_places(by_mass ? "/mass" : "/solid_fraction", "bodies of this size would take", drawn / share,
                   "Take larger bodies, or ask for less.");
  }

  [[noreturn]] void refuse(std::size_t bodies, double share, double most) const {
    throw OptionError(
        "/region",
        fmt::format(
            "{} bodies would fill {:.3g} of the region with their bounding spheres, and there are more to come; "
            "random places can fill {} of it. Enlarge the region, ask for less, or take a lattice or "
            "random-close packing.",
            bodies, share, most));
  }

  const Fill& fill_;
  const PackingContext& context_;
  RandomStream random_;
  std::vector<double> radii_, masses_, extents_;  ///< by shape, of bodies of scale 1
};

/// By descending radius, then in turn.
std::vector<std::size_t> largest_first(const std::vector<Grain>& grains) {
  std::vector<std::size_t> order(grains.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return grains[a].radius > grains[b].radius; });
  return order;
}

/// \param within  the region, with its images in a periodic cell
std::optional<Vec3> find_place(const Fill& fill, const Region& within, const RandomStream& random, std::size_t i,
                               double radius, const FreeSpaceQuery& room, const FreeSpaceQuery& walls) {
  for (std::uint32_t attempt = 0; attempt < fill.attempts; ++attempt) {
    const std::optional<Vec3> place = fill.region.at(random.triple(i, attempt, kPlace));
    if (place && within.depth(*place) >= radius && room.is_free(*place, radius) && walls.is_free(*place, radius))
      return place;
  }
  return std::nullopt;
}

}  // namespace

Fill read_fill(const Options& options, const PackingContext& context) {
  std::vector<double> shares, masses;
  if (options.has("shares")) shares = options.numbers("shares");
  if (!shares.empty() && shares.size() != context.shapes.size())
    throw OptionError("/shares", fmt::format("{} shares for {} shapes of the entry. Give one per shape.", shares.size(),
                                             context.shapes.size()));
  if (!shares.empty() && !(*std::ranges::max_element(shares) > 0))
    throw OptionError("/shares", "all are 0. Give one above 0.");
  if (options.text("by") == "mass")
    for (const ShapeEntry& entry : context.shapes) masses.push_back(entry.shape->mass(1).mass);
  Fill fill{read_region(options, "region", context.dimension),
            options.number_or("number", kNone),
            options.number_or("mass", kNone),
            options.number_or("solid_fraction", kNone),
            options.number("gap"),
            static_cast<std::uint32_t>(options.integer("attempts")),
            ShapeShares(shares, masses, context.shapes.size()),
            shares.empty()};
  if ((fill.number < kNone) + (fill.mass < kNone) + (fill.fraction < kNone) != 1)
    throw OptionError("",
                      "nothing says, or several options say, how much is to fill the region. Give one of \"number\", "
                      "\"mass\" and \"solid_fraction\".");
  if (!fill.region.bounded() || !(fill.region.measure() > 0))
    throw OptionError("/region", "has no end or no volume. Give a box or another form with both, without \"outside\".");
  if (fill.mass < kNone && !(context.density > 0))
    throw OptionError("/mass", "the entry's material has no density. Give it one, or a \"number\" of bodies.");
  if (fill.number < kNone) check_places("/number", "the entry asks for", fill.number, "Ask for fewer.");
  return fill;
}

std::vector<Placement> place(const Fill& fill, const PackingContext& context) {
  const std::vector<Grain> grains = Drawing(fill, context).grains();
  std::vector<Placement> places(grains.size());
  if (grains.empty()) return places;
  const std::vector<std::size_t> order = largest_first(grains);
  const World nobody(context.dimension);
  FreeSpaceQuery room(context.world ? *context.world : nobody, grains[order[0]].radius);
  const FreeSpaceQuery walls(context.later_walls ? *context.later_walls : nobody, grains[order[0]].radius);
  const PeriodicCell cell = context.world ? context.world->cell : PeriodicCell();
  const Region within = fill.region.continued(cell.lower, cell.edges.diagonal());
  const RandomStream random(context.seed, "fill");
  std::size_t done = 0;
  double balls = 0;
  for (const std::size_t i : order) {
    const double radius = grains[i].radius;
    const std::optional<Vec3> found = find_place(fill, within, random, i, radius, room, walls);
    if (!found)
      throw OptionError(
          "/region",
          fmt::format(
              "no room for a body with a bounding radius of {:.3g} m: {} places were tried, after {} of {} bodies "
              "had filled {:.3g} of the region. Enlarge it, ask for less, or raise \"attempts\".",
              radius, fill.attempts, done, grains.size(), balls / fill.region.measure()));
    room.place(*found, radius);
    places[i].position = *found;
    places[i].shape = grains[i].shape;
    balls += ball(radius, context.dimension);
    ++done;
  }
  return places;
}

}  // namespace scree::packings
