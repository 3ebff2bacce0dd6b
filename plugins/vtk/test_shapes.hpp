#pragma once
/// \file Shapes with outlines and nothing else: for tests.

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "scree/shape/shape.hpp"

namespace scree::test {

/// Counter-clockwise from the x axis. \param radius  of an angle [m]
template <class Radius>
Surface outline_of(std::uint32_t points, const Radius& radius) {
  Surface s;
  s.cells.emplace_back();
  for (std::uint32_t k = 0; k < points; ++k) {
    const double angle = 2 * std::numbers::pi * k / points, r = radius(angle);
    s.points.emplace_back(r * std::cos(angle), r * std::sin(angle), 0);
    s.cells.back().push_back(k);
  }
  return s;
}

/// An outline of n points with a bump at angle 0, so that orientation shows.
class Blob final : public Shape {
 public:
  Blob(double radius, std::uint32_t points) : radius_(radius), points_(points) {}
  int dimension() const noexcept override { return 2; }
  MassProperties mass(double density) const override { return {density * radius_ * radius_, Vec3(0, 0, density)}; }
  double bounding_radius() const noexcept override { return 2 * radius_; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }
  Surface surface() const override {
    return outline_of(points_, [this](double angle) { return angle == 0 ? 2 * radius_ : radius_; });
  }

 private:
  double radius_;
  std::uint32_t points_;
};

/// A tetrahedron with corners on three axes and in the origin.
class Wedge final : public Shape {
 public:
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double density) const override { return {density * 1e-6, Vec3::Constant(density * 1e-10)}; }
  double bounding_radius() const noexcept override { return 0.01; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }
  Surface surface() const override {
    return {{{0, 0, 0}, {0.01, 0, 0}, {0, 0.01, 0}, {0, 0, 0.01}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}, true};
  }
};

/// A floor without end; shown as 2 m of its surface, or as told.
class Floor final : public Shape {
 public:
  explicit Floor(Surface shown = {{{-1, 0, 0}, {1, 0, 0}}, {{0, 1}}, false}) : shown_(std::move(shown)) {}
  int dimension() const noexcept override { return 2; }
  MassProperties mass(double) const override { return {}; }
  double bounding_radius() const noexcept override { return std::numeric_limits<double>::infinity(); }
  const void* facet(std::string_view) const noexcept override { return nullptr; }
  Surface surface() const override { return shown_; }

 private:
  Surface shown_;
};

}  // namespace scree::test
