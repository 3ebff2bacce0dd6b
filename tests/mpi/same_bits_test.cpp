// The same file gives the same results on any number of ranks and threads.

#include <hdf5.h>

#include <map>

#include "fields_run.hpp"
#include "meters_run.hpp"
#include "ranks.hpp"
#include "scenes.hpp"
#include "verify.hpp"

using namespace scree::test;
using Json = nlohmann::json;

namespace {

/// A scene in a folder of its own.
struct Scene {
  explicit Scene(const std::string& text) { spit(folder / "scene.json", text); }
  /// \param ranks  0: without mpirun  \return the folder of results
  fs::path run(const std::string& to, int ranks, const std::string& options) const {
    const fs::path out = folder / to;
    const Outcome outcome =
        shell(on_ranks(ranks, fmt::format("run {} --quiet --set /output/writers=[] --out {} {}",
                                          (folder / "scene.json").string(), out.string(), options)));
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return out;
  }
  TemporaryFolder folder;
};

std::vector<std::string> checkpoints_of(const fs::path& out) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(out / "checkpoints"))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

/// The arrays of a checkpoint, by name: the file itself also holds the time at which each was written.
std::map<std::string, std::string> arrays_of(const fs::path& file) {
  std::map<std::string, std::string> arrays;
  const hid_t in = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  REQUIRE(in >= 0);
  const auto visit = [](hid_t from, const char* name, const H5O_info_t* info, void* to) -> herr_t {
    if (info->type != H5O_TYPE_DATASET) return 0;
    const hid_t set = H5Dopen2(from, name, H5P_DEFAULT), type = H5Dget_type(set), space = H5Dget_space(set);
    std::string bytes(H5Tget_size(type) * static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)), '\0');
    const herr_t status = H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
    (*static_cast<std::map<std::string, std::string>*>(to))[name] = bytes;
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    return status;
  };
  CHECK(H5Ovisit(in, H5_INDEX_NAME, H5_ITER_NATIVE, visit, &arrays) >= 0);
  H5Fclose(in);
  return arrays;
}

/// \param parts  the run had ends on the way, which the checkpoints there tell
void compare(const fs::path& out, const fs::path& reference, bool parts = false) {
  CHECK(results_of(out) == results_of(reference));
  CHECK((slurp(out / "metrics.csv") == slurp(reference / "metrics.csv")));
  const std::vector<std::string> names = checkpoints_of(reference);
  int different = 0;
  REQUIRE(checkpoints_of(out) == names);
  for (const std::string& name : names) {
    const auto arrays = arrays_of(reference / "checkpoints" / name);
    CHECK(arrays.size() > 20);
    const auto others = arrays_of(out / "checkpoints" / name);
    REQUIRE(others.size() == arrays.size());
    for (const auto& [array, bytes] : arrays) {
      if (parts && array == "stages/stage") continue;
      INFO(name << " " << array);
      different += others.at(array) != bytes;
      CHECK((others.at(array) == bytes));  // in brackets: not to be printed
    }
  }
  verify("arrays of checkpoints that differ from those of one process", 0, different, 0);
}

using Ways = std::vector<std::pair<int, int>>;

/// Against the program without mpirun. What MPI carries is what is tested here: thread_ranks_test.cpp has more ways and
/// scenes. \param ways  numbers of ranks and threads
/// \param least_divided  part of all steps in which bodies are divided, but for an account of energy
void check_ranks(const std::string& text, const Ways& ways = {{2, 2}, {3, 1}}, double least_divided = 0.8) {
  const Scene scene(text);
  const fs::path reference = scene.run("alone", 0, "--threads 1");
  const Json results = results_of(reference);
  const bool ledger = Json::parse(text).at("output").value("energy_ledger", false);
  CHECK(results["contacts_mean"].get<double>() > 50);
  CHECK(results["rebuilds"].get<int>() > 2);
  for (const auto& [ranks, threads] : ways) {
    INFO(ranks << " ranks, " << threads << " threads");
    const fs::path out = scene.run(fmt::format("{}x{}", ranks, threads), ranks, fmt::format("--threads {}", threads));
    compare(out, reference);
    const Json summary = Json::parse(slurp(out / "summary.json"));
    CHECK(summary.value("ranks", 1) == ranks);
    if (ranks == 1) continue;
    const Json& waited = summary.at("rank_waiting_seconds");
    CHECK(waited.at("mean") > 0);
    CHECK(waited.at("most") >= waited.at("mean"));
    CHECK(waited.at("most") <= summary.at("wall_seconds"));
    // All but those that somebody looks at, and those of the first step.
    const double divided = summary.at("divided_steps").get<double>() / summary.at("steps").get<double>();
    CAPTURE(divided);
    CHECK((ledger ? divided == 0 : divided > least_divided));
  }
}

}  // namespace

TEST_CASE("spheres with an account of energy: equal bits on 2 ranks") { check_ranks(kSpheres, {{2, 1}}); }
TEST_CASE("spheres with friction: equal bits on 1 to 4 ranks") {
  check_ranks(without_ledger(kSpheres), {{1, 2}, {3, 2}, {4, 1}});
}
TEST_CASE("clumps: equal bits on 2 and 3 ranks") { check_ranks(kClumps); }
TEST_CASE("stars in a periodic cell: equal bits on 2 and 3 ranks") { check_ranks(kStars); }
TEST_CASE("grains that come and go: equal bits on 2 and 3 ranks") { check_ranks(kStream); }

TEST_CASE("a bonded brick that breaks: equal bits on 2 and 3 ranks") {
  check_ranks(kBrick, {{2, 2}, {3, 1}}, 0.3);  // bodies come together whenever a bond breaks
}
TEST_CASE("granules that are stored and come back: equal bits on 2 and 3 ranks") { check_ranks(kCulled); }
TEST_CASE("a drum with lifters: equal bits on 2 and 3 ranks") { check_ranks(drum_with_lifters()); }

TEST_CASE("meters and loads: equal files on 2 and 3 ranks") {
  const Scene scene(scree::meters::kMetersRun);
  const fs::path reference = scene.run("alone", 0, "--threads 1");
  for (const int ranks : {2, 3}) {
    const fs::path out = scene.run(fmt::format("on{}", ranks), ranks, "--threads 1");
    compare(out, reference);
    for (const char* const file : scree::meters::kMeterFiles) {
      INFO(ranks << " " << file);
      CHECK((slurp(out / file) == slurp(reference / file)));
    }
  }
}

#if SCREE_HAS_FIELDS
TEST_CASE("fields: equal images on 2 and 3 ranks") {
  const Scene scene(scree::fields::kFieldsRun);
  const fs::path reference = scene.run("alone", 0, "--threads 1");
  for (const int ranks : {2, 3}) {
    const fs::path out = scene.run(fmt::format("on{}", ranks), ranks, "--threads 1");
    compare(out, reference);
    for (const char* const file : scree::fields::kFieldFiles) {
      INFO(ranks << " " << file);
      CHECK((slurp(out / file) == slurp(reference / file)));
    }
  }
}
#endif

TEST_CASE("stages: the same ends, bits and checkpoints on 2 ranks") {
  Json json = Json::parse(kSpheres);
  json.erase("run");
  json["stages"] = {
      {{"name", "fall"}, {"until", {{"figure", "contacts"}, {"above", 100}, {"interval", 0.0002}, {"limit", 0.004}}}},
      {{"name", "push"}, {"change", {{"gravity", {-90, 0, 0}}}}, {"until", {{"steps", 50}}}}};
  const Scene scene(json.dump());
  compare(scene.run("two", 2, "--threads 1"), scene.run("alone", 0, "--threads 1"));
}

TEST_CASE("a run goes on from 2 ranks on 3 and then on 1 as one that was not stopped") {
  const Scene scene(kSpheres);
  const fs::path whole = scene.run("whole", 0, "--threads 1");
  const auto go_on = [&](int ranks, double until, int from) {
    const std::string resume =
        from == 0 ? ""
                  : fmt::format("--resume {}/checkpoints/checkpoint_{:09}.h5", (scene.folder / "parts").string(), from);
    return scene.run("parts", ranks, fmt::format("--threads 1 --set /run/duration={} {}", until, resume));
  };
  go_on(2, 0.002, 0);
  go_on(3, 0.004, 100);
  compare(go_on(1, 0.006, 200), whole, true);
}
