#include "extremal/extremal_outline.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree::star {

namespace {

constexpr double kFullTurn = 2 * std::numbers::pi;

/// The mean of a periodic column over `width` neighbours on either side.
std::vector<double> averaged(const std::vector<double>& value, int width) {
  const int n = static_cast<int>(value.size());
  std::vector<double> mean(value.size());
  double sum = 0;
  for (int k = -width; k <= width; ++k) sum += value[static_cast<std::size_t>((k + n) % n)];
  for (int i = 0; i < n; ++i) {
    mean[static_cast<std::size_t>(i)] = sum / (2 * width + 1);
    sum += value[static_cast<std::size_t>((i + width + 1) % n)] - value[static_cast<std::size_t>((i - width + n) % n)];
  }
  return mean;
}

}  // namespace

std::vector<double> spread_nodes(const RadialFunction& outline, int count) {
  const int parts = 40 * count;  // pieces of the outline, each taken as straight
  std::vector<double> length, heading, turning;
  for (int i = 0; i < parts; ++i) {
    const double theta = kFullTurn * (i + 0.5) / parts, r = outline.radius(theta), slope = outline.slope(theta);
    length.push_back(std::hypot(r, slope));
    heading.push_back(theta + std::atan2(r, slope));
  }
  for (std::size_t i = 0; i < heading.size(); ++i) {
    const double before = heading[i == 0 ? heading.size() - 1 : i - 1], after = heading[(i + 1) % heading.size()];
    turning.push_back(std::abs(std::remainder(after - before, kFullTurn)));
  }
  turning = averaged(turning, 20);
  double whole_length = 0, whole_turning = 0;
  for (std::size_t i = 0; i < length.size(); ++i) whole_length += length[i], whole_turning += turning[i];
  std::vector<double> angles{0};
  double sum = 0;
  for (std::size_t i = 0; i < length.size(); ++i) {
    const double share = 0.5 * (length[i] / whole_length + turning[i] / whole_turning);
    for (; static_cast<int>(angles.size()) < count;) {
      const double wanted = static_cast<double>(angles.size()) / count;
      if (wanted > sum + share) break;
      angles.push_back(kFullTurn * (static_cast<double>(i) + (wanted - sum) / share) / parts);
    }
    sum += share;
  }
  // Rounding may have kept the sum below the last node's share.
  while (static_cast<int>(angles.size()) < count) angles.push_back(kFullTurn * (1 - 0.5 / parts));
  return angles;
}

ExtremalOutline::ExtremalOutline(const RadialFunction& f)
    : centre(f.centre()), r_max(f.max_radius()), r_min(f.min_radius()), nodes(f.node_count()), field(make_field(f)) {
  const std::vector<double> angles = spread_nodes(f, nodes);
  const int padded = 2 * nodes + 2 * kBefore + kLanes;
  for (int i = 0; i < padded; ++i) {
    const double theta = angles[static_cast<std::size_t>((i + nodes - kBefore % nodes) % nodes)], r = f.radius(theta);
    x.push_back(r * std::cos(theta));
    y.push_back(r * std::sin(theta));
    fx.push_back(static_cast<float>(x.back()));
    fy.push_back(static_cast<float>(y.back()));
  }
  for (std::size_t i = 1; i <= static_cast<std::size_t>(nodes); ++i)
    spacing = std::max(spacing, std::hypot(x[i] - x[i - 1], y[i] - y[i - 1]));
  for (int i = 0; i < nodes; ++i) place.push_back(static_cast<std::uint16_t>(std::int64_t{i} * 65536 / nodes));
  bounds = field_bounds(field, r_max);
  make_blocks();
}

void ExtremalOutline::make_blocks() {
  const int count = (nodes + NodeBlock::kMost - 1) / NodeBlock::kMost;
  for (int i = 0; i < count; ++i) {
    const int first = i * nodes / count, end = (i + 1) * nodes / count;
    NodeBlock block{first, end - first, 0, 0, 0};
    const auto k = static_cast<std::size_t>(first + kBefore - 1), last = static_cast<std::size_t>(end + kBefore);
    for (std::size_t j = k; j <= last; ++j) {
      block.x += x[j] / (block.count + 2);
      block.y += y[j] / (block.count + 2);
    }
    for (std::size_t j = k; j <= last; ++j)
      block.radius = std::max(block.radius, std::hypot(x[j] - block.x, y[j] - block.y));
    blocks.push_back(block);
  }
  for (std::size_t i = 0; i < blocks.size() + kLanes; ++i) {
    const NodeBlock& block = blocks[std::min(i, blocks.size() - 1)];
    circles.x.push_back(static_cast<float>(block.x));
    circles.y.push_back(static_cast<float>(block.y));
    circles.radius.push_back(static_cast<float>(block.radius + 1e-5 * r_max));
  }
}

}  // namespace scree::star
