#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "conformance/encounter.hpp"
#include "conformance/trial_scene.hpp"
#include "scree/base/error.hpp"
#include "scree/shape/facets.hpp"

namespace scree::conformance {

namespace {

/// Returns the shapes that can move, those of few spheres first: most methods take these.
std::vector<Figure> movers(const Registry& registry, int dimension) {
  std::vector<Figure> all = figures(registry, dimension);
  std::erase_if(all, [](const Figure& f) { return !f.free || !f.shape->traits().driven_by.empty(); });
  std::ranges::stable_sort(all, [](const Figure& one, const Figure& other) {
    const auto rank = [](const Figure& f) {
      return facet<SphereSet>(*f.shape) ? facet<SphereSet>(*f.shape)->radii().size() : 1000;
    };
    return rank(one) < rank(other);
  });
  return all;
}

Json body(const std::string& name, const std::string& shape, const Vec3& position, const Vec3& velocity,
          int dimension) {
  const auto list = [&](const Vec3& v) { return dimension == 2 ? Json{v.x(), v.y()} : Json{v.x(), v.y(), v.z()}; };
  return {{"name", name},
          {"shape", shape},
          {"material", "grain"},
          {"position", list(position)},
          {"velocity", list(velocity)}};
}

Json frame(int dimension) {
  return {{"dimension", dimension},
          {"materials", {{"grain", {{"density", 1000}, {"youngs_modulus", 1e7}, {"poisson_ratio", 0.3}}}}},
          {"output", {{"writers", Json::array()}}},
          {"run", {{"duration", 1e-3}}}};
}

/// Returns places around an obstacle at which bodies just do not touch it, and the direction out from it there.
std::vector<std::pair<Vec3, Vec3>> places_beside(const Shape& obstacle, double radius, int dimension) {
  std::vector<std::pair<Vec3, Vec3>> places;
  const auto* field = facet<SignedDistance>(obstacle);
  if (field == nullptr) return places;
  Draws draws(11);
  for (int tries = 0; tries < 200 && places.size() < 60; ++tries) {
    const Vec3 ray = draws.direction(dimension);
    double previous = 0;
    for (double s = 0; s < 1; s += radius / 20) {
      const Vec3 p = s * ray;
      double distance;
      Vec3 out;
      field->distance({&p, 1}, {&distance, 1}, {&out, 1});
      const double over = distance - 1.02 * radius;
      const bool there = s > 0 && previous * over <= 0 && out.allFinite();
      previous = over;
      const bool room = std::ranges::all_of(places, [&](const auto& q) { return (q.first - p).norm() > 2.1 * radius; });
      if (there && room) places.emplace_back(p, out);
    }
  }
  return places;
}

/// Searches for scenes, then fills them.
class Search {
 public:
  Search(const Registry& registry, const std::string& kind, const std::string& name)
      : registry_(registry), trial_{kind, name, {}, "scene.json", "", ""}, plugin_(plugin_of(kind, name)) {}

  /// Finds the first scene that is not refused.
  void find();
  TrialScene filled(int steps) const;

 private:
  /// Shapes of the bodies.
  struct Company {
    Json a, b;
    bool fixed;  ///< b does not move
  };
  std::vector<Company> companies(int dimension) const;
  /// Finds scenes of one dimension. \return true if one was found
  bool find_in(int dimension);
  bool find_for(const Company& company, const Json& detector, int dimension);
  bool find_with(Json scene);
  bool try_this(const Json& scene);
  bool is(const char* kind) const { return trial_.kind == kind; }
  std::vector<Json> choices(const char* kind) const {
    return is(kind) ? examples(registry_, kind, trial_.name) : examples(registry_, kind);
  }
  /// Checks whether a method is of the tested plugin: its faults would be found more than once.
  bool beside(const char* kind, const Json& options) const {
    return !is(kind) && plugin_of(kind, options["type"]) == plugin_;
  }
  std::string plugin_of(const std::string& kind, const std::string& name) const {
    for (const FactoryInfo& info : registry_.list())
      if (info.kind == kind && info.name == name) return info.plugin;
    return "";
  }
  std::vector<Json> laws() const;
  std::vector<Json> integrators() const;
  Json around_obstacle() const;
  Json cloud() const;

  const Registry& registry_;
  TrialScene trial_;
  std::string plugin_, refused_;
  std::vector<Json> laws_, integrators_;  ///< to try
  double radius_ = 0, largest_ = 0;       ///< radius and largest radius of the bodies [m]
  double dt_ = 0;
  double unit_of_time_ = 0;  ///< speeds are made by it [s]
};

void Search::find() {
  trial_.pointer = is("shape")        ? "/shapes/b"
                   : is("detector")   ? "/interactions/0/detector"
                   : is("law")        ? "/interactions/0/law"
                   : is("integrator") ? "/integrator"
                   : is("packing")    ? "/bodies/0/packing"
                   : is("bond-law")   ? "/bonds/0/law"
                                      : "/hooks/0";
  for (const int dimension : {3, 2})
    if (find_in(dimension)) return;
  throw InputError(refused_.empty() ? "nothing that is loaded goes with it." : refused_);
}

std::vector<Search::Company> Search::companies(int dimension) const {
  std::vector<Company> list;
  std::vector<Figure> free = movers(registry_, dimension);
  std::ranges::stable_sort(free, {}, [&](const Figure& f) { return beside("shape", f.options); });
  if (free.empty()) return list;
  if (is("shape")) {
    for (const Figure& own : figures(registry_, dimension, trial_.name))
      list.push_back({own.free ? own.options : free.front().options, own.options, !own.free});
  } else if (is("detector")) {
    const DetectorTraits traits =
        registry_.detector(trial_.name)(made_of(registry_, "detector", choices("detector").front()))->traits();
    if (traits.dimension != 0 && traits.dimension != dimension) return list;
    for (const Figure& a : free)
      for (const Figure& b : figures(registry_, dimension))
        if (fits(traits, *a.shape, *b.shape)) list.push_back({a.options, b.options, !b.free});
    std::ranges::stable_sort(list, {}, [](const Company& c) { return c.a == c.b ? 0 : c.fixed ? 2 : 1; });
  } else {
    for (const Figure& figure : free) list.push_back({figure.options, figure.options, false});
  }
  return list;
}

bool Search::find_in(int dimension) {
  laws_ = laws(), integrators_ = integrators();
  for (const Company& company : companies(dimension))
    for (const Json& detector : is("detector") ? choices("detector") : std::vector<Json>{"auto"})
      if (find_for(company, detector, dimension)) return true;
  return false;
}

bool Search::find_for(const Company& company, const Json& detector, int dimension) {
  for (const Json& law : laws_)
    for (const Json& integrator : integrators_) {
      Json scene = frame(dimension);
      scene["shapes"] = {{"a", company.a}, {"b", company.b}};
      scene["bodies"] = {body("a", "a", Vec3(3, 0, 0), Vec3::Zero(), dimension),
                         body("b", "b", Vec3::Zero(), Vec3::Zero(), dimension)};
      if (company.fixed) {
        scene["bodies"][1]["fixed"] = true;
        scene["bodies"][1].erase("velocity");
      }
      scene["interactions"] = Json::array({{{"between", {"*", "*"}}, {"detector", detector}, {"law", law}}});
      if (is("detector") && company.a != company.b) {  // it need not take two of a kind
        scene["materials"]["other"] = scene["materials"]["grain"];
        scene["bodies"][1]["material"] = "other";
        scene["interactions"][0]["between"] = {"grain", "other"};
        for (const char* alone : {"grain", "other"})
          scene["interactions"].push_back({{"between", {alone, alone}}, {"law", "none"}});
      }
      scene["integrator"] = integrator;
      scene["integrator"]["dt"] = 1e-7;
      if (find_with(std::move(scene))) return true;
      if (is("packing")) return false;  // where bodies lie has nothing to do with laws and integrators
    }
  return false;
}

/// Returns laws, compliant ones first, which most methods are made for.
std::vector<Json> Search::laws() const {
  std::vector<Json> list = choices("law");
  std::ranges::stable_sort(list, {}, [&](const Json& law) {
    const Json faces = schema_of(registry_, "law", law["type"]).value("x-scree-faces", Json::array());
    return 10 * beside("law", law) + (std::ranges::find(faces, Json(std::string(ForceFace::kName))) == faces.end());
  });
  return list;
}

/// Returns integrators, those that need forces first, and the simplest of them in front.
std::vector<Json> Search::integrators() const {
  std::vector<Json> list = choices("integrator");
  std::ranges::stable_sort(list, {}, [&](const Json& integrator) {
    const auto traits =
        registry_.integrator(integrator["type"])(made_of(registry_, "integrator", integrator))->traits();
    const int rank = traits.face != ForceFace::kName ? 2 : traits.evaluates_once ? 0 : 1;
    return 10 * beside("integrator", integrator) + rank;
  });
  return list;
}

/// Tries a scene, with additions for bodies and for the run.
bool Search::find_with(Json scene) {
  if (is("packing")) {
    scene["bodies"][0].erase("position");
    scene["bodies"][0].erase("velocity");
  }
  if (is("bond-law")) scene["bodies"][0]["position"][0] = 1e-3;
  if (!is("packing") && !is("modifier") && !is("observer") && !is("bond-law")) return try_this(scene);
  for (const Json& options : choices(trial_.kind.c_str())) {
    if (is("packing")) scene["bodies"][0]["packing"] = options;
    if (is("modifier") || is("observer")) scene["hooks"] = Json::array({options});
    if (is("bond-law"))
      scene["bonds"] = Json::array({{{"between", {"a", "b"}}, {"pairs", "touching"}, {"gap", 1}, {"law", options}}});
    if (try_this(scene)) return true;
  }
  return false;
}

bool Search::try_this(const Json& scene) {
  try {
    const Made one = made(registry_, trial_, scene);
    const World& world = *one.prepared->world;
    radius_ = 1e300;
    double lightest = 1e300, duration = 1e300;
    largest_ = 0;
    for (const double r : world.radius.read())
      if (std::isfinite(r)) radius_ = std::min(radius_, r), largest_ = std::max(largest_, r);
    for (const double m : world.mass.read())
      if (m > 0) lightest = std::min(lightest, m);
    for (const Interaction& i : one.prepared->methods.interactions)
      if (i.force) duration = std::min(duration, i.force->contact_duration(lightest / 2, radius_ / 2));
    const bool far = std::ranges::any_of(one.prepared->methods.interactions,
                                         [](const Interaction& i) { return i.law && i.law->range() > 0; });
    unit_of_time_ = duration < 1e299 ? duration / 50 : 1e-4;
    dt_ = far ? unit_of_time_ / 20 : unit_of_time_;
    trial_.scene = scene;
    return true;
  } catch (const InputError& e) {
    const std::string text = e.what();
    // No other scene changes the guard's findings on the method itself.
    if (text.find(fmt::format("{} \"{}\" (plugin {})", trial_.kind, trial_.name, plugin_)) != std::string::npos) throw;
    if (refused_.empty()) refused_ = text;
    return false;
  }
}

Json Search::around_obstacle() const {
  const int dimension = trial_.scene["dimension"];
  const Json& options = trial_.scene["shapes"]["b"];
  const auto shape = registry_.shape(options["type"])(made_of(registry_, "shape", options), ShapeContext{dimension});
  Json bodies = Json::array({trial_.scene["bodies"][1]});
  for (const auto& [place, out] : places_beside(*shape, radius_, dimension))
    bodies.push_back(
        body(fmt::format("a{}", bodies.size()), "a", place, -0.004 * radius_ / unit_of_time_ * out, dimension));
  return bodies;
}

/// Returns a lattice that shrinks by its gaps within 20 steps, a little askew.
Json Search::cloud() const {
  const int dimension = trial_.scene["dimension"], side = dimension == 3 ? 8 : 24;
  const double gap = 0.1, spacing = (2 + gap) * largest_;
  Draws draws(1);
  Json bodies = Json::array();
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      for (int k = 0; k < (dimension == 3 ? side : 1); ++k) {
        const Vec3 cell(i - side / 2, j - side / 2, dimension == 3 ? k - side / 2 : 0);
        const Vec3 place = spacing * cell + 0.02 * radius_ * draws.direction(dimension);
        const Vec3 velocity = -gap / (2 + gap) / (20 * unit_of_time_) * place;
        const std::string name = bodies.size() < 2 ? bodies.empty() ? "a" : "b" : fmt::format("g{}", bodies.size());
        const bool second = (i + j + k) % 2 != 0;
        bodies.push_back(body(name, second ? "b" : "a", place, velocity, dimension));
        if (second) bodies.back()["material"] = trial_.scene["bodies"][1]["material"];
      }
  return bodies;
}

TrialScene Search::filled(int steps) const {
  TrialScene full = trial_;
  if (steps == 0) return full;
  Json& scene = full.scene;
  scene["integrator"]["dt"] = dt_;
  scene["run"]["duration"] = dt_ * steps;
  scene["output"]["checkpoint_interval"] = dt_ * (steps / 2);
  if (scene.contains("hooks")) scene["hooks"][0]["interval"] = dt_ * 10;
  const bool fixed = scene["bodies"][1].value("fixed", false);
  if (!is("packing")) scene["bodies"] = fixed ? around_obstacle() : cloud();
  full.alone = !fixed && !is("packing") && !is("modifier") && !is("observer");
  full.text = fmt::format("{} bodies in {}D, shape {}, law {}, integrator {}, {} steps", scene["bodies"].size(),
                          scene["dimension"].get<int>(), scene["shapes"]["b"]["type"].get<std::string>(),
                          scene["interactions"][0]["law"]["type"].get<std::string>(),
                          scene["integrator"]["type"].get<std::string>(), steps);
  return full;
}

}  // namespace

TrialScene small_scene(const Registry& registry, const std::string& kind, const std::string& name, int steps) {
  Search search(registry, kind, name);
  search.find();
  return search.filled(steps);
}

}  // namespace scree::conformance
