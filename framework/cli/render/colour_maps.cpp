#include "colour_maps.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

namespace scree::render {

namespace {

/// A colour in Oklab (B. Ottosson, 2020), in polar form: lightness, chroma and hue [degrees].
struct Stop {
  double lightness, chroma, hue;
};

double to_srgb(double linear) {
  linear = std::clamp(linear, 0.0, 1.0);
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

Colour from_oklab(double lightness, double a, double b) {
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3),
               m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3),
               s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {to_srgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          to_srgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          to_srgb(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

Colour colour_of(const Stop& stop) {
  const double angle = stop.hue * std::numbers::pi / 180;
  return from_oklab(stop.lightness, stop.chroma * std::cos(angle), stop.chroma * std::sin(angle));
}

/// Returns a colour between equally spaced stops. Hues go the way that the stops tell.
Colour between(std::span<const Stop> stops, double part) {
  const double at = std::clamp(part, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const std::size_t k = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const double of_next = at - static_cast<double>(k);
  const auto mix = [&](double Stop::*value) { return (1 - of_next) * stops[k].*value + of_next * stops[k + 1].*value; };
  return colour_of({mix(&Stop::lightness), mix(&Stop::chroma), mix(&Stop::hue)});
}

/// Control points of the colour map viridis (S. van der Walt, N. Smith; CC0), equally spaced.
constexpr std::array<Colour, 9> kViridis = {{{0.267, 0.005, 0.329},
                                             {0.279, 0.175, 0.483},
                                             {0.230, 0.322, 0.546},
                                             {0.173, 0.449, 0.558},
                                             {0.128, 0.567, 0.551},
                                             {0.158, 0.684, 0.502},
                                             {0.369, 0.789, 0.383},
                                             {0.678, 0.864, 0.190},
                                             {0.993, 0.906, 0.144}}};

Colour in_viridis(double part) {
  const double at = std::clamp(part, 0.0, 1.0) * (kViridis.size() - 1);
  const std::size_t k = std::min(static_cast<std::size_t>(at), kViridis.size() - 2);
  Colour colour;
  for (std::size_t c = 0; c < 3; ++c)
    colour[c] = std::lerp(kViridis[k][c], kViridis[k + 1][c], at - static_cast<double>(k));
  return colour;
}

constexpr double kGolden = 0.6180339887498949;
double scattered(std::size_t number, double factor) { return std::fmod(factor * static_cast<double>(number), 1.0); }

constexpr Stop kDusk[] = {
    {0.86, 0.050, 232}, {0.76, 0.090, 250}, {0.67, 0.135, 295}, {0.60, 0.175, 345}, {0.54, 0.175, 388}};
constexpr Stop kDawn[] = {
    {0.60, 0.100, 262}, {0.65, 0.130, 315}, {0.71, 0.150, 370}, {0.80, 0.140, 415}, {0.92, 0.140, 460}};
constexpr Stop kEmber[] = {
    {0.90, 0.060, 90}, {0.80, 0.130, 72}, {0.67, 0.170, 50}, {0.53, 0.170, 32}, {0.39, 0.120, 20}};
constexpr Stop kOcean[] = {
    {0.90, 0.050, 190}, {0.78, 0.090, 205}, {0.65, 0.110, 230}, {0.51, 0.120, 252}, {0.37, 0.110, 270}};
constexpr Stop kGrey[] = {{0.88, 0, 0}, {0.32, 0, 0}};
constexpr Stop kCold[] = {{0.42, 0.130, 262}, {0.66, 0.110, 245}, {0.93, 0.010, 240}};
constexpr Stop kWarm[] = {{0.93, 0.010, 40}, {0.68, 0.150, 40}, {0.44, 0.160, 25}};

}  // namespace

const std::vector<std::string>& map_names() {
  static const std::vector<std::string> names = {"dusk", "dawn", "ember", "ocean", "viridis", "grey", "balance"};
  return names;
}

Colour colour_in_map(std::string_view map, double part) {
  if (map == "viridis") return in_viridis(part);
  if (map == "dawn") return between(kDawn, part);
  if (map == "ember") return between(kEmber, part);
  if (map == "ocean") return between(kOcean, part);
  if (map == "grey") return between(kGrey, part);
  if (map == "balance") return part < 0.5 ? between(kCold, 2 * part) : between(kWarm, 2 * part - 1);
  return between(kDusk, part);
}

Colour category_colour(std::size_t number) {
  static constexpr std::array<Stop, 8> firsts = {{{0.68, 0.110, 240},
                                                  {0.76, 0.140, 70},
                                                  {0.62, 0.150, 20},
                                                  {0.72, 0.110, 160},
                                                  {0.60, 0.120, 300},
                                                  {0.86, 0.120, 100},
                                                  {0.50, 0.080, 265},
                                                  {0.75, 0.100, 350}}};
  if (number < firsts.size()) return colour_of(firsts[number]);
  return colour_of({0.55 + 0.3 * scattered(number, kGolden), 0.11, 360 * scattered(number, 0.7548776662)});
}

Colour pebble_colour(std::size_t number) {
  static constexpr Stop stones[] = {
      {0.70, 0.050, 250}, {0.80, 0.030, 240}, {0.88, 0.025, 90}, {0.82, 0.060, 80}, {0.73, 0.085, 60}};
  return between(stones, scattered(number, kGolden));
}

Colour fragment_colour(std::size_t number) { return colour_of({0.74, 0.085, 60 + 360 * scattered(number, kGolden)}); }

Colour strand_colour(std::size_t number) {
  static constexpr Stop browns[] = {{0.38, 0.060, 48}, {0.50, 0.080, 55}, {0.66, 0.095, 65}};
  return between(browns, scattered(number, kGolden));
}

}  // namespace scree::render
