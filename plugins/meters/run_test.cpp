/// \file Meters in whole runs: against the figures of the run, on several threads, and stopped and resumed.

#include <cmath>

#include "catch.hpp"
#include "meters_run.hpp"
#include "meters_scenes.hpp"
#include "program.hpp"
#include "verify.hpp"

using namespace scree::meters;
using namespace scree::test;

namespace {

struct Runs {
  explicit Runs(const std::string& scene) { spit(folder / "scene.json", scene); }
  Outcome run(const std::string& out, const std::string& more) const {
    return scree_program("run " + (folder / "scene.json").string() + " --quiet --out " + (folder / out).string() + " " +
                         more);
  }
  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("bins of a run add up to its metrics to 1e-12 at each moment, in slabs and in shells") {
  const Runs runs(kMetersRun);
  const Outcome done = runs.run("out", "--threads 2");
  INFO(done.err);
  REQUIRE(done.exit_code == 0);
  const Table metrics = read(runs.folder / "out/metrics.csv");
  double worst = 0;
  for (const char* const name : {"slabs", "oblique", "shells"}) {
    const Table bins = read(runs.folder / "out" / (std::string(name) + ".csv"));
    std::size_t moment = 0;
    for (const auto& row : metrics) {
      double count = 0, mass = 0, momentum = 0, energy = 0;
      for (const auto& bin : bins) {
        if (bin.at("time_s") != row.at("time_s") || bin.at("mass_kg") == 0) continue;
        count += bin.at("count"), mass += bin.at("mass_kg");
        momentum += bin.at("mass_kg") * bin.at("velocity_z_m_per_s");
        double square = 3 * bin.at("temperature_m2_per_s2");
        for (const char axis : {'x', 'y', 'z'})
          square += std::pow(bin.at(std::string("velocity_") + axis + "_m_per_s"), 2);
        energy += 0.5 * bin.at("mass_kg") * square;
      }
      INFO(name << " " << row.at("time_s"));
      CHECK(count == row.at("bodies"));
      const double speed = std::sqrt(2 * row.at("kinetic_translation_J") / mass);
      worst = std::max({worst, std::abs(momentum - row.at("momentum_z_kg_m_per_s")) / (mass * speed),
                        std::abs(energy / row.at("kinetic_translation_J") - 1)});
      ++moment;
    }
    CHECK(moment > 5);
  }
  verify("sums over bins against metrics.csv", 0, worst, 1e-12);
  // The stress of all slabs is that of the region which holds them.
  const auto region = read(runs.folder / "out/whole.csv").back();
  double stress = 0, volume = 0;
  const Table slabs = read(runs.folder / "out/slabs.csv");
  for (const auto& bin : slabs)
    if (bin.at("time_s") == region.at("time_s")) stress += bin.at("contact_stress_zz_Pa"), ++volume;
  const double kinetic = region.at("stress_zz_Pa") - stress / volume;
  CHECK(stress / volume > 10);
  CHECK(kinetic == Approx(0).margin(0.2 * stress / volume));
}

TEST_CASE("files of meters are the same for any number of threads, and resumed they equal those of the whole run") {
  const Runs runs(kMetersRun);
  REQUIRE(runs.run("whole", "--threads 1").exit_code == 0);
  REQUIRE(runs.run("three", "--threads 3").exit_code == 0);
  REQUIRE(runs.run("parts", "--set /run/duration=0.003").exit_code == 0);
  const Outcome rest =
      runs.run("parts", "--resume " + (runs.folder / "parts/checkpoints/checkpoint_000000100.h5").string());
  INFO(rest.err);
  REQUIRE(rest.exit_code == 0);
  for (const char* const file : kMeterFiles) {
    INFO(file);
    const std::string whole = slurp(runs.folder / "whole" / file);
    CHECK(whole.size() > 100);
    CHECK((slurp(runs.folder / "three" / file) == whole));
    CHECK((slurp(runs.folder / "parts" / file) == whole));
  }
}
