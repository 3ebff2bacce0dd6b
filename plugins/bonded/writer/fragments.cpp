#include "writer/fragments.hpp"

#include "scree/base/disjoint_sets.hpp"

namespace scree::bonded {

namespace {

/// The face of three corners is opposite to the fourth.
std::uint8_t face_with(const std::array<std::uint8_t, 3>& corners) {
  return static_cast<std::uint8_t>(6 - corners[0] - corners[1] - corners[2]);
}

Seam seam_of(const SolidState& solid, const Joint& joint) {
  Seam seam;
  std::size_t found = 0;
  const double near = 1e-6 * joint.branch.norm();
  for (std::uint8_t i = 0; i < 4; ++i)
    for (std::uint8_t k = 0; k < 4; ++k) {
      const Vec3 apart = joint.branch + joint.made_b * solid.corner_in_body(joint.b, k) -
                         joint.made_a * solid.corner_in_body(joint.a, i);
      if (apart.norm() > near) continue;
      if (found < 3) seam.a[found] = i, seam.b[found] = k;
      ++found;
    }
  if (found == 3) seam.face_a = face_with(seam.a), seam.face_b = face_with(seam.b);
  return seam;
}

}  // namespace

std::vector<Seam> seams(const SolidState& solid, std::span<const Joint> joints) {
  std::vector<Seam> result;
  result.reserve(joints.size());
  for (const Joint& joint : joints) result.push_back(seam_of(solid, joint));
  return result;
}

Pieces pieces(std::span<const Joint> joints, std::span<const std::uint32_t> lost) {
  const std::size_t elements = lost.size();
  DisjointSets sets(elements);
  std::vector<std::uint32_t> all(lost.begin(), lost.end()), dead = all;
  for (const Joint& joint : joints) {
    if (joint.live) sets.join(joint.a, joint.b);
    for (const std::uint32_t element : {joint.a, joint.b}) {
      ++all[element];
      dead[element] += !joint.live;
    }
  }
  Pieces result{sets.smallest(), std::vector<double>(elements)};
  for (std::size_t i = 0; i < elements; ++i) result.damage[i] = all[i] ? static_cast<double>(dead[i]) / all[i] : 0;
  return result;
}

std::vector<ShownFace> shown_faces(std::size_t elements, std::span<const Joint> joints, std::span<const Seam> seams,
                                   const Pieces& pieces, CrackFaces which) {
  enum : std::uint8_t { kOuter, kHidden, kCrack };
  std::vector<std::uint8_t> state(4 * elements, kOuter);
  for (std::size_t n = 0; n < joints.size(); ++n) {
    if (!seams[n].exists()) continue;
    const auto [a, b] = std::pair(joints[n].a, joints[n].b);
    const bool open = which == CrackFaces::broken ? !joints[n].live : pieces.fragment[a] != pieces.fragment[b];
    state[4 * a + seams[n].face_a] = state[4 * b + seams[n].face_b] = open ? kCrack : kHidden;
  }
  std::vector<ShownFace> shown;
  for (std::uint32_t side = 0; side < state.size(); ++side)
    if (state[side] != kHidden)
      shown.push_back({{side / 4, static_cast<std::uint8_t>(side % 4)}, state[side] == kCrack});
  return shown;
}

SolidPoints points_of(const SolidState& solid, std::span<const Joint> joints, std::span<const Seam> seams,
                      bool watertight) {
  DisjointSets corners(4 * solid.size());
  for (std::size_t n = 0; watertight && n < joints.size(); ++n)
    for (std::size_t k = 0; joints[n].live && seams[n].exists() && k < 3; ++k)
      corners.join(4 * joints[n].a + seams[n].a[k], 4 * joints[n].b + seams[n].b[k]);
  const std::vector<std::uint32_t> first = corners.smallest();

  SolidPoints points;
  points.of_corner.resize(first.size());
  std::vector<double> count;
  for (std::uint32_t c = 0; c < first.size(); ++c) {
    if (first[c] == c) {
      points.of_corner[c] = static_cast<std::uint32_t>(points.position.size());
      points.position.push_back(Vec3::Zero());
      count.push_back(0);
    }
    const std::uint32_t point = points.of_corner[c] = points.of_corner[first[c]];
    points.position[point] += solid.corner(c / 4, c % 4);
    ++count[point];
  }
  for (std::size_t i = 0; i < count.size(); ++i) points.position[i] /= count[i];
  return points;
}

}  // namespace scree::bonded
