/// \file The observer `fields` in whole runs: a bed at rest, threads, resume, and what is refused.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "fields_run.hpp"
#include "image_reader.hpp"
#include "program.hpp"

using namespace scree::fields;
using namespace scree::test;

namespace {

struct Runs {
  explicit Runs(const std::string& scene) { spit(folder / "scene.json", scene); }
  Outcome run(const std::string& out, const std::string& more) const {
    return scree_program("run " + (folder / "scene.json").string() + " --quiet --out " + (folder / out).string() + " " +
                         more);
  }
  Outcome check(const std::string& more) const {
    return scree_program("check " + (folder / "scene.json").string() + " " + more);
  }
  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("fields are the same for any number of threads, and a run resumed in a window equals the whole one") {
  const Runs runs(kFieldsRun);
  const Outcome whole = runs.run("whole", "--threads 1");
  INFO(whole.err);
  REQUIRE(whole.exit_code == 0);
  REQUIRE(runs.run("three", "--threads 3").exit_code == 0);
  REQUIRE(runs.run("parts", "--set /run/duration=0.0028").exit_code == 0);
  const Outcome rest =
      runs.run("parts", "--resume " + (runs.folder / "parts/checkpoints/checkpoint_000000100.h5").string());
  INFO(rest.err);
  REQUIRE(rest.exit_code == 0);
  for (const char* const file : kFieldFiles) {
    INFO(file);
    const std::string text = slurp(runs.folder / "whole" / file);
    CHECK(text.size() > 100);
    CHECK((slurp(runs.folder / "three" / file) == text));
    CHECK((slurp(runs.folder / "parts" / file) == text));
  }
  CHECK_FALSE(fs::exists(runs.folder / "whole/window/window_000002.vti"));
}

TEST_CASE("grids that cannot be end with code 2 before the first step, and large ones are told") {
  const Runs runs(kFieldsRun);
  const Outcome huge = runs.check("--set /hooks/0/spacing=4e-6 --set /hooks/0/width=8e-6");
  CHECK(huge.exit_code == 2);
  CHECK_THAT(huge.err, Catch::Contains("/hooks/0/spacing: gives a grid of ") &&
                           Catch::Contains("e+12 cells, which take ") &&
                           Catch::Contains(" GiB can be had. Give a spacing above "));
  const Outcome open = runs.check("--set /hooks/0/upper=null");
  CHECK(open.exit_code == 2);
  const Outcome unknown = runs.check("--set '/hooks/0/fields=[\"presure\"]'");
  CHECK(unknown.exit_code == 2);
  CHECK_THAT(unknown.err, Catch::Contains("presure") && Catch::Contains("pressure"));
  const Outcome nobody = runs.check("--set '/hooks/0/bodies=[\"hihg\"]'");
  CHECK(nobody.exit_code == 2);
  CHECK_THAT(nobody.err, Catch::Contains("hihg") && Catch::Contains("high"));
  const Outcome large = runs.check("--set /hooks/0/spacing=0.0006 --set /hooks/0/width=0.001");
  CHECK(large.exit_code == 0);
  CHECK_THAT(large.err,
             Catch::Contains("moment: a grid of 90 x 90 x 90 cells, which take ") && Catch::Contains(" MB of memory."));
  CHECK_THAT(large.out, Catch::Contains("output: up to about "));
}

TEST_CASE("the silo of the example has the flow, the forces and the speeds of its page", "[long]") {
  const TemporaryFolder folder;
  const Outcome run =
      scree_program(std::string("run ") + SCREE_EXAMPLES + "/silo_fields/scene.json --quiet --threads 1 --out " +
                    folder.path().string() + " --set /output/writers=[]");
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  const auto image = test::read_image(folder / "flow/flow_000000.vti");
  const int nx = image->GetDimensions()[0] - 1, ny = image->GetDimensions()[1] - 1;
  const double* const h = image->GetSpacing();
  const auto height = [&](int y) { return image->GetOrigin()[1] + (y + 0.5) * h[1]; };
  const auto row_at = [&](double wanted) {
    return static_cast<int>(std::floor((wanted - image->GetOrigin()[1]) / h[1] + 1e-9));
  };
  const auto value = [&](const char* name, int x, int y, int component = 0) {
    return image->GetCellData()->GetArray(name)->GetComponent(x + nx * y, component);
  };
  // Flow through rows, beside that through the outlet.
  std::vector<double> flow;
  for (const double at : {0.02, 0.05, 0.1, 0.15, 0.2}) {
    flow.push_back(0);
    for (int x = 0; x < nx; ++x) flow.back() -= value("momentum_density", x, row_at(at), 1) * h[0];
  }
  CHECK(flow[0] == Approx(36.0).epsilon(0.01));
  CHECK(flow[4] == Approx(34.3).epsilon(0.01));
  double floor = 0, sides = 0, mass = 0;
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      (height(y) < 0.012 ? floor : sides) += value("boundary_force", x, y, 1) * h[0] * h[1];
      mass += value("density", x, y) * h[0] * h[1];
    }
  CHECK(floor == Approx(820).epsilon(0.01));
  CHECK(sides == Approx(194).epsilon(0.02));
  CHECK(mass * 9.81 == Approx(1057).epsilon(0.01));
}
