#include "light.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace scree::render {

namespace {

struct Offset {
  float x, y;
};

constexpr int kSamples = 14;  // of each pixel; four pixels with turned patterns become one

/// Returns places in a circle of radius 1, spread evenly; four patterns, each turned against the others.
std::array<std::array<Offset, kSamples>, 4> patterns() {
  const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
  std::array<std::array<Offset, kSamples>, 4> all;
  for (std::size_t turn = 0; turn < 4; ++turn)
    for (std::size_t k = 0; k < kSamples; ++k) {
      const double place = (static_cast<double>(4 * k + turn) + 0.5) / (4 * kSamples),
                   angle = golden * static_cast<double>(4 * k + turn);
      all[turn][k] = {static_cast<float>(std::sqrt(place) * std::cos(angle)),
                      static_cast<float>(std::sqrt(place) * std::sin(angle))};
    }
  return all;
}

std::size_t turn_at(int x, int y) { return static_cast<std::size_t>((x & 1) + 2 * (y & 1)); }

/// Distance along the line of sight of each pixel [m]; infinite where there is nothing.
std::vector<float> distances(const DepthMap& map) {
  std::vector<float> result(map.depth.size());
  for (std::size_t k = 0; k < result.size(); ++k) {
    const double z = map.depth[k];
    result[k] = z >= 1 ? std::numeric_limits<float>::infinity()
                       : static_cast<float>(map.near * map.far / (map.far - z * (map.far - map.near)));
  }
  return result;
}

}  // namespace

std::vector<float> openness(const DepthMap& map, const Lens& lens, double radius) {
  // After B. Loos and P.-P. Sloan, Volumetric obscurance (2010): of a ball about the point, the part in front of what
  // is seen, along lines of sight. A plane leaves one half of it free.
  static const auto pattern = patterns();
  const auto depth = distances(map);
  std::array<std::array<float, kSamples>, 4> half;
  std::array<float, 4> full;
  for (std::size_t turn = 0; turn < 4; ++turn) {
    full[turn] = 0;
    for (std::size_t k = 0; k < kSamples; ++k) {
      const auto [x, y] = pattern[turn][k];
      half[turn][k] = std::sqrt(std::max(0.0f, 1 - x * x - y * y));
      full[turn] += half[turn][k];
    }
  }
  const float scale = static_cast<float>(map.height / (2 * std::tan(lens.half_angle))),
              reach = static_cast<float>(radius), largest = 0.12f * static_cast<float>(map.height);
  std::vector<float> open(depth.size(), 1);
  for (int y = 0; y < map.height; ++y)
    for (int x = 0; x < map.width; ++x) {
      const std::size_t at =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(map.width) + static_cast<std::size_t>(x);
      const float here = depth[at];
      if (!std::isfinite(here)) continue;
      const float pixels = std::min(reach * scale / here, largest), ball = pixels * here / scale;
      if (pixels < 1) continue;
      const std::size_t turn = turn_at(x, y);
      float free = 0;
      for (std::size_t k = 0; k < kSamples; ++k) {
        const int i = x + static_cast<int>(std::lrintf(pixels * pattern[turn][k].x)),
                  j = y + static_cast<int>(std::lrintf(pixels * pattern[turn][k].y));
        const float h = half[turn][k];
        float part = 1;
        if (i >= 0 && j >= 0 && i < map.width && j < map.height) {
          const float behind =
              (depth[static_cast<std::size_t>(j) * static_cast<std::size_t>(map.width) + static_cast<std::size_t>(i)] -
               here) /
              ball;
          part = std::clamp(0.5f + 0.5f * behind / std::max(h, 0.05f), 0.0f, 1.0f);
          // What is far in front is no neighbour, and takes no light.
          if (behind < -1) part = std::min(0.5f, 0.5f * (-behind - 1));
        }
        free += part * h;
      }
      open[at] = std::min(1.0f, 2 * free / full[turn]);
    }
  return open;
}

std::vector<float> sunlight(const DepthMap& map, const Lens& lens, const Axes& axes, const SunMap& sun) {
  static const auto pattern = patterns();
  constexpr float sun_size = 0.16f;  // radius of the sun over its distance; larger than in the sky, for soft shadows
  constexpr float search = 0.03f;    // of the square: how far apart blockers are searched
  // What rises less beside a point hides nothing of the sun. Exact would be 1 / sun_size; less keeps contacts dark.
  constexpr float slant = 2.5f;
  const auto depth = distances(map);
  const double scale = map.height / (2 * std::tan(lens.half_angle));
  const Vec3 viewer = lens.middle + lens.distance * axes.out;
  const auto pixels = static_cast<float>(sun.map.height / sun.height);
  const auto length = static_cast<float>(sun.map.far - sun.map.near);
  const float bias = 2.5f / pixels;
  const auto blocker = [&](float u, float v) {
    const int i = static_cast<int>(std::floor(u)), j = static_cast<int>(std::floor(v));
    if (i < 0 || j < 0 || i >= sun.map.width || j >= sun.map.height) return length;
    return length * sun.map.depth[static_cast<std::size_t>(j) * static_cast<std::size_t>(sun.map.width) +
                                  static_cast<std::size_t>(i)];
  };
  std::vector<float> light(depth.size(), 1);
  for (int y = 0; y < map.height; ++y)
    for (int x = 0; x < map.width; ++x) {
      const std::size_t at =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(map.width) + static_cast<std::size_t>(x);
      if (!std::isfinite(depth[at])) continue;
      const double z = depth[at];
      const Vec3 place = viewer - z * axes.out + (x + 0.5 - 0.5 * map.width) * z / scale * axes.right +
                         (y + 0.5 - 0.5 * map.height) * z / scale * axes.up;
      const Vec3 seen = sun.axes.of(place - sun.middle);
      const float u = static_cast<float>(seen[0]) * pixels + 0.5f * static_cast<float>(sun.map.width),
                  v = static_cast<float>(seen[1]) * pixels + 0.5f * static_cast<float>(sun.map.height),
                  own = 0.5f * length - static_cast<float>(seen[2]);  // from the near plane
      const auto& places = pattern[turn_at(x, y)];
      const float around = search * static_cast<float>(sun.map.height);
      float nearer = 0;
      int found = 0;
      for (const auto& [dx, dy] : places) {
        const float b = blocker(u + around * dx, v + around * dy);
        const float apart = std::hypot(dx, dy) * around / pixels;
        if (own - b > bias + slant * apart) nearer += own - b, ++found;
      }
      const float direct = blocker(u, v);
      if (found == 0 && own - direct <= bias) continue;
      const float gap = found > 0 ? nearer / static_cast<float>(found) : own - direct;
      const float blur = std::clamp(gap * sun_size * pixels, 1.0f, around);
      float lit = 0;
      for (const auto& [dx, dy] : places) {
        const float apart = std::hypot(dx, dy) * blur / pixels;
        lit += own - blocker(u + blur * dx, v + blur * dy) <= bias + slant * apart ? 1.0f : 0.0f;
      }
      light[at] = lit / kSamples;
    }
  return light;
}

}  // namespace scree::render
