// A run that was stopped and resumed leaves the same files as one that was not, and loses none of those it had.

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "program.hpp"
#include "sealed_again.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

namespace {

/// Beads fall onto a gate, which opens at 0.02 s, and onto the floor below.
const std::string kGateScene = R"({
  "name": "gate", "dimension": 3, "gravity": [0, 0, -9.81],
  "materials": {"grain": {"density": 2500}, "wall": {}},
  "shapes": {"bead": {"type": "clump", "file": "bead.txt"}, "floor": {"type": "half-space", "normal": [0, 0, 1]}},
  "bodies": [
    {"name": "grains", "shape": "bead", "material": "grain",
     "packing": {"type": "lattice", "lower": [0, 0, 0.006], "counts": [3, 2, 2], "spacing": 0.012}},
    {"name": "gate", "shape": "floor", "material": "wall", "fixed": true, "remove_at": 0.02},
    {"name": "floor", "shape": "floor", "material": "wall", "fixed": true, "position": [0, 0, -0.01]}
  ],
  "interactions": [{"between": ["grain", "*"],
    "law": {"type": "linear", "normal_stiffness": 1000, "normal_damping": 0.1, "friction": 0.5}}],
  "integrator": {"type": "symplectic-euler", "dt": 0.0001},
  "output": {"interval": 0.002, "metrics_interval": 0.002, "checkpoint_interval": 0.03},
  "run": {"duration": 0.06}
})";

struct Folder {
  TemporaryFolder folder;
  Folder() {
    spit(folder / "scene.json", kGateScene);
    spit(folder / "bead.txt", "0 0 0 0.005\n0.002 0 0 0.004\n");
  }
  std::string out(const std::string& name) const { return (folder / name).string(); }
  Outcome run(const std::string& to, const std::string& options) const {
    return scree_program(fmt::format("run {} --quiet --threads 1 --out {} {}", out("scene.json"), out(to), options));
  }
  std::string checkpoint(const std::string& of, int step) const {
    return fmt::format("{}/checkpoints/checkpoint_{:09}.h5", out(of), step);
  }
};

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

Json summary_without_times(const fs::path& out) {
  Json s = Json::parse(slurp(out / "summary.json"));
  for (const char* key : {"wall_seconds", "stage_seconds", "particle_steps_per_second", "warnings"}) s.erase(key);
  return s;
}

}  // namespace

TEST_CASE("resumed in its own folder after a gate has opened, a run leaves the files of the whole one") {
  const Folder f;
  REQUIRE(f.run("whole", "").exit_code == 0);
  REQUIRE(f.run("cut", "--set /run/duration=0.05").exit_code == 0);  // frames and rows beyond the checkpoint are there
  const Outcome rest = f.run("cut", "--resume " + f.checkpoint("cut", 300));
  INFO(rest.err);
  REQUIRE(rest.exit_code == 0);
  CHECK(slurp(f.out("cut/metrics.csv")) == slurp(f.out("whole/metrics.csv")));
  CHECK_THAT(slurp(f.out("cut/metrics.csv")), ContainsSubstring("gate_force_x_N"));
  CHECK(summary_without_times(f.out("cut")) == summary_without_times(f.out("whole")));
  for (const std::string list : {"particles", "walls"}) {
    CHECK(slurp(f.out("cut/" + list + ".pvd")) == slurp(f.out("whole/" + list + ".pvd")));
    REQUIRE(files_in(f.out("cut/" + list)) == files_in(f.out("whole/" + list)));
    for (const auto& frame : fs::directory_iterator(f.out("whole/" + list)))
      CHECK(slurp(frame.path()) == slurp(fs::path(f.out("cut/" + list)) / frame.path().filename()));
  }
}

TEST_CASE("resumed after bonds broke between bodies that do not overlap, a run ends as the whole one") {
  Json scene = Json::parse(kGateScene);
  scene["shapes"]["bead"] = {{"type", "sphere"}, {"radius", 0.005}};
  scene["bodies"] = Json::array();
  for (const int k : {0, 1, 2})  // the outer ones fly off, which breaks both bonds
    scene["bodies"].push_back({{"name", fmt::format("bead{}", k)},
                               {"shape", "bead"},
                               {"material", "grain"},
                               {"position", {0.01 * k, 0, 0.1}},
                               {"velocity", {k - 1.0, 0, 0}}});
  for (const int k : {0, 1}) {
    Json bond = Json::parse(R"({"pairs": "touching", "gap": 1e-5,
      "law": {"type": "bonded-beam", "youngs_modulus": 1e6, "tensile_strength": 1e4, "shear_strength": 1e4}})");
    bond["between"] = {fmt::format("bead{}", k), fmt::format("bead{}", k + 1)};
    scene["bonds"].push_back(bond);
  }
  const Folder f;
  spit(f.out("scene.json"), scene.dump());
  REQUIRE(f.run("whole", "").exit_code == 0);
  CHECK(summary_without_times(f.out("whole")).at("figures").at("fragments") == 3);
  REQUIRE(f.run("cut", "--set /run/duration=0.05").exit_code == 0);
  const Outcome rest = f.run("cut", "--resume " + f.checkpoint("cut", 300));
  INFO(rest.err);
  REQUIRE(rest.exit_code == 0);
  CHECK(slurp(f.out("cut/metrics.csv")) == slurp(f.out("whole/metrics.csv")));
  CHECK(summary_without_times(f.out("cut")) == summary_without_times(f.out("whole")));
}

TEST_CASE("rows and frames of whole intervals end with the run, once, though steps do not fit in, also when resumed") {
  const Folder f;
  const std::string odd = "--set /output/interval=0.003333333333 --set /output/metrics_interval=0.003333333333 ";
  REQUIRE(f.run("whole", odd).exit_code == 0);
  const std::string rows = slurp(f.out("whole/metrics.csv")), list = slurp(f.out("whole/particles.pvd"));
  CHECK(std::ranges::count(rows, '\n') == 1 + 19);
  CHECK_THAT(rows, ContainsSubstring("\n0.0567,567,") && ContainsSubstring("\n0.06,600,"));
  CHECK(files_in(f.out("whole/particles")) == 19);
  CHECK_THAT(list,
             ContainsSubstring("\"0.0567\"") && ContainsSubstring("\"0.06\"") && !ContainsSubstring("00000000000"));
  REQUIRE(f.run("cut", odd + "--set /run/duration=0.05").exit_code == 0);
  REQUIRE(f.run("cut", odd + "--resume " + f.checkpoint("cut", 300)).exit_code == 0);
  CHECK(slurp(f.out("cut/metrics.csv")) == rows);
  CHECK(slurp(f.out("cut/particles.pvd")) == list);
}

TEST_CASE("resumed from the checkpoint of its end, as after a kill before the summary, a run tells the same") {
  const Folder f;
  const std::string closed = "--set /bodies/1/remove_at=1";
  REQUIRE(f.run("whole", closed).exit_code == 0);
  const Json whole = summary_without_times(f.out("whole"));
  REQUIRE(whole.at("max_overlap_ratio") > 0);
  fs::remove(f.out("whole/summary.json"));
  REQUIRE(f.run("whole", closed + " --resume " + f.checkpoint("whole", 600)).exit_code == 0);
  CHECK(summary_without_times(f.out("whole")) == whole);
}

TEST_CASE("resumed at its end, a run keeps the last frame and row, which no interval asks for, and writes none twice") {
  const Folder f;
  const std::string odd =
      "--set /output/interval=0.0007 --set /output/metrics_interval=0.0007 --set /output/checkpoint_interval=0.003 "
      "--set '/hooks=[{\"type\": \"region-meter\", \"name\": \"core\", \"interval\": 0.0007, \"region\": {\"type\": "
      "\"box\", \"lower\": [-1, -1, -1], \"upper\": [1, 1, 1]}}]' ";
  REQUIRE(f.run("whole", odd + "--set /run/duration=0.006").exit_code == 0);
  const auto state = [&](const std::string& of) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(f.out(of))) {
      const std::string name = fs::relative(entry.path(), f.out(of)).string();
      if (entry.is_regular_file() && !name.starts_with("checkpoints") && name != "summary.json" &&
          name != "scene.json" && !name.ends_with(".py"))
        files[name] = slurp(entry.path());
    }
    return files;
  };
  const auto whole = state("whole");
  CHECK(whole.contains("particles/particles_000009.vtp"));  // 0, 0.0007, ... 0.0056 s, and the end
  REQUIRE(f.run("whole", odd + "--set /run/duration=0.006 --resume " + f.checkpoint("whole", 60)).exit_code == 0);
  CHECK(state("whole") == whole);
  // A run that went on from there has the end of the shorter one, at the moment of a checkpoint.
  REQUIRE(f.run("longer", odd + "--set /run/duration=0.009").exit_code == 0);
  REQUIRE(f.run("longer", odd + "--set /run/duration=0.006 --resume " + f.checkpoint("longer", 60)).exit_code == 0);
  CHECK(state("longer") == whole);
}

TEST_CASE("a run that would end before its checkpoint is refused, and deletes nothing") {
  const Folder f;
  REQUIRE(f.run("out", "").exit_code == 0);
  const std::string rows = slurp(f.out("out/metrics.csv")), list = slurp(f.out("out/particles.pvd"));
  const std::size_t frames = files_in(f.out("out/particles"));
  const Outcome told = f.run("out", "--set /run/duration=0.02 --resume " + f.checkpoint("out", 300));
  CHECK(told.exit_code == 2);
  CHECK_THAT(told.err,
             ContainsSubstring("is of step 300 (t = 0.03 s), and the run ends after step 200 (t = 0.02 s). Let "
                               "the run end later (/run/duration), or name an older checkpoint."));
  CHECK(slurp(f.out("out/metrics.csv")) == rows);
  CHECK(slurp(f.out("out/particles.pvd")) == list);
  CHECK(files_in(f.out("out/particles")) == frames);
  CHECK(fs::exists(f.out("out/summary.json")));
}

TEST_CASE("what an observer refuses of a checkpoint is heard before a file is changed") {
  const Folder f;
  const std::string meter =
      "--set /run/duration=0.05 --set '/hooks=[{\"type\": \"region-meter\", \"name\": \"core\", \"interval\": 0.001, "
      "\"average\": {\"start\": 0}, \"region\": {\"type\": \"box\", \"lower\": [-1, -1, -1], \"upper\": [1, 1, 1]}}]' ";
  REQUIRE(f.run("out", meter).exit_code == 0);
  const auto state = [&] {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(f.out("out")))
      if (entry.is_regular_file()) files[entry.path().string()] = slurp(entry.path());
    return files;
  };
  const std::string file = f.checkpoint("out", 300);
  change_sealed(file, "observers/region-meter", [](std::vector<std::byte>& s) { overwrite(s, 40, std::nan("")); });
  const auto before = state();
  const Outcome told = f.run("out", meter + "--resume " + file);
  CHECK(told.exit_code == 2);
  CHECK_THAT(told.err, ContainsSubstring("/hooks/0") && ContainsSubstring("in the checkpoint holds what is no number"));
  CHECK(state() == before);
}

TEST_CASE("a pipe in the place of a list is told before a file is changed") {
  const Folder f;
  REQUIRE(f.run("out", "--set /run/duration=0.04").exit_code == 0);
  const std::string rows = slurp(f.out("out/metrics.csv"));
  fs::remove(f.out("out/walls.pvd"));
  REQUIRE(::mkfifo(f.out("out/walls.pvd").c_str(), 0600) == 0);
  const Outcome told = f.run("out", "--set /run/duration=0.04 --resume " + f.checkpoint("out", 300));
  CHECK(told.exit_code == 4);
  CHECK_THAT(told.err, ContainsSubstring("walls.pvd: is no regular file"));
  CHECK(slurp(f.out("out/metrics.csv")) == rows);
}

TEST_CASE("a meter that has lost its averages goes on in its file, with 0 in their columns") {
  const Folder f;
  const auto meter = [](const std::string& more) {
    return "--set /run/duration=0.05 --set '/hooks=[{\"type\": \"region-meter\", \"name\": \"core\", \"interval\": "
           "0.01, " +
           more + "\"region\": {\"type\": \"box\", \"lower\": [-1, -1, -1], \"upper\": [1, 1, 1]}}]' ";
  };
  REQUIRE(f.run("out", meter("\"average\": {\"start\": 0}, ")).exit_code == 0);
  const std::string whole = slurp(f.out("out/core.csv"));
  const Outcome rest = f.run("out", meter("") + "--resume " + f.checkpoint("out", 300));
  INFO(rest.err);
  REQUIRE(rest.exit_code == 0);
  const std::string now = slurp(f.out("out/core.csv"));
  const std::size_t fourth = whole.find("\n0.04,");
  REQUIRE(fourth != std::string::npos);
  CHECK(now.substr(0, fourth) == whole.substr(0, fourth));
  CHECK(std::ranges::count(now, ',') == std::ranges::count(whole, ','));
  CHECK(now.ends_with(",0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n"));
}

TEST_CASE("bodies held in one stage and freed in the next: a run resumes in each, to the same files") {
  const Folder f;
  const std::string stages =
      "--set /output/checkpoint_interval=0.002 --set '/run={}' --set '/stages=[{\"name\": \"a\", \"until\": "
      "{\"duration\": 0.006}}, "
      "{\"name\": \"b\", \"change\": {\"bodies\": {\"grains\": {\"fixed\": true}}}, \"until\": {\"duration\": 0.006}}, "
      "{\"name\": \"c\", "
      "\"change\": {\"bodies\": {\"grains\": {\"fixed\": false}, \"gate\": {\"motion\": {\"velocity\": [0, 0, 0.01]}, "
      "\"fixed\": null}}}, "
      "\"until\": {\"duration\": 0.006}}, {\"name\": \"d\", \"change\": {\"bodies\": {\"gate\": {\"motion\": null, "
      "\"fixed\": true}}}, "
      "\"until\": {\"duration\": 0.006}}]' --set /bodies/1/remove_at=1 ";
  REQUIRE(f.run("whole", stages).exit_code == 0);
  const Json end = summary_without_times(f.out("whole"));
  const std::string rows = slurp(f.out("whole/metrics.csv"));
  std::vector<fs::path> checkpoints;
  for (const auto& entry : fs::directory_iterator(f.out("whole/checkpoints"))) checkpoints.push_back(entry.path());
  CHECK(checkpoints.size() >= 5);
  fs::rename(f.out("whole/checkpoints"), f.out("kept"));
  for (const fs::path& checkpoint : checkpoints) {
    INFO(checkpoint);
    const Outcome again = f.run("whole", stages + "--resume " + (f.folder / "kept" / checkpoint.filename()).string());
    INFO(again.err);
    CHECK(again.exit_code == 0);
    CHECK(summary_without_times(f.out("whole")) == end);
    CHECK(slurp(f.out("whole/metrics.csv")) == rows);
  }
}

TEST_CASE("resumed with another interval of frames, a run keeps all frames it had") {
  const Folder f;
  REQUIRE(f.run("out", "--set /run/duration=0.03").exit_code == 0);
  REQUIRE(files_in(f.out("out/particles")) == 16);
  const std::string last = slurp(f.out("out/particles/particles_000015.vtp"));
  REQUIRE(f.run("out", "--set /output/interval=0.01 --resume " + f.checkpoint("out", 300)).exit_code == 0);
  CHECK(files_in(f.out("out/particles")) == 16 + 3);
  CHECK(slurp(f.out("out/particles/particles_000015.vtp")) == last);
  const std::string list = slurp(f.out("out/particles.pvd"));
  for (const char* frame : {"\"0.03\" part=\"0\" file=\"particles/particles_000015.vtp\"",
                            "\"0.04\" part=\"0\" file=\"particles/particles_000016.vtp\"",
                            "\"0.06\" part=\"0\" file=\"particles/particles_000018.vtp\""})
    CHECK_THAT(list, ContainsSubstring(frame));
  // And back to the finer one, from a checkpoint of the coarser.
  REQUIRE(f.run("out", "--set /run/duration=0.07 --resume " + f.checkpoint("out", 600)).exit_code == 0);
  CHECK(files_in(f.out("out/particles")) == 16 + 3 + 5);
}

TEST_CASE("a file that the scene names has changed: a checkpoint from before is refused, naming it") {
  const Folder f;
  REQUIRE(f.run("out", "--set /run/duration=0.03").exit_code == 0);
  const std::string before = slurp(f.out("out/summary.json"));
  spit(f.out("bead.txt"), "0 0 0 0.005\n0.003 0 0 0.004\n");
  const Outcome other = f.run("out", "--resume " + f.checkpoint("out", 300));
  CHECK(other.exit_code == 2);
  CHECK_THAT(other.err, ContainsSubstring("bead.txt has changed since the checkpoint was written") &&
                            ContainsSubstring("/shapes/bead/file"));
  CHECK(slurp(f.out("out/summary.json")) == before);
  spit(f.out("bead.txt"), "0 0 0 0.005\n0.002 0 0 0.004\n");
  CHECK(f.run("out", "--resume " + f.checkpoint("out", 300)).exit_code == 0);
}

TEST_CASE("a checkpoint that is cut or has another bit is refused before anything is written") {
  const Folder f;
  REQUIRE(f.run("out", "--set /run/duration=0.03").exit_code == 0);
  const std::string whole = slurp(f.checkpoint("out", 300));
  std::string damaged = whole;
  damaged[whole.size() / 2] = static_cast<char>(damaged[whole.size() / 2] ^ 16);
  for (const std::string& text : {damaged, whole.substr(0, whole.size() - 9)}) {
    spit(f.out("bad.h5"), text);
    const Outcome outcome = f.run("other", "--resume " + f.out("bad.h5"));
    CHECK(outcome.exit_code == 4);
    CHECK_THAT(outcome.err, ContainsSubstring("bad.h5: the checkpoint is ") && ContainsSubstring("damaged"));
    CHECK(!fs::exists(f.out("other")));
  }
}

TEST_CASE("an empty name of a checkpoint is an error, not a new start") {
  const Folder f;
  const Outcome outcome = f.run("out", "--resume \"\"");
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, ContainsSubstring("--resume is given an empty name"));
  CHECK(!fs::exists(f.out("out")));
}
