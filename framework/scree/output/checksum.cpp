#include "scree/output/checksum.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/crc.hpp>
#include <cerrno>
#include <utility>
#include <vector>

#include "scree/output/atomic_file.hpp"

namespace scree {

namespace {

using Crc = boost::crc_optimal<64, 0x42f0e1eba9ea3693, ~std::uint64_t{0}, ~std::uint64_t{0}, true, true>;

class Descriptor {
 public:
  /// Opens the file without waiting for the other end of a pipe.
  explicit Descriptor(const std::filesystem::path& file)
      : number_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return number_; }

 private:
  int number_;
};

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) {
  Crc crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

std::uint64_t file_checksum(const std::filesystem::path& file, std::size_t offset) {
  const Descriptor descriptor(file);
  struct stat status {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) throw io_error(file, "cannot read", errno);
  if (!S_ISREG(status.st_mode)) throw IoError(file.string() + ": is not a regular file.");
  if (::lseek(descriptor, static_cast<off_t>(offset), SEEK_SET) < 0) throw io_error(file, "cannot read", errno);
  Crc crc;
  std::vector<std::byte> piece(std::size_t{1} << 20);
  while (true) {
    const ssize_t count = ::read(descriptor, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw io_error(file, "cannot read", errno);
    if (count == 0) return crc.checksum();
    crc.process_bytes(piece.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace scree
