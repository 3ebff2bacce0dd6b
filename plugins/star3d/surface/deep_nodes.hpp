#pragma once
/// \file The nodes of one body that are deep in a field of another, or nearly, and how their regions hang together.

#include <cstdint>
#include <vector>

#include "surface/field.hpp"
#include "surface/near_nodes.hpp"
#include "surface/node_mesh.hpp"

namespace scree::star3d {

/// A node at which two regions meet, each named by the number of its top among DeepNodes::tops.
struct Junction {
  std::uint32_t node, one, other;
};

/// Adds the nodes of a mesh, and their blocks, that are deeper than -reach, or may be after the bodies moved.
/// \param bound  radius about the field's body that holds it [m], or infinity
/// \param slack  way that nodes may move in the frame of the field's body [m]
void add_near(const NodeMesh& mesh, const Placement& nodes, const Field& field, const Placement& of_field, double bound,
              double reach, double slack, NearOfSide& near);

/// Working memory, and what is found in it.
class DeepNodes {
 public:
  /// Finds the nodes with a depth above -reach, in the frame of the field's body. Depths below count as none.
  /// \param near  nodes to look at
  void find(const NodeMesh& mesh, const NearOfSide& near, const Placement& nodes, const Field& field,
            const Placement& of_field, double reach);

  /// Nodes deeper than all of their neighbours, deepest first; of equal ones the lower number counts as deeper.
  const std::vector<std::uint32_t>& tops() const { return tops_; }
  /// Junctions of regions of nodes deeper than a falling level, in the order in which regions come together. As many as
  /// there are tops less the number of regions deeper than -reach.
  const std::vector<Junction>& junctions() const { return junctions_; }
  /// Depth of the deepest node that was looked at [m]; minus infinity if there was none.
  double deepest() const { return deepest_; }
  /// In the frame of the field's body [m].
  const Vec3& position(std::uint32_t node) const { return position_[node]; }

 private:
  void gather(const NodeMesh& mesh, const NearOfSide& near, const Placement& nodes);
  void look_at_nodes(const Field& field, const Placement& of_field, double reach);
  void join_regions(const NodeMesh& mesh);
  std::uint32_t root(std::uint32_t top);

  std::vector<Vec3> points_;
  std::vector<double> depths_;
  double deepest_ = 0;
  std::vector<std::uint32_t> near_;    ///< nodes that are looked at
  std::vector<std::uint32_t> deep_;    ///< nodes above -reach, deepest first
  std::vector<Vec3> position_;         ///< by node, where looked at
  std::vector<double> depth_;          ///< by node, where deep
  std::vector<std::uint32_t> region_;  ///< by node: 1 + its top where its turn has come, else 0
  std::vector<std::uint32_t> tops_, parent_;
  std::vector<Junction> junctions_;
};

}  // namespace scree::star3d
