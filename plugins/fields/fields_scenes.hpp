#pragma once
/// \file Grains and contacts at random, and fields of them, for tests.

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "meters_scenes.hpp"
#include "sums.hpp"
#include "values.hpp"

namespace scree::fields::test {

/// Spheres of several sizes in a box from -2 to 2 m, and contacts among neighbours by number.
struct Gas {
  World world;
  ContactView contacts;
  Gas(int dimension, std::size_t bodies, bool periodic = true, bool scaled = true) : world(dimension) {
    world.add_shape("ball", std::make_shared<meters::Sphere>(dimension, 0.3));
    world.add_material({"m", 3});
    world.group_names = {"red", "blue"};
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> place(-2, 2);
    const auto vector = [&] { return Vec3(place(random), place(random), dimension == 3 ? place(random) : 0); };
    std::vector<BodySpec> all(bodies);
    for (BodySpec& body : all) {
      body.position = vector(), body.velocity = vector();
      if (scaled) body.scale = 0.8 + 0.1 * (place(random) + 2);
      body.group = random() % 3 == 0;
    }
    world.add(all);
    if (periodic)
      world.cell = PeriodicCell(Vec3(-2, -2, dimension == 3 ? -2. : 0.), Vec3(4, 4, dimension == 3 ? 4. : 0.));
    for (Id a = 0; a + 1 < bodies; ++a) {
      const Vec3 to_b = world.position[a + 1] - world.position[a];
      contacts.push_back({a, a + 1, 0, 0, 0.1, to_b.normalized(), world.position[a] + 0.5 * to_b, vector()});
    }
  }
};

inline Grid grid_of(const World& world, const std::string& options, double diameter = 0.6) {
  return make_grid(Options::parse(R"({"thickness": 1)" + options + "}"), world.cell, world.dimension(), diameter);
}

/// Sums of one moment.
struct Moment {
  Grid grid;
  std::vector<double> sums;
  Outside outside;
  Moment(const Grid& of, const World& world, const ContactView& contacts, const ChosenGroups& chosen = {})
      : grid(of), sums(of.cells() * kSums, 0.0) {
    grid.follow(world.cell);
    outside = add_moment(grid, world, contacts, chosen, sums);
  }
  std::vector<double> field(const std::string& name) const {
    const std::vector<std::string> wanted = {name};
    return field_values(sums, 1, grid.dimension, wanted).at(0).value;
  }
  /// Integral of a sum over the grid.
  double total(std::size_t sum) const {
    double all = 0;
    for (std::size_t k = 0; k < grid.cells(); ++k) all += sums[k * kSums + sum] * grid.cell_volume();
    return all;
  }
  Vec3 totals(std::size_t sum) const { return {total(sum), total(sum + 1), total(sum + 2)}; }
  Vec3 centre(std::size_t cell) const {
    const auto nx = static_cast<std::size_t>(grid.counts[0]), ny = static_cast<std::size_t>(grid.counts[1]);
    const Vec3 number(static_cast<double>(cell % nx) + 0.5, static_cast<double>(cell / nx % ny) + 0.5,
                      static_cast<double>(cell / nx / ny) + 0.5);
    return grid.lower + number.cwiseProduct(grid.spacing);
  }
};

}  // namespace scree::fields::test
