// Checkpoints: damaged as they are, damaged within arrays with the checksum made right again, and with arrays that are
// missing, shorter, longer, of another type or with odd values. HDF5's own structures keep right where the checksum is:
// HDF5 1.10 does not survive all that may stand there.
#include <fmt/format.h>
#include <hdf5.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>

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

struct Array {
  std::string name;
  std::size_t at, bytes;  ///< in the file
};

/// A whole checkpoint, and where its arrays lie.
struct Good {
  TemporaryFolder folder;
  std::string bytes;
  std::vector<Array> arrays;

  Good() {
    RunTally tally;
    tally.frames = {{"vtk", 9}};
    write_checkpoint(folder / "good.h5", take_snapshot(Everything(true).prepared, tally), kIdentity);
    bytes = read_file(folder / "good.h5");
    const hid_t file = H5Fopen((folder / "good.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, visit, &arrays);
    H5Fclose(file);
  }
  static herr_t visit(hid_t file, const char* name, const H5O_info_t* info, void* out) {
    if (info->type != H5O_TYPE_DATASET) return 0;
    const hid_t array = H5Dopen2(file, name, H5P_DEFAULT);
    const haddr_t at = H5Dget_offset(array);
    if (at != HADDR_UNDEF)
      static_cast<std::vector<Array>*>(out)->push_back({name, at, H5Dget_storage_size(array)});
    else
      static_cast<std::vector<Array>*>(out)->push_back({name, 0, 0});
    H5Dclose(array);
    return 0;
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
  for (const Array& a : good().arrays)
    if (a.at + a.bytes <= damaged.size()) bytes.replace(a.at, a.bytes, damaged, a.at, a.bytes);
  seal(bytes);
  return bytes;
}

/// A value that runs do not have, or seldom.
void put_odd_value(hid_t array, hid_t type, hsize_t count, fuzz::Random& random) {
  if (count == 0) return;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double odd[] = {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity, 1e308, -1, 0, 1e-320, 3};
  const std::uint64_t whole[] = {~std::uint64_t{0}, std::uint64_t{1} << 63, 1, 0, 1000, 13, 14, 0xffffffff};
  const std::size_t size = H5Tget_size(type);
  std::vector<char> values(count * size);
  H5Dread(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  char* const to = values.data() + random.below(count) * size;
  if (H5Tget_class(type) == H5T_FLOAT)
    std::memcpy(to, &odd[random.below(std::size(odd))], size);
  else
    std::memcpy(to, &whole[random.below(std::size(whole))], size);
  H5Dwrite(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

/// Another array in the place of one.
void replace_array(hid_t file, const char* name, hid_t type, const std::vector<hsize_t>& extents) {
  H5Ldelete(file, name, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr);
  const hid_t array = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t count = 1;
  for (const hsize_t extent : extents) count *= extent;
  std::vector<char> zeros(count * H5Tget_size(type));
  H5Dwrite(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros.data());
}

void change_attribute(hid_t file, fuzz::Random& random) {
  const char* names[] = {"step", "time", "next_id", "bodies", "rebuilds", "layout", "contacts", "version"};
  const char* name = names[random.below(std::size(names))];
  const std::int64_t values[] = {-1, 0, 1, 3, std::numeric_limits<std::int64_t>::max()};
  const std::int64_t value = values[random.below(std::size(values))];
  H5Adelete(file, name);
  if (random.below(4) == 0) return;
  const hid_t attribute = H5Acreate2(file, name, H5T_NATIVE_INT64, H5Screate(H5S_SCALAR), H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_INT64, &value);
}

/// Changes what the file holds, by HDF5 itself.
void change_contents(hid_t file, fuzz::Random& random) {
  const Array& chosen = good().arrays[random.below(good().arrays.size())];
  const char* const name = chosen.name.c_str();
  const hid_t array = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(array);
  if (array < 0) return;  // it is gone already
  hsize_t extents[8] = {};
  const int rank = H5Sget_simple_extent_dims(H5Dget_space(array), extents, nullptr);
  std::vector<hsize_t> shape(extents, extents + rank);
  hsize_t count = 1;
  for (const hsize_t extent : shape) count *= extent;
  switch (random.below(7)) {
    case 0:
      H5Ldelete(file, name, H5P_DEFAULT);
      return;
    case 1:
      if (!shape.empty()) shape[random.below(shape.size())] += 1 + random.below(3);
      return replace_array(file, name, type, shape);
    case 2:
      if (!shape.empty())
        if (hsize_t& extent = shape[random.below(shape.size())]; extent > 0) extent -= 1;
      return replace_array(file, name, type, shape);
    case 3:
      return replace_array(file, name, random.below(2) ? H5T_NATIVE_INT32 : H5T_NATIVE_DOUBLE, shape);
    case 4:
      return change_attribute(file, random);
    default:
      put_odd_value(array, type, count, random);
  }
}

std::string changed_contents(std::uint64_t number) {
  fuzz::Random random(number);
  const fs::path bare = good().folder / "bare.h5";
  write_atomically(bare, std::string_view(good().bytes).substr(kSealBytes));
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  const hid_t file = H5Fopen(bare.c_str(), H5F_ACC_RDWR, access);
  if (file < 0) fault("the good checkpoint cannot be opened");
  for (std::size_t k = 0; k <= random.below(3); ++k) change_contents(file, random);
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
