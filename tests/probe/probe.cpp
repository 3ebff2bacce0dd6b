// Hooks that add and remove bodies, make shapes and name figures while a run goes on.
#include <cmath>
#include <numbers>

#include "scree/plugin/plugin.hpp"
#include "scree/shape/facets.hpp"

using namespace scree;

namespace {

/// A sphere, made by hand.
class Ball final : public Shape, public SphereSet {
 public:
  explicit Ball(double radius) : centre_{Vec3::Zero()}, radius_{radius} {}
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double density) const override {
    const double r = radius_[0], m = density * 4 / 3 * std::numbers::pi * r * r * r;
    return {m, Vec3::Constant(0.4 * m * r * r)};
  }
  double bounding_radius() const noexcept override { return radius_[0]; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view name) const noexcept override {
    return name == SphereSet::kName ? static_cast<const SphereSet*>(this) : nullptr;
  }
  std::span<const Vec3> centres() const override { return centre_; }
  std::span<const double> radii() const override { return radius_; }

 private:
  Vec3 centre_[1];
  double radius_[1];
};

template <class Entries>
std::uint32_t numbered(const Entries& entries, const std::string& name, std::int64_t otherwise) {
  for (std::uint32_t k = 0; k < entries.size(); ++k)
    if (entries[k].name == name) return k;
  return static_cast<std::uint32_t>(otherwise);
}

class Add final : public Modifier {
 public:
  explicit Add(const Options& options) : o_(options) {}
  void apply(World& world, const ContactView*, HistoryStore&) override {
    BodySpec body;
    body.shape = numbered(world.shapes(), o_.text("shape"), o_.integer("shape_index"));
    if (const double radius = o_.number("make_radius"); radius > 0)
      body.shape = world.add_shape("late", std::make_shared<Ball>(radius));
    body.material = numbered(world.materials(), o_.text("material"), o_.integer("material_index"));
    body.group = static_cast<std::uint32_t>(o_.integer("group"));
    body.scale = o_.number("scale");
    body.velocity = o_.vector("velocity");
    if (o_.text("kind") == "dynamic") body.angular_velocity = o_.vector("spin");
    body.surface_velocity = o_.vector("belt");
    if (o_.text("kind") != "dynamic") body.kind = BodyKind::fixed;
    if (o_.text("kind") == "prescribed") {
      body.kind = BodyKind::prescribed;
      body.motion = Motion{};
      body.motion->velocity = o_.vector("motion");
      body.motion->angular_velocity = o_.vector("spin");
      body.motion->centre = o_.vector("lower");
    }
    std::vector<BodySpec> bodies;
    const Vec3 counts = o_.vector("counts"), lower = o_.vector("lower") + world.time * o_.vector("drift");
    for (int z = 0; z < counts[2]; ++z)
      for (int y = 0; y < counts[1]; ++y)
        for (int x = 0; x < counts[0]; ++x) {
          body.position = lower + o_.number("spacing") * Vec3(x, y, z);
          if (const std::int64_t id = o_.integer("id"); id >= 0) body.id = static_cast<Id>(id) + bodies.size();
          bodies.push_back(body);
        }
    world.add(bodies);
  }

 private:
  Options o_;
};

class Remove final : public Modifier {
 public:
  explicit Remove(const Options& options)
      : group_(static_cast<std::uint32_t>(options.integer("group"))),
        every_(static_cast<Id>(options.integer("every"))) {}
  void apply(World& world, const ContactView*, HistoryStore&) override {
    std::vector<Id> gone;
    for (std::size_t i = 0; i < world.size(); ++i)
      if (world.group.read()[i] == group_ && world.id.read()[i] % every_ == 0) gone.push_back(world.id.read()[i]);
    world.remove(gone);
  }

 private:
  std::uint32_t group_;
  Id every_;
};

class Figure final : public Modifier {
 public:
  explicit Figure(const Options& options) : name_(options.text("name")) {}
  void apply(World& world, const ContactView*, HistoryStore&) override { world.figure(name_) += 1; }

 private:
  std::string name_;
};

}  // namespace

SCREE_PLUGIN(probe, "1.0.0") {
  registrar.modifier("probe-add", [](const Options& o) { return std::make_unique<Add>(o); });
  registrar.modifier("probe-remove", [](const Options& o) { return std::make_unique<Remove>(o); });
  registrar.modifier("probe-figure", [](const Options& o) { return std::make_unique<Figure>(o); });
}
