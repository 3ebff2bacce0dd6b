#include "field/surface_net.hpp"

#include <map>

namespace scree::culling {

namespace {

/// A corner of voxels: the one at the lower end of the voxel with these numbers.
using Corner = std::array<std::size_t, 3>;

struct Meeting {
  std::uint32_t number = 0;
  Vec3 sum = Vec3::Zero();  ///< sum of middles of squares [m]
  int squares = 0;
};

}  // namespace

void SurfaceNet::add(std::size_t x, std::size_t y, std::size_t z, int axis, bool up) {
  squares_.push_back({{x, y, z}, axis, up});
}

Triangles SurfaceNet::triangles() {
  std::sort(squares_.begin(), squares_.end());
  std::map<Corner, Meeting> meetings;
  Triangles made;
  for (const Square& s : squares_) {
    Vec3 middle = grid_.centre(s.voxel[0], s.voxel[1], s.voxel[2]);
    middle[s.axis] += (s.up ? 0.5 : -0.5) * grid_.edge;
    Corner first = s.voxel;
    first[static_cast<std::size_t>(s.axis)] += s.up;
    const auto u = static_cast<std::size_t>((s.axis + 1) % 3), v = static_cast<std::size_t>((s.axis + 2) % 3);
    std::array<std::uint32_t, 4> corners;  // anticlockwise as seen from the air
    constexpr std::size_t kAlongU[4] = {0, 1, 1, 0};
    for (std::size_t k = 0; k < 4; ++k) {
      Corner at = first;
      at[u] += kAlongU[s.up ? k : 3 - k];
      at[v] += (s.up ? k : 3 - k) / 2;
      const auto [found, is_new] = meetings.try_emplace(at);
      Meeting& meeting = found->second;
      if (is_new) meeting.number = static_cast<std::uint32_t>(meetings.size() - 1);
      meeting.sum += middle;
      ++meeting.squares;
      corners[k] = meeting.number;
    }
    made.corners.push_back({corners[0], corners[1], corners[2]});
    made.corners.push_back({corners[0], corners[2], corners[3]});
  }
  made.points.resize(meetings.size());
  for (const auto& [at, meeting] : meetings) made.points[meeting.number] = meeting.sum / meeting.squares;
  return made;
}

}  // namespace scree::culling
