#include "cli/scene_templates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "new_scene_templates.hpp"
#include "scree/base/error.hpp"

namespace scree::cli {

namespace {

using std::numbers::pi;

constexpr double kGravity = 9.81;  ///< [m/s^2]

/// Number of grains whose weight presses one contact by a diameter.
constexpr double kStiffness = 2e4;

/// Numbers of a scene by their names in its text.
class Numbers {
 public:
  void set(const std::string& name, double value) { texts_[name] = fmt::format("{:.4g}", value); }
  void count(const std::string& name, double value) { texts_[name] = fmt::format("{:.0f}", value); }

  /// Returns the text with every @name@ replaced.
  std::string filled(const std::string& text) const {
    std::string result;
    for (std::size_t at = 0;;) {
      const std::size_t begin = text.find('@', at), end = text.find('@', begin + 1);
      result += text.substr(at, begin - at);
      if (begin == std::string::npos) return result;
      result += texts_.at(text.substr(begin + 1, end - begin - 1));
      at = end + 1;
    }
  }

 private:
  std::map<std::string, std::string> texts_;
};

/// Length of a bin as wide as high, filled with loose grains [diameters].
double side_of(int grains) { return std::cbrt(grains * pi / 6 / 0.55); }

void fill_hopper(Numbers& n, int grains, double d) {
  const double bin = d * std::max(4.5, 0.62 * side_of(grains)), outlet = d * std::max(2.5, 0.5 * bin / d);
  const double cone = bin - outlet, pour = bin - 1.2 * d, speed = 4.5 * std::sqrt(kGravity * d), pour_length = 4 * d;
  const double filled = grains * pi / 6 * d * d * d / 0.5 / (pi * bin * bin);  // height
  const double height = filled + pour_length + 2 * d, rate = 0.23 * pi * pour * pour * speed / (d * d * d);
  const double open = grains / rate + std::sqrt(2 * height / kGravity) + 8 * std::sqrt(d / kGravity);
  // Beverloo et al. 1961 for the flow through an outlet.
  const double flow = 0.67 * std::sqrt(kGravity) * std::pow(2 * outlet - 1.4 * d, 2.5) / (d * d * d);
  n.set("outlet", outlet), n.set("bin", bin), n.set("cone", cone), n.set("height", height), n.set("gate", outlet + d);
  n.set("cone_z", cone / 2), n.set("bin_z", cone + height / 2), n.set("gate_z", -0.6 * d), n.set("below", -4 * d);
  n.set("pour", pour), n.set("pour_length", pour_length), n.set("pour_z", cone + height - pour_length / 2);
  n.set("rate", rate), n.set("speed", speed), n.set("open", open), n.set("duration", open + 0.75 * grains / flow);
}

void fill_drum(Numbers& n, int grains, double d) {
  const double length = 6 * d, spacing = 1.15 * d;
  // A block of grains around the axis, inside of the drum.
  const double count_y = 5;
  const double count_x = std::ceil(std::sqrt(grains / count_y)), count_z = std::ceil(grains / count_y / count_x);
  const double half_x = (count_x - 1) / 2 * spacing, half_z = (count_z - 1) / 2 * spacing;
  const double drum = std::max({5 * d, d * std::sqrt(grains / 7.5), std::hypot(half_x, half_z) + 0.6 * d});
  const double turn = std::sqrt(0.05 * kGravity / drum), start = 2 * std::sqrt(2 * drum / kGravity);
  n.count("count_x", count_x), n.count("count_y", count_y), n.count("count_z", count_z);
  n.count("grains", count_x * count_y * count_z);
  n.set("half_x", half_x), n.set("half_y", (count_y - 1) / 2 * spacing), n.set("half_z", half_z);
  n.set("spacing", spacing), n.set("drum", drum), n.set("length", length), n.set("turn", turn), n.set("start", start);
  n.set("duration", start + pi / turn);
}

void fill_packing(Numbers& n, int grains, double d) {
  const double spacing = 1.15 * d, count = std::max(3., std::round(std::cbrt(grains / 1.5)));
  const double layers = std::ceil(grains / count / count), width = count * spacing;
  n.count("count", count), n.count("layers", layers), n.count("grains", count * count * layers);
  n.set("spacing", spacing), n.set("lower", spacing / 2), n.set("width", width), n.set("middle", width / 2);
  n.set("fall", 2 * std::sqrt(2 * layers * spacing / kGravity));
}

void fill_shear_cell(Numbers& n, int grains, double d, double density) {
  const double spacing = 1.25 * d, count_x = std::max(8., 4 * std::round(std::sqrt(1.6 * grains) / 4));
  const double count_y = std::max(4., std::round(grains / count_x)), width = count_x * spacing;  // a multiple of 5 d
  const double height = count_y * d, speed = 2 * height * std::sqrt(kGravity / d) / 40;
  const double pressure = 50 * density * kGravity * d;
  n.count("count_x", count_x), n.count("count_y", count_y), n.count("grains", count_x * count_y);
  n.count("knobs", std::round(width / d)), n.set("width", width), n.set("spacing", spacing);
  n.set("lower_x", spacing / 2), n.set("top", (count_y + 1) * spacing + d), n.set("speed", speed);
  n.set("stiffness", 1000 * pressure * d);  // overlaps are a thousandth of a diameter
  n.set("pressure", pressure), n.set("force", pressure * width * d), n.set("press", 0.5 * std::sqrt(kGravity * d));
  n.set("pressed", 0.1 * std::sqrt(d / 0.002)), n.set("sheared", 1.5 * height / speed);
}

void fill_chute(Numbers& n, int grains, double d) {
  const double spacing = 1.15 * d, layers = std::max(4., std::round(grains / 40.)), slope = 24;
  n.count("layers", layers), n.count("grains", 40 * layers), n.set("slope", slope), n.set("spacing", spacing);
  n.set("gravity_x", kGravity * std::sin(slope * pi / 180)), n.set("gravity_z", -kGravity * std::cos(slope * pi / 180));
  n.set("length", 10 * d), n.set("width", 6 * d), n.set("rough", 0.3 * d), n.set("lower", 0.6 * d);
  n.set("speed", std::sqrt(kGravity * d)), n.set("depth", (layers + 1) * d);
  n.set("duration", 70 * std::sqrt(d / kGravity)), n.set("steady", 50 * std::sqrt(d / kGravity));
}

/// A bar of twelve cubes whose end sinks by a tenth of its length.
void fill_bonded_beam(Numbers& n, double d, double density) {
  const double length = 12 * d, thick = 2 * d;
  const double bending = density * kGravity * length * length / thick;  // [Pa]
  n.set("length", length), n.set("thick", thick), n.set("end", 0.9 * d);
  n.set("modulus", 15 * bending * length / thick);
}

const char* template_of(const std::string& kind) {
  for (const SceneTemplate& scene : kSceneTemplates)
    if (kind == scene.kind) return scene.text;
  return "";
}

}  // namespace

const std::vector<SceneKind>& scene_kinds() {
  static const std::vector<SceneKind> kinds = {
      {"hopper", "grains run out of a conical hopper, and are counted", 500},
      {"drum", "grains in a drum that turns", 500},
      {"packing", "grains fall into a box and come to rest", 1000},
      {"shear-cell", "discs between rough plates, under constant pressure", 300},
      {"bonded-beam", "a bar of bonded elements bends under its weight", 0},
      {"chute", "grains flow down a rough chute, with profiles over its depth", 400},
  };
  return kinds;
}

std::string scene_text(const std::string& kind, const SceneChoice& choice) {
  const auto found = std::ranges::find(scene_kinds(), kind, [](const SceneKind& k) { return std::string(k.name); });
  if (found == scene_kinds().end()) {
    std::vector<std::string> known;
    for (const SceneKind& k : scene_kinds()) known.emplace_back(k.name);
    const std::string nearest = nearest_name(kind, known);
    throw InputError(fmt::format("new: unknown kind \"{}\".{} Known: {}. Usage: scree new KIND.", kind,
                                 nearest.empty() ? "" : " Did you mean \"" + nearest + "\"?", fmt::join(known, ", ")));
  }
  const double d = choice.diameter, mass = choice.density * pi / 6 * d * d * d;
  const int grains = choice.grains > 0 ? choice.grains : found->grains;
  Numbers n;
  n.count("grains", grains);
  n.set("diameter", d), n.set("radius", d / 2), n.set("density", choice.density);
  n.set("friction", choice.friction), n.set("restitution", choice.restitution);
  n.set("stiffness", kStiffness * mass * kGravity / d);
  if (kind == "hopper") fill_hopper(n, grains, d);
  if (kind == "drum") fill_drum(n, grains, d);
  if (kind == "packing") fill_packing(n, grains, d);
  if (kind == "shear-cell") fill_shear_cell(n, grains, d, choice.density);
  if (kind == "chute") fill_chute(n, grains, d);
  if (kind == "bonded-beam") fill_bonded_beam(n, d, choice.density);
  return n.filled(template_of(kind));
}

}  // namespace scree::cli
