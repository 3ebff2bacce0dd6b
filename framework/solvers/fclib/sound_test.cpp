#include "solvers/fclib/sound.hpp"

#include <fstream>
#include <sstream>

#include "solvers/fclib/test_files.hpp"

namespace scree::fclib {

TEST_CASE("damaged bytes: every file is read or refused, whatever HDF5 does with it") {
  const scree::test::TemporaryFolder folder;
  const auto path = folder / "problem.hdf5";
  test::planar().write(path);
  CHECK_NOTHROW(require_sound(path));
  std::ostringstream whole;
  whole << std::ifstream(path, std::ios::binary).rdbuf();
  const std::string sound = whole.str();
  std::uint64_t state = 7;
  const auto below = [&](std::size_t n) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<std::size_t>(state >> 33) % n;
  };
  int refused = 0;
  for (int k = 0; k < 40; ++k) {
    std::string bytes = sound;
    for (std::size_t n = 1 + below(4); n > 0; --n) bytes[below(bytes.size())] = static_cast<char>(below(256));
    std::ofstream(path, std::ios::binary) << bytes;
    try {
      require_sound(path);
      read(path);
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(refused > 5);
}

TEST_CASE("sizes that no file of its length can hold are refused before memory is asked for") {
  test::Datasets data = test::planar();
  for (const char* side : {"m", "n"}) data.integers[std::string("fclib_local/W/") + side] = {2147483647};
  data.integers["fclib_local/W/nz"] = {0};
  CHECK_THAT(test::complaint(data), Catch::Matchers::ContainsSubstring(
                                        "fclib_local/W/m: is 2147483647, more rows and columns than the file has"));
}

TEST_CASE("a problem file that is a pipe or a device is no file") {
  CHECK(scree::test::message_of<Error>([] { read("/dev/zero"); }) == "/dev/zero: is no regular file.");
}

}  // namespace scree::fclib
