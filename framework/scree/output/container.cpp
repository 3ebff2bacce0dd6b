#include "scree/output/container.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <functional>
#include <numeric>
#include <utility>

#include "scree/output/atomic_file.hpp"
#include "scree/output/detail/hdf5_handle.hpp"
#include "scree/output/seal.hpp"

namespace scree {

namespace {

constexpr std::size_t kLongestText = 60000;  // [bytes]: HDF5 keeps attributes in headers of at most 64 KiB

using hdf5::Handle;
using hdf5::QuietScope;

hid_t native(ElementType type) {
  switch (type) {
    case ElementType::float64:
      return H5T_NATIVE_DOUBLE;
    case ElementType::int32:
      return H5T_NATIVE_INT32;
    case ElementType::uint32:
      return H5T_NATIVE_UINT32;
    case ElementType::uint64:
      return H5T_NATIVE_UINT64;
    case ElementType::byte:
      return H5T_NATIVE_UINT8;
  }
  return -1;
}

constexpr ElementType kAllTypes[] = {ElementType::float64, ElementType::int32, ElementType::uint32, ElementType::uint64,
                                     ElementType::byte};

const char* type_name(ElementType type) {
  switch (type) {
    case ElementType::float64:
      return "float64";
    case ElementType::int32:
      return "int32";
    case ElementType::uint32:
      return "uint32";
    case ElementType::uint64:
      return "uint64";
    case ElementType::byte:
      return "byte";
  }
  return "unknown";
}

[[noreturn]] void fail(const std::filesystem::path& file, std::string_view kind, const std::string& name,
                       std::string_view what) {
  throw IoError(fmt::format("{}: {} \"{}\" {}.", file.string(), kind, name, what));
}

Handle text_type(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, std::max<std::size_t>(size, 1));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

}  // namespace

// ---------------------------------------------------------------------------------------------------- writing

/// File that grows in memory. The disk then gets one plain write, whose failure has a reason to report. It leaves
/// nothing that HDF5 would try to write again when the program ends.
struct CheckpointWriter::File {
  std::filesystem::path path;
  Handle access, id;

  explicit File(std::filesystem::path target)
      : path(std::move(target)), access(in_memory()), id(create(path, access)) {}

  static Handle in_memory() {
    constexpr std::size_t growth = std::size_t{1} << 20;  // [bytes]
    Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(properties, growth, false);
    return properties;
  }
  static Handle create(const std::filesystem::path& path, hid_t access) {
    const Handle properties(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_userblock(properties, kSealBytes);
    return Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, properties, access), H5Fclose);
  }
  void check(bool good, std::string_view kind, const std::string& name) const {
    if (!good) fail(path, kind, name, "cannot be stored: HDF5 refused it (is the name given twice?)");
  }
  void write_attribute(const std::string& name, hid_t type, const void* value) const {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(H5Acreate2(id, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    check(attribute.valid() && H5Awrite(attribute, type, value) >= 0, "attribute", name);
  }
};

CheckpointWriter::CheckpointWriter(std::filesystem::path file) {
  const QuietScope quiet;
  file_ = std::make_unique<File>(std::move(file));
  if (!file_->id.valid()) throw IoError(fmt::format("{}: HDF5 cannot make a file in memory.", file_->path.string()));
}

CheckpointWriter::~CheckpointWriter() {
  const QuietScope quiet;
  file_.reset();
}

void CheckpointWriter::write_array(const std::string& name, ElementType type, const void* values, std::size_t count,
                                   const std::vector<std::size_t>& shape) {
  const QuietScope quiet;
  std::vector<hsize_t> extents(shape.begin(), shape.end());
  if (extents.empty()) extents.push_back(count);
  assert(std::accumulate(extents.begin(), extents.end(), hsize_t{1}, std::multiplies<>()) == count);
  const Handle space(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose);
  const Handle folders(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(folders, 1);
  const Handle array(H5Dcreate2(file_->id, name.c_str(), native(type), space, folders, H5P_DEFAULT, H5P_DEFAULT),
                     H5Dclose);
  const bool stored =
      array.valid() && (count == 0 || H5Dwrite(array, native(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  file_->check(stored, "array", name);
}

void CheckpointWriter::attribute(const std::string& name, const std::string& value) {
  const QuietScope quiet;
  if (value.size() > kLongestText)
    fail(file_->path, "attribute", name, fmt::format("is a text of more than {} bytes", kLongestText));
  file_->write_attribute(name, text_type(value.size()), value.data());
}

void CheckpointWriter::attribute(const std::string& name, std::int64_t value) {
  const QuietScope quiet;
  file_->write_attribute(name, H5T_NATIVE_INT64, &value);
}

void CheckpointWriter::attribute(const std::string& name, double value) {
  const QuietScope quiet;
  file_->write_attribute(name, H5T_NATIVE_DOUBLE, &value);
}

void CheckpointWriter::finish() {
  const QuietScope quiet;
  void* memory = nullptr;
  const bool flushed = H5Fflush(file_->id, H5F_SCOPE_GLOBAL) >= 0;
  const ssize_t size = flushed ? H5Fget_file_image(file_->id, nullptr, 0) : -1;
  if (size < 0 || H5Fget_vfd_handle(file_->id, H5P_DEFAULT, &memory) < 0)
    throw IoError(fmt::format("{}: HDF5 cannot complete the checkpoint in memory.", file_->path.string()));
  // The core driver's handle is the address of its pointer to the bytes; the size is without the seal.
  const auto* bytes = *static_cast<const std::byte* const*>(memory);
  const auto rest = std::span(bytes + kSealBytes, static_cast<std::size_t>(size));
  AtomicFile file(file_->path);
  file.write(seal_of(rest));
  file.write(rest);
  file.commit(true);
}

// ---------------------------------------------------------------------------------------------------- reading

namespace {

/// Checks everything in a file, and refuses what CheckpointWriter does not make: other kinds of objects and types,
/// links, storage elsewhere, filters, arrays larger than the file. So reading takes no more memory than the size of the
/// file, and no other file is opened.
struct Survey {
  static constexpr int kMostFolders = 8;  ///< nested in each other
  static constexpr std::size_t kMostObjects = 1'000'000;

  const std::filesystem::path& path;
  std::uint64_t bytes_left;  ///< bytes that arrays may still take
  std::size_t objects = 0;
  int depth = 0;

  void look_into(hid_t folder, const std::string& prefix) {
    if (++depth > kMostFolders) fail(path, "folder", prefix, "lies too deep");
    std::vector<std::string> names;
    if (H5Literate(folder, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, collect, &names) != 0)
      fail(path, "folder", prefix, "cannot be read, or holds a link that leads elsewhere");
    for (const std::string& name : names) look_at(folder, name, prefix + name);
    --depth;
  }

 private:
  /// Collects a name; stops at a link that is no plain name.
  static herr_t collect(hid_t, const char* name, const H5L_info_t* info, void* out) {
    if (info->type != H5L_TYPE_HARD) return 1;
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  }
  void look_at(hid_t folder, const std::string& name, const std::string& full_name) {
    const Handle object(H5Oopen(folder, name.c_str(), H5P_DEFAULT), H5Oclose);
    if (!object.valid() || ++objects > kMostObjects) fail(path, "object", full_name, "cannot be read");
    const H5I_type_t type = H5Iget_type(object);
    if (type == H5I_GROUP) return look_into(object, full_name + "/");
    if (type != H5I_DATASET) fail(path, "object", full_name, "is neither an array nor a folder");
    look_at_array(object, full_name);
  }
  void look_at_array(hid_t array, const std::string& name) {
    const Handle properties(H5Dget_create_plist(array), H5Pclose);
    const H5D_layout_t layout = H5Pget_layout(properties);
    if (layout != H5D_CONTIGUOUS && layout != H5D_COMPACT)
      fail(path, "array", name, "is stored in pieces, which scree does not write");
    if (H5Pget_external_count(properties) != 0) fail(path, "array", name, "is stored in another file");
    const Handle type(H5Dget_type(array), H5Tclose);
    if (std::ranges::none_of(kAllTypes, [&](ElementType t) { return H5Tequal(type, native(t)) > 0; }))
      fail(path, "array", name, "holds values of a type scree does not write");
    const std::uint64_t bytes = bytes_of(array, H5Tget_size(type));
    if (bytes > bytes_left) fail(path, "array", name, "is larger than the file");
    bytes_left -= bytes;
  }
  /// Returns the bytes of an array, at most one more than are left.
  std::uint64_t bytes_of(hid_t array, std::uint64_t element_bytes) const {
    const Handle space(H5Dget_space(array), H5Sclose);
    std::vector<hsize_t> extents(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
    H5Sget_simple_extent_dims(space, extents.data(), nullptr);
    if (std::ranges::count(extents, hsize_t{0}) > 0) return 0;
    std::uint64_t bytes = element_bytes;
    for (const hsize_t extent : extents) {
      if (extent > bytes_left / bytes) return bytes_left + 1;
      bytes *= extent;
    }
    return bytes;
  }
};

}  // namespace

struct CheckpointReader::File {
  std::filesystem::path path;
  Handle id;

  explicit File(std::filesystem::path source)
      : path(std::move(source)), id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose) {}

  Handle open_array(const std::string& name) const {
    Handle array(H5Dopen2(id, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!array.valid()) fail(path, "array", name, "is missing");
    return array;
  }
  Handle open_attribute(const std::string& name, H5T_class_t wanted, std::string_view wanted_name) const {
    Handle attribute(H5Aopen(id, name.c_str(), H5P_DEFAULT), H5Aclose);
    if (!attribute.valid()) fail(path, "attribute", name, "is missing");
    const Handle type(H5Aget_type(attribute), H5Tclose);
    const Handle space(H5Aget_space(attribute), H5Sclose);
    if (H5Tget_class(type) != wanted || H5Sget_simple_extent_type(space) != H5S_SCALAR)
      fail(path, "attribute", name, fmt::format("is not {}", wanted_name));
    return attribute;
  }
  template <class T>
  T read_scalar(const std::string& name, H5T_class_t wanted, std::string_view wanted_name, hid_t memory_type) const {
    const Handle attribute = open_attribute(name, wanted, wanted_name);
    T value{};
    if (H5Aread(attribute, memory_type, &value) < 0) fail(path, "attribute", name, "cannot be read");
    return value;
  }
};

CheckpointReader::CheckpointReader(std::filesystem::path file) {
  const QuietScope quiet;
  check_seal(file);
  const std::uint64_t bytes = std::filesystem::file_size(file);
  file_ = std::make_unique<File>(std::move(file));
  if (!file_->id.valid()) throw IoError(fmt::format("{}: HDF5 cannot read the checkpoint.", file_->path.string()));
  Survey survey{file_->path, bytes};
  survey.look_into(file_->id, "");
}

CheckpointReader::~CheckpointReader() {
  const QuietScope quiet;
  file_.reset();
}

const std::filesystem::path& CheckpointReader::file() const { return file_->path; }

bool CheckpointReader::has(const std::string& name) const {
  const QuietScope quiet;
  // HDF5 checks only one link at a time: check each prefix.
  for (std::size_t end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1))
    if (H5Lexists(file_->id, name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
  return H5Lexists(file_->id, name.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> CheckpointReader::list(const std::string& folder) const {
  const QuietScope quiet;
  const Handle group(H5Gopen2(file_->id, folder.empty() ? "/" : folder.c_str(), H5P_DEFAULT), H5Gclose);
  if (!group.valid()) fail(file_->path, "folder", folder, "is missing");
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  if (H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, collect, &names) < 0)
    fail(file_->path, "folder", folder, "cannot be read");
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::size_t> CheckpointReader::shape(const std::string& name) const {
  const QuietScope quiet;
  const Handle array = file_->open_array(name);
  const Handle space(H5Dget_space(array), H5Sclose);
  std::vector<hsize_t> extents(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  H5Sget_simple_extent_dims(space, extents.data(), nullptr);
  return {extents.begin(), extents.end()};
}

ElementType CheckpointReader::type(const std::string& name) const {
  const QuietScope quiet;
  const Handle array = file_->open_array(name);
  const Handle stored(H5Dget_type(array), H5Tclose);
  for (const ElementType candidate : kAllTypes)
    if (H5Tequal(stored, native(candidate)) > 0) return candidate;
  fail(file_->path, "array", name, "holds values of a type scree does not write");
}

std::size_t CheckpointReader::count(const std::string& name) const {
  const auto extents = shape(name);
  return std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>());
}

void CheckpointReader::read_array(const std::string& name, ElementType wanted, void* values, std::size_t size) const {
  const QuietScope quiet;
  const ElementType stored = type(name);
  if (stored != wanted)
    fail(file_->path, "array", name, fmt::format("holds {} values, expected {}", type_name(stored), type_name(wanted)));
  const std::size_t found = count(name);
  if (found != size) fail(file_->path, "array", name, fmt::format("holds {} values, expected {}", found, size));
  const Handle array = file_->open_array(name);
  if (size > 0 && H5Dread(array, native(wanted), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    fail(file_->path, "array", name, "cannot be read: the file is damaged");
}

bool CheckpointReader::has_attribute(const std::string& name) const {
  const QuietScope quiet;
  return H5Aexists(file_->id, name.c_str()) > 0;
}

std::string CheckpointReader::text(const std::string& name) const {
  const QuietScope quiet;
  const Handle attribute = file_->open_attribute(name, H5T_STRING, "a text");
  const Handle stored(H5Aget_type(attribute), H5Tclose);
  if (H5Tis_variable_str(stored) != 0 || H5Tget_size(stored) > kLongestText)
    fail(file_->path, "attribute", name, "is a text that scree does not write");
  std::string value(H5Tget_size(stored), '\0');
  const Handle type = text_type(value.size());
  if (H5Aread(attribute, type, value.data()) < 0) fail(file_->path, "attribute", name, "cannot be read");
  // The shortest text HDF5 can hold is one byte: that byte is zero for an empty one.
  if (value == std::string(1, '\0')) value.clear();
  return value;
}

std::int64_t CheckpointReader::integer(const std::string& name) const {
  const QuietScope quiet;
  return file_->read_scalar<std::int64_t>(name, H5T_INTEGER, "an integer", H5T_NATIVE_INT64);
}

double CheckpointReader::number(const std::string& name) const {
  const QuietScope quiet;
  return file_->read_scalar<double>(name, H5T_FLOAT, "a number", H5T_NATIVE_DOUBLE);
}

}  // namespace scree
