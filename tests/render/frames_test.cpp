// Pictures tell what metrics and checkpoints of the same moment tell.

#include <fmt/format.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataReader.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "program.hpp"
#include "scree/output/container.hpp"

using namespace scree::test;
using Json = nlohmann::json;

namespace {

/// Discs that overlap a little from the start, in rows that fall on a floor.
Json pile(const std::string& integrator) {
  const bool rigid = integrator == "moreau-jean";
  Json law = {{"type", "linear"}, {"normal_stiffness", 1e4}, {"normal_damping", 1}, {"friction", 0.5}};
  if (rigid) law = {{"type", "coulomb"}, {"friction", 0.5}};
  return {
      {"dimension", 2},
      {"gravity", {0, -9.81}},
      {"materials", {{"m", {{"density", 1000}}}}},
      {"shapes",
       {{"disc", {{"type", "sphere"}, {"radius", 0.005}, {"thickness", 0.01}}}, {"floor", {{"type", "half-plane"}}}}},
      {"bodies",
       {{{"shape", "disc"},
         {"material", "m"},
         {"velocity", {0.1, -0.2}},
         {"packing", {{"type", "lattice"}, {"lower", {0, 0.0049}}, {"counts", {6, 4}}, {"spacing", 0.0099}}}},
        {{"shape", "floor"}, {"material", "m"}, {"fixed", true}, {"name", "floor"}}}},
      {"interactions", {{{"between", {"*", "*"}}, {"law", law}}}},
      {"integrator", {{"type", integrator}, {"dt", 1e-4}}},
      {"grid", {{"skin", 1e-9}}},  // lists are made anew in every step
      {"output", {{"interval", 1e-4}, {"metrics_interval", 1e-4}}},
      {"run", {{"duration", 3e-3}}}};
}

/// Columns of metrics.csv by name.
std::map<std::string, std::vector<double>> metrics_of(const fs::path& out) {
  std::istringstream text(slurp(out / "metrics.csv"));
  std::string line, cell;
  std::getline(text, line);
  std::vector<std::string> names;
  for (std::istringstream header(line); std::getline(header, cell, ',');) names.push_back(cell);
  std::map<std::string, std::vector<double>> columns;
  while (std::getline(text, line)) {
    std::istringstream row(line);
    for (const std::string& name : names) {
      std::getline(row, cell, ',');
      columns[name].push_back(std::stod(cell));
    }
  }
  return columns;
}

vtkSmartPointer<vtkPolyData> frame(const fs::path& out, const std::string& name, std::size_t k) {
  vtkNew<vtkXMLPolyDataReader> reader;
  reader->SetFileName((out / name / fmt::format("{}_{:06}.vtp", name, k)).c_str());
  reader->Update();
  return reader->GetOutput();
}

Json summary_of(const fs::path& out) { return Json::parse(slurp(out / "summary.json")); }

void run_scene(const TemporaryFolder& folder, const Json& scene, const std::string& out, const std::string& more = "") {
  spit(folder / "scene.json", scene.dump());
  const Outcome run = scree_program("run " + (folder / "scene.json").string() + " --quiet --threads 2 --out " +
                                    (folder / out).string() + more);
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
}

constexpr const char* kWithForces[] = {"symplectic-euler", "velocity-verlet", "rk4", "gear"};

}  // namespace

TEST_CASE("contacts in pictures are those of metrics in every frame, also where lists are made anew in each step") {
  for (const std::string integrator : {"symplectic-euler", "velocity-verlet", "rk4", "gear", "moreau-jean"}) {
    INFO(integrator);
    const TemporaryFolder folder;
    run_scene(folder, pile(integrator), "out");
    auto metrics = metrics_of(folder / "out");
    REQUIRE(metrics["step"].size() == 31);
    CHECK(metrics["rebuilds"].back() >= (integrator == "moreau-jean" ? 10 : 30));
    CHECK(*std::ranges::max_element(metrics["contacts"]) > 30);
    for (std::size_t k = 0; k < metrics["step"].size(); ++k) {
      INFO("frame " << k);
      const auto contacts = frame(folder / "out", "contacts", k);
      CHECK(contacts->GetNumberOfLines() == metrics["contacts"][k]);
      // Where contact is rigid the deepest contact need not be one that pushes.
      if (integrator == "moreau-jean" || contacts->GetNumberOfLines() == 0) continue;
      CHECK(contacts->GetCellData()->GetArray("overlap")->GetRange()[1] ==
            Approx(metrics["max_overlap_m"][k]).epsilon(1e-6));
    }
  }
}

TEST_CASE("who looks at a run does not change it") {
  for (const std::string integrator : kWithForces) {
    INFO(integrator);
    const TemporaryFolder folder;
    run_scene(folder, pile(integrator), "seen");
    run_scene(folder, pile(integrator), "unseen", " --set /output/writers=[] --set /output/metrics_interval=0");
    CHECK(summary_of(folder / "seen")["state_hash"] == summary_of(folder / "unseen")["state_hash"]);
    CHECK(summary_of(folder / "seen")["rebuilds"] == summary_of(folder / "unseen")["rebuilds"]);
  }
}

TEST_CASE("a row of metrics is of one moment: energies, overlap and forces are those of where the ball is") {
  constexpr double kRadius = 0.005, kStiffness = 1e4;
  for (const std::string integrator : kWithForces) {
    INFO(integrator);
    const TemporaryFolder folder;
    Json scene = pile(integrator);
    scene["bodies"][0].erase("packing");
    scene["bodies"][0]["position"] = {0, 0.00497};
    scene["bodies"][0]["velocity"] = {0, -0.3};
    scene["interactions"][0]["law"]["normal_damping"] = 0;
    run_scene(folder, scene, "out");
    auto metrics = metrics_of(folder / "out");
    const double weight = metrics["potential_energy_J"][0] / 0.00497;
    int touching = 0;
    for (std::size_t k = 0; k < metrics["step"].size(); ++k) {
      INFO("step " << k);
      const double overlap = std::max(0.0, kRadius - metrics["potential_energy_J"][k] / weight);
      touching += overlap > 0;
      // Energies of 1e-4 J told with 16 digits: 1e-15 m and more of position.
      CHECK(std::abs(metrics["max_overlap_m"][k] - overlap) < 1e-14);
      CHECK(std::abs(metrics["elastic_energy_J"][k] - kStiffness / 2 * overlap * overlap) < 1e-12);
      CHECK(std::abs(metrics["floor_force_y_N"][k] + kStiffness * overlap) < 1e-9);
      CHECK(metrics["contacts"][k] == (overlap > 0 ? 1 : 0));
    }
    CHECK(touching > 5);
  }
}

TEST_CASE("bodies are drawn where the checkpoint of the same step has them") {
  for (const std::string integrator : {"symplectic-euler", "velocity-verlet"}) {
    INFO(integrator);
    const TemporaryFolder folder;
    Json scene = pile(integrator);
    scene["grid"]["skin"] = 0.004;  // bodies move on while lists hold
    scene["output"]["writers"] = {{{"type", "vtk"}, {"mode", "glyph"}}};
    scene["output"]["checkpoint_interval"] = 1e-3;
    run_scene(folder, scene, "out");
    for (const std::size_t step : {10, 20, 30}) {
      const scree::CheckpointReader checkpoint(folder / fmt::format("out/checkpoints/checkpoint_{:09}.h5", step));
      const auto ids = checkpoint.read<std::uint64_t>("tables/bodies/columns/id");
      const auto x = checkpoint.read<double>("tables/bodies/columns/position"), v = checkpoint.read<double>("tables/bodies/columns/velocity");
      const auto picture = frame(folder / "out", "particles", step);
      vtkDataArray* const drawn = picture->GetPointData()->GetArray("id");
      REQUIRE(picture->GetNumberOfPoints() == 24);
      for (vtkIdType p = 0; p < picture->GetNumberOfPoints(); ++p) {
        const auto found = std::ranges::find(ids, static_cast<std::uint64_t>(drawn->GetTuple1(p)));
        REQUIRE(found != ids.end());
        for (int k = 0; k < 3; ++k) {
          const auto i = static_cast<std::size_t>(3 * (found - ids.begin()) + k);
          CHECK(picture->GetPoint(p)[k] == static_cast<float>(x[i]));
          CHECK(picture->GetPointData()->GetArray("velocity")->GetComponent(p, k) == static_cast<float>(v[i]));
        }
      }
    }
  }
}
