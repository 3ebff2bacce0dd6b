#include "grain/depth_grid.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "scree/base/lanes.hpp"

namespace scree::mesh {

namespace {

/// Weights of three control values along one axis, with their derivatives by the offset; the fourth is 0.
struct Weights {
  Lanes value, slope, bend;
  explicit Weights(double f)
      : value{0.5 * (0.5 - f) * (0.5 - f), 0.75 - f * f, 0.5 * (0.5 + f) * (0.5 + f), 0},
        slope{f - 0.5, -2 * f, f + 0.5, 0},
        bend{1, -2, 1, 0} {}
};

/// Four neighbouring control values along x, of which the weights take three.
Lanes row_of(const float* first) {
  using Floats = float __attribute__((vector_size(16)));
  Floats four;
  std::memcpy(&four, first, sizeof four);
  return __builtin_convertvector(four, Lanes);
}

double dot(Lanes a, Lanes b) {
  const Lanes c = a * b;
  return (c[0] + c[1]) + (c[2] + c[3]);
}

}  // namespace

/// A point in the grid's own units, and how far it lies outside.
struct DepthGrid::Place {
  int first[3];      ///< first of the three control values along each axis
  double offset[3];  ///< from the middle one [cells]
  Vec3 beyond;       ///< way from the nearest point of the grid [m]
};

DepthGrid::DepthGrid(const Vec3& lower, double cell, const std::array<int, 3>& counts,
                     const std::function<double(const Vec3&)>& depth)
    : lower_(lower), cell_(cell), counts_(counts) {
  const auto rows = static_cast<std::ptrdiff_t>(counts[1]) * counts[2];
  control_.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(counts[0]));
#pragma omp parallel for schedule(dynamic, 8)
  for (std::ptrdiff_t row = 0; row < rows; ++row) {
    const int j = static_cast<int>(row % counts[1]), k = static_cast<int>(row / counts[1]);
    for (int i = 0; i < counts[0]; ++i)
      control_[index(i, j, k)] = static_cast<float>(depth(lower_ + cell_ * Vec3(i, j, k)));
  }
  greatest_ = *std::ranges::max_element(control_);
  for (int axis = 0; axis < 3; ++axis) filter(axis);
  control_.push_back(0);  // rows are read in fours
}

/// Replaces values by control values along one axis. At the rim, where there is no body, values stay.
void DepthGrid::filter(int axis) {
  const std::vector<float> u = control_;
  const std::ptrdiff_t stride = axis == 0   ? 1
                                : axis == 1 ? counts_[0]
                                            : static_cast<std::ptrdiff_t>(counts_[0]) * counts_[1];
  for (int k = 0; k < counts_[2]; ++k)
    for (int j = 0; j < counts_[1]; ++j)
      for (int i = 0; i < counts_[0]; ++i) {
        const int along = axis == 0 ? i : axis == 1 ? j : k;
        if (along == 0 || along == counts_[static_cast<std::size_t>(axis)] - 1) continue;
        const std::size_t at = index(i, j, k);
        const auto beside = [&](std::ptrdiff_t way) {
          return u[static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + way)];
        };
        control_[at] = (10 * u[at] - beside(-stride) - beside(stride)) / 8;
      }
}

DepthGrid::Place DepthGrid::place(const Vec3& point) const {
  Place p;
  for (int k = 0; k < 3; ++k) {
    const double last = counts_[static_cast<std::size_t>(k)] - 1.5, at = (point[k] - lower_[k]) / cell_;
    const double inside = std::clamp(at, 0.5, last);
    p.beyond[k] = (at - inside) * cell_;
    const int middle = std::min(static_cast<int>(inside + 0.5), counts_[static_cast<std::size_t>(k)] - 2);
    p.first[k] = middle - 1;
    p.offset[k] = inside - middle;
  }
  return p;
}

double DepthGrid::depth_at(const Vec3& point) const {
  const Place p = place(point);
  const Weights x(p.offset[0]), y(p.offset[1]), z(p.offset[2]);
  Lanes sum = {};
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 3; ++j)
      sum += all_lanes(z.value[k] * y.value[j]) * row_of(&control_[index(p.first[0], p.first[1] + j, p.first[2] + k)]);
  const double depth = dot(x.value, sum);
  return p.beyond.isZero(0) ? depth : depth - p.beyond.norm();
}

DepthCurvature DepthGrid::at(const Vec3& point) const {
  const Place p = place(point);
  const Weights x(p.offset[0]), y(p.offset[1]), z(p.offset[2]);
  Lanes u = {}, by_y = {}, by_z = {}, by_yy = {}, by_yz = {}, by_zz = {};  // along x, summed over y and z
  for (int k = 0; k < 3; ++k) {
    Lanes value = {}, slope = {}, bend = {};
    for (int j = 0; j < 3; ++j) {
      const Lanes row = row_of(&control_[index(p.first[0], p.first[1] + j, p.first[2] + k)]);
      value += all_lanes(y.value[j]) * row;
      slope += all_lanes(y.slope[j]) * row;
      bend += all_lanes(y.bend[j]) * row;
    }
    u += all_lanes(z.value[k]) * value;
    by_y += all_lanes(z.value[k]) * slope;
    by_yy += all_lanes(z.value[k]) * bend;
    by_z += all_lanes(z.slope[k]) * value;
    by_yz += all_lanes(z.slope[k]) * slope;
    by_zz += all_lanes(z.bend[k]) * value;
  }
  DepthCurvature d{dot(x.value, u), Vec3(dot(x.slope, u), dot(x.value, by_y), dot(x.value, by_z)), Mat3()};
  d.second(0, 0) = dot(x.bend, u);
  d.second(1, 1) = dot(x.value, by_yy);
  d.second(2, 2) = dot(x.value, by_zz);
  d.second(0, 1) = dot(x.slope, by_y);
  d.second(0, 2) = dot(x.slope, by_z);
  d.second(1, 2) = dot(x.value, by_yz);
  d.gradient /= cell_;
  d.second /= cell_ * cell_;
  d.second(1, 0) = d.second(0, 1), d.second(2, 0) = d.second(0, 2), d.second(2, 1) = d.second(1, 2);
  if (p.beyond.isZero(0)) return d;
  const double away = p.beyond.norm();
  const Vec3 out = p.beyond / away;
  d.depth -= away;
  for (int k = 0; k < 3; ++k)
    if (p.beyond[k] != 0) d.gradient[k] = 0, d.second.row(k).setZero(), d.second.col(k).setZero();
  d.gradient -= out;
  Mat3 across = Mat3::Zero();
  for (int k = 0; k < 3; ++k) across(k, k) = p.beyond[k] != 0 ? 1 : 0;
  d.second -= (across - out * out.transpose()) / away;
  return d;
}

}  // namespace scree::mesh
