#pragma once
/// \file The observer "mesh-wear": load and wear of each triangle of meshes.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "mesh_surface.hpp"
#include "scree/hooks/hook.hpp"
#include "scree/plugin/chosen_bodies.hpp"
#include "surface_series.hpp"
#include "wear.hpp"

namespace scree::mesh {

/// Shares of the force of contacts, each at its nearest place of the mesh: all of it to the triangle that holds the
/// place; on an edge the same to each triangle there; at a corner by the triangles' angles.
///
/// Loads are means of the calls since the last file. Wear adds up from the first call on. Sliding is the force times
/// the slip velocity of a call, times the time since the call before. An impact begins where a grain and a mesh touch
/// and did not in the call before.
class MeshWear final : public Observer {
 public:
  /// \throws OptionError
  explicit MeshWear(const Options& options);

  bool wants_contacts() const noexcept override { return true; }
  void begin(const World& world) override;
  void open(const std::string& directory) override { series_.open(directory); }
  void resume(std::uint64_t first_frame) override { series_.resume(first_frame); }
  std::vector<std::byte> save() const override;
  void load(const std::vector<std::byte>& state) override;
  void observe(const World& world, const ContactView* contacts, const Frame& frame) override;
  std::vector<std::string> files() const override { return series_.files(); }

 private:
  /// Sums of one triangle.
  struct Load {
    double force[3], normal_force, archard, finnie, impacts;  ///< [N, N, m^3, m^3, -]
  };
  /// A mesh that is followed.
  struct Wall {
    Id id;
    const MeshSurface* surface;
    std::size_t first;  ///< index of its first triangle among all
  };
  struct Touch;
  void add(const World& world, const ContactRecord& contact, const Wall& wall, double interval,
           std::vector<std::pair<Id, Id>>& touching);
  void share(const Wall& wall, const Foot& foot, const Load& load);
  void write(const World& world, const Frame& frame);

  ChosenBodies bodies_;
  SurfaceSeries series_;
  std::uint64_t every_;
  std::optional<Archard> archard_;
  std::optional<Finnie> finnie_;
  bool by_work_ = false;                     ///< Finnie's formula of the work of contacts in place of impacts
  std::vector<Wall> walls_;                  ///< by id
  std::vector<Load> loads_;                  ///< by triangle
  std::vector<std::pair<Id, Id>> touching_;  ///< owner and mesh, ascending
  double last_time_ = 0, samples_ = 0;       ///< [s, -]
  bool began_ = false;
};

}  // namespace scree::mesh
