#pragma once
/// \file Scenes for tests of meters, and readers of their files.

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "scree/shape/facets.hpp"
#include "scree/shape/shape.hpp"
#include "scree/world/world.hpp"

namespace scree::meters {

/// Ball of 2 m^3.
class Ball final : public Shape {
 public:
  explicit Ball(int dimension) : dimension_(dimension) {}
  int dimension() const noexcept override { return dimension_; }
  MassProperties mass(double density) const override { return {2 * density, Vec3::Constant(0.5 * density)}; }
  double bounding_radius() const noexcept override { return 1; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }

 private:
  int dimension_;
};

/// A sphere, in 2D a disc of thickness 1.
class Sphere final : public Shape, public SphereSet {
 public:
  Sphere(int dimension, double radius) : dimension_(dimension), radii_{radius} {}
  int dimension() const noexcept override { return dimension_; }
  MassProperties mass(double density) const override {
    const double r = radii_[0], m = density * std::numbers::pi * r * r * (dimension_ == 2 ? 1 : 4 * r / 3);
    return {m, Vec3::Constant(0.4 * m * r * r)};
  }
  double bounding_radius() const noexcept override { return radii_[0]; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view name) const noexcept override {
    return name == SphereSet::kName ? static_cast<const SphereSet*>(this) : nullptr;
  }
  std::span<const Vec3> centres() const override { return centres_; }
  std::span<const double> radii() const override { return radii_; }

 private:
  int dimension_;
  std::array<Vec3, 1> centres_ = {Vec3::Zero()};
  std::array<double, 1> radii_;
};

using Table = std::vector<std::map<std::string, double>>;

inline Table read(const std::filesystem::path& file) {
  std::ifstream in(file);
  const auto cells = [](const std::string& line) {
    std::vector<std::string> all;
    std::stringstream rest(line);
    for (std::string cell; std::getline(rest, cell, ',');) all.push_back(cell);
    return all;
  };
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> names = cells(line);
  Table table;
  while (std::getline(in, line)) {
    const auto values = cells(line);
    table.emplace_back();
    for (std::size_t k = 0; k < names.size(); ++k) table.back()[names[k]] = std::stod(values.at(k));
  }
  return table;
}

}  // namespace scree::meters
