#include "bake.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "scree/base/error.hpp"

namespace scree::nodes_to_surface {

namespace {

using device::BakedField;
using device::BakedNode;
using device::FieldValue;
using device::kBakedSplit;

/// Points at which a cell is tried before it is kept, and at which the report compares.
constexpr int kTrials = 16, kComparisons = 16;
/// Points at which the field is asked for each node.
constexpr std::size_t kNodeSamples = 5;
/// A cell is split where a trial errs by more than this part of the tolerance: trials miss the largest error.
constexpr double kSafety = 0.4;
/// Step of the differences for slopes, over the cell's side: small, so that few of them reach across a kink.
constexpr double kStep = 1.0 / 256;
/// Cells are split down to this side, over the tolerance and the radius. Kinks of any slope are good enough by then.
constexpr double kSmallestSide = 0.25;
/// A kink lies next to a node where the slope changes by more than this within two steps.
constexpr double kSlopeJump = 0.05;
/// Normals count in cells wider than this, over the radius: smaller ones are at kinks, corners and folds.
constexpr double kKinkWidth = 0.002;

/// Part of a cell within the band's reach of the outline of nodes.
enum class Reach : std::uint8_t { none, part, whole };

/// A cell of any size.
struct Cell {
  double x, y, side;        ///< lower left corner, body frame [m]
  std::uint32_t node, row;  ///< lower left node, and nodes to the next row
  std::uint32_t depth;      ///< 0: of the grid
  Reach reach;
};

/// A cell whose error is too large.
struct Failure {
  Cell cell;
  double error = 0;  ///< error of the distance, over the bounding radius
  double turn = 0;   ///< rotation of the normal [rad]
  Vec3 point = Vec3::Zero();
};

/// A fixed well-mixed function of 64 bits. \source S. Vigna, splitmix64
std::uint64_t mixed(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/// A pseudo-random point of a cell.
Vec3 random_point(const Cell& cell, std::uint64_t seed, int number) {
  const std::uint64_t bits = mixed(mixed(std::uint64_t{cell.node} << 8 | seed) + static_cast<std::uint64_t>(number));
  const double u = static_cast<double>(bits >> 32) * 0x1p-32, v = static_cast<double>(bits & 0xffffffffu) * 0x1p-32;
  return {cell.x + u * cell.side, cell.y + v * cell.side, 0};
}

/// Distance of a point to the segment from a to b [m], in the plane.
double distance_to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a;
  const double length2 = along.squaredNorm();
  const double t = length2 > 0 ? std::clamp((p - a).dot(along) / length2, 0.0, 1.0) : 0;
  return (p - a - t * along).norm();
}

/// Points with their field, evaluated in one call.
struct Samples {
  std::vector<Vec3> points, gradients;
  std::vector<double> distances;

  void evaluate(const SignedDistance& field, const std::string& where) {
    distances.resize(points.size());
    gradients.resize(points.size());
    field.distance(points, distances, gradients);
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (std::isfinite(distances[i]) && gradients[i].allFinite()) continue;
      throw InputError(fmt::format(
          "{}: its distance cannot be baked for devices: at ({:.6g}, {:.6g}) m of the body frame distance and gradient "
          "are {} and ({}, {}); finite numbers are needed everywhere. Guard the formula there.",
          where, points[i][0], points[i][1], distances[i], gradients[i][0], gradients[i][1]));
    }
  }
};

/// Slopes of the field at a node, by differences.
struct Slopes {
  double x, y, twist;  ///< twist times the cell's side
};

/// \param d  at the node and at its diagonal neighbours (-, -), (+, -), (-, +), (+, +), `step` away along x and y
/// \param g  the field's own gradient, which holds on one side of a kink: there it is the slope
Slopes slopes(const double* d, const Vec3& g, double step, double side) {
  const double bend = std::max(std::abs(d[1] + d[4] - 2 * d[0]), std::abs(d[2] + d[3] - 2 * d[0]));
  if (bend > kSlopeJump * step) return {g[0], g[1], 0};
  return {(d[2] + d[4] - d[1] - d[3]) / (4 * step), (d[3] + d[4] - d[1] - d[2]) / (4 * step),
          (d[1] + d[4] - d[2] - d[3]) / (4 * step * step) * side};
}

std::int16_t in_units(double value, double unit) {
  return static_cast<std::int16_t>(std::lround(std::clamp(value / unit, -32767.0, 32767.0)));
}

/// Parameters of the trial of a cell.
struct Trial {
  int points;
  std::uint64_t seed;
  double error;   ///< allowed, over the bounding radius
  double turn;    ///< allowed [rad]
  double beyond;  ///< distance beyond the band up to which errors count, in sides of a cell
};

/// Sums behind the report.
struct Comparison {
  double largest = 0, weighted = 0, weights = 0, turn = 0;
  Vec3 worst = Vec3::Zero();
  std::size_t points = 0;

  void add(double error, double weight, const Vec3& point) { add({error, weight * error, weight, 0, point, 1}); }
  void add(const Comparison& other) {
    if (other.largest > largest) worst = other.worst;
    largest = std::max(largest, other.largest);
    weighted += other.weighted;
    weights += other.weights;
    turn = std::max(turn, other.turn);
    points += other.points;
  }
};

class Baker {
 public:
  Baker(const SignedDistance& field, double radius, std::span<const Vec3> boundary, const BakeOptions& options);
  BakedShape run();

 private:
  void make_grid();
  void sample_nodes(double x, double y, double side, std::uint32_t cells);
  void append_sampled(double side, std::uint32_t depth);
  BakedNode encoded(std::size_t sample, double side, std::uint32_t depth) const;
  void require_positive_border() const;
  double distance_to_outline(const Cell& cell) const;
  Reach reach_of(const Cell& cell) const;
  void append_cells(const Cell& first, std::uint32_t cells, std::vector<Cell>& out) const;
  [[noreturn]] void refuse(const Failure& failure, const std::string& why) const;
  void split(const Failure& failure, std::vector<Cell>& parts);
  std::vector<Cell> refine(std::vector<Cell> cells);
  Failure compare_cell(const Cell& cell, const Trial& trial, std::size_t sample, Comparison& sums) const;
  std::vector<Failure> compare(std::span<const Cell> cells, const Trial& trial, std::vector<Cell>& passed,
                               Comparison& sums);
  std::vector<Failure> compare_boundary(std::vector<Cell>& cells, Comparison& sums);
  BakeReport report(const Comparison& sums) const;

  const std::byte* base() const { return reinterpret_cast<const std::byte*>(nodes_.data()); }
  FieldValue baked(const Vec3& p) const { return baked_distance(table_, base(), p[0], p[1]); }

  const SignedDistance& field_;
  std::span<const Vec3> boundary_;
  const BakeOptions& options_;
  BakedField table_{};
  std::vector<BakedNode> nodes_;
  std::vector<Cell> grid_;
  std::uint32_t levels_ = 1;
  Samples samples_;
};

Baker::Baker(const SignedDistance& field, double radius, std::span<const Vec3> boundary, const BakeOptions& options)
    : field_(field), boundary_(boundary), options_(options) {
  const double half = (1 + options.band) * radius;
  table_.cells = options.cells;
  table_.radius = radius;
  table_.cell = 2 * half / (options.cells - 1);
  // Off the middle, so that the kinks of symmetric shapes lie on no line of nodes at any level.
  table_.left = -half - 0.9 * table_.cell;
  table_.bottom = -half - 0.8 * table_.cell;
}

/// \param sample  sample of the node; its neighbours follow
BakedNode Baker::encoded(std::size_t sample, double side, std::uint32_t depth) const {
  const double unit = std::ldexp(device::kBakedSlopeUnit, static_cast<int>(depth));
  const Vec3& g = samples_.gradients[sample];
  const Slopes slope = slopes(&samples_.distances[sample], g, kStep * side, side);
  BakedNode node{};
  node.distance = static_cast<float>(samples_.distances[sample] / table_.radius);
  node.slope_x = in_units(slope.x, unit);
  node.slope_y = in_units(slope.y, unit);
  node.twist = in_units(slope.twist, unit);
  node.normal_x = in_units(g[0], device::kBakedNormalUnit);
  node.normal_y = in_units(g[1], device::kBakedNormalUnit);
  return node;
}

/// Evaluates the field at the corners of cells x cells cells and next to them, kNodeSamples points each.
void Baker::sample_nodes(double x, double y, double side, std::uint32_t cells) {
  const double step = kStep * side;
  samples_.points.clear();
  for (std::uint32_t j = 0; j <= cells; ++j) {
    for (std::uint32_t i = 0; i <= cells; ++i) {
      const double px = x + i * side, py = y + j * side;
      samples_.points.insert(samples_.points.end(), {{px, py, 0},
                                                     {px - step, py - step, 0},
                                                     {px + step, py - step, 0},
                                                     {px - step, py + step, 0},
                                                     {px + step, py + step, 0}});
    }
  }
  samples_.evaluate(field_, options_.where);
}

void Baker::append_sampled(double side, std::uint32_t depth) {
  for (std::size_t k = 0; k < samples_.points.size(); k += kNodeSamples) nodes_.push_back(encoded(k, side, depth));
}

void Baker::require_positive_border() const {
  const std::uint32_t n = table_.cells;
  for (std::uint32_t k = 0; k < (n + 1) * (n + 1); ++k) {
    const std::uint32_t i = k % (n + 1), j = k / (n + 1);
    if ((i != 0 && i != n && j != 0 && j != n) || nodes_[k].distance > 0) continue;
    throw InputError(fmt::format(
        "{}: its distance cannot be baked for devices: at ({:.6g}, {:.6g}) m of the body frame, beyond the bounding "
        "radius of {:.6g} m, it is {:.6g} m; it must be > 0 there. Put the bounding radius or the formula right; a "
        "container has no such table.",
        options_.where, table_.left + i * table_.cell, table_.bottom + j * table_.cell, table_.radius,
        nodes_[k].distance * table_.radius));
  }
}

/// Returns the distance of the outline of nodes from the middle of a cell [m]; 0 without nodes.
double Baker::distance_to_outline(const Cell& cell) const {
  const Vec3 middle(cell.x + cell.side / 2, cell.y + cell.side / 2, 0);
  double nearest = boundary_.empty() ? 0 : std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < boundary_.size(); ++k)
    nearest = std::min(nearest, distance_to_segment(middle, boundary_[k], boundary_[(k + 1) % boundary_.size()]));
  return nearest;
}

Reach Baker::reach_of(const Cell& cell) const {
  const double distance = distance_to_outline(cell), reach = options_.band * table_.radius;
  const double half_diagonal = cell.side * std::numbers::sqrt2 / 2;
  if (distance > reach + half_diagonal) return Reach::none;
  return distance + half_diagonal < reach ? Reach::whole : Reach::part;
}

/// cells x cells cells, the first of which is at the lower left.
void Baker::append_cells(const Cell& first, std::uint32_t cells, std::vector<Cell>& out) const {
  for (std::uint32_t j = 0; j < cells; ++j) {
    for (std::uint32_t i = 0; i < cells; ++i) {
      Cell cell = first;
      cell.x += i * cell.side;
      cell.y += j * cell.side;
      cell.node += j * (cells + 1) + i;
      if (cell.reach == Reach::part) cell.reach = reach_of(cell);
      out.push_back(cell);
    }
  }
}

void Baker::refuse(const Failure& failure, const std::string& why) const {
  const bool distance = failure.error / options_.tolerance > failure.turn / options_.normal_tolerance;
  const std::string what =
      distance ? fmt::format("errs by {:.2g} of the bounding radius; {:.2g} is", failure.error, options_.tolerance)
               : fmt::format("turns the normal by {:.2g} rad; {:.2g} is", failure.turn, options_.normal_tolerance);
  throw InputError(
      fmt::format("{}: its distance cannot be baked for devices: at ({:.6g}, {:.6g}) m of the body frame "
                  "the table {} allowed (in trials {} of it), and {}, or raise the tolerance.",
                  options_.where, failure.point[0], failure.point[1], what, kSafety, why));
}

/// \throws InputError where the cell is as small as they get, or memory is used up
void Baker::split(const Failure& failure, std::vector<Cell>& parts) {
  const Cell& cell = failure.cell;
  if (cell.side < kSmallestSide * options_.tolerance * table_.radius)
    refuse(failure, fmt::format("the distance jumps there, or nearly so. Make it continuous within {:.3g} m of the "
                                "boundary",
                                options_.band * table_.radius));
  const std::size_t most = device::baked_block_begin(table_.cells, device::kMostBakedBlocks + 1) * sizeof(BakedNode);
  const std::size_t limit = std::min(options_.most_bytes, most);
  if ((nodes_.size() + device::kBakedBlockNodes) * sizeof(BakedNode) > limit)
    refuse(failure, fmt::format("smaller cells would need more than {} bytes. Make the distance smoother, raise the "
                                "limit up to {} bytes",
                                limit, most));
  const double side = cell.side / kBakedSplit;
  const auto first = static_cast<std::uint32_t>(nodes_.size());
  sample_nodes(cell.x, cell.y, side, kBakedSplit);
  append_sampled(side, cell.depth + 1);
  levels_ = std::max(levels_, cell.depth + 2);
  nodes_[cell.node].block = static_cast<std::uint16_t>(++table_.blocks);
  append_cells({cell.x, cell.y, side, first, kBakedSplit + 1, cell.depth + 1, cell.reach}, kBakedSplit, parts);
}

/// Splits cells, and their parts, until no trial fails. \return those that are left
std::vector<Cell> Baker::refine(std::vector<Cell> cells) {
  std::vector<Cell> left;
  Comparison sums;
  // A little beyond the band, where a cell may have few points of it.
  Trial trial{kTrials, 0, kSafety * options_.tolerance, kSafety * options_.normal_tolerance, 1};
  for (; !cells.empty(); trial.seed += 2) {
    std::vector<Cell> parts;
    for (const Failure& f : compare(cells, trial, left, sums)) split(f, parts);
    cells = std::move(parts);
  }
  return left;
}

/// Compares table and field at the samples of a cell from `sample` on. In the band any error counts, elsewhere that of
/// a wrong sign where the distance exceeds the tolerance.
Failure Baker::compare_cell(const Cell& cell, const Trial& trial, std::size_t sample, Comparison& sums) const {
  const double radius = table_.radius, band = options_.band * radius + trial.beyond * cell.side;
  Failure worst{cell, 0, 0, {cell.x, cell.y, 0}};
  for (std::size_t k = sample; k < sample + static_cast<std::size_t>(trial.points); ++k) {
    const Vec3 &p = samples_.points[k], &g = samples_.gradients[k];
    const double d = samples_.distances[k];
    const FieldValue value = baked(p);
    const bool in_band = cell.reach != Reach::none && std::abs(d) < band;
    const bool wrong_sign = d * value.distance < 0 && std::abs(d) > options_.tolerance * radius;
    const double error = in_band || wrong_sign ? std::abs(value.distance - d) / radius : 0;
    if (error > worst.error) worst = {cell, error, worst.turn, p};
    if (!in_band) continue;
    sums.add(error, cell.side * cell.side, p);
    if (cell.side > kKinkWidth * radius) worst.turn = std::max(worst.turn, (Vec3(value.nx, value.ny, 0) - g).norm());
  }
  sums.turn = worst.turn;
  return worst;
}

/// Compares at pseudo-random points of each cell.
/// \param passed  out: cells are appended that err by no more than the trial's limit
/// \param sums    out: of these
/// \return the others
std::vector<Failure> Baker::compare(std::span<const Cell> cells, const Trial& trial, std::vector<Cell>& passed,
                                    Comparison& sums) {
  constexpr std::size_t batch = 256;
  std::vector<Failure> failures;
  for (std::size_t begin = 0; begin < cells.size(); begin += batch) {
    const auto part = cells.subspan(begin, std::min(batch, cells.size() - begin));
    samples_.points.clear();
    for (const Cell& cell : part)
      for (int k = 0; k < trial.points; ++k) samples_.points.push_back(random_point(cell, trial.seed, k));
    samples_.evaluate(field_, options_.where);
    for (std::size_t k = 0; k < part.size(); ++k) {
      Comparison own;
      const Failure worst = compare_cell(part[k], trial, k * static_cast<std::size_t>(trial.points), own);
      if (worst.error > trial.error || worst.turn > trial.turn) {
        failures.push_back(worst);
      } else {
        passed.push_back(part[k]);
        sums.add(own);
      }
    }
  }
  return failures;
}

/// Compares at the boundary nodes. \return the cells with too large an error, which leave `cells`
std::vector<Failure> Baker::compare_boundary(std::vector<Cell>& cells, Comparison& sums) {
  samples_.points.assign(boundary_.begin(), boundary_.end());
  samples_.evaluate(field_, options_.where);
  std::vector<Failure> failures;
  for (std::size_t i = 0; i < boundary_.size(); ++i) {
    const Vec3& p = boundary_[i];
    const double error = std::abs(baked(p).distance - samples_.distances[i]) / table_.radius;
    sums.add(error, 0, p);
    if (error <= options_.tolerance) continue;
    const auto holds = [&](const Cell& c) {
      return p[0] >= c.x && p[0] <= c.x + c.side && p[1] >= c.y && p[1] <= c.y + c.side;
    };
    const auto cell = std::find_if(cells.begin(), cells.end(), holds);
    if (cell == cells.end()) continue;  // split already for another node
    failures.push_back({*cell, error, 0, p});
    cells.erase(cell);
  }
  return failures;
}

void Baker::make_grid() {
  const std::uint32_t n = table_.cells;
  append_cells({table_.left, table_.bottom, table_.cell, 0, n + 1, 0, Reach::part}, n, grid_);
  sample_nodes(table_.left, table_.bottom, table_.cell, n);
  append_sampled(table_.cell, 0);
  require_positive_border();
}

BakedShape Baker::run() {
  make_grid();
  Comparison sums, boundary;
  std::vector<Cell> cells = grid_, passed;
  for (Trial trial{kComparisons, 1, options_.tolerance, options_.normal_tolerance, 0}; !cells.empty();
       trial.seed += 2) {
    std::vector<Cell> parts;
    for (const Failure& f : compare(refine(std::move(cells)), trial, passed, sums)) split(f, parts);
    if (parts.empty()) {
      boundary = {};
      for (const Failure& f : compare_boundary(passed, boundary)) split(f, parts);
    }
    cells = std::move(parts);
  }
  sums.add(boundary);
  return {table_, {base(), base() + baked_bytes(table_)}, report(sums)};
}

BakeReport Baker::report(const Comparison& sums) const {
  BakeReport report;
  report.largest_error = sums.largest;
  report.mean_error = sums.weights > 0 ? sums.weighted / sums.weights : 0;
  report.worst = sums.worst;
  report.largest_turn = sums.turn;
  report.points = sums.points;
  report.bytes = baked_bytes(table_);
  report.levels = levels_;
  return report;
}

void require(bool good, const BakeOptions& options, const std::string& what) {
  if (!good) throw InputError(fmt::format("{}: its distance cannot be baked for devices: {}.", options.where, what));
}

void check(double radius, std::span<const Vec3> nodes, const BakeOptions& o) {
  require(radius > 0 && std::isfinite(radius), o,
          fmt::format("its bounding radius is {} m; it must be finite and > 0. Shapes without end have no such table",
                      radius));
  for (const Vec3& node : nodes)
    require(node.norm() <= (1 + o.band) * radius, o,
            fmt::format(
                "a boundary node is {:.6g} m from its origin, the bounding radius is {:.6g} m. Put one of them right",
                node.norm(), radius));
  require(o.tolerance >= 1e-6 && o.tolerance <= 0.1, o,
          fmt::format("the tolerance is {} of the bounding radius; 1e-6 to 0.1 are possible", o.tolerance));
  require(o.normal_tolerance >= 1e-3 && o.normal_tolerance <= 2, o,
          fmt::format("the tolerance of normals is {} rad; 1e-3 to 2 are possible", o.normal_tolerance));
  require(o.band > 0 && o.band <= 1, o,
          fmt::format("the band is {} of the bounding radius; it must be > 0 and at most 1", o.band));
  require(o.cells >= 8 && o.cells <= 1024, o,
          fmt::format("the grid has {} cells along a side; 8 to 1024 are possible", o.cells));
  const std::size_t least = device::baked_block_begin(o.cells, 1) * sizeof(BakedNode);
  require(least <= o.most_bytes, o,
          fmt::format("its grid takes {} bytes, the limit is {}. Raise the limit or take fewer cells", least,
                      o.most_bytes));
}

}  // namespace

BakedShape bake(const SignedDistance& field, double radius, std::span<const Vec3> nodes, const BakeOptions& options) {
  check(radius, nodes, options);
  return Baker(field, radius, nodes, options).run();
}

}  // namespace scree::nodes_to_surface
