#include "page/content.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <set>

#include "scree/base/error.hpp"
#include "shown_data.hpp"

namespace scree::render {

namespace {

nlohmann::json to_json(const vtkBoundingBox& box) {
  if (!box.IsValid()) return nullptr;
  nlohmann::json sides = nlohmann::json::array();
  for (int k = 0; k < 6; ++k) sides.push_back(box.GetBound(k));
  return sides;
}

/// Returns bodies that are not parts of the solid: its surface stands for all of their groups.
vtkSmartPointer<vtkPolyData> without_parts(vtkPolyData& solid, vtkSmartPointer<vtkPolyData> bodies) {
  const bool points = bodies->GetNumberOfVerts() > 0;
  vtkDataSetAttributes& data = points ? static_cast<vtkDataSetAttributes&>(*bodies->GetPointData())
                                      : static_cast<vtkDataSetAttributes&>(*bodies->GetCellData());
  vtkDataArray *of_solid = solid.GetCellData()->GetArray("id"), *id = data.GetArray("id"),
               *group = data.GetArray("group");
  if (!of_solid || !id || !group) return bodies;
  std::set<double> ids, groups, hidden;
  for (vtkIdType k = 0; k < of_solid->GetNumberOfTuples(); ++k) ids.insert(of_solid->GetTuple1(k));
  for (vtkIdType k = 0; k < id->GetNumberOfTuples(); ++k)
    if (ids.contains(id->GetTuple1(k))) groups.insert(group->GetTuple1(k));
  for (vtkIdType k = 0; k < id->GetNumberOfTuples(); ++k)
    if (groups.contains(group->GetTuple1(k))) hidden.insert(id->GetTuple1(k));
  return without_bodies(bodies, hidden);
}

vtkPolyData* or_null(const vtkSmartPointer<vtkPolyData>& data) {
  return data && data->GetNumberOfCells() > 0 ? data.Get() : nullptr;
}

}  // namespace

void PageSurface::add(vtkPolyData* surface, std::size_t frame, Parts& parts) {
  corners_.add(surface ? corner_rows(*surface) : PageRows{}, parts);
  cells_.add(surface ? cell_rows(*surface) : PageRows{}, parts);
  if (!surface) return;
  Topology topology = topology_of(*surface);
  if (topology == last_) return;
  topologies_.push_back({{"first", frame},
                         {"triangles", topology.triangles.size()},
                         {"lines", topology.lines.size()},
                         {"part", parts.add(joined(topology.triangles, topology.cells, topology.lines))}});
  last_ = std::move(topology);
}

nlohmann::json PageSurface::told(Parts& parts) {
  const nlohmann::json corners = corners_.told(parts);
  if (corners.is_null()) return nullptr;
  return {{"corners", corners}, {"cells", cells_.told(parts)}, {"topologies", topologies_}};
}

Content::Content(const std::filesystem::path& out, double steps)
    : out_(out),
      walls_(read_series(out, "walls")),
      contacts_(read_series(out, "contacts")),
      rods_(read_series(out, "rods")),
      solids_(read_series(out, "fracture")),
      shapes_(out),
      bodies_(steps),
      of_contacts_(steps),
      of_rods_(steps),
      surface_(steps),
      solid_(steps),
      of_walls_(steps) {
  if (!shapes_.are_balls()) points_ = read_series(out, "points");
}

void Content::add_box(vtkBoundingBox& box, vtkPolyData* data, double more) const {
  if (data == nullptr || data->GetNumberOfCells() == 0) return;
  double bounds[6];
  data->GetCellsBounds(bounds);
  vtkBoundingBox around(bounds);
  if (around.GetLength(2) > 0)
    around.Inflate(more);
  else
    around.Inflate(more, more, 0);
  box.AddBox(around);
}

void Content::add(const FrameFile& frame) {
  const std::size_t number = frames_.size();
  const auto rods = read_same_frame(rods_, frame.frame), solid = read_same_frame(solids_, frame.frame),
             contacts = read_same_frame(contacts_, frame.frame), points = read_same_frame(points_, frame.frame);
  const std::set<double> of_rods = rods ? bodies_of(*rods) : std::set<double>();
  auto bodies = without_bodies(points ? points : read_data(frame.file), of_rods);
  auto walls = without_bodies(read_same_frame(walls_, frame.frame), of_rods);
  if (solid) bodies = without_parts(*solid, bodies), walls = without_bodies_of(*solid, walls);
  const bool glyphs = bodies->GetNumberOfVerts() > 0;
  PageRows rows;
  if (glyphs) {
    box_.AddBox(shapes_.add(*bodies, parts_));
    rows = body_rows(*bodies, shapes_);
    columns_.add(*bodies->GetPointData(), "bodies");
    columns_.include_diameter(shapes_.diameter(*bodies));
    rows.sort();
  } else {
    add_box(box_, bodies);
    columns_.add(*bodies->GetCellData(), "surface");
    columns_.include_diameter(typical_diameter(*bodies));
  }
  columns_.add_names(*bodies);
  of_contacts_.add(contacts ? contact_rows(*contacts, rows) : PageRows{}, parts_);
  bodies_.add(std::move(rows), parts_);
  surface_.add(glyphs ? nullptr : or_null(bodies), number, parts_);
  of_rods_.add(rods ? rod_rows(*rods) : PageRows{}, parts_);
  if (rods && rods->GetNumberOfPoints() > 0) {
    columns_.add(*rods->GetPointData(), "rods");
    vtkDataArray* const radius = rods->GetPointData()->GetArray("radius");
    add_box(box_, rods, radius ? radius->GetRange()[1] : 0);
  }
  solid_.add(or_null(solid), number, parts_);
  if (solid) {
    columns_.add(*solid->GetCellData(), "solid");
    columns_.include_diameter(typical_diameter(*solid));
    add_box(box_, solid);
  }
  of_walls_.add(or_null(walls), number, parts_);
  add_box(walls_box_, walls);
  frames_.push_back({{"time", frame.time}, {"number", frame.frame}});
}

nlohmann::json Content::told(const std::optional<std::string>& colour) {
  const auto allowed = columns_.names();
  if (colour && std::ranges::find(allowed, *colour) == allowed.end())
    throw InputError(fmt::format(
        "scree view: --colour is \"{}\"; allowed here: {}. More are written by \"columns\" of the writer \"vtk\".",
        *colour, fmt::join(allowed, ", ")));
  nlohmann::json surfaces = nlohmann::json::object(), tables = nlohmann::json::object();
  const auto put = [](nlohmann::json& into, const char* name, nlohmann::json told) {
    if (!told.is_null()) into[name] = std::move(told);
  };
  put(tables, "bodies", bodies_.told(parts_));
  put(tables, "contacts", of_contacts_.told(parts_));
  put(tables, "rods", of_rods_.told(parts_));
  put(surfaces, "surface", surface_.told(parts_));
  put(surfaces, "solid", solid_.told(parts_));
  put(surfaces, "walls", of_walls_.told(parts_));
  return {{"flat", !(box_.IsValid() ? box_.GetLength(2) > 0 : walls_box_.IsValid() && walls_box_.GetLength(2) > 0)},
          {"column", colour.value_or(columns_.chosen())},
          {"columns", columns_.told()},
          {"shapes", shapes_.told()},
          {"tables", tables},
          {"surfaces", surfaces},
          {"boxes", {{"bodies", to_json(box_)}, {"walls", to_json(walls_box_)}}},
          {"frames", frames_}};
}

}  // namespace scree::render
