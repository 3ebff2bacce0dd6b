#pragma once
/// \file A small run with all that a checkpoint holds.

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "disc_world.hpp"
#include "mechanics_of.hpp"
#include "scree/run/checkpoint.hpp"

namespace scree::test {

inline constexpr double kDt = 1e-3;

/// Keeps a number, as an emitter keeps how far it has come.
class Ordinal final : public Modifier {
 public:
  std::vector<std::byte> state{std::byte{7}};
  void apply(World&, const ContactView*, HistoryStore&) override {}
  std::vector<std::byte> save() const override { return state; }
  void load(const std::vector<std::byte>& saved) override { state = saved; }
};

/// Without effect.
class Bond final : public BondLaw {
 public:
  void bind(const BondView&, std::size_t) override {}
  BondTraits traits() const override { return {.can_break = false}; }
  void utilisation(const Configuration&, std::span<double>) const override {}
  const void* face(std::string_view) const noexcept override { return nullptr; }
};

/// A world with all that a checkpoint holds: bodies that touch, ride, turn, convey and are bonded. With `later`, some
/// of them were added after the start.
struct Everything {
  Prepared prepared;

  explicit Everything(bool later) {
    Run parts({0.5, 0.25, 1.0});
    prepared.world = std::make_unique<World>(2);
    World& w = *prepared.world;
    for (const ShapeEntry& s : parts.world.shapes()) w.add_shape(s.name, s.shape);
    w.add_material(parts.world.materials()[0]);
    w.group_names = {"grains"};
    prepared.methods = std::move(parts.methods);
    prepared.methods.bonds.push_back(
        {.self_contact = false, .acts = true, .law = std::make_unique<Bond>(), .traits = {}});
    prepared.modifiers.push_back({"ordinal", {}, std::make_unique<Ordinal>()});
    w.metric("work_J") = 1;
    add_heap(w);
    prepared.engine = make_host_engine({w, prepared.methods, kDt});
    mechanics_of(prepared).refresh();
    if (later) go_on(w);
  }

  void steps(int count) {
    World& w = *prepared.world;
    for (int s = 0; s < count; ++s) {
      const auto wrench = mechanics_of(prepared).forces(kDt);
      const auto v = w.velocity.write(), x = w.position.write();
      const auto im = w.inverse_mass.read();
      for (std::size_t i = 0; i < w.size(); ++i) v[i] += kDt * im[i] * wrench[i].force, x[i] += kDt * v[i];
      w.move_prescribed(static_cast<double>(w.step + 1) * kDt);
      w.update_members();
      mechanics_of(prepared).commit();
      w.time = static_cast<double>(++w.step) * kDt;
    }
  }

 private:
  static void add_heap(World& w) {
    std::vector<BodySpec> bodies(13);
    for (std::size_t i = 0; i < 12; ++i) {
      bodies[i].shape = static_cast<std::uint32_t>(i % 3);
      bodies[i].position = {1.4 * double(i % 4), 1.2 + 1.3 * double(i / 4), 0};
      bodies[i].velocity = {0.1 * double(i), -1, 0};
    }
    bodies[12].shape = 3;
    bodies[12].kind = BodyKind::fixed;
    bodies[12].surface_velocity = {1, 0, 0};
    w.add(bodies);
  }

  void go_on(World& w) {
    BodySpec turning, rider;
    turning.kind = BodyKind::prescribed;
    turning.position = {20, 5, 0};
    turning.orientation = Quat(std::cos(0.2), 0, 0, std::sin(0.2));
    Motion turn{{0.5, 0, 0}, {0, 0, 2}, {20, 5, 0}, false, {0, 0.25, 0}, 3, 0.125, 8, {}, {}}, go;
    go.about_origin = true;
    go.angular_velocity = {0, 0, -1};
    go.velocities = {{0, {1, 0, 0}}, {0.5, {2, 0, 0}}};
    go.displacements = {{0.25, {0, 1, 0}}};
    turning.motions = {turn, go};
    turning.surface_velocity = {0, 3, 0};
    rider.position = {1, 9, 0};
    rider.orientation = Quat(std::cos(0.4), 0, 0, std::sin(0.4));
    rider.owner = 0;
    w.add(std::array{turning, rider});
    const Bonds::Spec bond{2, 3, 0, 0.5, {1, 2, 0}, Quat(0.6, 0, 0, 0.8), Quat(0.8, 0, 0, 0.6), Vec3::Zero()};
    w.bonds().add(std::array{bond, bond});
    w.bonds().break_bonds(std::array<std::uint32_t, 1>{1}, 0.25);
    w.bonds().impulse.write()[0] = {1, 2, 3};
    w.bonds().tolerate({{2, 3, 0.125}});
    w.metric("work_J") = 42.5;
    Table& nodes = w.table("nodes");
    const auto tension = nodes.column<double>("tension", "N");
    nodes.add(3);
    nodes.remove(std::array<Id, 1>{1});
    nodes.column<Vec3>("position", "m").write()[1] = {1, 2, 3};
    Column<double>(tension).write()[0] = 0.5;
    static_cast<Ordinal&>(*prepared.modifiers[0].modifier).state.assign(5, std::byte{9});
    steps(400);
    // What waits for its pair: of bodies far from each other.
    mechanics_of(prepared).insert(std::array{HistoryRecord{0, 0, 13, 0, 4, 77, {0.5, 0.25}}});
  }
};

}  // namespace scree::test
