#pragma once
/// \file Parts of bodies that are near parts of a mesh, kept in the cache of a chunk until the two have moved too far.

#include <cstdint>
#include <span>
#include <vector>

#include "body_terms.hpp"
#include "scree/detect/pair.hpp"

namespace scree::mesh {

/// Near parts of one pair while they are looked for.
struct NearTerms {
  std::vector<std::uint32_t> triangles_begin;  ///< (vertices + 1) triangles of vertex v: from this one on
  std::vector<std::uint32_t> triangles;        ///< near each vertex, ascending
  std::vector<Term> terms;                     ///< ascending
};

/// Faults in the places of a body and a mesh.
enum class Crossing { none, edge_through_mesh, ridge_through_body };

/// Lists what lies within `reach` of a body's core, in the mesh's lengths, and looks for parts that cross.
Crossing find_near(const SeenBody& body, const MeshSurface& surface, double reach, NearTerms& to);

/// Place of a body as a mesh sees it.
struct RelativePlace {
  double shift[3];  ///< in the mesh's lengths
  double turn[4];
};

/// Lists of all pairs of a chunk: rows first, then lists, which move to the end when they outgrow their place.
class NearTermLists {
 public:
  /// A pair's list as it is kept. Zero means: nothing known.
  struct Row {
    RelativePlace place;     ///< place of the body when it was made
    double slack, margin;    ///< it is complete until points of the body have moved by the slack
    std::uint64_t first;     ///< word where it begins
    std::uint32_t capacity;  ///< words
    std::uint32_t vertices, triangles, terms;
  };
  NearTermLists(PairCache& cache, std::size_t pairs) : cache_(cache), pairs_(pairs) { attach(0); }

  const Row& row(std::size_t pair) const { return rows()[pair]; }
  std::span<const std::uint32_t> triangles_of(const Row& row, std::uint32_t vertex) const {
    const std::uint32_t *begins = words() + row.first, *first = begins + row.vertices + 1;
    return {first + begins[vertex], first + begins[vertex + 1]};
  }
  std::span<const Term> terms(const Row& row) const {
    return {reinterpret_cast<const Term*>(words() + row.first + row.vertices + 1 + row.triangles), row.terms};
  }
  void store(std::size_t pair, const RelativePlace& at, double slack, double margin, const NearTerms& near);

 private:
  struct alignas(64) Header {
    std::uint64_t used;  ///< words of lists
  };
  void attach(std::size_t words);
  Row* rows() const { return reinterpret_cast<Row*>(header_ + 1); }
  std::uint32_t* words() const { return reinterpret_cast<std::uint32_t*>(rows() + pairs_); }

  PairCache& cache_;
  std::size_t pairs_;
  Header* header_ = nullptr;
};

/// Returns whether a list serves a body of this reach at a place: its points have moved by less than the slack. The way
/// of the centre adds to the reach times the chord of the turn, which is below twice the change of the quaternion.
bool serves(const NearTermLists::Row& row, const RelativePlace& now, double reach, double margin);

}  // namespace scree::mesh
