#include <fstream>

#include "catch.hpp"
#include "packing/elements.hpp"
#include "scenes.hpp"
#include "temporary_folder.hpp"

using namespace scree;
using test::Running;

namespace {

/// A beam of tetrahedra, held at its left end, that is to fall under its weight.
std::string beam(const std::string& packing) {
  return R"({"dimension": 3, "gravity": [0, 0, -9.81],
  "shapes": {"ball": {"type": "sphere", "radius": 1}},
  "materials": {"glass": {"density": 2500}},
  "bodies": [{"name": "beam", "shape": "ball", "material": "glass", "packing": {"type": "tetrahedra", )" +
         packing + R"(}, "held": [{"lower": [-1, -1, -1], "upper": [0.25, 2, 2]}]}],
  "bonds": [{"between": ["beam", "beam"], "law": {"type": "bonded-beam", "youngs_modulus": 1e8}}],
  "interactions": [{"between": ["glass", "glass"], "law": "none"}],
  "integrator": {"type": "variational", "dt": 0.01},
  "output": {"writers": []}, "run": {"duration": 1}})";
}
const std::string kCuboid = R"("size": [2, 0.5, 0.5], "cells": [8, 2, 2])";

}  // namespace

TEST_CASE("a beam of tetrahedra in a scene: mass, bonds and corners, and it bends under its weight") {
  Running scene(beam(kCuboid));
  World& world = scene.world();
  const bonded::Elements elements =
      bonded::elements_of(bonded::bcc_mesh({Vec3(2, 0.5, 0.5), {8, 2, 2}, 0.18, 1}), bonded::FaceArea::whole);
  REQUIRE(world.size() == elements.size());
  CHECK(world.bonds().size() == elements.shared.size());
  double mass = 0, held = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const std::size_t row = *world.row(i);
    REQUIRE((world.position.read()[row] - elements.centroid[i]).norm() < 1e-14);
    REQUIRE(world.radius.read()[row] == Approx(bonded::radius_of(elements.volume[i])).epsilon(1e-14));
    (world.kind.read()[row] == 0 ? mass : held) += 2500 * elements.volume[i];
  }
  CHECK(held > 0);
  CHECK(totals(world, Vec3::Zero()).mass == Approx(mass).epsilon(1e-12));
  const ColumnStorage* column = world.find_column(bonded::kTetrahedronColumn);
  REQUIRE(column);
  CHECK(column->components() == 12);
  CHECK_FALSE(column->show());

  const auto tip = [&] {
    const std::size_t last = elements.size() - 1;
    return world.position.read()[*world.row(last)];
  };
  const Vec3 before = tip();
  scene.steps(5);
  CHECK(tip().z() < before.z());
  CHECK(world.bonds().alive() == elements.shared.size());
}

TEST_CASE("notes about a mesh become warnings that name the place in the scene") {
  const test::TemporaryFolder folder;
  const auto file = folder / "two.msh";
  std::ofstream(file)
      << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n"
         "$EndNodes\n$Elements\n2\n3 4 0 1 3 2 4\n4 4 0 2 3 4 5\n$EndElements\n";
  const Running scene(beam("\"file\": \"" + file.string() + "\""), {"/bodies/0/held/0/upper=[0.3, 0.3, 0.3]"});
  bool warned = false;
  for (const std::string& warning : scene.prepared.warnings)
    warned |= warning.find("/bodies/0/packing: " + file.string() + ": 1 tetrahedron (3) had negative volume") !=
              std::string::npos;
  CHECK(warned);
}

TEST_CASE("tetrahedra of a shape that is no sphere are refused, with the shape's name and the remedy") {
  const auto fault = [](const std::string& shape) {
    return test::message_of<InputError>([&] { Running(beam(kCuboid), {"/shapes/ball=" + shape}); });
  };
  CHECK_THAT(fault(R"({"type": "box", "half_sizes": [1, 1, 1]})"),
             Catch::Matchers::ContainsSubstring("/bodies/0/packing: a tetrahedron is a body whose shape is a sphere of "
                                                "its volume; shape \"ball\" is no sphere. Give the bodies a shape of "
                                                "type \"sphere\", of any radius."));
  CHECK_THAT(fault(R"({"type": "clump", "spheres": [{"position": [0, 0, 0], "radius": 1},
                       {"position": [1, 0, 0], "radius": 1}]})"),
             Catch::Matchers::ContainsSubstring("shape \"ball\" is made of 2 spheres."));
}

TEST_CASE("a mesh that cannot be used is an error at the option of the scene") {
  const std::string message = test::message_of<InputError>([] { Running(beam(R"("file": "/nowhere/beam.msh")")); });
  CHECK_THAT(message, Catch::Matchers::ContainsSubstring(
                          "/bodies/0/packing/file: cannot read \"/nowhere/beam.msh\": no such file."));
  CHECK_THAT(test::message_of<InputError>([] { Running(beam(R"("size": [1, 1, 1])")); }),
             Catch::Matchers::ContainsSubstring("\"cells\" is missing. Add \"cells\"."));
}
