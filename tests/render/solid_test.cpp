// Pictures of what broke: cracks and fragments of the writer fracture-surface.

#include <fmt/format.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataWriter.h>

#include "catch.hpp"
#include "rendering.hpp"
#include "scree/output/atomic_file.hpp"
#include "temporary_folder.hpp"

namespace scree {

using Catch::Matchers::ContainsSubstring;
using namespace test;

namespace {

/// A fracture surface of two tetrahedra apart from each other, fragments 0 and 7. One face of each was inside.
void write_pieces(const fs::path& out) {
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> faces;
  const auto array = [](const char* name) {
    vtkNew<vtkFloatArray> values;
    values->SetName(name);
    return vtkSmartPointer<vtkFloatArray>(values);
  };
  const auto fragment = array("fragment"), crack = array("crack"), speed = array("speed"), id = array("id");
  for (const int piece : {0, 1}) {
    for (const auto& [x, y, z] : {std::array{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}})
      points->InsertNextPoint(1.4 * piece + x, y, z);
    for (const auto& [a, b, c] : {std::array{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}) {
      faces->InsertNextCell({4 * piece + a, 4 * piece + b, 4 * piece + c});
      fragment->InsertNextValue(7.F * static_cast<float>(piece));
      id->InsertNextValue(static_cast<float>(piece));
      crack->InsertNextValue(a == 0 && b == 1);
      speed->InsertNextValue(1);
    }
  }
  vtkNew<vtkPolyData> surface;
  surface->SetPoints(points);
  surface->SetPolys(faces);
  for (const auto& values : {fragment, crack, speed, id}) surface->GetCellData()->AddArray(values);
  fs::create_directories(out / "fracture");
  vtkNew<vtkXMLPolyDataWriter> writer;
  writer->SetInputData(surface);
  writer->SetFileName((out / "fracture/fracture_000000.vtp").c_str());
  writer->Write();
  write_atomically(out / "fracture.pvd",
                   "<VTKFile><DataSet timestep=\"0\" part=\"0\" file=\"fracture/fracture_000000.vtp\"/></VTKFile>");
}

bool is_red_brown(int r, int g, int b) { return r > 1.3 * g && r > 1.5 * b; }
bool is_teal(int r, int g, int b) { return g > 1.2 * r && g > b; }

}  // namespace

TEST_CASE("fragments of a solid have a colour each on request") {
  if (!can_draw()) return;
  const TemporaryFolder out;
  write_pieces(out.path());
  const auto picture = [&](const std::string& colour) {
    const fs::path file = out / "picture.png";
    const Outcome done = render(fmt::format("{} --solid --colour {}{} --width 300 --output {}", out.path().string(),
                                            colour, colour == "speed" ? " --map ocean" : "", file.string()));
    INFO(done.output);
    REQUIRE(done.status == 0);
    return Picture(file);
  };
  const Picture fragments = picture("fragment"), speeds = picture("speed");
  // Two pieces of equal size; which faces are seen, and how bright, differs.
  CHECK(fragments.share(is_red_brown) > 0.03);
  CHECK(fragments.share(is_teal) > 0.03);
  CHECK(speeds.share(is_red_brown) == 0);
  const Outcome unknown = render(out.path().string() + " --solid --colour colour");
  CHECK(unknown.status == 2);
  CHECK_THAT(unknown.output, ContainsSubstring("--colour is \"colour\"; particles have fragment, crack, speed, id."));
}

}  // namespace scree
