#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <unordered_set>
#include <utility>

#include "scree/scene/detail/reading.hpp"

namespace scree {

namespace {

class CrossChecker {
 public:
  explicit CrossChecker(const Json& scene)
      : scene_(scene), materials_(keys_of("materials")), shapes_(keys_of("shapes")) {
    const Json& bodies = scene_.at("bodies");
    for (std::size_t i = 0; i < bodies.size(); ++i)
      entries_.push_back(bodies[i].value("name", "bodies" + std::to_string(i)));
    for (const auto* names : {&materials_, &shapes_, &entries_}) known_[names] = {names->begin(), names->end()};
  }

  std::vector<Fault> check() {
    check_scene_name();
    check_other_names();
    for (const auto& [name, shape] : scene_.at("shapes").items()) check_lengths(pointer_to("/shapes", name), shape);
    check_steps();
    const Json& bodies = scene_.at("bodies");
    for (std::size_t i = 0; i < bodies.size(); ++i) check_bodies(pointer_to("/bodies", i), bodies[i]);
    check_body_names(bodies);
    const Json& interactions = scene_.at("interactions");
    for (std::size_t i = 0; i < interactions.size(); ++i)
      check_between(pointer_to("/interactions", i) + "/between", interactions[i].at("between"));
    if (faults_.empty()) check_ambiguity(interactions);
    const Json& bonds = scene_.at("bonds");
    for (std::size_t i = 0; i < bonds.size(); ++i) check_bonds(pointer_to("/bonds", i), bonds[i]);
    check_bond_names(bonds);
    check_order("/domain", "lower", "upper");
    check_periodic();
    check_gravity_table();
    check_fluid();
    return std::move(faults_);
  }

 private:
  std::vector<std::string> keys_of(const char* section) const {
    std::vector<std::string> keys;
    for (const auto& [key, value] : scene_.at(section).items()) keys.push_back(key);
    return keys;
  }

  void add(const std::string& pointer, const std::string& message) { faults_.push_back({pointer, message}); }

  /// Checks the name of the scene, which is that of its output folder.
  void check_scene_name() {
    if (!scene_.contains("name")) return;
    const std::string& name = scene_.at("name").get_ref<const std::string&>();
    const std::string of_file = file_name_fault(name), fault = of_file.empty() ? name_fault(name) : of_file;
    if (!fault.empty())
      add("/name", shown(name) + " " + fault +
                       ". It names the output folder out/<name>: choose a plain file name, and another folder with "
                       "--out. " +
                       name_rule());
  }

  /// Checks other names: they head columns of metrics.csv, and name arrays of checkpoints, files and texts of pages.
  void check_other_names() {
    for (const char* section : {"materials", "shapes"})
      for (const auto& [name, value] : scene_.at(section).items())
        check_a_name(pointer_to("/" + std::string(section), name), name);
    check_names_of("/bodies", scene_.at("bodies"));
    check_names_of("/hooks", scene_.at("hooks"));
    check_names_of("/output/writers", scene_.at("output").at("writers"));
  }

  void check_names_of(const std::string& pointer, const Json& entries) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto name = entries[i].find("name");
      if (name == entries[i].end() || !name->is_string()) continue;
      check_a_name(pointer_to(pointer, i) + "/name", name->get_ref<const std::string&>());
    }
  }

  void check_a_name(const std::string& pointer, const std::string& name) {
    const std::string fault = name_fault(name);
    if (!fault.empty() && faults_.size() < kEnough)
      add(pointer,
          shown(name) + " " + fault + ", and names head columns of metrics.csv and name files. " + name_rule());
  }

  /// Checks that numbers of shapes, most of them lengths, can be squared and multiplied.
  void check_lengths(const std::string& pointer, const Json& value) {
    if (value.is_object())
      for (const auto& [key, child] : value.items()) check_lengths(pointer_to(pointer, key), child);
    if (value.is_array())
      for (std::size_t i = 0; i < value.size(); ++i) check_lengths(pointer_to(pointer, i), value[i]);
    if (value.is_number() && std::abs(value.get<double>()) > kLongest && faults_.size() < kEnough)
      add(pointer, value.dump() +
                       " is too large to compute with; shapes take numbers up to 1e+30. Look for a wrong "
                       "unit or exponent.");
  }

  /// Checks that time is exactly a whole number of steps.
  void check_steps() {
    if (!scene_.at("integrator").at("dt").is_number()) return;
    const double dt = scene_.at("integrator").at("dt"), duration = scene_.at("run").at("duration");
    if (duration / dt <= kMostSteps) return;
    std::ostringstream text;
    text << "a duration of " << duration << " s takes " << duration / dt << " steps of " << dt << " s; at most "
         << kMostSteps << " can be counted. Raise dt or lower /run/duration.";
    add("/integrator/dt", text.str());
  }

  void check_periodic() {
    for (const auto& [axis, sides] : scene_.at("periodic").items()) {
      const std::string pointer = "/periodic/" + axis;
      if (axis == "z" && scene_.at("dimension") == 2)
        add(pointer, "a scene in 2 dimensions lies in x and y. Remove \"z\".");
      if (!(sides[0].get<double>() < sides[1].get<double>()))
        add(pointer, sides.dump() + " is out of order: give the lower side first, then the upper one [m].");
      else if (sides[1].get<double>() - sides[0].get<double>() > kLongest)
        add(pointer, sides.dump() + " is too long to compute with; at most 1e+30 m.");
    }
  }

  bool check_name(const std::string& pointer, const std::string& kind, const std::string& name,
                  const std::vector<std::string>& known) {
    if (known_.at(&known).contains(name)) return true;
    if (faults_.size() >= kEnough) return false;  // finding similar names takes long
    add(pointer, "unknown " + kind + " \"" + shortened(name) + "\"." + suggestion(name, known) +
                     " Defined: " + shortened(listed(known)) + ".");
    return false;
  }

  void check_bodies(const std::string& pointer, const Json& bodies) {
    check_shapes(pointer + "/shape", bodies.at("shape"));
    const std::string material = bodies.at("material");
    const bool known = check_name(pointer + "/material", "material", material, materials_);
    const bool fixed = bodies.at("fixed"), driven = bodies.contains("motion");
    if (known && !fixed && !driven && !scene_.at("materials").at(material).contains("density"))
      add(pointer + "/material", "material \"" + material +
                                     "\" has no density, but bodies that move freely need a mass. Give /materials/" +
                                     material + " a density [kg/m^3], or make the body \"fixed\".");
    check_conflicts(pointer, bodies);
    if (bodies.contains("scale") && bodies.at("scale").is_object()) check_sizes(pointer + "/scale", bodies.at("scale"));
    if (driven) check_motions(pointer + "/motion", bodies.at("motion"));
    const Json& held = bodies.at("held");
    for (std::size_t i = 0; i < held.size(); ++i) {
      const std::string part = pointer_to(pointer + "/held", i);
      check_order(part, "lower", "upper");
      if (held[i].contains("motion")) check_motions(part + "/motion", held[i].at("motion"));
      if (fixed || driven)
        add(part, "an entry whose bodies are fixed or driven has nothing left to hold. Remove \"held\".");
    }
  }

  void check_sizes(const std::string& pointer, const Json& scale) {
    if (scale.at("type") == "uniform" && scale.at("lower").get<double>() >= scale.at("upper").get<double>())
      add(pointer + "/upper", scale.at("upper").dump() + " is not above \"lower\", " + scale.at("lower").dump() +
                                  ". Exchange the two, or give a number where all bodies are of one size.");
    if (scale.at("type") == "table") check_size_table(pointer, scale.at("sizes"), scale.at("fractions"));
  }

  void check_size_table(const std::string& pointer, const Json& sizes, const Json& fractions) {
    for (std::size_t i = 1; i < sizes.size(); ++i)
      if (sizes[i].get<double>() <= sizes[i - 1].get<double>())
        add(pointer_to(pointer + "/sizes", i), sizes[i].dump() + " is not above the size before it, " +
                                                   sizes[i - 1].dump() + ". Give the sizes in ascending order.");
    const std::size_t n = sizes.size(), shares = fractions.size();
    if (shares != n && shares + 1 != n)
      add(pointer + "/fractions", std::to_string(shares) + " for " + std::to_string(n) +
                                      " sizes. Give as many as sizes, for these sizes and no others, or one fewer, for "
                                      "what lies between each size and the next.");
    if (std::all_of(fractions.begin(), fractions.end(), [](const Json& f) { return f.get<double>() == 0; }))
      add(pointer + "/fractions", "are all 0. Raise one of them.");
  }

  void check_shapes(const std::string& pointer, const Json& shape) {
    if (shape.is_string()) {
      check_name(pointer, "shape", shape, shapes_);
      return;
    }
    for (std::size_t i = 0; i < shape.size(); ++i) check_name(pointer_to(pointer, i), "shape", shape[i], shapes_);
  }

  void check_conflicts(const std::string& pointer, const Json& bodies) {
    const bool fixed = bodies.at("fixed"), driven = bodies.contains("motion"), packed = bodies.contains("packing");
    if (fixed && driven) add(pointer + "/motion", "a body cannot be \"fixed\" and have a \"motion\". Remove one.");
    if (packed && bodies.contains("position"))
      add(pointer + "/position", "a \"packing\" places the bodies. Remove \"position\" or \"packing\".");
    if (!packed && bodies.at("shape").is_array() && bodies.at("shape").size() > 1)
      add(pointer + "/shape", "one body has one shape; a list of shapes needs a \"packing\".");
    for (const char* key : {"velocity", "angular_velocity", "random_speed"})
      if ((fixed || driven) && bodies.contains(key))
        add(pointer + "/" + key,
            "a body that is fixed or has a prescribed motion takes no initial velocity. Use \"motion\".");
  }

  void check_motions(const std::string& pointer, const Json& motions) {
    if (!motions.is_array()) return check_motion(pointer, motions);
    for (std::size_t i = 0; i < motions.size(); ++i) check_motion(pointer_to(pointer, i), motions[i]);
  }

  void check_motion(const std::string& pointer, const Json& motion) {
    const double start = motion.at("start");
    if (motion.contains("stop") && motion.at("stop").get<double>() <= start)
      add(pointer + "/stop",
          motion.at("stop").dump() + " s is not after the start at " + motion.at("start").dump() +
              " s: the motion would be over before it begins. Give a later stop, or an earlier start.");
    for (const char* table : {"velocities", "displacements"})
      if (motion.contains(table)) check_times(pointer + "/" + table, motion.at(table));
  }

  void check_body_names(const Json& bodies) {
    std::map<std::string, std::size_t> first;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const std::string& name = entries_[i];
      const auto [entry, is_new] = first.emplace(name, i);
      if (!is_new)
        add(pointer_to("/bodies", i), "the name \"" + name + "\" is taken by " + pointer_to("/bodies", entry->second) +
                                          ". Every entry needs its own name.");
    }
  }

  void check_between(const std::string& pointer, const Json& between) {
    for (std::size_t k = 0; k < between.size(); ++k)
      if (between[k] != "*") check_name(pointer_to(pointer, k), "material", between[k], materials_);
  }

  void check_bonds(const std::string& pointer, const Json& bonds) {
    const Json& between = bonds.at("between");
    for (std::size_t k = 0; k < between.size(); ++k)
      if (bonds.at("pairs") != "by-hook" || !is_name_of_hook(between[k]))
        check_name(pointer_to(pointer + "/between", k), "entry of bodies", between[k], entries_);
    check_bond_sizes(pointer, bonds);
    if (bonds.at("pairs") != "faces") return;
    if (between[0] != between[1])
      add(pointer + "/between",
          "faces are shared within one packing. Name one entry twice, or say \"pairs\": \"touching\".");
  }

  /// Checks whether a hook has this name. Bonds that hooks make may join bodies of emitters.
  bool is_name_of_hook(const std::string& name) const {
    return std::ranges::any_of(scene_.at("hooks"), [&](const Json& hook) { return hook.value("name", "") == name; });
  }

  void check_bond_sizes(const std::string& pointer, const Json& bonds) {
    if (bonds.contains("radius") && bonds.at("radius_multiplier") != 1)
      add(pointer + "/radius_multiplier",
          "goes with the radius of the smaller body, but a \"radius\" is given. Remove "
          "one of the two.");
    if (bonds.value("beside_contact", false) && !bonds.value("self_contact", true))
      add(pointer + "/self_contact",
          "is false, but with \"beside_contact\" even bodies joined by a bond touch each other. Remove one of the "
          "two.");
    if (bonds.at("pairs") != "faces") return;
    for (const auto& [key, without] : {std::pair("gap", 0), {"radius", 0}, {"radius_multiplier", 1}})
      if (bonds.contains(key) && bonds.at(key) != without)
        add(pointer + "/" + key, std::string("\"") + key +
                                     "\" is for bodies that touch; faces have a size of their own. Remove it, or say "
                                     "\"pairs\": \"touching\".");
  }

  /// Checks names of entries of bonds, by which hooks find them.
  void check_bond_names(const Json& bonds) {
    std::map<std::string, std::size_t> first;
    for (std::size_t i = 0; i < bonds.size(); ++i) {
      if (!bonds[i].contains("name")) continue;
      const std::string pointer = pointer_to("/bonds", i) + "/name", name = bonds[i].at("name");
      check_a_name(pointer, name);
      const auto [entry, is_new] = first.emplace(name, i);
      if (!is_new)
        add(pointer, "the name \"" + name + "\" is taken by " + pointer_to("/bonds", entry->second) +
                         ". Give each entry a name of its own.");
    }
  }

  /// Finds two interactions that suit a pair of materials equally well. Only pairs that could be at fault are checked:
  /// a scene may have thousands of materials.
  void check_ambiguity(const Json& interactions) {
    const Claims claims(interactions, materials_);
    for (const auto& [pair, entries] : claims.both) tell_rivals(entries, pair.first, pair.second);
    std::vector<std::size_t> starred;
    for (std::size_t a = 0; a < materials_.size(); ++a)
      if (!claims.one[a].empty()) starred.push_back(a);
    for (const std::size_t a : starred) {
      const bool twice = claims.one[a].size() > 1;
      for (std::size_t k = 0; k < (twice ? materials_.size() : starred.size()); ++k) {
        const std::size_t b = twice ? k : starred[k];
        if (faults_.size() >= kEnough) return;
        if (claims.both.contains(std::minmax(a, b))) continue;
        std::vector<std::size_t> entries = claims.one[a];
        if (b != a) entries.insert(entries.end(), claims.one[b].begin(), claims.one[b].end());
        std::ranges::sort(entries);
        tell_rivals(entries, std::min(a, b), std::max(a, b));
        if (twice && entries.size() > 1) break;
      }
    }
    if (claims.any.size() > 1) tell_unclaimed(claims);
  }

  /// Entries of `interactions` by the materials they name.
  struct Claims {
    Claims(const Json& interactions, const std::vector<std::string>& materials) : one(materials.size()) {
      std::map<std::string, std::size_t> index;
      for (std::size_t m = 0; m < materials.size(); ++m) index[materials[m]] = m;
      for (std::size_t i = 0; i < interactions.size(); ++i) {
        const std::string x = interactions[i].at("between")[0], y = interactions[i].at("between")[1];
        if (x == "*" && y == "*")
          any.push_back(i);
        else if (x == "*" || y == "*")
          one[index.at(x == "*" ? y : x)].push_back(i);
        else
          both[std::minmax(index.at(x), index.at(y))].push_back(i);
      }
    }
    std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> both;
    std::vector<std::vector<std::size_t>> one;  ///< by material
    std::vector<std::size_t> any;
  };

  void tell_rivals(const std::vector<std::size_t>& entries, std::size_t a, std::size_t b) {
    if (entries.size() < 2) return;
    const std::string pointer = pointer_to("/interactions", entries[1]) + "/between";
    if (!rivals_told_.insert(entries[1]).second) return;
    add(pointer, "fits the materials \"" + materials_[a] + "\" and \"" + materials_[b] + "\" as well as " +
                     pointer_to("/interactions", entries[0]) +
                     " does. Remove one, or name both materials in one of them.");
  }

  /// Reports the first pair of materials that no entry names.
  void tell_unclaimed(const Claims& claims) {
    for (std::size_t a = 0; a < materials_.size(); ++a)
      for (std::size_t b = a; b < materials_.size() && claims.one[a].empty(); ++b)
        if (claims.one[b].empty() && !claims.both.contains({a, b})) return tell_rivals(claims.any, a, b);
  }

  void check_order(const std::string& section, const char* lower, const char* upper) {
    const Json::json_pointer at(section);
    if (!scene_.contains(at)) return;
    const Json &low = scene_.at(at).at(lower), &high = scene_.at(at).at(upper);
    for (std::size_t k = 0; k < low.size(); ++k)
      if (low[k].get<double>() >= high[k].get<double>()) {
        add(section + "/" + upper, "component " + std::to_string(k) + " is " + high[k].dump() +
                                       "; must be above that of \"" + lower + "\", " + low[k].dump() + ".");
        return;
      }
  }

  void check_gravity_table() {
    const Json::json_pointer at("/gravity/table");
    if (scene_.contains(at)) check_times("/gravity/table", scene_.at(at));
  }

  void check_times(const std::string& pointer, const Json& table) {
    for (std::size_t i = 1; i < table.size(); ++i) {
      const Json &before = table[i - 1].at("time"), &time = table[i].at("time");
      if (time.get<double>() > before.get<double>()) continue;
      add(pointer_to(pointer, i) + "/time",
          time.dump() + " s is not after the " + before.dump() +
              " s of the row before. Give the rows in order of time, each time once.");
    }
  }

  void check_fluid() {
    const Json& damping = scene_.at("damping");
    if (damping.contains("fluid_velocity") && damping.at("linear").get<double>() == 0)
      add("/damping/fluid_velocity",
          "the fluid drags nothing while \"linear\" is 0. Give \"linear\", the drag per velocity [N s/m], or remove "
          "\"fluid_velocity\".");
  }

  static constexpr double kLongest = 1e30;  ///< [m]
  /// Largest number of faults of one kind to report.
  static constexpr std::size_t kEnough = 100;

  const Json& scene_;
  std::vector<std::string> materials_, shapes_, entries_;  ///< names; entries are those of `bodies`
  std::map<const std::vector<std::string>*, std::unordered_set<std::string>>
      known_;  ///< sets of these names for searching
  std::vector<Fault> faults_;
  std::set<std::size_t> rivals_told_;
};

}  // namespace

std::vector<Fault> cross_check(const Json& document) { return CrossChecker(document).check(); }

}  // namespace scree
