#include "solvers/fclib/output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

namespace scree::fclib {
namespace {

namespace fs = std::filesystem;

hid_t make_in_memory(const fs::path& path) {
  constexpr std::size_t growth = std::size_t{1} << 20;  // [bytes]
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access, growth, false);
  return H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
}

[[noreturn]] void fail(const fs::path& path, std::string_view what) {
  throw Error(
      path, "",
      fmt::format("{}: {}. Choose a folder that exists, may be written to and has space.", what, std::strerror(errno)));
}

void write_aside_and_rename(const fs::path& path, const std::vector<char>& bytes) {
  const fs::path part = path.parent_path() / fmt::format(".{}.{}.part", path.filename().string(), ::getpid());
  std::error_code ignored;
  fs::remove(part, ignored);  // what a killed process left, or a link
  std::FILE* const stream = std::fopen(part.c_str(), "wbx");
  if (!stream) fail(path, "cannot be created");
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), stream) == bytes.size();
  if (std::fclose(stream) != 0 || !written) {
    const int reason = errno;
    fs::remove(part, ignored);
    errno = reason;
    fail(path, "cannot be written");
  }
  if (std::rename(part.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    fs::remove(part, ignored);
    errno = reason;
    fail(path, "cannot be replaced");
  }
}

}  // namespace

OutputFile::OutputFile(fs::path path)
    : path_(std::move(path)),
      id_(make_in_memory(path_), H5Fclose),
      link_(H5Pcreate(H5P_LINK_CREATE), H5Pclose),
      dataset_(H5Pcreate(H5P_DATASET_CREATE), H5Pclose) {
  if (!id_.valid()) throw Error(path_, "", "HDF5 cannot make a file in memory.");
  H5Pset_create_intermediate_group(link_, 1);
  H5Pset_obj_track_times(dataset_, false);  // the same problem, the same bytes
}

void OutputFile::store(const std::string& name, hid_t type, hid_t space, const void* values) {
  const Handle id(H5Dcreate2(id_, name.c_str(), type, space, link_, dataset_, H5P_DEFAULT), H5Dclose);
  if (!id.valid() || (values != nullptr && H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0))
    throw Error(path_, name, "HDF5 refuses to store it.");
}

template <class T>
void OutputFile::store(const std::string& name, hid_t type, std::span<const T> values) {
  const hsize_t count = values.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  store(name, type, space, values.empty() ? nullptr : values.data());
}

template void OutputFile::store(const std::string&, hid_t, std::span<const int>);
template void OutputFile::store(const std::string&, hid_t, std::span<const double>);

void OutputFile::text(const std::string& name, const std::string& value) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  H5Tset_size(type, value.size() + 1);  // with the terminating zero, as FCLib itself writes texts
  store(name, type, space, value.c_str());
}

void OutputFile::commit() {
  H5Fflush(id_, H5F_SCOPE_GLOBAL);
  std::vector<char> bytes(static_cast<std::size_t>(std::max<ssize_t>(0, H5Fget_file_image(id_, nullptr, 0))));
  if (bytes.empty() || H5Fget_file_image(id_, bytes.data(), bytes.size()) < 0)
    throw Error(path_, "", "HDF5 cannot complete the file in memory.");
  write_aside_and_rename(path_, bytes);
}

}  // namespace scree::fclib
