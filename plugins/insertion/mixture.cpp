#include "mixture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "scree/base/error.hpp"
#include "scree/shape/facets.hpp"

namespace scree::insertion {

namespace {

/// Share of bodies smaller than those that the time step is judged by: distributions may reach far down.
constexpr double kRare = 1e-3;

template <class Entries>
std::uint32_t index_of(const std::string& pointer, const char* what, const std::string& name, const Entries& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.push_back(entry.name);
  const auto at = std::ranges::find(names, name);
  if (at == names.end())
    throw OptionError(pointer,
                      fmt::format("there is no {} \"{}\". The scene has: {}.", what, name, fmt::join(names, ", ")));
  return static_cast<std::uint32_t>(at - names.begin());
}

void check_table(const ScaleDef& def) {
  for (std::size_t i = 1; i < def.sizes.size(); ++i)
    if (!(def.sizes[i] > def.sizes[i - 1]))
      throw OptionError(fmt::format("/scale/sizes/{}", i),
                        fmt::format("{} is not above the size before it, {}. Give the sizes in ascending order.",
                                    def.sizes[i], def.sizes[i - 1]));
  const std::size_t sizes = def.sizes.size(), shares = def.fractions.size();
  if (shares != sizes && shares + 1 != sizes)
    throw OptionError("/scale/fractions",
                      fmt::format("{} fractions for {} sizes. Give as many, or one fewer.", shares, sizes));
  if (!(*std::ranges::max_element(def.fractions) > 0)) throw OptionError("/scale/fractions", "all are 0.");
}

}  // namespace

ScaleDef read_scale(const Options& options) {
  ScaleDef def;
  if (!options.has("scale")) return def;
  const Options value = options.object("scale");
  if (value.is_number()) {
    def.sizes = {value.as_number()};
    return def;
  }
  def.by_mass = value.text("by") == "mass";
  const std::string type = value.text("type");
  if (type == "lognormal") {
    def.lognormal = {value.number("median"), value.number("sigma"), value.number("cutoff")};
    return def;
  }
  def.sizes = type == "uniform" ? std::vector{value.number("lower"), value.number("upper")} : value.numbers("sizes");
  def.fractions = type == "uniform" ? std::vector{1.0} : value.numbers("fractions");
  check_table(def);
  return def;
}

Mixture::Mixture(const Options& options, const World& world)
    : dimension_(world.dimension()), sizes_(read_scale(options), world.dimension()) {
  material_ = index_of("/material", "material", options.text("material"), world.materials());
  const Options shape = options.object("shape");
  if (shape.is_string())
    add_shape(options, 0, shape.as_text(), world);
  else
    for (const Options& name : options.objects("shape")) add_shape(options, shapes_.size(), name.as_text(), world);
  std::vector<double> shares;
  if (options.has("shares")) shares = options.numbers("shares");
  if (!shares.empty() && shares.size() != shapes_.size())
    throw OptionError("/shares",
                      fmt::format("{} shares for {} shapes. Give one per shape.", shares.size(), shapes_.size()));
  if (!shares.empty() && !(*std::ranges::max_element(shares) > 0))
    throw OptionError("/shares", "all are 0. Give one above 0.");
  const bool by_mass = options.text("by") == "mass";
  shares_.emplace(shares, by_mass ? masses_ : std::vector<double>{}, shapes_.size());
}

void Mixture::add_shape(const Options& options, std::size_t number, const std::string& name, const World& world) {
  const std::string pointer = options.object("shape").is_string() ? "/shape" : fmt::format("/shape/{}", number);
  const std::uint32_t index = index_of(pointer, "shape", name, world.shapes());
  const Shape& shape = *world.shapes()[index].shape;
  const MaterialEntry& material = world.materials()[material_];
  const double mass = shape.mass(material.density).mass;
  if (const std::string_view immobile = shape.traits().immobile; !immobile.empty())
    throw OptionError(pointer, fmt::format("shape \"{}\" cannot move freely: {}", name, immobile));
  if (!(mass > 0) || !std::isfinite(shape.bounding_radius()))
    throw OptionError(pointer,
                      fmt::format("shape \"{}\" of material \"{}\" has mass {} kg, so it cannot move freely. Give "
                                  "the material a positive density, or another shape.",
                                  name, material.name, mass));
  shapes_.push_back(index);
  masses_.push_back(mass);
  radii_.push_back(shape.bounding_radius() + shape.reference_point().norm());
}

Mixture::Body Mixture::at(const std::array<double, 2>& u) const {
  const std::uint32_t k = shares_->at(u[0]);
  const double scale = sizes_.at(u[1]);
  return {shapes_[k], scale, scaled({masses_[k], Vec3::Zero()}, scale, dimension_).mass, scale * radii_[k]};
}

std::vector<MadeKind> Mixture::kinds() const {
  std::vector<MadeKind> kinds;
  for (const std::uint32_t shape : shapes_) kinds.push_back({shape, material_, sizes_.at(kRare), sizes_.largest()});
  return kinds;
}

double Mixture::largest_radius() const { return sizes_.largest() * *std::ranges::max_element(radii_); }

}  // namespace scree::insertion
