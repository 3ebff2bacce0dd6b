#include <algorithm>
#include <map>

#include "scree/scene/detail/reading.hpp"

namespace scree {

namespace {

class CrossChecker {
 public:
  explicit CrossChecker(const Json& scene)
      : scene_(scene), materials_(keys_of("materials")), shapes_(keys_of("shapes")) {}

  std::vector<Fault> check() {
    const Json& bodies = scene_.at("bodies");
    for (std::size_t i = 0; i < bodies.size(); ++i) check_bodies(pointer_to("/bodies", i), bodies[i]);
    check_body_names(bodies);
    const Json& interactions = scene_.at("interactions");
    for (std::size_t i = 0; i < interactions.size(); ++i)
      check_between(pointer_to("/interactions", i) + "/between", interactions[i].at("between"));
    if (faults_.empty()) check_ambiguity(interactions);
    const Json& bonds = scene_.at("bonds");
    for (std::size_t i = 0; i < bonds.size(); ++i) check_bonds(pointer_to("/bonds", i), bonds[i]);
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

  void check_periodic() {
    for (const auto& [axis, sides] : scene_.at("periodic").items()) {
      const std::string pointer = "/periodic/" + axis;
      if (axis == "z" && scene_.at("dimension") == 2)
        add(pointer, "a scene in 2 dimensions lies in x and y. Remove \"z\".");
      if (!(sides[0].get<double>() < sides[1].get<double>()))
        add(pointer, sides.dump() + " is out of order: give the lower side first, then the upper one [m].");
    }
  }

  bool check_name(const std::string& pointer, const std::string& kind, const std::string& name,
                  const std::vector<std::string>& known) {
    if (std::find(known.begin(), known.end(), name) != known.end()) return true;
    add(pointer,
        "unknown " + kind + " \"" + name + "\"." + suggestion(name, known) + " Defined: " + listed(known) + ".");
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
    if (driven) check_motion(pointer + "/motion", bodies.at("motion"));
    const Json& held = bodies.at("held");
    for (std::size_t i = 0; i < held.size(); ++i) {
      const std::string part = pointer_to(pointer + "/held", i);
      check_order(part, "lower", "upper");
      if (held[i].contains("motion")) check_motion(part + "/motion", held[i].at("motion"));
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

  void check_motion(const std::string& pointer, const Json& motion) {
    const double start = motion.at("start");
    if (motion.contains("stop") && motion.at("stop").get<double>() < start)
      add(pointer + "/stop",
          motion.at("stop").dump() + " s is before the start at " + motion.at("start").dump() + " s.");
  }

  void check_body_names(const Json& bodies) {
    std::map<std::string, std::size_t> first;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const std::string name = bodies[i].value("name", "bodies" + std::to_string(i));
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
    std::vector<std::string> entries;
    const Json& bodies = scene_.at("bodies");
    for (std::size_t i = 0; i < bodies.size(); ++i)
      entries.push_back(bodies[i].value("name", "bodies" + std::to_string(i)));
    const Json& between = bonds.at("between");
    for (std::size_t k = 0; k < between.size(); ++k)
      check_name(pointer_to(pointer + "/between", k), "entry of bodies", between[k], entries);
    if (bonds.at("pairs") != "faces") return;
    for (const char* key : {"gap", "radius"})
      if (bonds.contains(key) && bonds.at(key) != 0)
        add(pointer + "/" + key, std::string("\"") + key +
                                     "\" is for bodies that touch; faces have a size of their own. Remove it, or say "
                                     "\"pairs\": \"touching\".");
    if (between[0] != between[1])
      add(pointer + "/between",
          "faces are shared within one packing. Name one entry twice, or say \"pairs\": \"touching\".");
  }

  /// Two interactions that suit a pair of materials equally well.
  void check_ambiguity(const Json& interactions) {
    for (std::size_t a = 0; a < materials_.size(); ++a)
      for (std::size_t b = a; b < materials_.size(); ++b) check_pair(interactions, materials_[a], materials_[b]);
  }

  void check_pair(const Json& interactions, const std::string& a, const std::string& b) {
    int best = -1;
    std::vector<std::size_t> winners;
    for (std::size_t i = 0; i < interactions.size(); ++i) {
      const int rank = specificity(interactions[i].at("between"), a, b);
      if (rank > best) winners.clear();
      best = std::max(best, rank);
      if (rank >= 0 && rank == best) winners.push_back(i);
    }
    if (winners.size() < 2) return;
    const std::string pointer = pointer_to("/interactions", winners[1]) + "/between";
    const bool told = std::any_of(faults_.begin(), faults_.end(), [&](const Fault& f) { return f.pointer == pointer; });
    if (!told)
      add(pointer, "fits the materials \"" + a + "\" and \"" + b + "\" as well as " +
                       pointer_to("/interactions", winners[0]) +
                       " does. Remove one, or name both materials in one of them.");
  }

  /// Number of materials named outright, or -1 when the interaction does not apply.
  static int specificity(const Json& between, const std::string& a, const std::string& b) {
    const std::string x = between[0], y = between[1];
    const auto suits = [](const std::string& name, const std::string& material) {
      return name == "*" || name == material;
    };
    if (!(suits(x, a) && suits(y, b)) && !(suits(x, b) && suits(y, a))) return -1;
    return (x != "*") + (y != "*");
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
    if (!scene_.contains(at)) return;
    const Json& table = scene_.at(at);
    for (std::size_t i = 1; i < table.size(); ++i) {
      const Json &before = table[i - 1].at("time"), &time = table[i].at("time");
      if (time.get<double>() > before.get<double>()) continue;
      add(pointer_to("/gravity/table", i) + "/time",
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

  const Json& scene_;
  std::vector<std::string> materials_, shapes_;
  std::vector<Fault> faults_;
};

}  // namespace

std::vector<Fault> cross_check(const Json& document) { return CrossChecker(document).check(); }

}  // namespace scree
