#include "solvers/fclib/input_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

namespace scree::fclib {
namespace {

constexpr const char* kDamaged = "cannot be read; the file is damaged. Fetch or write it anew.";

constexpr int kMostPacked = 1032;  // bytes that deflate makes of one at most

hid_t open_to_read(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
    throw Error(path, "", "is no regular file.");  // a pipe would be waited for
  if (!std::ifstream(path, std::ios::binary))
    throw Error(path, "", "cannot be read. Is it there, and may you read it?");
  return H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
}

/// Text that HDF5 allocated, given back to it.
std::string variable_text(hid_t dataset) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  const Handle stored(H5Dget_type(dataset), H5Tclose);
  H5Tset_cset(type, H5Tget_cset(stored));
  char* characters = nullptr;
  if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &characters) < 0 || characters == nullptr) return "";
  std::string text(characters);
  H5free_memory(characters);
  return text;
}

std::string fixed_text(hid_t dataset, hid_t type) {
  constexpr std::size_t kLongest = 1 << 20;
  if (H5Tget_size(type) > kLongest) return "";
  std::string text(H5Tget_size(type), '\0');
  if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) return "";
  return text.substr(0, text.find('\0'));
}

}  // namespace

InputFile::InputFile(std::filesystem::path path) : path_(std::move(path)), id_(open_to_read(path_), H5Fclose) {
  if (!id_.valid()) fail("", "is no HDF5 file, or a truncated one. FCLib files are HDF5.");
}

bool InputFile::has(const std::string& name) const {
  // HDF5 answers for one link at a time only: ask for each prefix.
  for (std::size_t end = name.find('/');; end = name.find('/', end + 1)) {
    if (H5Lexists(id_, name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

std::vector<std::string> InputFile::children(const std::string& group) const {
  const Handle id(H5Gopen2(id_, group.c_str(), H5P_DEFAULT), H5Gclose);
  if (!id.valid()) fail(group, "is missing, or no group.");
  H5G_info_t info;
  if (H5Gget_info(id, &info) < 0) fail(group, kDamaged);
  std::vector<std::string> names;
  for (hsize_t k = 0; k < info.nlinks; ++k) {
    const auto length = H5Lget_name_by_idx(id, ".", H5_INDEX_NAME, H5_ITER_INC, k, nullptr, 0, H5P_DEFAULT);
    if (length < 0) fail(group, kDamaged);
    std::string name(static_cast<std::size_t>(length), '\0');
    H5Lget_name_by_idx(id, ".", H5_INDEX_NAME, H5_ITER_INC, k, name.data(), name.size() + 1, H5P_DEFAULT);
    names.push_back(name);
  }
  return names;
}

Handle InputFile::open(const std::string& name) const {
  if (!has(name)) fail(name, "is missing; this form of problem needs it.");
  Handle id(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!id.valid()) fail(name, "is no dataset.");
  return id;
}

std::int64_t InputFile::most_numbers() const {
  std::error_code ignored;
  const double bytes = static_cast<double>(std::filesystem::file_size(path_, ignored));
  return static_cast<std::int64_t>(std::min(bytes * kMostPacked / sizeof(double) + 1024, 2147483647.));
}

void InputFile::check_size(const std::string& name, hid_t dataset, std::uint64_t bytes) const {
  const Handle how(H5Dget_create_plist(dataset), H5Pclose);
  if (H5Pget_external_count(how) != 0 || H5Pget_layout(how) == H5D_VIRTUAL)
    fail(name, "keeps its numbers in another file. They must stand in this one.");
  if (bytes > kMostPacked * (H5Dget_storage_size(dataset) + 1) && bytes > (std::uint64_t{1} << 20))
    fail(name, fmt::format("claims {} bytes, of which {} are stored. The file is damaged; fetch or write it anew.",
                           bytes, H5Dget_storage_size(dataset)));
}

template <class T>
std::vector<T> InputFile::numbers(const std::string& name, hid_t type, bool whole) const {
  const Handle id = open(name);
  const Handle stored(H5Dget_type(id), H5Tclose), space(H5Dget_space(id), H5Sclose);
  const H5T_class_t kind = H5Tget_class(stored);
  if (kind != H5T_INTEGER && (whole || kind != H5T_FLOAT))
    fail(name, whole ? "must hold whole numbers." : "must hold numbers.");
  const auto count = H5Sget_simple_extent_npoints(space);
  // Indices have 32 bits, and what a damaged header claims must not be allocated.
  if (count < 0 || count > std::numeric_limits<std::int32_t>::max())
    fail(name,
         fmt::format("claims {} numbers; at most {} can be used.", count, std::numeric_limits<std::int32_t>::max()));
  check_size(name, id, static_cast<std::uint64_t>(count) * H5Tget_size(stored));
  std::vector<T> values(static_cast<std::size_t>(count));
  if (!values.empty() && H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) fail(name, kDamaged);
  return values;
}

std::vector<std::int64_t> InputFile::integers(const std::string& name) const {
  return numbers<std::int64_t>(name, H5T_NATIVE_INT64, true);
}

std::int64_t InputFile::integer(const std::string& name) const {
  const std::vector<std::int64_t> values = integers(name);
  if (values.empty()) fail(name, "is empty; it must hold a whole number.");
  return values[0];
}

std::vector<double> InputFile::reals(const std::string& name) const {
  std::vector<double> values = numbers<double>(name, H5T_NATIVE_DOUBLE, false);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      fail(name, fmt::format("number {} is {}; all must be finite. The program that wrote the problem had failed.", i,
                             values[i]));
  return values;
}

std::string InputFile::text(const std::string& name) const {
  if (!has(name)) return "";
  const Handle id = open(name);
  const Handle type(H5Dget_type(id), H5Tclose), space(H5Dget_space(id), H5Sclose);
  if (H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1) return "";
  return H5Tis_variable_str(type) > 0 ? variable_text(id) : fixed_text(id, type);
}

}  // namespace scree::fclib
