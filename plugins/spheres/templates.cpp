#include "templates.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <numbers>
#include <string_view>
#include <utility>

#include "scree/base/computable.hpp"
#include "scree/base/error.hpp"
#include "scree/base/text_lines.hpp"

namespace scree::spheres {

namespace {

/// A disc on an arm: distance from the centre, radius.
using OnArm = std::pair<double, double>;

Spheres cross(double middle, const std::vector<OnArm>& arm) {
  Spheres s;
  s.centres.push_back(Vec3::Zero());
  s.radii.push_back(middle);
  for (int k = 0; k < 4; ++k) {
    const double angle = std::numbers::pi / 8 + k * std::numbers::pi / 2;
    for (const auto& [distance, radius] : arm) {
      s.centres.push_back(distance * Vec3(std::cos(angle), std::sin(angle), 0));
      s.radii.push_back(radius);
    }
  }
  return s;
}

Spheres tetrapod() {
  Spheres s;
  s.centres.push_back(Vec3::Zero());
  for (const Vec3& corner : {Vec3(1, 1, 1), Vec3(1, -1, -1), Vec3(-1, 1, -1), Vec3(-1, -1, 1)})
    s.centres.push_back(0.6 * corner.normalized());
  s.radii.assign(5, 0.4);
  return s;
}

const std::map<std::string, Spheres>& built_in() {
  static const std::map<std::string, Spheres> all = {
      {"cross-9", cross(0.368, {{0.501, 0.270}, {0.751, 0.233}})},
      {"cross-17", cross(0.344, {{0.394, 0.248}, {0.550, 0.262}, {0.680, 0.247}, {0.799, 0.197}})},
      {"tetrapod", tetrapod()},
  };
  return all;
}

/// One line "x y z r".
void read_sphere(TextLines& line, Spheres& spheres) {
  std::vector<std::string_view> words;
  for (std::string_view word = line.word(); !word.empty(); word = line.word()) words.push_back(word);
  if (words.size() != 4) line.fail(fmt::format("{} values; a sphere has four: x y z r.", words.size()));
  constexpr const char* kColumns[] = {"x", "y", "z", "r"};
  double value[4];
  for (std::size_t k = 0; k < 4; ++k) {
    const auto number = parse_number<double>(words[k]);
    if (!number) line.fail(fmt::format("{} is \"{}\", not a finite number.", kColumns[k], words[k]));
    value[k] = *number;
  }
  if (!(value[3] > 0)) line.fail(fmt::format("the radius is {:g}; it must be above 0.", value[3]));
  spheres.centres.emplace_back(value[0], value[1], value[2]);
  spheres.radii.push_back(value[3]);
}

Spheres read_file(const Options& options) {
  const std::filesystem::path file = options.file("file");
  std::ifstream in(file);
  return read_spheres(in, file.string());
}

Spheres read_list(const Options& options) {
  Spheres s;
  for (const Options& sphere : options.objects("spheres")) {
    s.centres.push_back(sphere.vector("position"));
    s.radii.push_back(sphere.number("radius"));
  }
  return s;
}

/// The option that gives the spheres: one of three.
std::string source_of(const Options& options) {
  std::vector<std::string> given;
  for (const char* key : {"spheres", "file", "template"})
    if (options.has(key)) given.emplace_back(key);
  if (given.size() == 1) return given[0];
  throw OptionError("", given.empty()
                            ? "the clump has no spheres; give \"spheres\", \"file\" or \"template\"."
                            : fmt::format("both \"{}\" and \"{}\" give the spheres of the clump; keep one of them.",
                                          given[0], given[1]));
}

void require_plane(const Spheres& spheres, const std::string& source) {
  for (std::size_t k = 0; k < spheres.radii.size(); ++k)
    if (spheres.centres[k][2] != 0)
      throw OptionError("/" + source, fmt::format("sphere {} lies at z = {:.6g}; the discs of a 2D scene lie at z = 0. "
                                                  "Set z to 0, or /dimension to 3.",
                                                  k + 1, spheres.centres[k][2]));
}

void require_computable(const Spheres& spheres, const std::string& source) {
  for (std::size_t k = 0; k < spheres.radii.size(); ++k) {
    const Vec3& c = spheres.centres[k];
    if (!(c.cwiseAbs().maxCoeff() <= kLargestComputable) || !(spheres.radii[k] <= kLargestComputable))
      throw OptionError(
          "/" + source,
          fmt::format("sphere {} has its centre at [{:.6g}, {:.6g}, {:.6g}] m and a radius of {:.6g} m; up to "
                      "{:g} m can be computed with. Look for a wrong unit or exponent.",
                      k + 1, c[0], c[1], c[2], spheres.radii[k], kLargestComputable));
  }
}

}  // namespace

Spheres read_spheres(std::istream& in, const std::string& name) {
  Spheres s;
  TextLines lines(in, name, '#');
  while (lines.next()) read_sphere(lines, s);
  if (s.radii.empty()) lines.fail("has no spheres; expected lines \"x y z r\".");
  return s;
}

std::vector<std::string> template_names() {
  std::vector<std::string> names;
  for (const auto& [name, spheres] : built_in()) names.push_back(name);
  return names;
}

Spheres built_in_template(const std::string& name) { return built_in().at(name); }

Spheres clump_spheres(const Options& options, int dimension) {
  const std::string source = source_of(options);
  Spheres s = source == "file"       ? read_file(options)
              : source == "template" ? built_in_template(options.text("template"))
                                     : read_list(options);
  if (dimension == 2) require_plane(s, source);
  const double scale = options.number("scale");
  for (Vec3& c : s.centres) c *= scale;
  for (double& r : s.radii) r *= scale;
  require_computable(s, source);
  return s;
}

}  // namespace scree::spheres
