#include "packing/check_mesh.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "scree/base/disjoint_sets.hpp"
#include "scree/base/error.hpp"

namespace scree::bonded {

namespace {

using Indices = std::vector<std::uint32_t>;

/// "3 tetrahedra (7, 12, 13)", in the file's numbers; the first five.
std::string named(const NamedMesh& m, const Indices& which) {
  std::vector<std::uint64_t> labels;
  for (std::size_t i = 0; i < std::min<std::size_t>(which.size(), 5); ++i) labels.push_back(m.label[which[i]]);
  return fmt::format("{} {} ({}{})", which.size(), which.size() == 1 ? "tetrahedron" : "tetrahedra",
                     fmt::join(labels, ", "), which.size() > labels.size() ? ", ..." : "");
}

[[noreturn]] void fail(const NamedMesh& m, const std::string& what) {
  throw InputError(fmt::format("{}: {}", m.file, what));
}

template <class Which>
Indices tetrahedra(const NamedMesh& m, Which&& which) {
  Indices found;
  for (std::uint32_t i = 0; i < m.mesh.tetrahedron.size(); ++i)
    if (which(m.mesh.corners(m.mesh.tetrahedron[i]))) found.push_back(i);
  return found;
}

void check_coordinates(const NamedMesh& m) {
  for (std::size_t i = 0; i < m.mesh.vertex.size(); ++i)
    if (!m.mesh.vertex[i].allFinite())
      fail(m, fmt::format("vertex {} of {} is at ({}, {}, {}); coordinates must be finite. Mesh again.", i + 1,
                          m.mesh.vertex.size(), m.mesh.vertex[i].x(), m.mesh.vertex[i].y(), m.mesh.vertex[i].z()));
}

void check_shapes(const NamedMesh& m, double min_quality) {
  const Indices flat = tetrahedra(m, [](const auto& c) { return !(mean_ratio(c) > kFlat); });
  if (!flat.empty())
    fail(m, fmt::format("{} without volume. Mesh again, or remove degenerate elements.", named(m, flat)));
  const Indices slivers = tetrahedra(m, [&](const auto& c) { return mean_ratio(c) < min_quality; });
  if (slivers.empty()) return;
  double worst = 1;
  for (const std::uint32_t i : slivers) worst = std::min(worst, mean_ratio(m.mesh.corners(m.mesh.tetrahedron[i])));
  fail(m,
       fmt::format("{} of quality below min_quality = {} (mean ratio: 1 for a regular tetrahedron, 0 for a flat "
                   "one), the worst {:.2g}. Slivers make stable steps small: improve the mesh, or lower min_quality.",
                   named(m, slivers), min_quality, worst));
}

void check_faces(const NamedMesh& m, const std::vector<MeshFace>& faces) {
  for (const MeshFace& face : faces) {
    if (face.sides.size() <= 2) continue;
    Indices owners;
    for (const Side& side : face.sides) owners.push_back(side.element);
    fail(m, fmt::format("{} share one face; two can. Remove what is there twice.", named(m, owners)));
  }
}

void check_pieces(const NamedMesh& m, const std::vector<MeshFace>& faces) {
  DisjointSets sets(m.mesh.tetrahedron.size());
  for (const MeshFace& face : faces)
    if (face.sides.size() == 2) sets.join(face.sides[0].element, face.sides[1].element);
  std::map<std::uint32_t, std::size_t> sizes;
  for (const std::uint32_t piece : sets.smallest()) ++sizes[piece];
  if (sizes.size() == 1) return;
  std::vector<std::string> pieces;
  for (const auto& [first, size] : sizes) {
    pieces.push_back(fmt::format("{} from tetrahedron {} on", size, m.label[first]));
    if (pieces.size() == 5) break;
  }
  fail(m,
       fmt::format("falls into {} pieces that share no face: {}{}. Merge coincident nodes (Gmsh: Coherence Mesh), or "
                   "set \"allow_pieces\": true.",
                   sizes.size(), fmt::join(pieces, "; "), sizes.size() > pieces.size() ? "; ..." : ""));
}

}  // namespace

std::string second_order_note(const std::string& file, std::size_t count) {
  return fmt::format("{}: {} tetrahedra of second order: their corners are used, the nodes on their edges are not.",
                     file, count);
}

void check_mesh(NamedMesh& m, const MeshLimits& limits) {
  check_coordinates(m);
  if (m.mesh.tetrahedron.empty())
    fail(m, "has no tetrahedra. Make a volume mesh (Gmsh: -3), and save its volume elements.");
  check_shapes(m, limits.min_quality);
  const Indices inverted = tetrahedra(m, [](const auto& c) { return signed_volume(c) < 0; });
  for (const std::uint32_t i : inverted) std::swap(m.mesh.tetrahedron[i][2], m.mesh.tetrahedron[i][3]);
  if (!inverted.empty())
    m.notes.push_back(
        fmt::format("{}: {} had negative volume; two corners of each were exchanged.", m.file, named(m, inverted)));
  const auto faces = faces_of(m.mesh);
  check_faces(m, faces);
  if (!limits.allow_pieces) check_pieces(m, faces);
}

}  // namespace scree::bonded
