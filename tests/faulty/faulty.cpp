// A plugin whose methods do what no method may: at the entry point, in the step and in the way that the scene says.
// Spheres on springs otherwise.

#include <scree/integrate/energy_problem.hpp>
#include <scree/integrate/impulse_problem.hpp>
#include <scree/integrate/integrator.hpp>
#include <scree/integrate/kick_and_drift.hpp>
#include <scree/law/bond_columns.hpp>
#include <scree/law/bond_law.hpp>
#include <scree/law/cone_face.hpp>
#include <scree/law/potential_face.hpp>
#include <scree/plugin/plugin.hpp>
#include <scree/shape/facets.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace {

using namespace scree;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kRadius = 0.01;     // [m]
constexpr double kStiffness = 1000;  // [N/m]

/// The step that the run is in: the integrator tells.
std::atomic<std::uint64_t> step_now = 0;

class Fault {
 public:
  explicit Fault(const Options& o) : at_(o.text("at")), what_(o.text("fault")), from_(o.integer("step")) {
    if (std::getenv("FAULTY_OFF")) at_ = "";
  }

  /// Throws, where that is what is wanted here and now.
  void strike(const std::string& entry) const {
    if (!here(entry)) return;
    if (what_ == "runtime_error") throw_error();
    if (what_ == "int") throw 42;
    if (what_ == "bad_alloc") throw std::bad_alloc();
    if (what_ == "numerical") throw NumericalError("the method found no answer.");
    if (what_ == "error") throw Error("an error of scree's.");
  }
  static void throw_error() { throw std::runtime_error("not one of scree's errors"); }
  bool is_at(const std::string& entry) const { return at_ == entry; }
  bool does(const std::string& entry, const char* what) const { return here(entry) && what_ == what; }

 private:
  bool here(const std::string& entry) const { return at_ == entry && static_cast<std::int64_t>(step_now) >= from_; }
  std::string at_, what_;
  std::int64_t from_;
};

/// Writes into bodies what refers to nothing, or into the World's time.
void spoil(World& world, const Fault& fault, const char* entry) {
  const auto is = [&](const char* what) { return fault.does(entry, what); };
  constexpr std::uint32_t kMany = 4000000;
  if (is("shape")) world.shape.write()[0] = kMany;
  if (is("material")) world.material.write()[0] = kMany;
  if (is("group")) world.group.write()[0] = kMany;
  if (is("kind")) world.kind.write()[0] = kMany;
  if (is("owner")) world.owner.write()[0] = kMany;
  if (is("id")) world.id.write()[0] = kMany;
  if (is("same_id")) world.id.write()[0] = Id{world.id[1]};
  if (is("scale")) world.scale.write()[0] = -3;
  if (is("radius")) world.radius.write()[0] = kNaN;
  if (is("mass")) world.mass.write()[0] = kNaN;
  if (is("inverse_mass")) world.inverse_mass.write()[0] = -1;
  if (is("time")) world.time = -5;
  if (is("count")) world.step = 0;
}

class Sphere final : public Shape, public SphereSet {
 public:
  explicit Sphere(const Options& o) : fault_(o) {
    if (!fault_.does("shape", "no_spheres")) radii_.push_back(kRadius), centres_.push_back(Vec3::Zero());
  }
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double density) const override {
    fault_.strike("mass");
    if (fault_.does("mass", "nan")) return {kNaN, Vec3::Ones()};
    if (fault_.does("mass", "no_moment")) return {1, Vec3::Zero()};
    const double m = density * 4.0 / 3 * 3.141592653589793 * kRadius * kRadius * kRadius;
    return {m, Vec3::Constant(0.4 * m * kRadius * kRadius)};
  }
  double bounding_radius() const noexcept override { return fault_.does("shape", "negative") ? -kRadius : kRadius; }
  Surface surface() const override {
    fault_.strike("surface");
    if (fault_.does("surface", "empty_cell")) return {{Vec3::Zero()}, {{}}, true};
    return {{Vec3::Zero()}, {{fault_.does("surface", "range") ? 4000000u : 0u}}, true};
  }
  const void* facet(std::string_view name) const noexcept override {
    if (fault_.does("facet", "whole") && name == SphereSet::kName) return this;
    if (fault_.does("facet", "other") && name == RoundVertices::kName) return static_cast<const SphereSet*>(this);
    return name == SphereSet::kName ? static_cast<const SphereSet*>(this) : nullptr;
  }
  std::span<const Vec3> centres() const override { return centres_; }
  std::span<const double> radii() const override { return radii_; }

 private:
  Fault fault_;
  std::vector<Vec3> centres_;
  std::vector<double> radii_;
};

class Detector final : public ContactDetector {
 public:
  explicit Detector(const Options& o) : fault_(o) {}
  DetectorTraits traits() const override {
    fault_.strike("traits");
    DetectorTraits traits;
    traits.facets_a = traits.facets_b = {SphereSet::kName};
    traits.gradient_consistent = true;
    return traits;
  }
  void bind(std::span<const Shape* const>) override { fault_.strike("bind"); }
  void prepare(const BodyView&, std::span<const Pair>, double, double, PairCache&) const override {
    fault_.strike("prepare");
  }
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache&, double margin,
              ContactBuffer& out) const override {
    fault_.strike("detect");
    const auto is = [&](const char* what) { return fault_.does("detect", what); };
    for (std::uint32_t k = 0; k < pairs.size(); ++k) {
      const BodyRow &a = bodies.row[pairs[k].a], &b = bodies.row[pairs[k].b];
      const Vec3 way = b.position - a.position;
      double overlap = a.radius + b.radius - way.norm();
      if (!(overlap > -margin)) continue;
      Vec3 normal = way.normalized(), point = a.position + 0.5 * way;
      if (is("far")) overlap = -1;
      if (is("nan_overlap")) overlap = kNaN;
      if (is("nan_normal")) normal[1] = kNaN;
      if (is("zero_normal")) normal = Vec3::Zero();
      if (is("long_normal")) normal *= 2;
      if (is("nan_point")) point[0] = kNaN;
      // Another feature in every step: match() is asked.
      out.push(is("range") ? 4000000u : k, overlap, normal, point, static_cast<std::uint32_t>(step_now & 1));
    }
    if (is("order") && out.size() > 1) std::swap(out.pair()[0], out.pair()[out.size() - 1]);
  }
  void match(const ContactMatch& contacts) const override {
    fault_.strike("match");
    for (std::size_t k = 0; k < contacts.new_count; ++k)
      contacts.source[k] = fault_.does("match", "range") ? 4000000 : k < contacts.old_count ? static_cast<int>(k) : -1;
    if (contacts.successor && fault_.does("match", "successor")) contacts.successor[0] = -7;
  }

 private:
  Fault fault_;
};

class Law final : public ContactLaw, public ForceFace, public ConeFace, public PotentialFace {
 public:
  explicit Law(const Options& o) : fault_(o) {}
  ~Law() override { fault_.strike("destructor"); }
  double range() const noexcept override { return fault_.does("range", "nan") ? kNaN : 0; }
  const void* face(std::string_view name) const noexcept override {
    if (name == ForceFace::kName && fault_.does("face", "whole")) return this;
    if (name == ForceFace::kName) return static_cast<const ForceFace*>(this);
    if (name == ConeFace::kName) return static_cast<const ConeFace*>(this);
    if (name == PotentialFace::kName) return static_cast<const PotentialFace*>(this);
    return nullptr;
  }
  ForceNeeds needs() const noexcept override { return {.radius = fault_.does("needs", "radius")}; }
  int history_size() const noexcept override { return fault_.does("history", "negative") ? -3 : 1; }
  void force(const ContactColumns& c, const double* const*, double* const* now, ForceColumns out) const override {
    fault_.strike("force");
    for (std::size_t i = 0; i < c.size; ++i) {
      const double push = fault_.does("force", "nan") ? kNaN : kStiffness * std::max(0.0, c.overlap[i]);
      for (int k = 0; k < 3; ++k) out.force[k][i] = push * c.normal[k][i];
      now[0][i] = 0;
    }
  }
  void energy(const ContactColumns& c, const double* const*, double* energy) const override {
    fault_.strike("energy");
    const double value = fault_.does("energy", "nan") ? kNaN : 0;
    for (std::size_t i = 0; i < c.size; ++i) energy[i] = value;
  }
  double contact_duration(double, double) const noexcept override { return 1; }
  void cone(const ContactColumns& c, double* friction, double* restitution) const override {
    fault_.strike("cone");
    for (std::size_t i = 0; i < c.size; ++i) {
      friction[i] = fault_.does("cone", "nan") ? kNaN : 0.5;
      restitution[i] = fault_.does("cone", "range") ? 2 : 0;
    }
  }
  void potential(const ContactColumns& c, double* energy, double* force, double* stiffness) const override {
    fault_.strike("potential");
    for (std::size_t i = 0; i < c.size; ++i) {
      energy[i] = 0;
      force[i] = fault_.does("potential", "nan") ? kNaN : 0;
      stiffness[i] = 0;
    }
  }
  double friction() const noexcept override { return fault_.does("friction", "nan") ? kNaN : 0; }
  double rolling_friction() const noexcept override { return 0; }

 private:
  Fault fault_;
};

class Bond final : public BondLaw, public BondForces, public BondJoints, public EnergyTerm, public BondColumns {
 public:
  explicit Bond(const Options& o) : fault_(o) {}
  void bind(const BondView& bonds, std::size_t) override {
    fault_.strike("bind_bonds");
    size_ = bonds.size();
  }
  const void* face(std::string_view name) const noexcept override {
    if (name == BondForces::kName) return static_cast<const BondForces*>(this);
    if (name == BondJoints::kName) return static_cast<const BondJoints*>(this);
    if (name == EnergyTerm::kName) return static_cast<const EnergyTerm*>(this);
    if (name == BondColumns::kName) return static_cast<const BondColumns*>(this);
    return nullptr;
  }
  BondTraits traits() const override {
    fault_.strike("bond_traits");
    BondTraits traits;
    traits.resists_rates = fault_.is_at("begin_step");  // integrators that ask for forces refuse it
    traits.memory_changes = fault_.is_at("end_step") || fault_.is_at("balance");
    traits.balances = fault_.is_at("balance") || fault_.does("bond_traits", "memoryless");
    traits.memory = traits.memory_changes ? 2 : 0;
    if (fault_.does("bond_traits", "many")) traits.memory = 100;
    if (fault_.does("bond_traits", "nan")) traits.modulus = kNaN;
    return traits;
  }
  std::string fault(const BondView&) const override {
    fault_.strike("bond_fault");
    return "";
  }
  void utilisation(const Configuration&, std::span<double> out) const override {
    fault_.strike("utilisation");
    std::ranges::fill(out, fault_.does("utilisation", "nan") ? kNaN : 0);
  }
  void add_wrenches(const Configuration&, std::span<Wrench> out) const override {
    fault_.strike("add_wrenches");
    if (fault_.does("add_wrenches", "nan")) out[0].torque[2] = kNaN;
  }
  double energy(const Configuration&) const override {
    fault_.strike("bond_energy");
    return fault_.does("bond_energy", "nan") ? kNaN : 0;
  }
  double stable_time_step(const Configuration&, std::span<const double>, std::span<const double>) const override {
    fault_.strike("stable_time_step");
    return fault_.does("stable_time_step", "nan") ? kNaN : 1;
  }
  void arms(const Configuration&, std::span<Vec3> arm_a, std::span<Vec3> arm_b) const override {
    fault_.strike("arms");
    std::ranges::fill(arm_a, Vec3::Zero());
    std::ranges::fill(arm_b, Vec3::Constant(fault_.does("arms", "nan") ? kNaN : 0));
  }
  std::size_t items() const override {
    fault_.strike("items");
    return size_;
  }
  void energies(const Configuration&, std::span<double> out) const override {
    fault_.strike("energies");
    std::ranges::fill(out, 0);
  }
  void add_gradient(const Configuration&, std::span<Wrench>) const override { fault_.strike("add_gradient"); }
  void add_hessian(const Configuration&, Curvature, const HessianSink&) const override { fault_.strike("add_hessian"); }
  void begin_step(const Configuration&, double) override { fault_.strike("begin_step"); }
  bool end_step(const Configuration&, std::span<double> memory) override {
    fault_.strike("end_step");
    for (double& x : memory) x += 1;
    if (fault_.does("end_step", "nan")) memory.back() = kNaN;
    return !fault_.does("end_step", "deny");
  }
  std::string balance(const BondView&, std::span<const Wrench>, std::span<double> memory) const override {
    fault_.strike("balance");
    if (fault_.does("balance", "nan")) memory.back() = kNaN;
    return fault_.does("balance", "refuse") ? "what hangs there is too heavy." : "";
  }
  void list_links(std::vector<ChainLink>& out) const override {
    fault_.strike("list_links");
    if (fault_.does("list_links", "nan")) out.push_back({0, 1, Vec3::Zero(), Vec3::Constant(kNaN)});
    if (fault_.does("list_links", "range")) out.push_back({0, 4000000, Vec3::Zero(), Vec3::Zero()});
  }
  std::vector<BondColumn> columns() const override {
    fault_.strike("bond_columns");
    const auto is = [&](const char* what) { return fault_.does("bond_columns", what); };
    std::vector<BondColumn> columns = {{"pull", "N"}, {"bend", "1/m", false}};
    if (is("nameless")) columns[1].name = "";
    if (is("spaced")) columns[1].name = "two words";
    if (is("twice")) columns[1].name = "pull";
    if (is("more")) columns.push_back({"twist", "1/m"});
    return columns;
  }
  void values(const Configuration&, std::span<const std::span<double>> out) const override {
    fault_.strike("bond_values");
    for (const std::span<double> column : out) std::ranges::fill(column, 7);
    if (fault_.does("bond_values", "nan")) out[1].back() = kNaN;
    if (fault_.does("bond_values", "infinite")) out[0][1] = std::numeric_limits<double>::infinity();
  }

 private:
  Fault fault_;
  std::size_t size_ = 0;
};

class Nowhere final : public HessianSink {
 public:
  Block6* block(std::uint32_t, std::uint32_t) const override { return nullptr; }
};

/// Symplectic Euler by forces; by impulses or energies it asks for all there is and moves bodies freely.
class Euler final : public Integrator {
 public:
  explicit Euler(const Options& o) : fault_(o), face_(o.text("face")) { step_now = 0; }
  IntegratorTraits traits() const override {
    fault_.strike("integrator_traits");
    IntegratorTraits traits;
    traits.face = face_ == "cone/1" || face_ == "implicit" ? ConeFace::kName
                  : face_ == "potential/1"                 ? PotentialFace::kName
                                                           : ForceFace::kName;
    traits.implicit_bonds = face_ == "implicit";
    if (fault_.does("integrator_traits", "nan")) traits.margin = kNaN;
    return traits;
  }
  void columns(World& world) override {
    fault_.strike("columns");
    world.column<double>("faulty");
  }
  std::vector<std::byte> save() const override {
    fault_.strike("integrator_save");
    return std::vector<std::byte>(8);
  }
  void load(const std::vector<std::byte>&) override { fault_.strike("integrator_load"); }
  void edited(World&, const EditLog&) override { fault_.strike("edited"); }
  std::vector<SceneWarning> warnings(const World&, const Vec3&, double) const override {
    fault_.strike("warnings");
    return {};
  }
  std::vector<GridImage> grid_images() const override {
    fault_.strike("images");
    const auto is = [&](const char* what) { return fault_.does("images", what); };
    GridImage image;
    image.name = is("spaced") ? "two words" : "grid";
    image.counts = {2, is("empty") ? 0 : 2, 1};
    image.fields = {{"heat", "K", 1, {1, 2, 3, 4}}};
    if (is("short")) image.fields[0].value.pop_back();
    if (is("nan")) image.fields[0].value.back() = kNaN;
    return {image};
  }
  void step(Mechanics& mechanics, double dt) override {
    World& world = mechanics.world();
    step_now = world.step + 1;
    fault_.strike("step");
    kick_and_drift(world, face_ == "force/1" ? mechanics.forces(dt) : asked(mechanics, dt), dt, dt);
    if (fault_.does("step", "nan")) world.velocity.write()[0][0] = kNaN;
    spoil(world, fault_, "step");
    if (!fault_.does("step", "no_commit")) mechanics.commit();
    if (fault_.does("step", "two_commits")) mechanics.commit();
    spoil(world, fault_, "after_commit");
  }

 private:
  static void ask(const EnergyTerm& term, const Configuration& x) {
    std::vector<double> energies(term.items());
    std::vector<Wrench> gradient(x.size());
    term.energies(x, energies);
    term.add_gradient(x, gradient);
    term.add_hessian(x, Curvature::exact, Nowhere());
  }
  Wrenches asked(Mechanics& mechanics, double dt) const {
    const Configuration x{mechanics.world().position.read(), mechanics.world().orientation.read()};
    if (face_ == "implicit") {
      ImpulseProblem& cones = ability<ImpulseProblem>(mechanics);
      for (const EnergyTerm* term : cones.bond_terms()) ask(*term, x);
      cones.bond_links();
      const ExpectedMotion fast{mechanics.world().velocity.read(), mechanics.world().angular_velocity.read()};
      cones.accept(std::vector<Vec3>(cones.contacts(dt, fast).size(), Vec3::Zero()), dt);
      return cones.external();
    }
    if (face_ == "cone/1") {
      ImpulseProblem& cones = ability<ImpulseProblem>(mechanics);
      cones.accept(std::vector<Vec3>(cones.contacts(dt).size(), Vec3::Zero()), dt);
      cones.joints();
      return cones.external();
    }
    EnergyProblem& potential = ability<EnergyProblem>(mechanics);
    potential.cover(0.1 * kRadius, 0);
    potential.begin_bonds(dt);
    for (const EnergyTerm* term : potential.bonds()) ask(*term, x);
    const std::vector<Vec3> nothing(potential.potentials(x).size(), Vec3::Zero());
    potential.accept_forces(nothing);
    return potential.loads();
  }

  Fault fault_;
  std::string face_;
};

/// Whether there are as many values as bonds, each a number as long as its bond holds.
bool sound(const BondValues& values, const Bonds& bonds) {
  for (const BondValues::Column& column : values.columns) {
    if (column.value.size() != bonds.size()) return false;
    for (std::size_t k = 0; k < bonds.size(); ++k)
      if (bonds.whole(k) != std::isfinite(column.value[k])) return false;
  }
  return values.columns.size() == 2;
}

/// Marks body 0 as moved, so that integrators hear of edits, and breaks a bond, so that laws are bound anew.
class Hook final : public Modifier {
 public:
  explicit Hook(const Options& o) : fault_(o) {}
  void begin(World&) override { fault_.strike("begin_modifier"); }
  std::vector<MadeKind> makes() const override {
    fault_.strike("makes");
    if (fault_.does("makes", "range")) return {{4000000, 0}};
    if (fault_.does("makes", "nan")) return {{0, 0, kNaN, 1}};
    return {};
  }
  void apply(World& world, const ContactView*, HistoryStore&) override {
    fault_.strike("apply");
    spoil(world, fault_, "apply");
    const Id first = 0;
    world.mark_moved({&first, 1});
    const std::uint32_t bond = 0;
    if (world.step == 6) world.bonds().break_bonds({&bond, 1}, world.time);
  }
  std::vector<std::byte> save() const override {
    fault_.strike("save");
    return std::vector<std::byte>(8);
  }
  void load(const std::vector<std::byte>&) override { fault_.strike("load"); }
  void edited(const World&, const EditLog&) override { fault_.strike("modifier_edited"); }

 private:
  Fault fault_;
};

class Watcher final : public Observer {
 public:
  explicit Watcher(const Options& o) : fault_(o) {}
  void begin(const World&) override { fault_.strike("begin"); }
  void open(const std::string&) override { fault_.strike("open"); }
  void resume(std::uint64_t) override { fault_.strike("resume"); }
  std::vector<std::byte> save() const override {
    fault_.strike("observer_save");
    return std::vector<std::byte>(8);
  }
  void load(const std::vector<std::byte>&) override { fault_.strike("observer_load"); }
  void observe(const World& world, const ContactView*, const Frame& frame) override {
    fault_.strike("observe");
    if (!sound(frame.bonds(), world.bonds())) throw Error("values of bonds are not those of the bonds");
    if (frame.grids().at(0).points() != 4) throw Error("the grid is not the integrator's");
    world.shapes()[0].shape->surface();
  }
  void flush() override { fault_.strike("flush"); }
  void edited(const World&, const EditLog&) override { fault_.strike("observer_edited"); }

 private:
  Fault fault_;
};

Packed cube(const Options& o, const PackingContext&) {
  const Fault fault(o);
  fault.strike("packing");
  const int n = static_cast<int>(o.integer("count"));
  Packed packed;
  if (fault.does("packing", "none")) return packed;
  for (int i = 0; i < n * n * n; ++i)
    packed.places.push_back({kNewId, 1.98 * kRadius * Vec3(i % n, i / n % n, i / (n * n)), {}, {}, {}, 1});
  for (std::uint32_t i = 0; i + 1 < static_cast<std::uint32_t>(n); ++i) packed.shared_faces.push_back({i, i + 1, 1e-4});
  if (fault.does("packing", "nan")) packed.places[1].position[2] = kNaN;
  if (fault.does("packing", "shape")) packed.places[2].shape = 4000000;
  if (fault.does("packing", "face")) packed.shared_faces[0].b = 4000000;
  if (fault.does("packing", "column")) packed.columns.push_back({"colour", "", 2, {1, 2, 3}});
  return packed;
}

/// Throws when the library is unloaded, where the environment says so.
struct Last {
  ~Last() {
    if (std::getenv("FAULTY_UNLOAD")) Fault::throw_error();
  }
};
const Last last;

/// A factory of T that may fail.
template <class Interface, class T>
std::unique_ptr<Interface> made(const Options& o, const char* entry) {
  const Fault fault(o);
  fault.strike(entry);
  if (fault.does(entry, "null")) return nullptr;
  return std::make_unique<T>(o);
}

}  // namespace

SCREE_PLUGIN(faulty, "1.0.0") {
  registrar.shape("faulty-sphere",
                  [](const Options& o) { return std::shared_ptr<const Shape>(made<const Shape, Sphere>(o, "shape")); });
  registrar.detector("faulty-detector",
                     [](const Options& o) { return made<ContactDetector, Detector>(o, "detector"); });
  registrar.detector("faulty-twin", [](const Options& o) { return made<ContactDetector, Detector>(o, "detector"); });
  registrar.law("faulty-law", [](const Options& o, const LawContext&) { return made<ContactLaw, Law>(o, "law"); });
  registrar.bond_law("faulty-bond",
                     [](const Options& o, const BondLawContext&) { return made<BondLaw, Bond>(o, "bond_law"); });
  registrar.integrator("faulty-euler", [](const Options& o) { return made<Integrator, Euler>(o, "integrator"); });
  registrar.packing("faulty-packing", cube);
  registrar.modifier("faulty-modifier", [](const Options& o) { return made<Modifier, Hook>(o, "modifier"); });
  registrar.observer("faulty-observer", [](const Options& o) { return made<Observer, Watcher>(o, "observer"); });
}
