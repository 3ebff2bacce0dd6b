#include "values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sums.hpp"

namespace scree::fields {

namespace {

/// A symmetric tensor of sums xx, yy, zz, xy, yz, zx.
Mat3 symmetric(const double* s) {
  Mat3 t;
  t << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  return t;
}

/// Means of a cell over samples.
struct Cell {
  Cell(const double* sums, double samples, int d) : dimension(d) {
    for (std::size_t k = 0; k < kSums; ++k) mean[k] = sums[k] / samples;
  }
  double mean[kSums];
  int dimension;

  double over(double amount, Sum weight) const { return mean[weight] > 0 ? amount / mean[weight] : 0; }
  Vec3 momentum() const { return {mean[kMomentum], mean[kMomentum + 1], mean[kMomentum + 2]}; }
  Vec3 velocity() const { return mean[kMass] > 0 ? Vec3(momentum() / mean[kMass]) : Vec3(Vec3::Zero()); }
  Mat3 kinetic_stress() const {
    Mat3 stress = symmetric(mean + kMotion) - momentum() * velocity().transpose();
    for (int k = 0; k < 3; ++k) stress(k, k) = std::max(0.0, stress(k, k));  // rounding
    return stress;
  }
  Mat3 contact_stress() const {
    Mat3 stress;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) stress(i, j) = mean[kForces + static_cast<std::size_t>(3 * i + j)];
    return stress;
  }
  double trace(const Mat3& t) const { return t(0, 0) + t(1, 1) + (dimension == 3 ? t(2, 2) : 0); }
};

void put(std::vector<double>& to, double x) {
  to.push_back(std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x);  // one NaN of all, for equal files
}
void put(std::vector<double>& to, const Vec3& v) {
  for (int k = 0; k < 3; ++k) put(to, v[k]);
}
void put(std::vector<double>& to, const Mat3& t) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) put(to, t(i, j));
}

using Put = void (*)(const Cell&, std::vector<double>&);

struct Kind {
  const char *name, *unit;
  int components;
  Put put_value;
};

/// All fields, in the order of files; the schema names them too.
const Kind kKinds[] = {
    {"solid_fraction", "", 1, [](const Cell& c, auto& to) { put(to, c.mean[kVolume]); }},
    {"density", "kg/m^3", 1, [](const Cell& c, auto& to) { put(to, c.mean[kMass]); }},
    {"momentum_density", "kg/(m^2 s)", 3, [](const Cell& c, auto& to) { put(to, c.momentum()); }},
    {"velocity", "m/s", 3, [](const Cell& c, auto& to) { put(to, c.velocity()); }},
    {"temperature", "m^2/s^2", 1,
     [](const Cell& c, auto& to) { put(to, c.over(c.trace(c.kinetic_stress()) / c.dimension, kMass)); }},
    {"pressure", "Pa", 1,
     [](const Cell& c, auto& to) { put(to, c.trace(c.contact_stress() + c.kinetic_stress()) / c.dimension); }},
    {"contact_stress", "Pa", 9, [](const Cell& c, auto& to) { put(to, c.contact_stress()); }},
    {"kinetic_stress", "Pa", 9, [](const Cell& c, auto& to) { put(to, c.kinetic_stress()); }},
    {"boundary_force", "N/m^3", 3,
     [](const Cell& c, auto& to) { put(to, Vec3(c.mean[kBoundary], c.mean[kBoundary + 1], c.mean[kBoundary + 2])); }},
    {"fabric", "", 9,
     [](const Cell& c, auto& to) {
       put(to,
           Mat3(c.mean[kContacts] == 0 ? Mat3(Mat3::Zero()) : Mat3(symmetric(c.mean + kFabric) / c.mean[kContacts])));
     }},
    {"coordination", "", 1, [](const Cell& c, auto& to) { put(to, c.over(c.mean[kEnds], kNumber)); }},
};

}  // namespace

std::vector<GridImage::Field> field_values(std::span<const double> sums, double samples, int dimension,
                                           std::span<const std::string> wanted) {
  std::vector<GridImage::Field> all;
  std::vector<Put> puts;
  const std::size_t cells = sums.size() / kSums;
  for (const Kind& kind : kKinds) {
    if (!wanted.empty() && std::ranges::find(wanted, kind.name) == wanted.end()) continue;
    all.push_back({kind.name, kind.unit, kind.components, {}});
    all.back().value.reserve(cells * static_cast<std::size_t>(kind.components));
    puts.push_back(kind.put_value);
  }
  for (std::size_t k = 0; k < cells; ++k) {
    const Cell cell(&sums[k * kSums], samples, dimension);
    for (std::size_t j = 0; j < all.size(); ++j) puts[j](cell, all[j].value);
  }
  return all;
}

}  // namespace scree::fields
