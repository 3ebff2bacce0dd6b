#include "scree/output/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "catch.hpp"
#include "file_size_limit.hpp"
#include "temporary_folder.hpp"

namespace scree {

namespace fs = std::filesystem;
using test::message_of;
using test::TemporaryFolder;

TEST_CASE("a file written atomically holds the text and leaves no part behind") {
  const TemporaryFolder folder;
  write_atomically(folder / "a.txt", "first");
  write_atomically(folder / "a.txt", "second");
  CHECK(read_file(folder / "a.txt") == "second");
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a file that is not committed changes nothing") {
  const TemporaryFolder folder;
  write_atomically(folder / "a.txt", "whole");
  {
    AtomicFile file(folder / "a.txt");
    file.write("half");
    CHECK(read_file(folder / "a.txt") == "whole");
  }
  CHECK(read_file(folder / "a.txt") == "whole");
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a full disk is reported with path, reason and remedy, and the old file stays") {
  const TemporaryFolder folder;
  const int full = ::open("/dev/full", O_WRONLY);  // the system's full disk
  CHECK(message_of<IoError>([&] { write_all(full, std::as_bytes(std::span("more")), "a.txt"); }) ==
        "a.txt: cannot write: No space left on device. Free some space or choose a folder on another disk with --out.");
  ::close(full);
  write_atomically(folder / "a.txt", "whole");
  {
    const test::FileSizeLimit limit(3);
    CHECK(message_of<IoError>([&] { write_atomically(folder / "a.txt", "more"); }) ==
          (folder / "a.txt").string() + ": cannot write: File too large.");
  }
  CHECK(read_file(folder / "a.txt") == "whole");
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a link in the place of the part is not followed, and a part of a killed process is no obstacle") {
  const TemporaryFolder folder;
  write_atomically(folder / "victim.txt", "precious");
  const std::string part = fmt::format(".a.txt.{}.part", ::getpid());
  fs::create_symlink(folder / "victim.txt", folder / part);
  write_atomically(folder / "a.txt", "text", true);
  CHECK(read_file(folder / "a.txt") == "text");
  CHECK_FALSE(fs::is_symlink(folder / "a.txt"));
  CHECK(read_file(folder / "victim.txt") == "precious");
  fs::create_symlink(folder.path(), folder / "link");
  CHECK_THAT(message_of<IoError>([&] { prepare_subfolder(folder / "link"); }),
             Catch::Matchers::ContainsSubstring("link: is a link"));
}

TEST_CASE("a folder that is a file is reported before anything is written") {
  const TemporaryFolder folder;
  write_atomically(folder / "out", "a file");
  CHECK(message_of<IoError>([&] { prepare_folder(folder / "out"); }) ==
        (folder / "out").string() +
            ": is not a folder: File exists. Remove the file that stands in the way or choose another folder with "
            "--out.");
  CHECK_THAT(message_of<IoError>([&] { prepare_folder(folder / "out/deeper"); }),
             Catch::Matchers::ContainsSubstring("cannot create the folder: Not a directory"));
  CHECK_THAT(message_of<IoError>([&] { AtomicFile file(folder / "out/a.txt"); }),
             Catch::Matchers::ContainsSubstring("out/a.txt: cannot create: Not a directory"));
}

TEST_CASE("a folder without write permission is reported with the remedy") {
  if (::geteuid() == 0) return;  // the superuser may write everywhere
  const TemporaryFolder folder;
  fs::create_directory(folder / "locked");
  ::chmod((folder / "locked").c_str(), 0555);
  CHECK_THAT(message_of<IoError>([&] { prepare_folder(folder / "locked"); }),
             Catch::Matchers::ContainsSubstring("Permission denied. Choose a folder you may write to with --out."));
}

TEST_CASE("folders are made with their parents, and may be there already") {
  const TemporaryFolder folder;
  prepare_folder(folder / "a/b/c");
  prepare_folder(folder / "a/b/c");
  CHECK(fs::is_directory(folder / "a/b/c"));
}

TEST_CASE("reading a missing file names it") {
  const TemporaryFolder folder;
  CHECK(message_of<IoError>([&] { read_file(folder / "none"); }) ==
        (folder / "none").string() + ": cannot read: No such file or directory.");
}

}  // namespace scree
