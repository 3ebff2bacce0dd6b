#include "scree/output/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <utility>
#include <vector>

#include "scree/base/content_hash.hpp"
#include "scree/output/atomic_file.hpp"

namespace scree {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kHashDigits = 16;

std::string hash_of(std::string_view text) {
  return fmt::format("{:0{}x}", content_hash(std::as_bytes(std::span(text))), kHashDigits);
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::symlink_status(path, ignored).type() != fs::file_type::not_found;
}

/// Checks whether a name is ".<name>.<process>.part".
bool is_part(std::string_view name) {
  constexpr std::string_view kEnding = ".part", kDigits = "0123456789";
  if (!name.starts_with('.') || !name.ends_with(kEnding)) return false;
  name.remove_suffix(kEnding.size());
  const std::size_t dot = name.rfind('.');
  const std::string_view process = name.substr(dot + 1);
  return dot > 1 && !process.empty() && process.find_first_not_of(kDigits) == std::string_view::npos;
}

}  // namespace

OutputFolder::OutputFolder(fs::path folder, std::span<const std::string> names) : folder_(std::move(folder)) {
  const bool used = is_there(folder_ / kLock);
  if (!used)
    for (const std::string& name : names)
      if (is_there(folder_ / name))
        throw IoError(
            fmt::format("{}: is there already, and no run of scree has written into this folder. It would be "
                        "overwritten: choose another folder with --out, or move it away.",
                        (folder_ / name).string()));
  made_folder_ = !is_there(folder_);
  prepare_folder(folder_);
  made_lock_ = !used;
  lock();
  if (used) remove_parts();
}

OutputFolder::~OutputFolder() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (kept_) return;
  std::error_code ignored;
  if (made_lock_) fs::remove(folder_ / kLock, ignored);
  if (made_folder_) fs::remove(folder_, ignored);  // only if it is empty
}

void OutputFolder::lock() {
  const fs::path file = folder_ / kLock;
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw io_error(file, "cannot open the folder's lock", errno);
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(descriptor_);
  throw IoError(
      fmt::format("{}: another run is writing into this folder. Wait for its end, or choose another folder with --out.",
                  folder_.string()));
}

/// Removes parts in the folder and its subfolders. While the folder is locked no one else writes them.
void OutputFolder::remove_parts() const {
  std::vector<fs::path> folders = {folder_}, parts;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_, ignored))
    if (entry.is_directory(ignored) && !entry.is_symlink(ignored)) folders.push_back(entry.path());
  for (const fs::path& folder : folders)
    for (const auto& entry : fs::directory_iterator(folder, ignored))
      if (is_part(entry.path().filename().string())) parts.push_back(entry.path());
  for (const fs::path& file : parts) fs::remove(file, ignored);
}

std::string OutputFolder::noted_hash() const {
  std::string text(kHashDigits, '\0');
  const ssize_t size = ::pread(descriptor_, text.data(), text.size(), 0);
  return size == static_cast<ssize_t>(text.size()) ? text : "";
}

void OutputFolder::note_hash(const std::string& hash) const {
  if (::ftruncate(descriptor_, 0) != 0) throw io_error(folder_ / kLock, "cannot write", errno);
  const std::string text = hash + " scene.json of the last run; this file is the lock of the folder\n";
  write_all(descriptor_, std::as_bytes(std::span(text)), folder_ / kLock);
}

std::string OutputFolder::write_scene(std::string_view text) {
  const fs::path file = folder_ / "scene.json";
  if (is_there(file)) {
    std::error_code ignored;
    const bool plain = fs::is_regular_file(fs::symlink_status(file, ignored));
    const std::string hash = plain ? hash_of(read_file(file)) : "";
    if (hash != hash_of(text) && (hash.empty() || hash != noted_hash())) {
      write_atomically(folder_ / "scene.resolved.json", text);
      return "scene.resolved.json";
    }
  }
  write_atomically(file, text);
  note_hash(hash_of(text));  // a run killed before this is recognised by its scene when it is started again
  return "scene.json";
}

}  // namespace scree
