#include "result.hpp"

#include <fmt/format.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkFloatArray.h>
#include <vtkLogger.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkOutputWindow.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataReader.h>

#include <map>
#include <regex>
#include <set>

#include "scree/base/types.hpp"
#include "scree/output/atomic_file.hpp"

namespace scree::render {

namespace fs = std::filesystem;

std::vector<FrameFile> read_series(const fs::path& out, const std::string& name) {
  const fs::path list = out / (name + ".pvd");
  if (!fs::exists(list)) return {};
  const std::string text = read_file(list);
  const std::regex entry("timestep=\"([^\"]*)\"[^>]*file=\"([^\"]*_([0-9]+)\\.vtp)\"");
  std::vector<FrameFile> frames;
  for (std::sregex_iterator it(text.begin(), text.end(), entry), end; it != end; ++it)
    frames.push_back({std::stoull((*it)[3]), std::stod((*it)[1]), out / (*it)[2].str()});
  return frames;
}

namespace {

/// VTK reports faults of a file on its output window only: while this lives, they are kept instead of printed.
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
  reader->SetFileName(file.c_str());
  if (reader->CanReadFile(file.c_str()) == 0) throw IoError(file.string() + ": is not a VTK polygon file.");
  reader->Update();
  if (faults.any_fault() || reader->GetErrorCode() != 0)
    throw IoError(file.string() + ": is damaged: VTK cannot read it.");
  return reader->GetOutput();
}

namespace {

using Templates = std::map<int, vtkSmartPointer<vtkPolyData>>;

/// Appends a body's outline in its place.
/// \param turn  times the body's size
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

/// The speed of every cell; VTK numbers lines before polygons.
vtkSmartPointer<vtkFloatArray> cell_speeds(const std::vector<float>& lines, const std::vector<float>& polygons) {
  auto speeds = vtkSmartPointer<vtkFloatArray>::New();
  speeds->SetName("speed");
  for (const float speed : lines) speeds->InsertNextValue(speed);
  for (const float speed : polygons) speeds->InsertNextValue(speed);
  return speeds;
}

vtkSmartPointer<vtkPolyData> with_outlines(const fs::path& out, vtkPolyData& glyphs) {
  vtkPointData& columns = *glyphs.GetPointData();
  vtkDataArray *shape = columns.GetArray("shape"), *turn = columns.GetArray("quaternion"),
               *speed = columns.GetArray("speed"), *scale = columns.GetArray("scale");
  if (!shape || !turn || !speed) throw IoError(out.string() + ": particles are points without shape and quaternion.");
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> lines, polygons;
  std::vector<float> line_speeds, polygon_speeds;
  Templates templates;
  for (vtkIdType i = 0; i < glyphs.GetNumberOfPoints(); ++i) {
    const int index = static_cast<int>(shape->GetTuple1(i));
    vtkPolyData& outline = *load(templates, out, index).at(index);
    const double* wxyz = turn->GetTuple(i);
    const Mat3 rotation = Quat(wxyz[0], wxyz[1], wxyz[2], wxyz[3]).toRotationMatrix();
    const double size = scale ? scale->GetTuple(i)[0] : 1;
    append_outline(outline, Vec3(glyphs.GetPoint(i)), size * rotation, *points, *lines, *polygons);
    const auto value = static_cast<float>(speed->GetTuple1(i));
    line_speeds.resize(static_cast<std::size_t>(lines->GetNumberOfCells()), value);
    polygon_speeds.resize(static_cast<std::size_t>(polygons->GetNumberOfCells()), value);
  }
  auto data = vtkSmartPointer<vtkPolyData>::New();
  data->SetPoints(points);
  data->SetLines(lines);
  data->SetPolys(polygons);
  data->GetCellData()->AddArray(cell_speeds(line_speeds, polygon_speeds));
  return data;
}

}  // namespace

vtkSmartPointer<vtkPolyData> read_particles(const fs::path& out, const FrameFile& frame) {
  auto data = read_data(frame.file);
  const bool glyphs = data->GetNumberOfVerts() > 0;
  return glyphs ? with_outlines(out, *data) : data;
}

vtkSmartPointer<vtkPolyData> without_bodies_of(vtkPolyData& solid, vtkSmartPointer<vtkPolyData> walls) {
  if (!walls) return walls;
  vtkDataArray *shown = solid.GetCellData()->GetArray("id"), *id = walls->GetCellData()->GetArray("id"),
               *group = walls->GetCellData()->GetArray("group");
  if (!shown || !id || !group) return walls;
  std::set<double> bodies, groups;
  for (vtkIdType cell = 0; cell < shown->GetNumberOfTuples(); ++cell) bodies.insert(shown->GetTuple1(cell));
  // Bodies inside the solid are not among those shown: what belongs to one entry of the scene goes together.
  for (vtkIdType cell = 0; cell < id->GetNumberOfTuples(); ++cell)
    if (bodies.contains(id->GetTuple1(cell))) groups.insert(group->GetTuple1(cell));
  auto rest = vtkSmartPointer<vtkPolyData>::New();
  rest->DeepCopy(walls);
  rest->BuildCells();
  for (vtkIdType cell = 0; cell < group->GetNumberOfTuples(); ++cell)
    if (groups.contains(group->GetTuple1(cell))) rest->DeleteCell(cell);
  rest->RemoveDeletedCells();
  return rest;
}

}  // namespace scree::render
