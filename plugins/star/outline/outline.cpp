#include "outline/outline.hpp"

#include <algorithm>
#include <numbers>

#include "scree/detect/node_runs.hpp"

namespace scree::star {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;

PlanarPoint<double> outline_point(const RadialFunction& f, double theta) {
  const double r = f.radius(theta);
  return {r * std::cos(theta), r * std::sin(theta)};
}

double distance(const PlanarPoint<double>& a, const PlanarPoint<double>& b) { return std::hypot(a.x - b.x, a.y - b.y); }

}  // namespace

Outline::Outline(const RadialFunction& f)
    : function(&f), centre(f.centre()), r_max(f.max_radius()), r_min(f.min_radius()), nodes(f.node_count()) {
  centre_reach2 = static_cast<float>(1.0001 * r_max * r_max);
  place_nodes();
  pad_columns();
  fill_table();
  fill_float_table();
  fill_map();
}

RadialSample<double> Outline::sample(double px, double py) const {
  if (!table.empty()) return lookup(table.data(), cells_per_unit, pseudo_angle(px, py));
  const double theta = std::atan2(py, px);
  return {function->radius(theta), function->slope(theta)};
}

void Outline::place_nodes() {
  constexpr int parts = 8;  // per edge, to see a bump between nodes
  for (int i = 0; i < nodes; ++i) {
    const PlanarPoint<double> p = outline_point(*function, kTurn * i / nodes);
    const PlanarPoint<double> next = outline_point(*function, kTurn * (i + 1) / nodes);
    points.push_back(p);
    double reach = 0, step = 0;
    PlanarPoint<double> last = p;
    for (int k = 1; k <= parts; ++k) {
      const PlanarPoint<double> q = outline_point(*function, kTurn * (i + static_cast<double>(k) / parts) / nodes);
      reach = std::max({reach, distance(q, p), distance(q, next)});
      step = std::max(step, distance(q, last));
      last = q;
    }
    edge.push_back(reach + step / 2);
  }
}

void Outline::pad_columns() {
  // A full turn and a group more: a refresh runs over all nodes from any of them.
  const int padded = 2 * nodes + kWindow + kLanes;
  for (int i = 0; i < padded; ++i) {
    const auto k = static_cast<std::size_t>(i % nodes);
    fx.push_back(static_cast<float>(points[k].x));
    fy.push_back(static_cast<float>(points[k].y));
    edge_after.push_back(static_cast<float>(edge[k]));
    edge_before.push_back(static_cast<float>(edge[(k + edge.size() - 1) % edge.size()]));
  }
  for (std::size_t i = 0; i < kLanes; ++i) points.push_back(PlanarPoint<double>(points[i]));
  const auto n = static_cast<std::uint32_t>(nodes);
  for (std::uint32_t i = 0; i < n; ++i) ring_first.push_back(ring_interval({i, 1}, n).first);
  for (std::uint32_t i = 0; i <= n; ++i) ring_length.push_back(ring_interval({0, i}, n).length);
}

void Outline::fill_table() {
  if (function->table_size() == 0) return;
  const int cells = (function->table_size() + 3) / 4 * 4;  // samples on the axes, where the pseudo-angle has kinks
  cells_per_unit = cells / 4.0;
  for (int i = 0; i < cells + 2; ++i) {
    const double theta = polar_angle((i % cells) / cells_per_unit);
    table.push_back({function->radius(theta), function->slope(theta)});
  }
}

void Outline::fill_float_table() {
  constexpr double per_unit = kFloatCells / 4.0;
  const auto exact = [&](double q) {
    const double theta = polar_angle(std::min(q, 4.0));
    return sample(std::cos(theta), std::sin(theta));
  };
  double value_error = 0, scale_error = 0;
  RadialSample<double> low = exact(0);
  for (int i = 0; i < kFloatCells; ++i) {
    const RadialSample<double> high = exact((i + 1) / per_unit);
    const FloatCell cell{static_cast<float>(low.r), static_cast<float>(high.r - low.r)};
    float_table.push_back(cell);
    for (double t = 0; t <= 1; t += 0.125) {
      const double q = (i + t) / per_unit, theta = polar_angle(std::min(q, 4.0));
      const RadialSample<double> truth = exact(q);
      value_error = std::max(value_error, std::abs(cell.value + t * cell.slope - truth.r));
      // dr/dtheta = dr/dq * rho^2 / (|x| + |y|)^2 along a direction
      const double l1 = std::abs(std::cos(theta)) + std::abs(std::sin(theta));
      const double slope = cell.slope * per_unit / (l1 * l1);
      scale_error = std::max(scale_error, std::abs(slope - truth.slope) / truth.r);
    }
    low = high;
  }
  float_table.push_back(float_table.front());  // q = 4
  // Rounding: the node's position is a sum of terms up to 2 r_max, each good to 2^-24; then a dozen operations.
  const double rounding = 4e-6 * r_max;
  sign_error = static_cast<float>(1.5 * value_error + rounding);
  // depth = f / sqrt(1 + s^2), s = r'/rho: relative change s ds / (1 + s^2) <= ds/2, and ds <= 2 scale_error as rho >=
  // r/2; the sweep's reciprocal square root is good to 2^-14.
  depth_error = static_cast<float>(std::min(1.0, scale_error + 1e-4));
}

void Outline::fill_map() {
  constexpr int cells = InsideMap::kCells;
  constexpr double part_of_radius = 0.01;  // long enough to be reused, short enough to reject most nodes
  map.dilation = static_cast<float>(part_of_radius * r_max);
  const double half = r_max * 1.001 + map.dilation + 4 * r_max / cells;
  const double size = 2 * half / cells;
  map.origin = static_cast<float>(-half);
  map.cells_per_metre = static_cast<float>(1 / size);
  map.bits.assign(static_cast<std::size_t>(cells) * cells / 32, 0);
  const auto set = [&](int column, int row) {
    if (column >= 0 && row >= 0 && column < cells && row < cells)
      map.bits[static_cast<std::size_t>(row * (cells / 32) + column / 32)] |= 1u << (column % 32);
  };
  for (int row = 0; row < cells; ++row) {
    for (int column = 0; column < cells; ++column) {
      const double px = (column + 0.5) * size - half, py = (row + 0.5) * size - half;
      if (std::hypot(px, py) < sample(px, py).r) set(column, row);
    }
  }
  // Cells that come within the dilation of the boundary, sampled as finely as the cells.
  const int samples = std::max(4096, 16 * nodes);
  PlanarPoint<double> last = outline_point(*function, 0);
  for (int i = 1; i <= samples; ++i) {
    const PlanarPoint<double> p = outline_point(*function, kTurn * i / samples);
    // half a diagonal, half the way between samples (an arc is hardly longer than its chord), rounding of the test
    const double reach = map.dilation + 0.7072 * size + 0.75 * distance(p, last) + 2e-6 * r_max;
    const int column0 = static_cast<int>((p.x - reach + half) / size),
              column1 = static_cast<int>((p.x + reach + half) / size);
    const int row0 = static_cast<int>((p.y - reach + half) / size),
              row1 = static_cast<int>((p.y + reach + half) / size);
    for (int row = row0; row <= row1; ++row)
      for (int column = column0; column <= column1; ++column)
        if (std::hypot((column + 0.5) * size - half - p.x, (row + 0.5) * size - half - p.y) <= reach) set(column, row);
    last = p;
  }
}

}  // namespace scree::star
