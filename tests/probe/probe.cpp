// Hooks that add and remove bodies, attach and release them, make shapes and name figures while a run goes on.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <span>

#include "scree/integrate/energy_problem.hpp"
#include "scree/integrate/kick_and_drift.hpp"
#include "scree/plugin/plugin.hpp"
#include "scree/shape/facets.hpp"
#include "scree/world/rigid_sum.hpp"

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
      body.motions = {Motion{}};
      body.motions[0].velocity = o_.vector("motion");
      body.motions[0].angular_velocity = o_.vector("spin");
      body.motions[0].centre = o_.vector("lower");
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
  void apply(World& world, const ContactView*, HistoryStore&) override { world.metric(name_) += 1; }

 private:
  std::string name_;
};

/// Knows nothing of how far the cell has come: that is the World's to remember.
class Press final : public Modifier {
 public:
  explicit Press(const Options& options) : rate_(options.vector("rate")) {}
  void apply(World& world, const ContactView*, HistoryStore&) override {
    if (world.time > 0) world.cell.edges += (world.time - last_) * world.cell.rate;
    last_ = world.time;
    world.cell.rate = rate_.asDiagonal();
  }
  std::vector<std::byte> save() const override {
    const auto bytes = std::as_bytes(std::span(&last_, 1));
    return {bytes.begin(), bytes.end()};
  }
  void load(const std::vector<std::byte>& state) override { std::memcpy(&last_, state.data(), sizeof(last_)); }

 private:
  Vec3 rate_;
  double last_ = 0;
};

/// Takes turns: releases the bodies it attached last, and attaches the next ones of so many to a frame. Keeps the
/// springs between them meanwhile. Figures tell the worst relative error of momentum, angular momentum and own forces.
class Aggregate final : public Modifier {
 public:
  explicit Aggregate(const Options& options) : size_(static_cast<std::size_t>(options.integer("size"))) {}

  void begin(World& world) override {
    world.keep_own_forces();
    world.frame_shape();
  }

  void apply(World& world, const ContactView*, HistoryStore& history) override {
    check_own_forces(world);
    watch(world, "release", [&] { release(world, history); });
    std::vector<Id> ids;
    const Id bodies = free_bodies(world), first = turn_ * size_ % bodies;
    for (Id id = first; id < std::min<Id>(first + size_, bodies); ++id) ids.push_back(id);
    ++turn_;
    springs_ = history.extract(ids);
    std::erase_if(springs_, [&](const HistoryRecord& r) { return r.a < ids.front() || r.b > ids.back(); });
    watch(world, "attach", [&] { attach(world, ids); });
    world.metric("springs_kept") += static_cast<double>(springs_.size());
    world.metric("attached_heard") = static_cast<double>(heard_);
  }

  void edited(const World&, const EditLog& edits) override { heard_ += edits.attached.size(); }

  std::vector<std::byte> save() const override {
    std::vector<std::byte> state;
    put(state, turn_), put(state, heard_);
    for (const HistoryRecord& r : springs_) {
      put(state, r.interaction), put(state, r.a), put(state, r.b), put(state, r.image), put(state, r.feature);
      put(state, r.payload), put(state, r.values.size());
      for (const double value : r.values) put(state, value);
    }
    return state;
  }
  void load(const std::vector<std::byte>& state) override {
    std::size_t at = 0;
    const auto get = [&](auto& value) {
      std::memcpy(&value, state.data() + at, sizeof(value));
      at += sizeof(value);
    };
    get(turn_), get(heard_);
    springs_.clear();
    while (at < state.size()) {
      HistoryRecord& r = springs_.emplace_back();
      std::size_t values = 0;
      get(r.interaction), get(r.a), get(r.b), get(r.image), get(r.feature), get(r.payload), get(values);
      r.values.resize(values);
      for (double& value : r.values) get(value);
    }
  }

 private:
  template <class T>
  static void put(std::vector<std::byte>& state, const T& value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    state.insert(state.end(), bytes.begin(), bytes.end());
  }

  /// Frames are not of the scene and come after its bodies.
  static Id free_bodies(const World& world) {
    const auto group = world.group.read();
    return static_cast<Id>(std::count(group.begin(), group.end(), 0u));
  }

  static void attach(World& world, const std::vector<Id>& ids) {
    BodySpec frame;
    frame.shape = world.frame_shape();
    frame.group = 1;
    world.attach(ids, world.add(std::vector{frame})[0], rigid_sum(world, ids));
  }

  void release(World& world, HistoryStore& history) const {
    if (world.members().empty()) return;
    std::vector<Id> ids;
    for (const World::Member& m : world.members()) ids.push_back(world.id.read()[m.row]);
    const std::vector<Id> frame{world.owner.read()[world.members()[0].row]};
    world.release(ids);
    world.remove(frame);
    history.insert(springs_);
  }

  /// How much an edit changes momenta, relative to the sums of their sizes.
  template <class Edit>
  static void watch(World& world, const std::string& name, const Edit& edit) {
    const Totals before = totals(world, Vec3::Zero());
    edit();
    const Totals after = totals(world, Vec3::Zero());
    double momentum = 0, spin = 0;
    for (std::size_t i = 0; i < world.size(); ++i) {
      const double p = world.mass.read()[i] * world.velocity.read()[i].norm();
      momentum += p;
      spin += p * world.position.read()[i].norm();
    }
    const auto note = [&](const char* what, double error) {
      double& worst = world.metric(name + what);
      worst = std::max(worst, error);
    };
    note("_momentum_error", (after.momentum - before.momentum).norm() / momentum);
    note("_angular_momentum_error", (after.angular_momentum - before.angular_momentum).norm() / spin);
  }

  /// What members got themselves amounts to the force on their owner.
  static void check_own_forces(World& world) {
    if (world.members().empty()) return;
    const auto own = world.column<Vec3>("own_force").read(), force = world.column<Vec3>("force").read();
    Vec3 sum = Vec3::Zero();
    double size = 0;
    for (const World::Member& m : world.members()) sum += own[m.row], size += own[m.row].norm();
    if (size == 0) return;
    world.metric("own_forces_seen") += 1;
    double& worst = world.metric("own_force_error");
    worst = std::max(worst, (sum - force[world.members()[0].owner]).norm() / size);
  }

  std::size_t size_, turn_ = 0, heard_ = 0;
  std::vector<HistoryRecord> springs_;
};

/// Two balls, with the area of their contact: a thousandth of the overlap.
class AreaDetector final : public ContactDetector {
 public:
  DetectorTraits traits() const override {
    DetectorTraits traits;
    traits.facets_a = traits.facets_b = {SphereSet::kName};
    traits.specificity = -1;
    return traits;
  }
  void bind(std::span<const Shape* const>) override {}
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache&, double margin,
              ContactBuffer& out) const override {
    for (std::uint32_t p = 0; p < pairs.size(); ++p) {
      const BodyRow &a = bodies.row[pairs[p].a], &b = bodies.row[pairs[p].b];
      const Vec3 from_a = b.position - a.position, normal = from_a.normalized();
      const double overlap = a.radius + b.radius - from_a.norm();
      if (overlap <= -margin) continue;
      out.push(p, overlap, normal, a.position + (a.radius - overlap / 2) * normal, 0);
      out.set_quantity(1, 1e-3 * overlap);
      out.set_quantity(0, -1);
    }
  }
  std::span<const std::string_view> quantities() const noexcept override {
    static constexpr std::string_view names[] = {"nothing", "area [m^2]"};
    return names;
  }
};

/// An energy of (charge of a + 10 charge of b) times the area, and no force.
class ChargedLaw final : public ContactLaw, public ForceFace {
 public:
  const void* face(std::string_view name) const noexcept override {
    return name == ForceFace::kName ? static_cast<const ForceFace*>(this) : nullptr;
  }
  std::span<const std::string_view> contact_inputs() const noexcept override {
    static constexpr std::string_view names[] = {"area [m^2]"};
    return names;
  }
  std::span<const std::string_view> body_inputs() const noexcept override {
    static constexpr std::string_view names[] = {"charge"};
    return names;
  }
  int history_size() const noexcept override { return 0; }
  void force(const ContactColumns& c, const double* const*, double* const*, ForceColumns out) const override {
    for (double* const axis : out.force) std::fill_n(axis, c.size, 0.0);
  }
  void energy(const ContactColumns& c, const double* const*, double* energy) const override {
    for (std::size_t i = 0; i < c.size; ++i) energy[i] = (c.of_a[0][i] + 10 * c.of_b[0][i]) * c.quantity[0][i];
  }
  double contact_duration(double, double) const noexcept override { return 1; }
};

/// Symplectic Euler to which bonds are energies: it adds their gradients itself.
class GradientBonds final : public Integrator {
 public:
  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.bond_face = EnergyTerm::kName;
    traits.last_forces = LastForces::start;
    return traits;
  }
  void step(Mechanics& mechanics, double dt) override {
    World& world = mechanics.world();
    const Wrenches contacts = mechanics.forces(dt, dt / 2);
    std::vector<Wrench> slope(world.size());
    for (const EnergyTerm* term : ability<EnergyProblem>(mechanics).bonds())
      term->add_gradient({world.position.read(), world.orientation.read()}, slope);
    std::vector<Vec3> force(contacts.force.begin(), contacts.force.end());
    std::vector<Vec3> torque(contacts.torque.begin(), contacts.torque.end());
    for (std::size_t i = 0; i < slope.size(); ++i) force[i] -= slope[i].force, torque[i] -= slope[i].torque;
    kick_and_drift(world, {force, torque}, dt, dt);
    mechanics.commit();
  }
};

/// Gives each body its id plus one as charge.
class Charge final : public Modifier {
 public:
  explicit Charge(const Options&) {}
  void apply(World& world, const ContactView*, HistoryStore&) override {
    auto column = world.column<double>("charge");
    const auto charge = column.write();
    for (std::size_t i = 0; i < charge.size(); ++i) charge[i] = static_cast<double>(world.id[i] + 1);
  }
};

}  // namespace

SCREE_PLUGIN(probe, "1.0.0") {
  registrar.detector("probe-area", [](const Options&) { return std::make_unique<AreaDetector>(); });
  registrar.law("probe-charged", [](const Options&, const LawContext&) { return std::make_unique<ChargedLaw>(); });
  registrar.integrator("probe-gradient-bonds", [](const Options&) { return std::make_unique<GradientBonds>(); });
  registrar.modifier("probe-charge", [](const Options& o) { return std::make_unique<Charge>(o); });
  registrar.modifier("probe-add", [](const Options& o) { return std::make_unique<Add>(o); });
  registrar.modifier("probe-remove", [](const Options& o) { return std::make_unique<Remove>(o); });
  registrar.modifier("probe-aggregate", [](const Options& o) { return std::make_unique<Aggregate>(o); });
  registrar.modifier("probe-press", [](const Options& o) { return std::make_unique<Press>(o); });
  registrar.modifier("probe-figure", [](const Options& o) { return std::make_unique<Figure>(o); });
}
