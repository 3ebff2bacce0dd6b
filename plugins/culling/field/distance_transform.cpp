#include "field/distance_transform.hpp"

#include <algorithm>

#include "scree/base/parallel.hpp"

namespace scree::culling {

namespace {

/// Working memory of one line.
struct Line {
  std::vector<float> f;
  std::vector<std::size_t> apex;
  std::vector<float> from;
};

/// Lower envelope of the parabolas f(p) + (x - p)^2, at x = 0 .. n - 1.
/// \source P. Felzenszwalb, D. Huttenlocher: Distance transforms of sampled functions, Theory of Computing 8 (2012)
void transform(std::span<float> values, std::size_t step, std::size_t n, Line& line) {
  line.f.resize(n), line.apex.resize(n), line.from.resize(n + 1);
  std::size_t found = 0;
  for (std::size_t p = 0; p < n; ++p) {
    line.f[p] = values[p * step];
    if (line.f[p] >= kFar) continue;
    const auto meet = [&](std::size_t q) {
      const float dp = static_cast<float>(p), dq = static_cast<float>(q);
      return ((line.f[p] + dp * dp) - (line.f[q] + dq * dq)) / (2 * (dp - dq));
    };
    while (found > 1 && meet(line.apex[found - 1]) <= line.from[found - 1]) --found;
    line.from[found] = found ? meet(line.apex[found - 1]) : -kFar;
    line.apex[found++] = p;
  }
  if (found == 0) return;
  for (std::size_t x = 0, k = 0; x < n; ++x) {
    while (k + 1 < found && line.from[k + 1] < static_cast<float>(x)) ++k;
    const float away = static_cast<float>(x) - static_cast<float>(line.apex[k]);
    values[x * step] = away * away + line.f[line.apex[k]];
  }
}

}  // namespace

std::vector<float> squared_distances(const GridSize& size, std::span<const std::uint8_t> marked) {
  std::vector<float> d(size.count());
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = marked[i] ? 0.0f : kFar;
  const auto [nx, ny, nz] = size.n;
  const std::span<float> all(d);
  const auto lines = [&](std::size_t outer, const auto& each) {
    parallel_for(
        static_cast<std::ptrdiff_t>(outer),
        [&](std::ptrdiff_t k) {
          Line line;
          each(static_cast<std::size_t>(k), line);
        },
        2);
  };
  lines(nz, [&](std::size_t z, Line& line) {
    for (std::size_t y = 0; y < ny; ++y) transform(all.subspan(size.at(0, y, z)), 1, nx, line);
    for (std::size_t x = 0; x < nx; ++x) transform(all.subspan(size.at(x, 0, z)), nx, ny, line);
  });
  lines(ny, [&](std::size_t y, Line& line) {
    for (std::size_t x = 0; x < nx; ++x) transform(all.subspan(size.at(x, y, 0)), nx * ny, nz, line);
  });
  return d;
}

}  // namespace scree::culling
