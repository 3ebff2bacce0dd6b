#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkTypeUInt32Array.h>
#include <vtkTypeUInt64Array.h>

#include <optional>

#include "vtk_files/frame_list.hpp"
#include "vtk_files/new_array.hpp"
#include "writer/interface_surface.hpp"
#include "writer/ledger_observer.hpp"

namespace scree::culling {

namespace {

/// Point data of stored granules.
struct Arrays {
  explicit Arrays(std::size_t n)
      : id(vtk::new_array<vtkTypeUInt64Array>("id", 1, n)),
        aggregate(vtk::new_array<vtkTypeUInt64Array>("aggregate", 1, n)),
        shape(vtk::new_array<vtkTypeUInt32Array>("shape", 1, n)),
        radius(vtk::new_array<vtkFloatArray>("radius", 1, n)),
        scale(vtk::new_array<vtkFloatArray>("scale", 1, n)),
        mass(vtk::new_array<vtkFloatArray>("mass", 1, n)),
        speed(vtk::new_array<vtkFloatArray>("speed", 1, n)),
        quaternion(vtk::new_array<vtkFloatArray>("quaternion", 4, n)) {}

  void set(vtkIdType k, Id owner, const StoredGranule& g, double r, const RigidBody& part) const {
    const Quat& q = part.frame.orientation;
    id->SetValue(k, g.id), aggregate->SetValue(k, owner), shape->SetValue(k, g.shape);
    radius->SetValue(k, static_cast<float>(r)), scale->SetValue(k, static_cast<float>(g.scale));
    mass->SetValue(k, static_cast<float>(part.mass));
    speed->SetValue(k, static_cast<float>(part.twist.velocity.norm()));
    quaternion->SetTuple4(k, q.w(), q.x(), q.y(), q.z());
  }
  void add_to(vtkPointData& data) const {
    data.AddArray(id), data.AddArray(aggregate), data.AddArray(shape), data.AddArray(radius);
    data.AddArray(scale), data.AddArray(mass), data.AddArray(speed), data.AddArray(quaternion);
  }

  vtkSmartPointer<vtkTypeUInt64Array> id, aggregate;
  vtkSmartPointer<vtkTypeUInt32Array> shape;
  vtkSmartPointer<vtkFloatArray> radius, scale, mass, speed, quaternion;
};

/// One point per stored granule [m], where it is, by owner and id.
vtkSmartPointer<vtkPolyData> picture(const World& world, const Ledger& ledger) {
  const std::size_t n = ledger.stored();
  const Arrays arrays(n);
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> verts;
  points->SetNumberOfPoints(static_cast<vtkIdType>(n));
  vtkIdType k = 0;
  for (const auto& [owner, a] : ledger.aggregates) {
    const Pose frame = world_frame(world, a);
    const RigidBody body = part_of(world, *world.row(owner));
    for (const StoredGranule& g : a.stored) {
      const RigidBody part = part_of(world, g, frame, body);
      points->SetPoint(k, part.frame.position.data());
      verts->InsertNextCell(1, &k);
      arrays.set(k++, owner, g, radius_of(world, g), part);
    }
  }
  auto data = vtkSmartPointer<vtkPolyData>::New();
  data->SetPoints(points);
  data->SetVerts(verts);
  arrays.add_to(*data->GetPointData());
  return data;
}

/// All interfaces as triangles, with the aggregate they are of.
vtkSmartPointer<vtkPolyData> interfaces(const World& world, const Ledger& ledger, double diameter) {
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> polys;
  std::vector<Id> owners;
  for (const auto& [owner, a] : ledger.aggregates) {
    const Triangles surface = interface_surface(world, a, diameter);
    const vtkIdType first = points->GetNumberOfPoints();
    for (const Vec3& x : surface.points) points->InsertNextPoint(x.data());
    for (const auto& corners : surface.corners) {
      polys->InsertNextCell(3);
      for (const std::uint32_t k : corners) polys->InsertCellPoint(first + k);
    }
    owners.resize(owners.size() + surface.corners.size(), owner);
  }
  const auto aggregate = vtk::new_array<vtkTypeUInt64Array>("aggregate", 1, owners.size());
  for (std::size_t k = 0; k < owners.size(); ++k) aggregate->SetValue(static_cast<vtkIdType>(k), owners[k]);
  auto data = vtkSmartPointer<vtkPolyData>::New();
  data->SetPoints(points);
  data->SetPolys(polys);
  data->GetCellData()->AddArray(aggregate);
  return data;
}

class Pictures final : public StoredPictures {
 public:
  void open(const std::filesystem::path& folder) override {
    stored_.emplace(folder, "stored");
    interface_.emplace(folder, "interface");
  }
  void start_anew() override { stored_->start_anew(), interface_->start_anew(); }
  void resume(std::uint64_t first_frame) override { stored_->resume(first_frame), interface_->resume(first_frame); }
  void add(const World& world, const Culling& culling, const Frame& frame) override {
    stored_->add(frame.index, frame.time, *picture(world, culling.ledger()));
    interface_->add(frame.index, frame.time, *interfaces(world, culling.ledger(), culling.diameter()));
  }

 private:
  std::optional<vtk::FrameList> stored_, interface_;
};

}  // namespace

std::unique_ptr<StoredPictures> make_stored_pictures() { return std::make_unique<Pictures>(); }

}  // namespace scree::culling
