#include "scree/plugin/detail/library_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "scree/base/error.hpp"

namespace scree {

namespace {

/// Limit of a plugin's size: some have megabytes, or hundreds with the debugging information of large libraries.
constexpr std::size_t kMostBytes = std::size_t{1} << 30;

class Descriptor {
 public:
  explicit Descriptor(const std::string& file) : number_(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void fail_to_read() { throw InputError(std::string("cannot be read: ") + std::strerror(errno) + "."); }

/// Checks the kind of a file. \throws InputError if it is no regular file of a library's size
void check_kind(const struct stat& info) {
  if (S_ISDIR(info.st_mode)) throw InputError("is a folder, not a shared library.");
  if (!S_ISREG(info.st_mode)) throw InputError("is a pipe, socket or device, not a shared library.");
  if (info.st_size == 0) throw InputError("is empty.");
  if (static_cast<std::size_t>(info.st_size) > kMostBytes)
    throw InputError("has " + std::to_string(info.st_size) + " bytes; a plugin has at most " +
                     std::to_string(kMostBytes) + ".");
}

/// Appends up to `most` bytes; fewer at the end of the file.
void append(const Descriptor& file, std::size_t most, std::vector<std::byte>& bytes) {
  const std::size_t start = bytes.size();
  bytes.resize(start + most);
  std::size_t count = 0;
  while (count < most) {
    const ssize_t got = ::read(file.number(), bytes.data() + start + count, most - count);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_to_read();
    if (got == 0) break;
    count += static_cast<std::size_t>(got);
  }
  bytes.resize(start + count);
}

}  // namespace

std::vector<std::byte> read_library_file(const std::string& file) {
  struct stat info {};
  if (stat(file.c_str(), &info) != 0) {
    if (errno == ENOENT) throw InputError("no such file.");
    fail_to_read();
  }
  check_kind(info);  // before it is opened: opening a device may have effects
  const Descriptor descriptor(file);
  if (descriptor.number() < 0 || fstat(descriptor.number(), &info) != 0) fail_to_read();
  check_kind(info);
  std::vector<std::byte> bytes;
  constexpr char kMagic[] = {'\x7f', 'E', 'L', 'F'};
  append(descriptor, sizeof(kMagic), bytes);
  if (bytes.size() < sizeof(kMagic) || std::memcmp(bytes.data(), kMagic, sizeof(kMagic)) != 0)
    throw InputError("is not a shared library (no ELF file).");
  bytes.reserve(static_cast<std::size_t>(info.st_size));
  append(descriptor, static_cast<std::size_t>(info.st_size) - std::min<std::size_t>(sizeof(kMagic), info.st_size),
         bytes);
  return bytes;
}

}  // namespace scree
