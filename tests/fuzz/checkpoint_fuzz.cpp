// Checkpoints: damaged as they are, damaged within arrays with the checksum made right again, and with arrays that are
// missing, shorter, longer, of another type or with odd values. HDF5's own structures keep right where the checksum is:
// HDF5 1.10 does not survive all that may stand there.
#include <fmt/format.h>
#include <hdf5.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "change_contents.hpp"
#include "checkpoint_world.hpp"
#include "mutate.hpp"
#include "scree/base/error.hpp"
#include "scree/output/atomic_file.hpp"
#include "scree/output/checksum.hpp"
#include "scree/output/seal.hpp"
#include "target.hpp"
#include "temporary_folder.hpp"

using namespace scree;
using namespace scree::test;
namespace fs = std::filesystem;

namespace {

const RunIdentity kIdentity{42, {{"/shapes/a/file", "a.csv", 1}}};

/// A whole checkpoint, and where its arrays lie.
struct Good {
  TemporaryFolder folder;
  std::string bytes;
  std::vector<fuzz::Array> arrays;

  Good() {
    RunTally tally;
    tally.frames = {{"vtk", 9}};
    write_checkpoint(folder / "good.h5", take_snapshot(Everything(true).prepared, tally), kIdentity);
    bytes = read_file(folder / "good.h5");
    const hid_t file = H5Fopen((folder / "good.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    arrays = fuzz::arrays_in(file);
    H5Fclose(file);
  }
};

const Good& good() {
  static const Good& once = *new Good;
  return once;
}

[[noreturn]] void fault(const std::string& text) {
  std::fprintf(stderr, "%s\n", text.c_str());
  std::abort();
}

/// Reads the file and goes on with it, as a resumed run does. \return why it was refused; empty: it was not
std::string resumed(const fs::path& file) {
  Everything run(false);
  try {
    const Snapshot snapshot = read_checkpoint(file, kIdentity);
    check_snapshot(file, snapshot, run.prepared);
    restore(snapshot, run.prepared);
    run.steps(3);
  } catch (const NumericalError&) {
    return "";
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

void seal(std::string& bytes) {
  const auto rest = std::as_bytes(std::span<const char>(bytes)).subspan(kSealBytes);
  bytes.replace(0, kSealBytes, seal_of(rest));
}

/// The good file with what is damaged within its arrays.
std::string damaged_arrays(const std::string& damaged) {
  std::string bytes = good().bytes;
  for (const fuzz::Array& a : good().arrays)
    if (a.at + a.bytes <= damaged.size()) bytes.replace(a.at, a.bytes, damaged, a.at, a.bytes);
  seal(bytes);
  return bytes;
}

std::string changed_contents(std::uint64_t number) {
  fuzz::Random random(number);
  const fs::path bare = good().folder / "bare.h5";
  write_atomically(bare, std::string_view(good().bytes).substr(kSealBytes));
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  const hid_t file = H5Fopen(bare.c_str(), H5F_ACC_RDWR, access);
  if (file < 0) fault("the good checkpoint cannot be opened");
  for (std::size_t k = 0; k <= random.below(3); ++k) fuzz::change_contents(file, good().arrays, random);
  H5Fclose(file);
  H5Pclose(access);
  std::string bytes = std::string(kSealBytes, '\0') + read_file(bare);
  seal(bytes);
  return bytes;
}

}  // namespace

std::vector<std::string> fuzz_seeds() { return {good().bytes}; }

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const std::string input(reinterpret_cast<const char*>(data), size);
  const fs::path file = good().folder / "input.h5";
  write_atomically(file, input);
  const std::string refusal = resumed(file);
  if (refusal.empty() != (input == good().bytes)) fault("a damaged checkpoint was taken, or the good one refused");
  if (!refusal.empty() && refusal.find("input.h5: ") == std::string::npos) fault("no file is named: " + refusal);
  write_atomically(file, damaged_arrays(input));
  resumed(file);
  write_atomically(file, changed_contents(checksum(std::as_bytes(std::span(data, size)))));
  resumed(file);
  return 0;
}
