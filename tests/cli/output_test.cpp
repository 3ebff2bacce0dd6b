// What a run does to its output folder, to what it prints to, and what it says at its end.

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "catch.hpp"
#include "program.hpp"
#include "small_scene.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

namespace {

/// A scene of its own folder. run() gives the rest of a command line that runs it into `out`.
struct Project {
  TemporaryFolder folder;
  explicit Project(const std::string& scene = kSmallScene) { spit(folder / "scene.json", scene); }
  fs::path out() const { return folder / "out"; }
  std::string run(const std::string& more = "--quiet") const {
    return "run " + (folder / "scene.json").string() + " --out " + out().string() + " " + more;
  }
};

/// All files below a folder with their content.
std::map<std::string, std::string> content_of(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    files[entry.path().string()] = entry.is_regular_file() ? slurp(entry.path()) : "";
  return files;
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

Json summary_of(const fs::path& out) { return Json::parse(slurp(out / "summary.json")); }

/// Starts the program, waits for its first rows of metrics, sends a signal, and waits for its end.
/// \param ignored  whether it starts with the signal ignored
/// \param times    that the signal is sent, at once
int exit_code_of_signalled(const Project& project, int signal_number, bool ignored, const std::string& duration,
                           int times = 1) {
  const std::string scene = (project.folder / "scene.json").string(), out = project.out().string();
  const std::string set = "/run/duration=" + duration, err = (project.folder / "err").string();
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    signal(signal_number, ignored ? SIG_IGN : SIG_DFL);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT, 0666), STDERR_FILENO);
    execl(SCREE_PROGRAM, SCREE_PROGRAM, "run", scene.c_str(), "--threads", "1", "--out", out.c_str(), "--set",
          set.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  for (int wait = 0; wait < 3000 && slurp(project.out() / "metrics.csv").size() < 1000; ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  for (int k = 0; k < times; ++k) kill(child, signal_number);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

TEST_CASE(
    "what a stage brings and looks once sees the moment in which the stage begins; a gate goes without a warning") {
  std::string scene = kSmallScene;
  scene = replaced(scene, R"("run": {"duration": 0.05})", R"("stages": [{"name": "one", "until": {"duration": 0.02}},
    {"name": "two", "until": {"duration": 0.02}, "change": {"bodies": {"floor": {"removed": true}}, "hooks": [
      {"type": "particle-files", "name": "default", "format": "csv"},
      {"type": "particle-files", "name": "at_begin", "format": "csv", "start": 0.02},
      {"type": "particle-files", "name": "later", "format": "csv", "start": 0.03},
      {"type": "particle-files", "name": "every", "format": "csv", "start": 0.02, "interval": 0.01}]}}])");
  const Project project(replaced(scene, R"("lower": [0, 0.01])", R"("lower": [0, 0.0055])"));
  const Outcome run = scree_program(project.run());
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK_THAT(run.err, !ContainsSubstring("history"));
  const auto files_of = [&](const char* name) {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(project.out() / name)) count += entry.path().extension() == ".csv";
    return count;
  };
  CHECK(files_of("default") == 1);
  CHECK(files_of("at_begin") == 1);
  CHECK(files_of("later") == 1);
  CHECK(files_of("every") == 3);
}

TEST_CASE("a stage may hold or drive bodies that began with a velocity") {
  std::string scene =
      replaced(kSmallScene, R"("name": "grains",)", R"("name": "grains", "velocity": [1, 0], "angular_velocity": 3,)");
  scene = replaced(scene, R"("run": {"duration": 0.05})", R"("stages": [{"name": "flight", "until": {"duration": 0.01}},
    {"name": "held", "until": {"duration": 0.01}, "change": {"bodies": {"grains": {"fixed": true}}}},
    {"name": "driven", "until": {"duration": 0.01}, "change": {"bodies": {"grains": {"fixed": false, "motion": {"velocity": [0, 1]}}}}}])");
  const Project project(scene);
  const Outcome run = scree_program(project.run());
  INFO(run.err);
  CHECK(run.exit_code == 0);
  // What a stage gives a body that it holds is refused as ever.
  const Project wrong(
      replaced(scene, R"({"grains": {"fixed": true}})", R"({"grains": {"fixed": true, "velocity": [2, 0]}})"));
  CHECK_THAT(scree_program(wrong.run()).err, ContainsSubstring("takes no initial velocity"));
}

TEST_CASE("a second run into a folder is refused while the first one writes there, and changes nothing") {
  const Project project;
  REQUIRE(scree_program(project.run()).exit_code == 0);
  const auto before = content_of(project.out());
  const int lock = open((project.out() / ".scree.lock").c_str(), O_RDWR);
  REQUIRE(flock(lock, LOCK_EX | LOCK_NB) == 0);  // held as by another run
  const Outcome second = scree_program(project.run());
  CHECK(second.exit_code == 4);
  CHECK_THAT(second.err, ContainsSubstring("another run is writing into this folder") && ContainsSubstring("--out"));
  CHECK(content_of(project.out()) == before);
  close(lock);
  CHECK(scree_program(project.run()).exit_code == 0);
}

TEST_CASE("files that no run wrote are refused, and a run that is refused leaves nothing") {
  const Project project;
  for (const std::string mine : {"metrics.csv", "summary.json", "particles.pvd", "shapes/grain.vtp"}) {
    INFO(mine);
    spit(project.out() / mine, "mine");
    const auto before = content_of(project.out());
    const Outcome run = scree_program(project.run());
    CHECK(run.exit_code == 4);
    CHECK_THAT(run.err, ContainsSubstring((project.out() / mine.substr(0, mine.find('/'))).string()) &&
                            ContainsSubstring("choose another folder"));
    CHECK(content_of(project.out()) == before);
    fs::remove_all(project.out());
  }
  const Outcome run = scree_program(project.run("--set '/output/writers=[{\"type\":\"vtk\",\"columns\":[\"heet\"]}]'"));
  CHECK(run.exit_code == 2);
  CHECK_FALSE(fs::exists(project.out()));
}

TEST_CASE("a scene is never overwritten: run into its own folder, and changed since the last run") {
  const Project project;
  spit(project.folder / "notes.txt", "mine");
  const std::string scene = (project.folder / "scene.json").string();
  const std::string command = "run " + scene + " --quiet --out " + project.folder.path().string();
  const Outcome beside = scree_program(command);
  CHECK(beside.exit_code == 0);
  CHECK_THAT(beside.err, ContainsSubstring("stays; the scene as resolved is in scene.resolved.json"));
  CHECK(slurp(scene) == kSmallScene);
  CHECK(slurp(project.folder / "notes.txt") == "mine");
  CHECK(Json::accept(slurp(project.folder / "scene.resolved.json")));

  REQUIRE(scree_program(project.run()).exit_code == 0);
  const std::string resolved = slurp(project.out() / "scene.json");
  const Outcome longer = scree_program(project.run("--quiet --set /run/duration=0.051"));
  CHECK(longer.err == "");
  CHECK(slurp(project.out() / "scene.json") != resolved);  // that of a run makes way
  spit(project.out() / "scene.json", kSmallScene);         // but not one that was changed
  CHECK(scree_program(project.run()).exit_code == 0);
  CHECK(slurp(project.out() / "scene.json") == kSmallScene);
}

TEST_CASE(
    "a run that begins in a used folder replaces the summary of the earlier one, and removes parts of killed runs") {
  const Project project;
  REQUIRE(scree_program(project.run()).exit_code == 0);
  spit(project.out() / ".metrics.csv.123.part", "a part");
  spit(project.out() / "particles/.particles_000001.vtp.123.part", "a part");
  spit(project.out() / "particles/particles_99999999999999999999999.vtp", "stray");
  const Outcome full = shell(fmt::format("trap '' XFSZ; ulimit -f 6; exec {} {} --set /output/metrics_interval=0.0001",
                                         SCREE_PROGRAM, project.run()));
  CHECK(full.exit_code == 4);
  CHECK_THAT(slurp(project.out() / "summary.json"), ContainsSubstring("\"status\": \"failed\""));
  CHECK_FALSE(fs::exists(project.out() / ".metrics.csv.123.part"));
  CHECK_FALSE(fs::exists(project.out() / "particles/.particles_000001.vtp.123.part"));
  CHECK(slurp(project.out() / "particles/particles_99999999999999999999999.vtp") == "stray");
}

TEST_CASE("two writers of the same files are refused, wherever they stand") {
  const Project project;
  const Outcome writers = scree_program(project.run("--set '/output/writers=[{\"type\":\"vtk\"},{\"type\":\"vtk\"}]'"));
  CHECK(writers.exit_code == 2);
  CHECK_THAT(writers.err, ContainsSubstring("/output/writers/1") &&
                              ContainsSubstring("\"vtk\" writes particles.pvd into the output folder, and so does "
                                                "/output/writers/0. Remove one of the two."));
  CHECK(scree_program(project.run("--set '/hooks=[{\"type\":\"vtk\",\"interval\":0.01}]'")).exit_code == 2);
  CHECK_FALSE(fs::exists(project.out()));
}

TEST_CASE("links in the output folder are not followed") {
  const Project project;
  const TemporaryFolder elsewhere;
  fs::create_directories(project.out());
  fs::create_symlink(elsewhere.path() / "lock", project.out() / ".scree.lock");
  CHECK(scree_program(project.run()).exit_code == 4);
  fs::remove(project.out() / ".scree.lock");
  REQUIRE(scree_program(project.run()).exit_code == 0);
  fs::remove_all(project.out() / "particles");
  fs::create_directory_symlink(elsewhere.path(), project.out() / "particles");
  const Outcome run = scree_program(project.run());
  CHECK(run.exit_code == 4);
  CHECK_THAT(run.err, ContainsSubstring("particles: is a link"));
  CHECK(fs::is_empty(elsewhere.path()));
}

TEST_CASE("standard streams that are full, closed or broken end no run and get into no file") {
  const Project plain;
  REQUIRE(scree_program(plain.run()).exit_code == 0);
  const std::string metrics = slurp(plain.out() / "metrics.csv");
  for (const std::string streams : {"2>/dev/full", ">/dev/full 2>&1", "2>&-", "<&- >&- 2>&-"}) {
    INFO(streams);
    const Project project;
    CHECK(shell(SCREE_PROGRAM + (" " + project.run("")) + streams).exit_code == 0);
    CHECK(slurp(project.out() / "metrics.csv") == metrics);
    CHECK(summary_of(project.out())["state_hash"] == summary_of(plain.out())["state_hash"]);
  }
  const Project project;
  const std::string code = (project.folder / "code").string();
  shell(fmt::format("{{ {} {}; echo $? >{}; }} 2>&1 | true", SCREE_PROGRAM, project.run(""), code));
  CHECK(slurp(code) == "0\n");
  CHECK(slurp(project.out() / "metrics.csv") == metrics);
}

TEST_CASE("what a command prints and cannot: exit code 4, told on standard error") {
  const Project project;
  for (const std::string& command : {std::string("plugins"), std::string("plugins --json"), std::string("schema"),
                                     std::string("--help"), "check " + (project.folder / "scene.json").string()})
    for (const std::string stream : {" >/dev/full", " >&-"}) {
      INFO(command << stream);
      const Outcome printed = scree_program(command + stream);
      CHECK(printed.exit_code == 4);
      CHECK_THAT(printed.err, ContainsSubstring("error: cannot write to "));
    }
  CHECK(shell(SCREE_PROGRAM + (" " + project.run("--no-such-option 2>/dev/full"))).exit_code == 2);
}

TEST_CASE("a terminal that closes ends a run with a checkpoint and the command that goes on, unless that is ignored") {
  const Project project;
  CHECK(exit_code_of_signalled(project, SIGHUP, false, "20") == 130);
  CHECK(summary_of(project.out())["status"] == "interrupted");
  const std::string told = slurp(project.folder / "err");
  CHECK_THAT(told, ContainsSubstring("The results so far are in " + project.out().string()));
  const std::size_t at = told.find(std::string(SCREE_PROGRAM) + " run ");
  REQUIRE(at != std::string::npos);
  const std::string command = told.substr(at, told.find('\n', at) - at);
  const int steps = summary_of(project.out())["steps"];
  const Outcome rest = shell(fmt::format("{} --set /run/duration={}", command, 1e-4 * (steps + 10)));
  INFO(rest.err);
  CHECK(rest.exit_code == 0);
  CHECK(summary_of(project.out())["steps"] == steps + 10);

  const Project ignoring;
  CHECK(exit_code_of_signalled(ignoring, SIGHUP, true, "0.1") == 0);
  CHECK(summary_of(ignoring.out())["status"] == "completed");
}

TEST_CASE("a signal that comes twice at once, as from timeout and terminals, ends a run with a checkpoint") {
  const Project project;
  CHECK(exit_code_of_signalled(project, SIGTERM, false, "20", 2) == 130);
  CHECK(summary_of(project.out())["status"] == "interrupted");
  CHECK(files_in(project.out() / "checkpoints") == 1);
}

TEST_CASE("a signal before the first step ends the program, and nothing was written") {
  const Project project;
  // A disc that finds no room beside a larger one: ten million places are tried for it, which takes a second.
  const std::string crowd =
      "--set '/shapes/cross={\"type\": \"sphere\", \"radius\": 0.01}' --set '/shapes/floor={\"type\": \"sphere\", "
      "\"radius\": 1}' "
      "--set '/bodies/0/packing={\"type\": \"fill\", \"number\": 1, \"attempts\": 10000000, \"region\": {\"type\": "
      "\"box\", "
      "\"lower\": [-0.5, -0.5], \"upper\": [0.5, 0.5]}}'";
  for (const int signal : {SIGTERM, SIGINT}) {
    const Outcome ended = shell(fmt::format("timeout -s {} 0.3 {} {} {}; exit $?", signal == SIGTERM ? "TERM" : "INT",
                                            SCREE_PROGRAM, project.run("--quiet --threads 1"), crowd));
    CHECK(ended.exit_code == 124);
    CHECK_FALSE(fs::exists(project.out()));
  }
}

TEST_CASE("files that may not grow, and processor time that is over, end a run like a full disk, with a checkpoint") {
  const Project project;
  const Outcome small =
      shell(fmt::format("ulimit -f 400; {} {}", SCREE_PROGRAM,
                        project.run("--quiet --set /run/duration=1 --set /output/metrics_interval=1e-4 "
                                    "--set /output/writers=[]")));
  INFO(small.err);
  CHECK(small.exit_code == 4);
  CHECK_THAT(small.err, ContainsSubstring("metrics.csv: cannot write: File too large"));
  CHECK(summary_of(project.out())["status"] == "failed");
  CHECK(files_in(project.out() / "checkpoints") == 1);

  const Project slow;
  const Outcome over = shell(
      fmt::format("ulimit -S -t 1; {} {}", SCREE_PROGRAM, slow.run("--quiet --threads 1 --set /run/duration=1000")));
  INFO(over.err);
  CHECK(over.exit_code == 4);
  CHECK_THAT(over.err, ContainsSubstring("the processor time that this process may take (ulimit -t) is over"));
  CHECK(summary_of(slow.out())["status"] == "failed");
  CHECK(files_in(slow.out() / "checkpoints") == 1);
}

TEST_CASE("an empty name of an output folder is refused") {
  const Project project;
  const Outcome empty =
      shell(fmt::format("cd {} && {} run scene.json --out ''", project.folder.path().string(), SCREE_PROGRAM));
  CHECK(empty.exit_code == 2);
  CHECK_THAT(empty.err, ContainsSubstring("--out is given an empty name"));
  CHECK_FALSE(fs::exists(project.folder / "out"));
}

TEST_CASE("check says how much a run writes at most, and the end of the run how much it wrote") {
  const Project project;
  const std::string check = scree_program("check " + (project.folder / "scene.json").string()).out;
  const std::string end = scree_program(project.run("")).err;
  const auto bytes_behind = [](const std::string& text, const std::string& words) {
    const std::size_t at = text.find(words);
    INFO(text);
    REQUIRE(at != std::string::npos);
    std::istringstream rest(text.substr(at + words.size()));
    double bytes = 0;
    std::string unit;
    rest >> bytes >> unit;
    CHECK_THAT(unit, Catch::Matchers::StartsWith("kB"));
    return bytes;
  };
  const double expected = bytes_behind(check, "output: up to about ");
  const double written = bytes_behind(end, "The results are in " + project.out().string() + " (");
  CHECK(written > 20);
  CHECK(written < 2 * expected);
  CHECK(expected < 4 * written);
}

TEST_CASE("the end of a run says where its files are, quietly nothing, and how deep bodies were in each other") {
  const Project project;
  const std::string out = project.out().string();
  const Outcome first = scree_program(project.run(""));
  CHECK_THAT(first.err, ContainsSubstring("The results are in " + out) && !ContainsSubstring("earlier run"));
  CHECK_THAT(scree_program(project.run("")).err,
             ContainsSubstring("The results of an earlier run in " + out + " are replaced."));
  CHECK(scree_program(project.run()).err == "");
  const Outcome deep = scree_program(project.run("--quiet --set /interactions/0/law/normal_stiffness=2"));
  INFO(deep.err);
  CHECK_THAT(deep.err, ContainsSubstring("warning: largest overlap") &&
                           ContainsSubstring("% of the smallest body's radius (") && ContainsSubstring(") at t = 0.0"));
  const Outcome failed =
      scree_program(project.run("--set '/domain={\"lower\": [-1, -0.02], \"upper\": [1, 1]}' --set "
                                "/bodies/1/remove_at=0.02 --set /run/duration=1"));
  CHECK(failed.exit_code == 3);
  CHECK_THAT(failed.err, ContainsSubstring("To resume from there:") && ContainsSubstring(" --resume "));
}

TEST_CASE("threads are bounded") {
  const Project project;
  const Outcome many = scree_program(project.run("--threads 2147483647"));
  CHECK(many.exit_code == 2);
  CHECK_THAT(many.err, ContainsSubstring("--threads 2147483647: at most 1024 are allowed"));
}

TEST_CASE("a wall that moves along itself is told about: a tube without ends is no can") {
  const std::string scene = R"({
"dimension": 3, "gravity": [0, 0, -9.81], "materials": {"m": {"density": 1000}},
"shapes": {"ball": {"type": "sphere", "radius": 0.01}, "tube": {"type": "cylinder", "radius": 0.05, "inside": true},
           "can": {"type": "cylinder", "radius": 0.05, "inside": true, "length": 0.1}, "floor": {"type": "half-space"}},
"bodies": [{"shape": "ball", "material": "m", "position": [0, 0, 0.02]},
           {"shape": "tube", "material": "m", "name": "wall", "position": [0, 0, 0.045], "motion": {"velocity": [0, 0, 0.1]}},
           {"shape": "floor", "material": "m", "motion": {"velocity": [0, 0, -0.001]}}],
"interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 1000}}],
"integrator": {"type": "velocity-verlet", "dt": 1e-5}, "run": {"duration": 1e-4}})";
  const Project project(scene);
  const std::string check = "check " + (project.folder / "scene.json").string();
  const Outcome tube = scree_program(check);
  INFO(tube.err);
  CHECK(tube.exit_code == 0);
  CHECK_THAT(tube.out, ContainsSubstring("warning: ") && ContainsSubstring("/bodies") &&
                           ContainsSubstring("\"wall\" moves along its shape \"tube\", which has no end there"));
  CHECK_THAT(scree_program(check + " --set '/bodies/1/shape=\"can\"'").out, !ContainsSubstring("no end there"));
  CHECK_THAT(scree_program(check + " --set '/bodies/1/motion/velocity=[0.1,0,0]'").out,
             !ContainsSubstring("no end there"));
  CHECK_THAT(scree_program(check + " --set '/bodies/2/motion/velocity=[1,0,0]'").out,
             ContainsSubstring("surface_velocity"));
}

TEST_CASE("a body that goes farther than its diameter in one step is told about, by check and at the end of the run") {
  const std::string scene = R"({
"dimension": 2, "gravity": [0, -1e5], "materials": {"m": {"density": 1000}, "w": {}},
"shapes": {"ball": {"type": "sphere", "radius": 0.01}, "sheet": {"type": "spheropolygon", "radius": 0.001,
           "vertices": [[-0.5, 0], [0, -0.01], [0.5, 0]]}},
"bodies": [{"name": "balls", "shape": "ball", "material": "m", "position": [0, 0.5]},
           {"shape": "sheet", "material": "w", "position": [0, 0.2], "fixed": true}],
"interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 1000}}],
"integrator": {"type": "velocity-verlet", "dt": 1e-4}, "output": {"writers": []}, "run": {"duration": 3e-3}})";
  const Project project(scene);
  const Outcome falls = scree_program(project.run("--quiet"));
  INFO(falls.err);
  CHECK(falls.exit_code == 0);
  CHECK_THAT(falls.err, ContainsSubstring("warning: body 0 went 0.0") &&
                            ContainsSubstring(" m in one step at t = 0.00") &&
                            ContainsSubstring("farther than its diameter of 0.02 m") &&
                            ContainsSubstring("Lower /integrator/dt to "));
  const std::string check = "check " + (project.folder / "scene.json").string();
  CHECK_THAT(scree_program(check).out, !ContainsSubstring("farther than its diameter"));
  CHECK_THAT(scree_program(check + " --set '/bodies/0/velocity=[0,-400]'").out,
             ContainsSubstring("a body of \"balls\" goes 0.04 m in each step, farther than its diameter of 0.02 m") &&
                 ContainsSubstring("Lower /integrator/dt to 5e-06 s or less."));
}

TEST_CASE("the launcher runs a program that somebody else has built") {
  const TemporaryFolder folder;
  fs::copy_file(SCREE_LAUNCHER, folder / "scree");
  spit(folder / "build/bin/scree", "#!/bin/sh\necho ran $*\n");
  spit(folder / "build/build.ninja", "");
  shell(fmt::format("chmod -R a+rx {0}; chmod -R a-w {0}/build", folder.path().string()));
  // The superuser may write everywhere.
  const std::string nobody = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
  const Outcome run = shell(nobody + (folder / "scree").string() + " check scene.json");
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK(run.out == "ran check scene.json\n");
  shell(fmt::format("chmod -R u+w {}/build", folder.path().string()));
}

TEST_CASE("the launcher runs what is built when packages for building have gone") {
  const TemporaryFolder folder;
  fs::copy_file(SCREE_LAUNCHER, folder / "scree");
  spit(folder / "build/bin/scree", "#!/bin/sh\necho ran $*\n");
  spit(folder / "build/build.ninja", "");
  spit(folder / "path/dpkg-query", "#!/bin/sh\nexit 1\n");
  const std::string root = folder.path().string();
  shell(fmt::format("chmod -R a+rx {}", root));
  const Outcome run = shell(fmt::format("PATH={0}/path:$PATH {0}/scree check scene.json", root));
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK(run.out == "ran check scene.json\n");
}
