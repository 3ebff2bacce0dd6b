#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/plugin/registry.hpp"
#include "temporary_folder.hpp"

using namespace scree;
using namespace scree::test;

namespace {

namespace fs = std::filesystem;

const std::string kUnrulyFolder = ABI_UNRULY;

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

struct Ending {
  int code = 0;      ///< exit status: 0 loaded, 2 refused
  int signal = 0;    ///< that ended the process; 0 = it ended by itself
  std::string said;  ///< on standard error
};

/// Loads a library in a process of its own, which has five seconds.
Ending load(const std::string& library, const fs::path& folder) {
  const fs::path log = folder / "stderr";
  const pid_t child = fork();
  if (child == 0) {
    if (!std::freopen(log.c_str(), "w", stderr)) _exit(99);
    alarm(5);
    try {
      Registry(OnCrash::end_program).load_library(library);
    } catch (const InputError& e) {
      std::fprintf(stderr, "%s\n", e.what());
      std::fflush(stderr);
      _exit(2);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : 0, content(log)};
}

}  // namespace

TEST_CASE("a plugin whose initialiser throws or crashes ends the program with its name and exit code 2") {
  const TemporaryFolder folder;
  const std::string place = fs::canonical(kUnrulyFolder).string();
  const Ending thrown = load(kUnrulyFolder + "/throws.so", folder.path());
  CHECK(thrown.code == 2);
  CHECK(thrown.said ==
        "error: throws.so: failed while it was loaded: it is damaged, or one of its initialisers is faulty. Build it "
        "again, or remove it. (" +
            place + "/throws.so)\nThrown: no licence\n");
  const Ending crashed = load(kUnrulyFolder + "/crashes.so", folder.path());
  CHECK(crashed.code == 2);
  CHECK_THAT(crashed.said, Catch::Matchers::StartsWith("error: crashes.so: failed while it was loaded"));
  const Ending oddly = load(kUnrulyFolder + "/throws_oddly.so", folder.path());
  CHECK(oddly.code == 2);
  CHECK(oddly.said == "throws_oddly.so: throws what is no std::exception when its methods are registered. (" + place +
                          "/throws_oddly.so)\n");
}

TEST_CASE("numbers below 1e-308 stay what they are when a plugin that flushes them to zero is loaded") {
  Registry().load_library(kUnrulyFolder + "/flushes.so");
  volatile double small = std::numeric_limits<double>::min();
  small = small / 4;
  CHECK(small > 0);
}

TEST_CASE("a pipe, a device, a folder, an empty file and a file of a terabyte are refused at once") {
  const TemporaryFolder folder;
  const auto message = [](const fs::path& file) {
    try {
      Registry(OnCrash::end_program).load_library(file.string());
    } catch (const InputError& e) {
      const std::string text = e.what();
      return text.substr(0, text.rfind(" ("));
    }
    return std::string("no error");
  };
  REQUIRE(mkfifo((folder / "pipe.so").c_str(), 0600) == 0);
  CHECK(message(folder / "pipe.so") == "pipe.so: is a pipe, socket or device, not a shared library.");
  CHECK(message("/dev/zero") == "zero: is a pipe, socket or device, not a shared library.");
  fs::create_directory(folder / "folder.so");
  CHECK(message(folder / "folder.so") == "folder.so: is a folder, not a shared library.");
  write(folder / "empty.so", "");
  CHECK(message(folder / "empty.so") == "empty.so: is empty.");
  write(folder / "hole.so",
        "\x7f"
        "ELF");
  std::error_code no_room;
  fs::resize_file(folder / "hole.so", std::uintmax_t{1} << 40, no_room);
  if (!no_room) CHECK_THAT(message(folder / "hole.so"), Catch::Matchers::EndsWith("a plugin has at most 1073741824."));

  Registry registry;
  registry.load({{folder.path().string()}, {}});
  CHECK(registry.failures().size() == 4);
}

TEST_CASE("a plugin cut short at any length is refused without being opened") {
  const TemporaryFolder folder;
  const std::string whole = content(kUnrulyFolder + "/calm.so");
  REQUIRE(whole.size() > 1000);
  const fs::path file = folder / "cut.so";
  for (std::size_t part = 1; part < 100; ++part) {
    write(file, whole.substr(0, whole.size() * part / 100));
    INFO(part << " % of " << whole.size() << " bytes");
    CHECK_THROWS_WITH(Registry().load_library(file.string()),
                      Catch::Matchers::ContainsSubstring("cut.so: is incomplete: "));
    fs::remove(file);  // not overwritten: another file's pages must never stand for this one's
  }
}

TEST_CASE("a damaged plugin loads, or is refused by name, and never ends the program by a signal") {
  const TemporaryFolder folder;
  const std::string whole = content(kUnrulyFolder + "/calm.so");
  const char* const asked = std::getenv("SCREE_DAMAGES");
  const int count = asked ? std::atoi(asked) : 150;
  std::mt19937_64 random(7);
  int loaded = 0, refused = 0;
  for (int i = 0; i < count; ++i) {
    std::string bytes = whole;
    for (std::uint64_t k = 1 + random() % 4; k > 0; --k) bytes[random() % bytes.size()] = static_cast<char>(random());
    const fs::path file = folder / "damaged.so";
    write(file, bytes);
    const Ending ending = load(file.string(), folder.path());
    INFO("damage " << i << ": " << ending.said);
    REQUIRE(ending.signal == 0);
    if (ending.code == 2) CHECK_THAT(ending.said, Catch::Matchers::ContainsSubstring("damaged.so: "));
    (ending.code == 0 ? loaded : refused)++;
    fs::remove(file);
  }
  std::printf("%d damages: %d loaded, %d refused\n", count, loaded, refused);
  CHECK(loaded > 0);
  CHECK(refused > 0);
}
