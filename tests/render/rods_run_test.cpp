// What a run writes of rods that swing, break and fall.

#include <fmt/format.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataReader.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "catch.hpp"
#include "program.hpp"

using namespace scree::test;

namespace {

/// Three rods of 12 segments that a peg holds by their roots; they swing down and break off at 0.14 s.
const std::string kRods = R"({
  "dimension": 3, "gravity": [0, 0, -10],
  "materials": {"rod": {"density": 1000}, "stone": {}},
  "shapes": {"segment": {"type": "capsule", "length": 0.01, "radius": 0.001, "mass_of": "cylinder"},
             "peg": {"type": "sphere", "radius": 0.005}},
  "bodies": [
    {"name": "rod", "shape": "segment", "material": "rod",
     "packing": {"type": "strands", "segments": 12,
                 "roots": {"normal": [1, 0, 0], "positions": [[0, 0, 0], [0, 0.03, 0], [0, 0.06, 0]]}}},
    {"name": "peg", "shape": "peg", "material": "stone", "fixed": true, "position": [-0.005, 0, 0]}],
  "bonds": [
    {"between": ["rod", "rod"], "law": {"type": "elastic-rod", "stiffness": {"EA": 1e3, "EI": [1e-6], "GJ": 1e-6},
                                        "tensile_strength": 5e4, "shear_strength": 1e9}},
    {"between": ["peg", "rod"], "pairs": "roots",
     "law": {"type": "elastic-rod", "stiffness": {"EA": 1e3, "EI": [1e-6], "GJ": 1e-6}}}],
  "interactions": [{"between": ["*", "*"], "law": {"type": "coulomb", "friction": 0.3}}],
  "integrator": {"type": "moreau-jean", "dt": 1e-3},
  "output": {"interval": 0.01, "checkpoint_interval": 0.05, "writers": [{"type": "vtk", "bonds": true}]},
  "run": {"duration": 0.2}})";

struct RodRun {
  TemporaryFolder folder;
  RodRun() { spit(folder / "scene.json", kRods); }
  fs::path out(const std::string& name) const { return folder / name; }
  void run(const std::string& name, const std::string& options) const {
    const Outcome outcome = scree_program(
        fmt::format("run {} --quiet --out {} {}", (folder / "scene.json").string(), out(name).string(), options));
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
  }
  vtkSmartPointer<vtkPolyData> rods(const std::string& name, int frame) const {
    vtkNew<vtkXMLPolyDataReader> reader;
    reader->SetFileName((out(name) / fmt::format("rods/rods_{:06}.vtp", frame)).c_str());
    reader->Update();
    return reader->GetOutput();
  }
  void check_same(const std::string& a, const std::string& b) const {
    INFO(a << " and " << b);
    for (const std::string series : {"rods", "bonds"}) {
      CHECK(slurp(out(a) / (series + ".pvd")) == slurp(out(b) / (series + ".pvd")));
      for (int frame = 0; frame <= 20; ++frame) {
        const std::string file = fmt::format("{}/{}_{:06}.vtp", series, series, frame);
        INFO(file);
        CHECK(slurp(out(a) / file) == slurp(out(b) / file));
      }
    }
  }
};

}  // namespace

TEST_CASE("files of rods that break are the same for 1 and 3 threads, and when resumed before or after the break") {
  const RodRun rods;
  rods.run("one", "--threads 1");
  rods.run("three", "--threads 3");
  rods.check_same("one", "three");
  for (const int step : {100, 150}) {
    // In its own folder, whose lists go on where the checkpoint was.
    const std::string name = fmt::format("again{}", step);
    fs::copy(rods.out("three"), rods.out(name), fs::copy_options::recursive);
    rods.run(name,
             fmt::format("--threads 2 --resume {}/checkpoints/checkpoint_{:09}.h5", rods.out(name).string(), step));
    rods.check_same("one", name);
  }
  const auto whole = rods.rods("one", 10), broken = rods.rods("one", 20);
  CHECK(whole->GetNumberOfLines() == 3);
  CHECK(whole->GetNumberOfPoints() == 3 * 13);
  CHECK(broken->GetNumberOfLines() == 6);
  CHECK(broken->GetNumberOfPoints() == 36 + 6);
  for (const char* name : {"tension", "bending_moment", "twisting_moment", "curvature", "twist", "utilisation"}) {
    vtkDataArray* const array = broken->GetPointData()->GetArray(name);
    INFO(name);
    REQUIRE(array);
    for (vtkIdType i = 0; i < array->GetNumberOfTuples(); ++i) CHECK(std::isfinite(array->GetTuple1(i)));
  }
}

TEST_CASE("who looks at rods does not change them") {
  const RodRun rods;
  rods.run("seen", "");
  rods.run("unseen", "--set /output/writers=[]");
  const auto hash = [&](const std::string& name) {
    return nlohmann::json::parse(slurp(rods.out(name) / "summary.json"))["state_hash"];
  };
  CHECK(hash("seen") == hash("unseen"));
}
