#include "packing/cuboid.hpp"

#include <algorithm>

#include "scree/base/philox.hpp"

namespace scree::bonded {

namespace {

using Cell = std::array<int, 3>;

/// Places of the cells' corners and, after them, where wanted, of their centres.
class Vertices {
 public:
  explicit Vertices(const Cuboid& box) : box_(box) {}

  std::uint32_t corner(const Cell& c) const {
    return static_cast<std::uint32_t>((c[0] * (box_.cells[1] + 1) + c[1]) * (box_.cells[2] + 1) + c[2]);
  }
  std::uint32_t centre(const Cell& c) const {
    const int corners = (box_.cells[0] + 1) * (box_.cells[1] + 1) * (box_.cells[2] + 1);
    return static_cast<std::uint32_t>(corners + (c[0] * box_.cells[1] + c[1]) * box_.cells[2] + c[2]);
  }
  /// The sides of the box are exactly where they are given.
  void add_corners(std::vector<Vec3>& out) const {
    for_each(1, [&](const Cell& c) {
      Vec3& place = out.emplace_back();
      for (std::size_t k = 0; k < 3; ++k) {
        const double side = box_.size[static_cast<int>(k)];
        place[static_cast<int>(k)] = c[k] == box_.cells[k] ? side : side * c[k] / box_.cells[k];
      }
    });
  }
  void add_centres(std::vector<Vec3>& out) const {
    for_each(0,
             [&](const Cell& c) { out.push_back(box_.cell().cwiseProduct(Vec3(c[0] + 0.5, c[1] + 0.5, c[2] + 0.5))); });
  }
  /// f of every cell; with `more` = 1 of every corner.
  template <class F>
  void for_each(int more, F&& f) const {
    for (int i = 0; i < box_.cells[0] + more; ++i)
      for (int j = 0; j < box_.cells[1] + more; ++j)
        for (int k = 0; k < box_.cells[2] + more; ++k) f(Cell{i, j, k});
  }

 private:
  const Cuboid& box_;
};

/// The worst quality that jitter may leave an element with: one that is worse at home, in a flat cell, can only be
/// asked for half of its own.
double least_quality(const std::vector<Vec3>& home, const Tetrahedron& t) {
  const double undisturbed = mean_ratio({home[t[0]], home[t[1]], home[t[2]], home[t[3]]});
  return undisturbed >= kLeastQuality ? kLeastQuality : undisturbed / 2;
}

/// Vertices of tetrahedra that came out worse than allowed go half of the way home, until there are none. After as many
/// rounds as a double has digits all are at home.
void settle(const std::vector<Vec3>& home, TetrahedralMesh& mesh) {
  constexpr int kMostRounds = 60;
  bool again = true;
  for (int round = 0; again && round < kMostRounds; ++round) {
    again = false;
    for (const Tetrahedron& t : mesh.tetrahedron) {
      const auto c = mesh.corners(t);
      if (signed_volume(c) > 0 && mean_ratio(c) >= least_quality(home, t)) continue;
      for (const std::uint32_t v : t) mesh.vertex[v] = (mesh.vertex[v] + home[v]) / 2;
      again = true;
    }
  }
}

void move_vertices(const Cuboid& box, TetrahedralMesh& mesh) {
  if (box.jitter == 0) return;
  const std::vector<Vec3> home = mesh.vertex;
  const RandomStream random(box.seed, "cuboid");
  for (std::size_t i = 0; i < home.size(); ++i) {
    const Vec3 move = box.jitter * box.cell().cwiseProduct(2 * random.triple(i) - Vec3::Ones());
    for (int k = 0; k < 3; ++k)
      if (home[i][k] != 0 && home[i][k] != box.size[k]) mesh.vertex[i][k] += move[k];
  }
  settle(home, mesh);
}

void add_positive(Tetrahedron t, TetrahedralMesh& out) {
  if (signed_volume(out.corners(t)) < 0) std::swap(t[2], t[3]);
  out.tetrahedron.push_back(t);
}

/// The face between cell c and the one before it along `axis`, or an outer one. Corners in a ring.
void add_face(const Cuboid& box, const Vertices& at, const Cell& c, std::size_t axis, TetrahedralMesh& out) {
  const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
  std::array<std::uint32_t, 4> ring{};
  constexpr std::array<std::array<int, 2>, 4> kRing{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
  for (std::size_t n = 0; n < 4; ++n) {
    Cell corner = c;
    corner[u] += kRing[n][0], corner[v] += kRing[n][1];
    ring[n] = at.corner(corner);
  }
  Cell before = c;
  --before[axis];
  if (c[axis] > 0 && c[axis] < box.cells[axis]) {
    for (std::size_t n = 0; n < 4; ++n)
      add_positive({at.centre(before), ring[n], ring[(n + 1) % 4], at.centre(c)}, out);
    return;
  }
  // Neighbouring outer faces are cut along opposite diagonals: no direction is preferred.
  const std::uint32_t apex = at.centre(c[axis] == 0 ? c : before);
  const auto first = static_cast<std::size_t>((c[0] + c[1] + c[2]) % 2);
  for (const std::size_t n : {first, first + 2})
    add_positive({apex, ring[n % 4], ring[(n + 1) % 4], ring[(n + 2) % 4]}, out);
}

}  // namespace

TetrahedralMesh bcc_mesh(const Cuboid& box) {
  TetrahedralMesh mesh;
  const Vertices at(box);
  at.add_corners(mesh.vertex);
  at.add_centres(mesh.vertex);
  at.for_each(1, [&](const Cell& c) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (c[(axis + 1) % 3] < box.cells[(axis + 1) % 3] && c[(axis + 2) % 3] < box.cells[(axis + 2) % 3])
        add_face(box, at, c, axis, mesh);
  });
  move_vertices(box, mesh);
  return mesh;
}

TetrahedralMesh kuhn_mesh(const Cuboid& box) {
  TetrahedralMesh mesh;
  const Vertices at(box);
  at.add_corners(mesh.vertex);
  at.for_each(0, [&](const Cell& c) {
    // A path of three edges from one end of the diagonal to the other per tetrahedron.
    std::array<std::size_t, 3> axes{0, 1, 2};
    do {
      Cell corner = c;
      Tetrahedron t{at.corner(corner), 0, 0, 0};
      for (std::size_t step = 0; step < 3; ++step) {
        ++corner[axes[step]];
        t[step + 1] = at.corner(corner);
      }
      add_positive(t, mesh);
    } while (std::next_permutation(axes.begin(), axes.end()));
  });
  move_vertices(box, mesh);
  return mesh;
}

}  // namespace scree::bonded
