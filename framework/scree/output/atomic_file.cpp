#include "scree/output/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

namespace scree {

namespace fs = std::filesystem;

namespace {

/// Returns the remedy for the user, or "" if none is known.
std::string_view remedy(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return " Free some space or choose a folder on another disk with --out.";
    case EACCES:
    case EPERM:
    case EROFS:
      return " Choose a folder you may write to with --out.";
    case ENOTDIR:
    case EEXIST:
      return " Remove the file that stands in the way or choose another folder with --out.";
    default:
      return "";
  }
}

/// Returns a name that no other process has.
fs::path part_of(const fs::path& target) {
  return target.parent_path() / fmt::format(".{}.{}.part", target.filename().string(), ::getpid());
}

/// Creates a new file, whatever had that name before: a part of a process that died, or a link.
int create_anew(const fs::path& file) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const int descriptor = ::open(file.c_str(), kFlags, 0666);
  if (descriptor >= 0 || errno != EEXIST) return descriptor;
  ::unlink(file.c_str());
  return ::open(file.c_str(), kFlags, 0666);
}

/// Makes the names in a folder survive the death of the machine, if the file system can promise that.
void force_names_to_disk(const fs::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

IoError io_error(const fs::path& path, std::string_view what, int error_number) {
  return IoError(fmt::format("{}: {}: {}.{}", path.string(), what, std::strerror(error_number), remedy(error_number)));
}

void write_all(int descriptor, std::span<const std::byte> bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw io_error(path, "cannot write", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)), part_(part_of(target_)) {
  descriptor_ = create_anew(part_);
  if (descriptor_ < 0) throw io_error(target_, "cannot create", errno);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(part_.c_str());
}

void AtomicFile::write(std::string_view text) { write(std::as_bytes(std::span(text))); }

void AtomicFile::write(std::span<const std::byte> bytes) { write_all(descriptor_, bytes, target_); }

void AtomicFile::commit(bool to_disk) {
  // Files without fsync (a pipe, some network file systems) return EINVAL: nothing more can be done there.
  if (to_disk && ::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP)
    throw io_error(target_, "cannot write", errno);
  // Network file systems report a full disk only here.
  if (::close(std::exchange(descriptor_, -1)) != 0) {
    const int reason = errno;
    ::unlink(part_.c_str());
    throw io_error(target_, "cannot write", reason);
  }
  if (::rename(part_.c_str(), target_.c_str()) != 0) {
    const int reason = errno;
    ::unlink(part_.c_str());
    throw io_error(target_, "cannot replace", reason);
  }
  if (to_disk) force_names_to_disk(target_.parent_path());
}

void write_atomically(const fs::path& target, std::string_view text, bool to_disk) {
  AtomicFile file(target);
  file.write(text);
  file.commit(to_disk);
}

void prepare_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error)) throw io_error(folder, "is not a folder", EEXIST);
  fs::create_directories(folder, error);
  if (error) throw io_error(folder, "cannot create the folder", error.value());
  if (::access(folder.c_str(), W_OK | X_OK) != 0) throw io_error(folder, "cannot write into the folder", errno);
}

void prepare_subfolder(const fs::path& folder) {
  std::error_code ignored;
  if (fs::is_symlink(fs::symlink_status(folder, ignored)))
    throw IoError(
        fmt::format("{}: is a link, and runs write through no links inside their output folder. Remove it, or "
                    "choose another folder with --out.",
                    folder.string()));
  prepare_folder(folder);
}

void require_regular_file(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw IoError(fmt::format("{}: is no regular file, so it is not read. Remove it, or put the file itself there.",
                              path.string()));
}

std::string read_file(const fs::path& path) {
  require_regular_file(path);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.is_open() || file.bad()) throw io_error(path, "cannot read", errno ? errno : EIO);
  return text;
}

}  // namespace scree
