// The mix matrix: everything that is loaded, in every combination. Shapes, detectors, laws and integrators come from
// the registry and their options from the "examples" of their schemas, so a plugin that somebody adds is in it
// unedited.
//
// Two bodies approach, touch and part. Legal combinations must conserve momentum, not gain energy, not sink in, and not
// give other bits when run again; illegal ones must say in one sentence who lacks what. Where bodies of their shape's
// own size meet, bodies of other sizes ("scale") must do so too, or be refused by the detector's name.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "catalogue.hpp"
#include "mechanics_of.hpp"
#include "scree/shape/facets.hpp"

using namespace scree;
using test::all_plugins;
using test::examples;
using Json = nlohmann::json;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Mix {
  int dimension;
  Json a, b;  ///< shapes; a moves freely
  bool b_fixed = false;
  double scale_a = 1, scale_b = 1;  ///< sizes of the bodies relative to their shapes; b's only where it is free
  Json detector = "auto";
  Json law = {{"type", "linear"}, {"normal_stiffness", 1000}}, integrator = {{"type", "velocity-verlet"}};
};

std::string scene_text(const Mix& mix, double dt) {
  const Json material = {{"density", 1000}, {"youngs_modulus", 1e7}, {"poisson_ratio", 0.3}};
  Json bodies = Json::array();
  bodies.push_back({{"name", "a"}, {"shape", "a"}, {"material", "grain"}});
  bodies.push_back({{"name", "b"}, {"shape", "b"}, {"material", "grain"}, {"fixed", mix.b_fixed}});
  if (mix.scale_a != 1) bodies[0]["scale"] = mix.scale_a;
  if (mix.scale_b != 1) bodies[1]["scale"] = mix.scale_b;
  Json integrator = mix.integrator;
  integrator["dt"] = dt;
  const Json interaction = {{"between", {"*", "*"}}, {"detector", mix.detector}, {"law", mix.law}};
  return Json{{"dimension", mix.dimension},
              {"materials", {{"grain", material}}},
              {"shapes", {{"a", mix.a}, {"b", mix.b}}},
              {"bodies", bodies},
              {"interactions", Json::array({interaction})},
              {"integrator", integrator},
              {"output", {{"writers", Json::array()}}},
              {"run", {{"duration", 1}}}}
      .dump();
}

struct Made {
  Scene scene;
  std::unique_ptr<Prepared> made;
  Prepared& prepared = *made;

  explicit Made(const Mix& mix, double dt = 1e-6)
      : scene(parse_scene("mix.json", scene_text(mix, dt), SceneInputs{schema(), {}, {}})),
        made(prepare(scene, all_plugins())) {}

  static const std::string& schema() {
    static const std::string text = all_plugins().scene_schema();
    return text;
  }
};

/// The refusal of a scene, or "" when it is legal.
std::string refusal(const Mix& mix) {
  try {
    const Made made(mix);
    return "";
  } catch (const InputError& e) {
    return e.what();
  }
}

/// Distance of a place to the surface of b and the direction out of it; b stands at the origin, unturned.
std::pair<double, Vec3> surface_distance(const Shape& b, const Vec3& at) {
  const auto* exact = facet<ExactDistance>(b);
  const SignedDistance* field = exact ? exact : facet<SignedDistance>(b);
  if (!field) {
    const double r = at.norm();
    return {r - b.bounding_radius(), r > 0 ? Vec3(at / r) : Vec3::UnitX()};
  }
  double distance;
  Vec3 gradient;
  field->distance({&at, 1}, {&distance, 1}, {&gradient, 1});
  return {distance, gradient};
}

/// A place at which a body of this radius just does not touch b, and the way out from b there.
std::pair<Vec3, Vec3> place_beside(const Shape& b, double radius, int dimension) {
  // Rays from near the origin, a little askew, so that collisions are oblique and nothing lies on a symmetry.
  for (const double slope : {0.11, 0.53})
    for (int axis = 0; axis < dimension; ++axis)
      for (const double sign : {1.0, -1.0}) {
        Vec3 ray = Vec3::Constant(slope);
        if (dimension == 2) ray.z() = 0;
        ray[axis] = sign;
        ray.normalize();
        double previous = surface_distance(b, Vec3::Zero()).first;
        for (double s = 0; s < 1; s += radius / 50) {
          const auto [distance, out] = surface_distance(b, s * ray);
          const double target = 1.02 * radius;
          if ((previous - target) * (distance - target) <= 0 && s > 0 && out.allFinite()) return {s * ray, out};
          previous = distance;
        }
      }
  throw Error("found no place beside the shape");
}

struct Outcome {
  bool touched = false, parted = false;
  double momentum_error = 0;   ///< of m v of the moving body
  double energy_ratio = 0;     ///< kinetic and of the law at the end, over kinetic at the start
  bool attracts = false;       ///< the law acts across gaps
  bool has_potential = false;  ///< the detector's forces have one with conservative laws
  double overlap_ratio = 0;    ///< largest overlap over the smallest radius
  double touch = 0;            ///< distance of the bodies' centres when they first touch [m]
  double speed_change = 0;     ///< of the lighter body, over the speed of approach
  std::uint64_t hash = 0;
};

/// In place of the duration of a contact [s], where a law gives impulses: any will do.
constexpr double kRigid = 0.1;

Outcome collide(const Mix& mix) {
  Made made(mix);
  // The time step follows from the law, which is only made with a scene.
  double duration = 1e300, smallest = 1e300;
  {
    const World& world = *made.prepared.world;
    const double m0 = world.mass.read()[0], m1 = world.mass.read()[1];
    const double mass = mix.b_fixed ? m0 : 1 / (1 / m0 + 1 / m1);
    for (const double r : world.radius.read()) smallest = std::min(smallest, r);
    for (const Interaction& i : made.prepared.methods.interactions)
      duration = std::min(duration, i.force ? i.force->contact_duration(mass, smallest / 2) : kRigid);
  }
  const double dt = duration / 100, speed = 0.02 * smallest / duration;
  World& world = *made.prepared.world;
  const std::size_t a = *world.row(0), b = *world.row(1);
  const Shape& shape_b = *world.shapes()[world.shape.read()[b]].shape;
  world.position.write()[b] = Vec3::Zero();
  const double radius_a = world.radius.read()[a];
  const auto [place, out] = std::isfinite(world.radius.read()[b]) && !mix.b_fixed
                                ? std::pair(Vec3((radius_a + world.radius.read()[b]) * 1.01 * Vec3(0.98, 0.199, 0)),
                                            Vec3(Vec3(0.98, 0.199, 0)))
                                : place_beside(shape_b, radius_a, mix.dimension);
  world.position.write()[a] = place;
  world.velocity.write()[a] = -speed * out;

  mechanics_of(made.prepared).refresh();
  mechanics_of(made.prepared).pipeline().compute_energy(true);
  const Totals before = totals(world, Vec3::Zero());
  const Vec3 first[2] = {world.velocity.read()[a], world.velocity.read()[b]};
  Outcome o;
  std::size_t apart = 0;
  for (int s = 0; s < 60000 && apart < 20; ++s) {
    made.prepared.methods.integrator->step(mechanics_of(made.prepared), dt);
    world.time = dt * static_cast<double>(++world.step);
    const ContactTotals& counts = mechanics_of(made.prepared).pipeline().counts();
    if (!o.touched && counts.contacts > 0)
      o.touch = (world.position.read()[*world.row(0)] - world.position.read()[*world.row(1)]).norm();
    o.touched = o.touched || counts.contacts > 0;
    apart = o.touched && counts.contacts == 0 ? apart + 1 : 0;
    o.overlap_ratio = std::max(o.overlap_ratio, counts.max_overlap / smallest);
  }
  o.parted = apart > 0;
  const Totals after = totals(world, Vec3::Zero());
  const double scale = world.mass.read()[*world.row(0)] * speed;
  o.momentum_error = mix.b_fixed ? 0 : (after.momentum - before.momentum).norm() / scale;
  o.attracts = std::ranges::any_of(made.prepared.methods.interactions,
                                   [](const Interaction& i) { return i.law && i.law->range() > 0; });
  o.has_potential = made.prepared.methods.detectors[0]->traits().gradient_consistent;
  o.energy_ratio =
      (after.kinetic() + mechanics_of(made.prepared).pipeline().counts().elastic_energy) / before.kinetic();
  for (const Id id : {0, 1})
    o.speed_change = std::max(o.speed_change, (world.velocity.read()[*world.row(id)] - first[id]).norm() / speed);
  o.hash = state_hash(world);
  return o;
}

/// What one dimension offers.
struct Offers {
  std::vector<Json> free, obstacles;
};

/// The integrators' faces that shapes with DrivenBy/1 need: their bodies meet nobody, and are tested by their plugins.
std::set<std::string> driving_faces() {
  std::set<std::string> faces;
  for (const test::Figure& figure : test::figures(2))
    if (const auto* const driven = facet<DrivenBy>(*figure.shape)) faces.insert(std::string(driven->face()));
  return faces;
}

/// Whether the integrator moves such bodies, and no others.
bool drives_its_own(const Json& integrator) {
  const std::string name = integrator["type"];
  const Json options = test::with_defaults(test::schema_of("integrator", name), integrator);
  const auto made = all_plugins().integrator(name)(Options::parse(options.dump()));
  return std::ranges::any_of(driving_faces(), [&](const std::string& face) { return made->face(face) != nullptr; });
}

Offers offers(int dimension) {
  Offers o;
  for (const Json& shape : examples("shape")) {
    const std::string alone = refusal({dimension, shape, shape});
    INFO(shape << " in " << dimension << "D: " << alone);
    if (alone.find("which need one with the face") != std::string::npos) continue;  // driving_faces()
    if (alone.empty() || alone.find("detector") != std::string::npos) {
      o.free.push_back(shape);
    } else if (alone.find("cannot move freely") != std::string::npos) {
      o.obstacles.push_back(shape);
    } else {
      CHECK_THAT(alone, ContainsSubstring("/shapes/a") || ContainsSubstring("\"a\""));
    }
  }
  return o;
}

void check_refusal(const std::string& text, const std::string& detector) {
  CHECK_THAT(text, ContainsSubstring("/interactions/0") && ContainsSubstring("\"" + detector + "\""));
  CHECK_THAT(text, ContainsSubstring("lacks") || ContainsSubstring("it works in"));
  CHECK_THAT(text, ContainsSubstring("Detectors that fit"));
}

void check_face(const std::string& text, const Json& law, const Json& integrator) {
  CHECK_THAT(text, ContainsSubstring("/interactions/0/law") && ContainsSubstring(law["type"].dump()));
  CHECK_THAT(text, ContainsSubstring("has no face") && ContainsSubstring(integrator["type"].dump()));
  CHECK_THAT(text, ContainsSubstring("Laws that fit"));
}

/// A capsule that lies flat over the edges of a hole is held at places that jump when it tilts: its energy has a kink
/// there (plugins/rods/README.md, Limits), which explicit steps cross with an error, and at which no minimum is found.
bool lies_over_a_hole(const Mix& mix) {
  const auto holed = [](const Json& shape) { return shape["type"] == "plate" || shape["type"] == "tube"; };
  return mix.detector["type"] == "segment-faces" && (holed(mix.a) || holed(mix.b));
}

/// \param again  whether the same bits come when it is run again
void check_collision(const Mix& mix, bool again) {
  const bool kinked = lies_over_a_hole(mix);
  if (kinked && mix.integrator["type"] == "variational") return;
  const Outcome c = collide(mix);
  CHECK(c.touched);
  CHECK(c.parted);
  CHECK(c.momentum_error < 1e-11);
  // Without a potential a bond across a gap may be counted once on the way in and twice on the way out.
  CHECK(c.energy_ratio < (c.has_potential && !kinked ? 1.01 : c.attracts ? 1.2 : 1.05));
  CHECK(c.speed_change > 0.1);
  CHECK(c.overlap_ratio < 0.2);
  if (again) CHECK(collide(mix).hash == c.hash);
}

/// Calls use(mix) for every two shapes of a dimension, one of them free, with every detector.
template <class Use>
void for_all_mixes(int dimension, const Use& use) {
  const Offers o = offers(dimension);
  const std::vector<Json> detectors = examples("detector");
  const auto meet = [&](const Json& a, const Json& b, bool b_fixed) {
    Mix mix;
    mix.dimension = dimension;
    mix.a = a;
    mix.b = b;
    mix.b_fixed = b_fixed;
    for (const Json& detector : detectors) {
      mix.detector = detector;
      use(mix);
    }
  };
  for (std::size_t i = 0; i < o.free.size(); ++i) {
    for (std::size_t k = i; k < o.free.size(); ++k) meet(o.free[i], o.free[k], false);
    for (const Json& obstacle : o.obstacles) meet(o.free[i], obstacle, true);
  }
}

/// Laws with the integrators that can use them.
struct Drive {
  Json law, integrator;
  bool picky;  ///< the integrator asks more than a face: of detectors, or of bodies
};

/// The refusal of shapes or a detector by an integrator.
void check_picky(const std::string& text, const Json& integrator) {
  CHECK_THAT(text, ContainsSubstring(integrator["type"].dump()));
  CHECK_THAT(text, ContainsSubstring("overlap is the argument of a potential") ||
                       ContainsSubstring("three equal moments of inertia"));
  CHECK_THAT(text, ContainsSubstring("Choose another"));
}

bool picky(const Mix& mix) {
  const Made made(mix);
  const IntegratorTraits traits = made.prepared.methods.integrator->traits();
  return traits.needs_gradient_consistency || traits.isotropic_inertia_only;
}

/// All that fit; of the others the sentence is checked.
std::vector<Drive> drives() {
  std::vector<Drive> fitting;
  const Json disc = {{"type", "sphere"}, {"radius", 0.01}};
  for (const Json& law : examples("law"))
    for (const Json& integrator : examples("integrator")) {
      if (drives_its_own(integrator)) continue;
      Mix mix;
      mix.dimension = 2;
      mix.a = mix.b = disc;
      mix.law = law;
      mix.integrator = integrator;
      INFO(law << ", " << integrator);
      const std::string refused = refusal(mix);
      if (refused.empty())
        fitting.push_back({law, integrator, picky(mix)});
      else
        check_face(refused, law, integrator);
    }
  return fitting;
}

/// One drive per law: what a detector makes of sizes does not depend on the integrator.
std::vector<Drive> one_per_law(const std::vector<Drive>& all) {
  std::vector<Drive> chosen;
  for (const Drive& d : all)
    if (!d.picky && std::none_of(chosen.begin(), chosen.end(), [&](const Drive& c) { return c.law == d.law; }))
      chosen.push_back(d);
  return chosen;
}

/// The same meeting of bodies larger and smaller than their shapes. \return number of collisions; 0: refused
std::size_t check_scaled(Mix mix, const std::vector<Drive>& drives, bool whole) {
  mix.scale_a = 1.5;
  if (!mix.b_fixed) mix.scale_b = 0.75;
  INFO("scaled by " << mix.scale_a << " and " << mix.scale_b);
  if (const std::string refused = refusal(mix); !refused.empty()) {
    CHECK_THAT(refused, ContainsSubstring("/interactions/0") && ContainsSubstring(mix.detector["type"].dump()) &&
                            ContainsSubstring("it takes bodies of their shape's own size only") &&
                            ContainsSubstring("make a shape of each size instead"));
    return 0;
  }
  if (!mix.b_fixed &&
      whole) {  // similar bodies touch at similar distances, to a step's way, 2e-4 of the smaller radius
    Mix plain = mix, similar = mix;
    plain.scale_a = plain.scale_b = 1;
    similar.scale_b = similar.scale_a;
    CHECK(collide(similar).touch == Approx(mix.scale_a * collide(plain).touch).epsilon(1e-3));
  }
  for (const auto& [law, integrator, picky] : drives) {
    mix.law = law;
    mix.integrator = integrator;
    INFO(law << ", " << integrator);
    check_collision(mix, whole);
  }
  return drives.size();
}

/// For each law the picky integrators and one of the others, by turns from one meeting to the next.
std::vector<Drive> some_of(const std::vector<Drive>& all, std::size_t turn) {
  std::vector<Drive> chosen;
  for (auto from = all.begin(); from != all.end();) {
    const auto to = std::find_if(from, all.end(), [&](const Drive& d) { return d.law != from->law; });
    std::vector<Drive> plain;
    for (auto d = from; d != to; ++d) (d->picky ? chosen : plain).push_back(*d);
    if (!plain.empty()) chosen.push_back(plain[turn++ % plain.size()]);
    from = to;
  }
  return chosen;
}

/// \param whole  every law with every integrator in every meeting; else as some_of()
void check_matrix(int dimension, bool whole) {
  std::size_t legal = 0, illegal = 0, scaled = 0, turn = 0;
  const std::vector<Drive> all_drives = drives(), law_drives = one_per_law(all_drives);
  for_all_mixes(dimension, [&](Mix mix) {
    const std::string refused = refusal(mix), type = mix.detector["type"];
    INFO(fmt::format("{}D: {} against {}{}, {}", dimension, mix.a.dump(), mix.b_fixed ? "fixed " : "", mix.b.dump(),
                     mix.detector.dump()));
    if (refused.find("not seen from everywhere") != std::string::npos) {  // a capsule and a screw
      ++illegal;
      return;
    }
    if (!refused.empty()) {
      ++illegal;
      check_refusal(refused, type);
      return;
    }
    scaled += check_scaled(mix, whole ? law_drives : std::vector{law_drives[turn % law_drives.size()]}, whole);
    for (const auto& [law, integrator, picky] : whole ? all_drives : some_of(all_drives, turn++)) {
      mix.law = law;
      mix.integrator = integrator;
      INFO(law << ", " << integrator);
      if (const std::string also = picky ? refusal(mix) : ""; !also.empty()) {
        ++illegal;
        check_picky(also, integrator);
        continue;
      }
      check_collision(mix, whole || legal % 8 == 0);
      ++legal;
    }
  });
  fmt::print("mix matrix in {}D: {} legal combinations, {} refused, {} with bodies of other sizes than their shapes\n",
             dimension, legal, illegal, scaled);
  CHECK(scaled > 0);
}

}  // namespace

namespace {

/// Examples are written for 3D: in 2D the first number of each vector is left out, so that up stays up.
Json planar(Json options) {
  for (Json& option : options) {
    if (option.is_object()) option = planar(option);
    if (option.is_array() && option.size() == 3 && option[0].is_number()) option.erase(0);
  }
  return options;
}

/// The scene of a mix with a modifier, and with what its options name: a shape, a material, an entry of bodies.
Json scene_with(const Mix& mix, const Json& modifier) {
  Json scene = Json::parse(scene_text(mix, 1e-6));
  Json hook = mix.dimension == 2 ? planar(modifier) : modifier;
  hook["interval"] = 1e-6;
  scene["hooks"] = Json::array({hook});
  if (const Json shape = modifier.value("shape", Json()); shape.is_string()) scene["shapes"][shape] = mix.a;
  if (const Json material = modifier.value("material", Json()); material.is_string())
    scene["materials"][material] = scene["materials"]["grain"];
  if (const Json bodies = modifier.value("bodies", Json()); bodies.is_string())
    scene["bodies"].push_back({{"name", bodies}, {"shape", "a"}, {"material", "grain"}, {"motion", Json::object()}});
  double far = 0;
  for (Json& body : scene["bodies"]) {
    body["position"] = mix.dimension == 2 ? Json{far, 5} : Json{far, 5, 5};
    far += 5;
  }
  scene["domain"] = {{"lower", {-20, -20, -20}}, {"upper", {20, 20, 20}}};
  if (mix.dimension == 2)
    for (const char* end : {"lower", "upper"}) scene["domain"][end].erase(2);
  return scene;
}

/// Some steps with the modifier. \return the refusal, or "" where it ran
std::string run_modified(const Mix& mix, const Json& modifier, std::uint64_t& hash) {
  try {
    const Scene scene = parse_scene("mix.json", scene_with(mix, modifier).dump(), SceneInputs{Made::schema(), {}, {}});
    const auto made = prepare(scene, all_plugins());
    World& world = *made->world;
    mechanics_of(*made).refresh();
    world.take_edits();
    const ContactView none;  // the bodies are apart
    for (int s = 0; s < 5; ++s) {
      for (auto& m : made->modifiers)
        if (m.schedule.due(world.step, scene.dt)) m.modifier->apply(world, &none, mechanics_of(*made));
      made->methods.integrator->edited(world, world.take_edits());
      mechanics_of(*made).refresh();
      made->methods.integrator->step(mechanics_of(*made), scene.dt);
      world.time = scene.dt * static_cast<double>(++world.step);
    }
    hash = state_hash(world);
    return "";
  } catch (const InputError& e) {
    return e.what();
  }
}

/// Every modifier with every law and integrator that go together; shapes and detectors take turns, all of them.
void check_modifiers(int dimension, std::set<std::string>& seen) {
  std::size_t legal = 0, illegal = 0, turn = 0;
  std::vector<Mix> mixes;
  for (const Json& shape : offers(dimension).free) {
    Mix mix;
    mix.dimension = dimension;
    mix.a = mix.b = shape;
    if (refusal(mix).empty()) mixes.push_back(mix);
  }
  const std::vector<Drive> all = drives();
  const std::size_t rounds = std::max<std::size_t>(1, (mixes.size() + all.size() - 1) / all.size());
  for (const Json& modifier : examples("modifier"))
    for (std::size_t round = 0; round < rounds; ++round)
      for (const auto& [law, integrator, picky] : all) {
        Mix mix = mixes[turn++ % mixes.size()];
        mix.law = law;
        mix.integrator = integrator;
        if (picky && !refusal(mix).empty()) continue;  // counted in check_matrix()
        INFO(fmt::format("{}D: {} with {}, {}, {}", dimension, modifier.dump(), mix.a.dump(), law.dump(),
                         integrator.dump()));
        std::uint64_t hash = 0, again = 0;
        if (const std::string refused = run_modified(mix, modifier, hash); !refused.empty()) {
          ++illegal;
          CHECK_THAT(refused, ContainsSubstring("/hooks/0") || ContainsSubstring(modifier["type"].dump()));
          continue;
        }
        ++legal;
        seen.insert(modifier["type"]);
        run_modified(mix, modifier, again);
        CHECK(hash == again);
      }
  fmt::print("modifiers in {}D: {} legal combinations, {} refused\n", dimension, legal, illegal);
  CHECK(legal > 0);
}

}  // namespace

TEST_CASE("the mix matrix: modifiers run with shapes, laws and integrators, what does not fit says why") {
  std::set<std::string> seen;
  for (const int dimension : {2, 3}) check_modifiers(dimension, seen);
  for (const std::string& name : all_plugins().names("modifier")) {
    INFO(name);
    CHECK(seen.contains(name));
  }
}

#ifdef SCREE_WHOLE_MATRIX
TEST_CASE("the whole mix matrix: every legal combination collides soundly, every illegal one says who lacks what") {
  check_matrix(2, true);
  check_matrix(3, true);
}
#else
// Two cases, for two cores.
TEST_CASE("the mix matrix in 2D: shapes with detectors and laws collide soundly, what does not fit says why") {
  check_matrix(2, false);
}

TEST_CASE("the mix matrix in 3D: shapes with detectors and laws collide soundly, what does not fit says why") {
  check_matrix(3, false);
}
#endif

TEST_CASE("the mix matrix leaves no shape, detector, law or integrator out") {
  std::set<std::string> seen;
  for (const int dimension : {2, 3})
    for_all_mixes(dimension, [&](const Mix& mix) {
      if (!refusal(mix).empty()) return;
      for (const Json& shape : {mix.a, mix.b}) seen.insert("shape/" + shape["type"].get<std::string>());
      seen.insert("detector/" + mix.detector["type"].get<std::string>());
    });
  for (const auto& [law, integrator, picky] : drives()) {
    seen.insert("law/" + law["type"].get<std::string>());
    seen.insert("integrator/" + integrator["type"].get<std::string>());
  }
  for (const Json& integrator : examples("integrator"))
    if (drives_its_own(integrator)) seen.insert("integrator/" + integrator["type"].get<std::string>());
  for (const test::Figure& figure : test::figures(2))
    if (facet<DrivenBy>(*figure.shape)) seen.insert("shape/" + figure.options["type"].get<std::string>());
  // The third party's shape included.
  CHECK(seen.count("shape/superellipse") == 1);
  for (const FactoryInfo& info : all_plugins().list()) {
    INFO(info.kind << "/" << info.name);
    if (info.kind == "shape" || info.kind == "detector" || info.kind == "law" || info.kind == "integrator")
      CHECK(seen.count(info.kind + "/" + info.name) == 1);
  }
}
