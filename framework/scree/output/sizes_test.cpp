#include "scree/output/sizes.hpp"

#include <filesystem>
#include <vector>

#include "catch.hpp"
#include "scree/output/atomic_file.hpp"
#include "temporary_folder.hpp"

namespace scree {

TEST_CASE("bytes are told with a unit and three digits at most") {
  CHECK(bytes_text(0) == "0.0 kB");
  CHECK(bytes_text(43'060'000) == "43.1 MB");
  CHECK(bytes_text(582e6) == "582 MB");
  CHECK(bytes_text(999'700) == "1.0 MB");
  CHECK(bytes_text(99'960) == "100 kB");
  CHECK(bytes_text(7.2e12) == "7.2 TB");
  CHECK(bytes_text(7.2e15) == "7200 TB");
}

TEST_CASE("the size of results counts files and folders by name, not what links lead to or others wrote") {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder / "frames/deep");
  write_atomically(folder / "a.csv", std::string(10, 'a'));
  write_atomically(folder / "frames/b", std::string(100, 'b'));
  write_atomically(folder / "frames/deep/c", std::string(1000, 'c'));
  write_atomically(folder / "notes.txt", std::string(10000, 'd'));
  std::filesystem::create_symlink(folder / "notes.txt", folder / "frames/link");
  std::filesystem::create_symlink(folder / "frames", folder / "linked");
  const std::vector<std::string> names = {"a.csv", "frames", "linked", "missing"};
  CHECK(bytes_of(folder.path(), names) == 1110);
}

}  // namespace scree
