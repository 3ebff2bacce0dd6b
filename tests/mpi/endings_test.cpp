// How runs on several ranks end: all alike, and with one text.

#include <signal.h>

#include <chrono>
#include <thread>

#include "ranks.hpp"
#include "scenes.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

namespace {

struct Folder {
  TemporaryFolder folder;
  explicit Folder(const std::string& scene) { spit(folder / "scene.json", scene); }
  std::string arguments(const std::string& options) const {
    return fmt::format("run {} --quiet --threads 1 --set /output/writers=[] --out {} {}",
                       (folder / "scene.json").string(), out().string(), options);
  }
  Outcome run(int ranks, const std::string& options) const { return shell(on_ranks(ranks, arguments(options))); }
  fs::path out() const { return folder / "out"; }
};

/// The one line that tells an error, without what mpirun adds.
std::string error_of(const Outcome& outcome) {
  std::istringstream lines(outcome.err);
  std::vector<std::string> errors;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("error: ")) errors.push_back(line);
  INFO(outcome.err);
  REQUIRE(errors.size() == 1);
  return errors[0];
}

/// A run on two ranks in the background that would take long.
class LongRun {
 public:
  explicit LongRun(const Folder& folder) : folder_(folder) {
    const std::string command = on_ranks(2, folder.arguments("--set /run/duration=100"));
    const Outcome started = shell(fmt::format("{} >{} 2>&1 </dev/null & echo $!", command, log().string()));
    mpirun_ = std::stoi(started.out);
    for (int k = 0; k < 600 && !begun(); ++k) wait_a_little();
    if (!begun()) end();
    REQUIRE(begun());
  }
  ~LongRun() { end(); }
  int mpirun() const { return mpirun_; }
  /// A process that mpirun has started.
  int last_child() const {
    const std::string children = shell(fmt::format("pgrep -P {} | sort -n | tail -1", mpirun_)).out;
    REQUIRE_FALSE(children.empty());
    return std::stoi(children);
  }
  bool over() const { return ::kill(mpirun_, 0) != 0; }
  void wait() const {
    for (int k = 0; k < 300 && !over(); ++k) wait_a_little();
    REQUIRE(over());
  }
  fs::path log() const { return folder_.folder / "log"; }

 private:
  bool begun() const { return fs::exists(folder_.out() / "checkpoints"); }
  /// mpirun ends its ranks too, which it cannot where it is killed.
  void end() const {
    if (!over()) ::kill(mpirun_, SIGTERM);
  }
  static void wait_a_little() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }
  const Folder& folder_;
  int mpirun_ = 0;
};

/// Whatever has happened, the last checkpoint is whole: a run goes on from it.
void check_goes_on(const Folder& folder) {
  std::string last;
  for (const auto& entry : fs::directory_iterator(folder.out() / "checkpoints"))
    if (entry.path().extension() == ".h5") last = std::max(last, entry.path().string());
  REQUIRE_FALSE(last.empty());
  const int step = std::stoi(last.substr(last.size() - 12, 9));
  const Outcome outcome = folder.run(0, fmt::format("--set /run/duration={} --resume {}", (step + 10) * 2e-5, last));
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
}

}  // namespace

TEST_CASE("what a scene has wrong is told once on several ranks, with the same exit code") {
  const Folder folder(kSpheres);
  for (const char* fault : {"--set /integrator/dt=-1", "--bowl"}) {
    const Outcome alone = folder.run(0, fault), together = folder.run(3, fault);
    CHECK((alone.exit_code == 2 && together.exit_code == 2));
    CHECK(error_of(together) == error_of(alone));
  }
}

TEST_CASE("integrators that solve for all contacts, and other devices, are refused on several ranks") {
  const Folder folder(kSpheres);
  const Outcome solver = folder.run(2,
                                    "--set /integrator/type=moreau-jean --set /output/energy_ledger=false "
                                    "--set '/interactions/0/law={\"type\":\"coulomb\",\"friction\":0.5}'");
  CHECK(solver.exit_code == 2);
  CHECK_THAT(error_of(solver), ContainsSubstring("integrator \"moreau-jean\" solves all contacts of a step together, "
                                                 "which ranks cannot share. Start it without mpirun"));
  const Outcome device = folder.run(2, "--device cuda");
  CHECK(device.exit_code == 2);
  CHECK_THAT(error_of(device), ContainsSubstring("--device cuda: ranks share the work of processors alone"));
  CHECK_FALSE(fs::exists(folder.out()));
}

TEST_CASE("an mpirun of another MPI than scree has is refused") {
  const Folder folder(kSpheres);
  const Outcome outcome = shell("PMI_SIZE=3 PMI_RANK=0 " + on_ranks(0, folder.arguments("")));
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(error_of(outcome), ContainsSubstring("mpirun has started 3 processes, but "));
  CHECK_THAT(error_of(outcome), ContainsSubstring("connects 1: this mpirun is that of another MPI."));
}

TEST_CASE("a scene that breaks down ends all ranks with the text of one, and a checkpoint") {
  const std::string faults =
      "--set /domain/lower=[-0.1,-0.1,-0.1] --set /domain/upper=[0.1,0.1,0.1] --set /bodies/0/velocity=[0,0,300]";
  const Folder alone(kSpheres), together(kSpheres);
  const Outcome one = alone.run(0, faults), two = together.run(2, faults);
  INFO(one.err << two.err);
  CHECK((one.exit_code == 3 && two.exit_code == 3));
  const auto without_folder = [](const std::string& text) { return text.substr(0, text.find(" The state of step")); };
  CHECK(without_folder(error_of(two)) == without_folder(error_of(one)));
  CHECK(Json::parse(slurp(together.out() / "summary.json"))["status"] == "failed");
}

TEST_CASE("a folder that cannot be written to ends all ranks with exit code 4") {
  const Folder folder(kSpheres);
  spit(folder.out(), "a file where the folder should be");
  const Outcome outcome = folder.run(3, "");
  CHECK(outcome.exit_code == 4);
  error_of(outcome);
}

TEST_CASE("a file that the first rank cannot write in mid-run ends all ranks with exit code 4") {
  const Folder folder(kSpheres);
  spit(folder.out() / "checkpoints", "a file where the folder should be");
  const Outcome outcome = folder.run(3, "");
  CHECK(outcome.exit_code == 4);
  CHECK_THAT(error_of(outcome), ContainsSubstring("checkpoints") && ContainsSubstring("step 100"));
  CHECK(Json::parse(slurp(folder.out() / "summary.json"))["status"] == "failed");
}

TEST_CASE("a disk that fills up under the first rank ends all ranks with exit code 4, and nothing is torn") {
  const Folder folder(kSpheres);
  const std::string program = on_ranks(0, folder.arguments("--set /run/duration=100"));
  const std::string filling = fmt::format(
      "until ls {}/checkpoints/*.h5; do sleep 0.1; done >/dev/null 2>&1; exec prlimit --pid $$ --fsize=30000",
      folder.out().string());
  const Outcome outcome =
      shell(mpirun(fmt::format("-n 1 sh -c 'trap \"\" XFSZ; ( {} ) & exec {}' : -n 2 {}", filling, program, program)));
  CHECK(outcome.exit_code == 4);
  CHECK_THAT(error_of(outcome), ContainsSubstring(folder.out().string()) && ContainsSubstring("File too large"));
  check_goes_on(folder);
}

TEST_CASE("what one rank alone finds is told by the first") {
  const Folder folder(kSpheres);
  const Outcome outcome =
      shell(fmt::format("{} : -n 1 {}", on_ranks(2, folder.arguments("")), on_ranks(0, "run nowhere.json")));
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(error_of(outcome), ContainsSubstring("nowhere.json"));
  CHECK_FALSE(fs::exists(folder.out() / "metrics.csv"));
}

TEST_CASE("ranks that come to different states end the run instead of going on apart") {
  const Folder folder(kSpheres);
  // A wall that each rank moves by itself.
  const auto wall = [&](const char* speed) {
    return folder.arguments(
        fmt::format("--set /bodies/1/fixed=false --set '/bodies/1/motion={{\"velocity\":[0,0,{}]}}'", speed));
  };
  const Outcome outcome = shell(fmt::format("{} : -n 1 {}", on_ranks(1, wall("1e-6")), on_ranks(0, wall("2e-6"))));
  CHECK(outcome.exit_code == 1);
  CHECK_THAT(error_of(outcome), ContainsSubstring("rank 1 has come to another state than rank 0 in step 100"));
}

TEST_CASE("SIGUSR1 to mpirun stops all ranks with a checkpoint and exit code 130") {
  const Folder folder(kSpheres);
  const LongRun run(folder);
  ::kill(run.mpirun(), SIGUSR1);
  run.wait();
  CHECK(Json::parse(slurp(folder.out() / "summary.json"))["status"] == "interrupted");
  check_goes_on(folder);
}

TEST_CASE("SIGTERM to mpirun ends all ranks, and nothing is torn") {
  const Folder folder(kSpheres);
  const LongRun run(folder);
  ::kill(run.mpirun(), SIGTERM);
  run.wait();
  check_goes_on(folder);
}

TEST_CASE("a rank that is killed ends all, and nothing is torn") {
  const Folder folder(kSpheres);
  const LongRun run(folder);
  ::kill(run.last_child(), SIGKILL);
  run.wait();
  check_goes_on(folder);
}
