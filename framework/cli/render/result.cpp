#include "result.hpp"

#include <fmt/format.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkLogger.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkOutputWindow.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataReader.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "balls.hpp"
#include "chosen.hpp"
#include "scree/base/error.hpp"
#include "scree/base/text_lines.hpp"
#include "scree/base/types.hpp"
#include "scree/output/atomic_file.hpp"

namespace scree::render {

namespace fs = std::filesystem;

namespace {

/// Returns the text in an element between ` key="` and the next quotation mark.
std::string_view attribute(std::string_view element, std::string_view key) {
  const std::size_t at = element.find(fmt::format(" {}=\"", key));
  if (at == std::string_view::npos) return {};
  const std::size_t from = at + key.size() + 3, to = element.find('"', from);
  return to == std::string_view::npos ? std::string_view{} : element.substr(from, to - from);
}

/// Returns the number of a frame, as in particles/particles_000012.vtp.
std::optional<std::uint64_t> frame_of(std::string_view file) {
  if (!file.ends_with(".vtp")) return std::nullopt;
  file.remove_suffix(4);
  const std::size_t line = file.rfind('_');
  return line == std::string_view::npos ? std::nullopt : parse_number<std::uint64_t>(file.substr(line + 1));
}

/// Checks whether a file of a list lies in the list's folder, or in one within it.
bool lies_within(const fs::path& file) {
  return file.is_relative() && std::ranges::find(file, fs::path("..")) == file.end();
}

}  // namespace

std::vector<FrameFile> read_series(const fs::path& out, const std::string& name) {
  const fs::path list = out / (name + ".pvd");
  if (!fs::exists(list)) return {};
  const std::string text = read_file(list);
  std::vector<FrameFile> frames;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view element = rest.substr(0, rest.find('>'));
    rest.remove_prefix(std::min(rest.size(), element.size() + 1));
    const auto time = parse_number<double>(attribute(element, "timestep"));
    const std::string_view file = attribute(element, "file");
    const auto frame = frame_of(file);
    if (time && frame && lies_within(file)) frames.push_back({*frame, *time, out / file});
  }
  return frames;
}

namespace {

/// Keeps faults of a file during its lifetime, which VTK only prints on its output window.
class FaultRecorder : public vtkOutputWindow {
 public:
  static FaultRecorder* New();
  void DisplayText(const char*) override { any_ = true; }
  bool any() const { return any_; }

 private:
  bool any_ = false;
};
vtkStandardNewMacro(FaultRecorder);

class RecordingScope {
 public:
  RecordingScope() : before_(vtkOutputWindow::GetInstance()) {
    vtkOutputWindow::SetInstance(recorder_);
    vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
  }
  ~RecordingScope() {
    vtkOutputWindow::SetInstance(before_);
    vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_INFO);  // VTK's own default
  }
  RecordingScope(const RecordingScope&) = delete;
  RecordingScope& operator=(const RecordingScope&) = delete;
  bool any_fault() const { return recorder_->any(); }

 private:
  vtkSmartPointer<vtkOutputWindow> before_;
  vtkNew<FaultRecorder> recorder_;
};

}  // namespace

vtkSmartPointer<vtkPolyData> read_data(const fs::path& file) {
  const RecordingScope faults;
  vtkNew<vtkXMLPolyDataReader> reader;
  if (!fs::exists(file)) throw io_error(file, "cannot read", ENOENT);
  require_regular_file(file);
  reader->SetFileName(file.c_str());
  if (reader->CanReadFile(file.c_str()) == 0) throw IoError(file.string() + ": is not a VTK polygon file.");
  reader->Update();
  if (faults.any_fault() || reader->GetErrorCode() != 0)
    throw IoError(file.string() + ": is damaged: VTK cannot read it.");
  return reader->GetOutput();
}

vtkSmartPointer<vtkPolyData> read_same_frame(const std::vector<FrameFile>& series, std::uint64_t frame) {
  const auto it = std::ranges::find(series, frame, &FrameFile::frame);
  return it == series.end() ? nullptr : read_data(it->file);
}

namespace {

using Templates = std::map<int, vtkSmartPointer<vtkPolyData>>;

/// Appends a body's outline in its place.
/// \param turn  rotation times the body's size
void append_outline(vtkPolyData& outline, const Vec3& position, const Mat3& turn, vtkPoints& points,
                    vtkCellArray& lines, vtkCellArray& polygons) {
  const vtkIdType first = points.GetNumberOfPoints();
  for (vtkIdType i = 0; i < outline.GetNumberOfPoints(); ++i) {
    const Vec3 corner = position + turn * Vec3(outline.GetPoint(i));
    points.InsertNextPoint(corner.data());
  }
  lines.Append(outline.GetLines(), first);
  polygons.Append(outline.GetPolys(), first);
}

const Templates& load(Templates& templates, const fs::path& out, int shape) {
  if (!templates.contains(shape)) templates[shape] = read_data(out / fmt::format("shapes/shape_{:06}.vtp", shape));
  return templates;
}

/// Column of the points; each outline's cells get the value.
class CellValues {
 public:
  explicit CellValues(vtkDataArray& of_points) : of_points_(of_points) {}
  /// Gives all cells up to these counts that have no value yet the value of this point.
  void fill(vtkIdType point, vtkIdType lines, vtkIdType polygons) {
    const auto value = static_cast<float>(of_points_.GetTuple1(point));
    lines_.resize(static_cast<std::size_t>(lines), value);
    polygons_.resize(static_cast<std::size_t>(polygons), value);
  }
  /// Returns the values; VTK numbers lines before polygons.
  vtkSmartPointer<vtkFloatArray> array() const {
    auto values = vtkSmartPointer<vtkFloatArray>::New();
    values->SetName(of_points_.GetName());
    if (of_points_.HasInformation()) values->CopyInformation(of_points_.GetInformation());
    for (const float value : lines_) values->InsertNextValue(value);
    for (const float value : polygons_) values->InsertNextValue(value);
    return values;
  }

 private:
  vtkDataArray& of_points_;
  std::vector<float> lines_, polygons_;
};

/// Returns the columns for colours.
std::vector<CellValues> shown_values(vtkPointData& columns) {
  std::vector<CellValues> values;
  for (int k = 0; k < columns.GetNumberOfArrays(); ++k)
    if (vtkDataArray* const column = columns.GetArray(k); column && column->GetNumberOfComponents() == 1)
      values.emplace_back(*column);
  return values;
}

vtkSmartPointer<vtkPolyData> with_outlines(const fs::path& out, vtkPolyData& glyphs) {
  vtkPointData& columns = *glyphs.GetPointData();
  vtkDataArray *shape = columns.GetArray("shape"), *turn = columns.GetArray("quaternion"),
               *speed = columns.GetArray("speed"), *scale = columns.GetArray("scale"),
               *radius = columns.GetArray("radius");
  if (!shape || !turn || !speed) throw IoError(out.string() + ": particles are points without shape and quaternion.");
  const bool balls = radius != nullptr && !fs::exists(out / "shapes");
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> lines, polygons;
  std::vector<CellValues> values = shown_values(columns);
  const auto round = unit_ball();
  Templates templates;
  for (vtkIdType i = 0; i < glyphs.GetNumberOfPoints(); ++i) {
    const int index = static_cast<int>(shape->GetTuple1(i));
    vtkPolyData& outline = balls ? *round : *load(templates, out, index).at(index);
    const double* wxyz = turn->GetTuple(i);
    const Mat3 rotation = Quat(wxyz[0], wxyz[1], wxyz[2], wxyz[3]).toRotationMatrix();
    const double size = balls ? radius->GetTuple1(i) : scale ? scale->GetComponent(i, 0) : 1;
    append_outline(outline, Vec3(glyphs.GetPoint(i)), size * rotation, *points, *lines, *polygons);
    for (CellValues& column : values) column.fill(i, lines->GetNumberOfCells(), polygons->GetNumberOfCells());
  }
  auto data = vtkSmartPointer<vtkPolyData>::New();
  data->SetPoints(points);
  data->SetLines(lines);
  data->SetPolys(polygons);
  for (const CellValues& column : values) data->GetCellData()->AddArray(column.array());
  data->SetFieldData(glyphs.GetFieldData());
  return data;
}

}  // namespace

std::vector<std::string> columns_of(vtkDataSetAttributes& data) {
  std::vector<std::string> names;
  for (int k = 0; k < data.GetNumberOfArrays(); ++k)
    if (vtkDataArray* const column = data.GetArray(k); column && column->GetNumberOfComponents() == 1)
      names.emplace_back(column->GetName());
  return names;
}

vtkSmartPointer<vtkPolyData> read_particles(const fs::path& out, const FrameFile& frame, const std::optional<Cut>& cut,
                                            const std::set<double>& hidden) {
  auto data = without_bodies(read_data(frame.file), hidden);
  const bool glyphs = data->GetNumberOfVerts() > 0;
  if (cut) data = without_front(*data, *cut);
  return glyphs ? with_outlines(out, *data) : data;
}

std::set<double> bodies_of(vtkPolyData& rods) {
  std::set<double> ids;
  if (vtkDataArray* const id = rods.GetPointData()->GetArray("id"))
    for (vtkIdType i = 0; i < id->GetNumberOfTuples(); ++i) ids.insert(id->GetTuple1(i));
  return ids;
}

vtkSmartPointer<vtkPolyData> without_bodies(vtkSmartPointer<vtkPolyData> bodies, const std::set<double>& hidden) {
  if (!bodies || hidden.empty()) return bodies;
  const bool points = bodies->GetNumberOfVerts() > 0;
  vtkDataSetAttributes& columns = points ? static_cast<vtkDataSetAttributes&>(*bodies->GetPointData())
                                         : static_cast<vtkDataSetAttributes&>(*bodies->GetCellData());
  vtkDataArray* const id = columns.GetArray("id");
  if (!id) return bodies;
  const auto shown = [&](vtkIdType k) { return !hidden.contains(id->GetTuple1(k)); };
  return points ? chosen_points(*bodies, shown) : chosen_cells(*bodies, shown);
}

vtkSmartPointer<vtkPolyData> without_bodies_of(vtkPolyData& solid, vtkSmartPointer<vtkPolyData> walls) {
  if (!walls) return walls;
  vtkDataArray *shown = solid.GetCellData()->GetArray("id"), *id = walls->GetCellData()->GetArray("id"),
               *group = walls->GetCellData()->GetArray("group");
  if (!shown || !id || !group) return walls;
  std::set<double> bodies, groups;
  for (vtkIdType cell = 0; cell < shown->GetNumberOfTuples(); ++cell) bodies.insert(shown->GetTuple1(cell));
  // Bodies inside the solid are not shown: all bodies of one entry of the scene go together.
  for (vtkIdType cell = 0; cell < id->GetNumberOfTuples(); ++cell)
    if (bodies.contains(id->GetTuple1(cell))) groups.insert(group->GetTuple1(cell));
  return chosen_cells(*walls, [&](vtkIdType cell) { return !groups.contains(group->GetTuple1(cell)); });
}

}  // namespace scree::render
