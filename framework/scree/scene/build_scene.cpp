#include <limits>

#include "scree/scene/detail/options_node.hpp"
#include "scree/scene/detail/reading.hpp"

namespace scree {

namespace {

/// Makes plain data from the parts of a valid document.
class Builder {
 public:
  Builder(const Json& schema, std::shared_ptr<const Json> document, Scene& scene)
      : schema_(schema), document_(std::move(document)), scene_(scene) {}

  void build() {
    const Json& doc = *document_;
    scene_.name = doc.at("name");
    scene_.dimension = doc.at("dimension");
    if (doc.contains("gravity")) build_gravity(doc.at("gravity"));
    build_damping(doc.at("damping"));
    build_materials(doc.at("materials"));
    for (const auto& [name, shape] : doc.at("shapes").items())
      scene_.shapes.push_back({name, object(pointer_to("/shapes", name))});
    const Json& bodies = doc.at("bodies");
    for (std::size_t i = 0; i < bodies.size(); ++i) scene_.bodies.push_back(body(i, bodies[i]));
    const Json& interactions = doc.at("interactions");
    for (std::size_t i = 0; i < interactions.size(); ++i)
      scene_.interactions.push_back(interaction(i, interactions[i]));
    const Json& bond_entries = doc.at("bonds");
    for (std::size_t i = 0; i < bond_entries.size(); ++i) scene_.bonds.push_back(bonds(i, bond_entries[i]));
    scene_.integrator = object("/integrator");
    if (const Json& dt = doc.at("integrator").at("dt"); dt.is_number()) scene_.dt = dt;
    build_output(doc.at("output"));
    build_run(doc);
  }

 private:
  static Vec3 vector(const Json& value) {
    return {value[0].get<double>(), value[1].get<double>(), value.size() > 2 ? value[2].get<double>() : 0.0};
  }

  static Vec3 vector_or_zero(const Json& object, const char* key) {
    return object.contains(key) ? vector(object.at(key)) : Vec3::Zero();
  }

  static Vec3 spin_or_zero(const Json& object, const char* key) {
    if (!object.contains(key)) return Vec3::Zero();
    const Json& value = object.at(key);
    return value.is_number() ? Vec3(0, 0, value.get<double>()) : vector(value);
  }

  static double number_or(const Json& object, const char* key, double fallback) {
    return object.contains(key) ? object.at(key).get<double>() : fallback;
  }

  /// Returns an object of a plugin's factory; a plain string such as "auto" is the type of an object without options.
  ObjectDef object(const std::string& pointer) const {
    const Json& value = document_->at(Json::json_pointer(pointer));
    if (!value.is_string()) return {value.at("type"), make_options(document_, pointer, scene_.folder)};
    const auto empty = std::make_shared<const Json>(Json::object());
    return {value, Options(std::make_shared<Options::Node>(Options::Node{empty, empty.get(), pointer, scene_.folder}))};
  }

  void build_gravity(const Json& gravity) {
    if (gravity.is_array()) {
      scene_.gravity = vector(gravity);
      return;
    }
    scene_.gravity = vector_or_zero(gravity, "vector");
    GravityVariation& variation = scene_.gravity_variation;
    if (gravity.contains("oscillation")) {
      const Json& oscillation = gravity.at("oscillation");
      variation.amplitude = vector(oscillation.at("amplitude"));
      variation.frequency = oscillation.at("frequency");
      variation.phase = oscillation.at("phase");
    }
    if (gravity.contains("table"))
      for (const Json& row : gravity.at("table"))
        variation.table.push_back({row.at("time").get<double>(), vector(row.at("vector"))});
  }

  void build_damping(const Json& damping) {
    scene_.linear_damping = damping.at("linear");
    scene_.angular_damping = damping.at("angular");
    scene_.fluid_velocity = vector_or_zero(damping, "fluid_velocity");
    scene_.mass_damping = damping.at("mass_proportional");
    scene_.local_damping = damping.at("local");
  }

  void build_materials(const Json& materials) {
    for (const auto& [name, material] : materials.items()) {
      const bool rigid = material.contains("youngs_modulus") && material["youngs_modulus"].is_string();
      scene_.materials.push_back(
          {name, number_or(material, "density", 0),
           rigid ? std::numeric_limits<double>::infinity() : number_or(material, "youngs_modulus", 0),
           number_or(material, "poisson_ratio", -1), pointer_to("/materials", name)});
    }
  }

  BodiesDef body(std::size_t index, const Json& entry) const {
    BodiesDef def;
    def.pointer = pointer_to("/bodies", index);
    def.name = entry.at("name");
    const Json& shape = entry.at("shape");
    def.shapes = shape.is_string() ? std::vector<std::string>{shape} : shape.get<std::vector<std::string>>();
    def.material = entry.at("material");
    def.fixed = entry.at("fixed");
    if (entry.contains("motion")) def.motions = motions(entry.at("motion"));
    if (entry.contains("packing")) def.packing = object(def.pointer + "/packing");
    def.position = vector_or_zero(entry, "position");
    if (entry.contains("orientation")) set_orientation(entry.at("orientation"), def);
    def.velocity = vector_or_zero(entry, "velocity");
    def.angular_velocity = spin_or_zero(entry, "angular_velocity");
    def.random_speed = entry.value("random_speed", 0.0);
    def.surface_velocity = vector_or_zero(entry, "surface_velocity");
    def.removed = entry.at("removed");
    if (entry.contains("remove_at")) def.remove_at = entry.at("remove_at").get<double>();
    const Json& held_entries = entry.at("held");
    for (std::size_t i = 0; i < held_entries.size(); ++i)
      def.held.push_back(held(pointer_to(def.pointer + "/held", i), held_entries[i]));
    def.seed = entry.at("seed");
    if (entry.contains("scale")) def.scale = scale(entry.at("scale"));
    for (const auto& [name, value] : entry.at("columns").items()) {
      const Vec3 values = value.is_array() ? vector(value) : Vec3(value.get<double>(), 0, 0);
      def.columns[name] = {values.data(), values.data() + (value.is_array() ? 3 : 1)};
    }
    return def;
  }

  static ScaleDef scale(const Json& value) {
    ScaleDef def;
    if (value.is_number()) {
      def.sizes = {value.get<double>()};
      return def;
    }
    def.by_mass = value.at("by") == "mass";
    const std::string type = value.at("type");
    if (type == "lognormal") {
      def.lognormal = {value.at("median"), value.at("sigma"), value.at("cutoff")};
    } else if (type == "uniform") {
      def.sizes = {value.at("lower"), value.at("upper")};
    } else {
      def.sizes = value.at("sizes").get<std::vector<double>>();
      def.fractions = value.at("fractions").get<std::vector<double>>();
    }
    return def;
  }

  static HeldDef held(const std::string& pointer, const Json& entry) {
    HeldDef def{vector(entry.at("lower")), vector(entry.at("upper")), {}, pointer};
    if (entry.contains("motion")) def.motions = motions(entry.at("motion"));
    return def;
  }

  BondsDef bonds(std::size_t index, const Json& entry) const {
    const std::string pointer = pointer_to("/bonds", index);
    BondsDef def{entry.at("between")[0],
                 entry.at("between")[1],
                 pairs(entry.at("pairs")),
                 entry.at("gap"),
                 {},
                 entry.at("radius_multiplier"),
                 entry.value("self_contact", joins_ends(entry)),
                 entry.value("beside_contact", entry.at("pairs") == "by-hook"),
                 name_of_bonds(entry),
                 object(pointer + "/law"),
                 pointer};
    if (entry.contains("radius")) def.radius = entry.at("radius").get<double>();
    def.self_contact = def.self_contact || def.beside_contact;
    return def;
  }

  static std::string name_of_bonds(const Json& entry) {
    const std::string a = entry.at("between")[0], b = entry.at("between")[1];
    return entry.value("name", a + "-" + b);
  }

  /// Checks whether bonds join ends of strands. Strands on one body touch each other, and the body, unless the scene
  /// changes it.
  static bool joins_ends(const Json& entry) { return entry.at("pairs") == "roots" || entry.at("pairs") == "tips"; }

  static BondsDef::Pairs pairs(const std::string& name) {
    using enum BondsDef::Pairs;
    if (name == "faces") return faces;
    if (name == "touching") return touching;
    if (name == "roots") return roots;
    return name == "tips" ? tips : by_hook;
  }

  static void set_orientation(const Json& value, BodiesDef& def) {
    if (value.is_string()) {
      def.random_orientation = true;
    } else if (value.is_number()) {
      def.orientation = Eigen::AngleAxisd(value.get<double>(), Vec3::UnitZ());
    } else {
      const auto q = value.get<std::vector<double>>();
      def.orientation = Quat(q[0], q[1], q[2], q[3]).normalized();
    }
  }

  static std::vector<MotionDef> motions(const Json& value) {
    if (!value.is_array()) return {motion(value)};
    std::vector<MotionDef> defs;
    for (const Json& one : value) defs.push_back(motion(one));
    return defs;
  }

  static MotionDef motion(const Json& value) {
    MotionDef def;
    def.velocity = vector_or_zero(value, "velocity");
    def.angular_velocity = spin_or_zero(value, "angular_velocity");
    if (value.contains("centre")) def.centre = vector(value.at("centre"));
    def.amplitude = vector_or_zero(value, "amplitude");
    def.frequency = value.at("frequency");
    def.start = value.at("start");
    def.stop = number_or(value, "stop", def.stop);
    if (value.contains("velocities"))
      for (const Json& row : value.at("velocities"))
        def.velocities.push_back({row.at("time"), vector(row.at("velocity"))});
    if (value.contains("displacements"))
      for (const Json& row : value.at("displacements"))
        def.displacements.push_back({row.at("time"), vector(row.at("displacement"))});
    return def;
  }

  InteractionDef interaction(std::size_t index, const Json& entry) const {
    const std::string pointer = pointer_to("/interactions", index);
    return {entry.at("between")[0], entry.at("between")[1], object(pointer + "/detector"), object(pointer + "/law"),
            pointer};
  }

  HookDef hook(const std::string& pointer, const Json& entry, double interval) const {
    HookDef def;
    def.object = object(pointer);
    def.start = number_or(entry, "start", def.start);
    def.interval = number_or(entry, "interval", interval);
    def.stop = number_or(entry, "stop", def.stop);
    return def;
  }

  void build_output(const Json& output) {
    scene_.output_interval = output.at("interval");
    scene_.metrics_interval = output.at("metrics_interval");
    scene_.checkpoint_interval = output.at("checkpoint_interval");
    scene_.energy_ledger = output.at("energy_ledger");
    const Json& hooks = document_->at("hooks");
    for (std::size_t i = 0; i < hooks.size(); ++i) {
      const HookDef def = hook(pointer_to("/hooks", i), hooks[i], 0);
      (is_modifier(def.object.type) ? scene_.modifiers : scene_.observers).push_back(def);
    }
    const Json& writers = output.at("writers");
    for (std::size_t i = 0; i < writers.size(); ++i) {
      scene_.observers.push_back(hook(pointer_to("/output/writers", i), writers[i], scene_.output_interval));
      scene_.observers.back().writer = true;
    }
  }

  /// Checks whether a type of hook is a modifier, by the schema of its options.
  bool is_modifier(const std::string& type) const { return schema_.at("definitions").contains("modifier/" + type); }

  void build_run(const Json& doc) {
    scene_.duration = doc.at("run").at("duration");
    scene_.accept_long_dt = doc.at("run").at("accept_long_dt");
    scene_.max_initial_overlap = doc.at("run").at("max_initial_overlap");
    if (doc.at("grid").contains("skin")) scene_.skin = doc.at("grid").at("skin").get<double>();
    for (const auto& [axis, sides] : doc.at("periodic").items()) {
      const int k = axis[0] - 'x';
      scene_.periodic_lower[k] = sides[0];
      scene_.periodic_length[k] = sides[1].get<double>() - sides[0].get<double>();
    }
    if (!doc.contains("domain")) return;
    scene_.domain_lower = vector(doc.at("domain").at("lower"));
    scene_.domain_upper = vector(doc.at("domain").at("upper"));
  }

  const Json& schema_;
  std::shared_ptr<const Json> document_;
  Scene& scene_;
};

}  // namespace

void build_scene(const Json& schema, std::shared_ptr<const Json> document, Scene& scene) {
  Builder(schema, std::move(document), scene).build();
}

}  // namespace scree
