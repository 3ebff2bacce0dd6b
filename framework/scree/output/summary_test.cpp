#include "scree/output/summary.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "scree/output/atomic_file.hpp"
#include "temporary_folder.hpp"

namespace scree {

TEST_CASE("the summary is JSON with every field, numbers to the last bit") {
  const test::TemporaryFolder folder;
  Summary summary;
  summary.scene = "star_packing";
  summary.status = "completed";
  summary.steps = 40000;
  summary.dt = 1e-5;
  summary.stage_seconds.detect = 1.0 / 3;
  summary.momentum = {0.1, -0.2, 0.3};
  summary.state_hash = "00ff00ff00ff00ff";
  summary.plugins = {{"star", "1.0.0", "00aa"}};
  summary.warnings = {"the step is long"};
  write_summary(folder / "summary.json", summary);
  const auto json = nlohmann::json::parse(read_file(folder / "summary.json"));
  CHECK(json.size() == 26);
  CHECK(json.at("plugins") == nlohmann::json::parse(R"([{"name": "star", "version": "1.0.0", "hash": "00aa"}])"));
  CHECK(json.at("scene") == "star_packing");
  CHECK(json.at("steps") == 40000);
  CHECK(json.at("dt") == 1e-5);
  CHECK(json.at("stage_seconds").at("detect").get<double>() == 1.0 / 3);
  CHECK(json.at("stage_seconds").size() == 5);
  CHECK(json.at("warnings") == nlohmann::json::parse(R"(["the step is long"])"));
  CHECK(json.at("momentum").get<std::vector<double>>() == std::vector{0.1, -0.2, 0.3});
  CHECK(json.at("state_hash") == "00ff00ff00ff00ff");
}

TEST_CASE("a summary of several ranks tells how long they have waited") {
  Summary summary;
  summary.ranks = 3;
  summary.sharing = {0.25, 0.5, 90};
  const auto json = nlohmann::json::parse(to_json(summary));
  CHECK(json.at("ranks") == 3);
  CHECK(json.at("rank_waiting_seconds") == nlohmann::json::parse(R"({"mean": 0.25, "most": 0.5})"));
  CHECK(json.at("divided_steps") == 90);
}

TEST_CASE("a summary of a broken run is still JSON") {
  Summary summary;
  summary.scene = "not UTF-8: \xff";
  summary.kinetic_energy_final = std::nan("");
  const auto json = nlohmann::json::parse(to_json(summary));
  CHECK(json.at("kinetic_energy_final").is_null());
  CHECK(json.at("scene") == "not UTF-8: \xEF\xBF\xBD");
}

}  // namespace scree
