#include "scree/output/seal.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <fstream>
#include <string_view>

#include "scree/base/error.hpp"
#include "scree/output/atomic_file.hpp"
#include "scree/output/checksum.hpp"

namespace scree {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirstLine = "scree checkpoint 2\n";

std::string seal(std::uint64_t rest_bytes, std::uint64_t rest_checksum) {
  std::string text = fmt::format("{}bytes {:020}\ncrc64 {:016x}\n", kFirstLine, kSealBytes + rest_bytes, rest_checksum);
  text.resize(kSealBytes, '\0');
  return text;
}

[[noreturn]] void not_a_checkpoint(const fs::path& file, std::string_view reason) {
  throw IoError(
      fmt::format("{}: is not a scree checkpoint: {}. Give --resume a file from the folder `checkpoints` of a "
                  "run's output.",
                  file.string(), reason));
}

/// Returns the beginning of a file, at most the length of a seal.
std::string beginning_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text(kSealBytes, '\0');
  if (!in.is_open()) throw io_error(file, "cannot read", errno ? errno : EIO);
  in.read(text.data(), kSealBytes);
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

/// Returns the length in a seal, or 0.
std::uint64_t told_bytes(std::string_view beginning) {
  constexpr std::string_view key = "bytes ";
  beginning.remove_prefix(std::min(kFirstLine.size(), beginning.size()));
  std::uint64_t bytes = 0;
  if (beginning.starts_with(key))
    std::from_chars(beginning.data() + key.size(), beginning.data() + beginning.size(), bytes);
  return bytes;
}

}  // namespace

std::string seal_of(std::span<const std::byte> rest) { return seal(rest.size(), checksum(rest)); }

void check_seal(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) throw io_error(file, "cannot read", ENOENT);
  if (error) throw io_error(file, "cannot read", error.value());
  if (status.type() != fs::file_type::regular) not_a_checkpoint(file, "it is no regular file");
  const std::uint64_t bytes = fs::file_size(file, error);
  if (error) throw io_error(file, "cannot read", error.value());
  if (bytes == 0) not_a_checkpoint(file, "it is empty");
  const std::string found = beginning_of(file);
  if (found.starts_with("\x89HDF"))
    not_a_checkpoint(file, "it is an HDF5 file of another program, or of scree before checkpoints had a checksum");
  if (!found.starts_with(kFirstLine))
    not_a_checkpoint(file, fmt::format("it does not begin with \"{}\"", kFirstLine.substr(0, kFirstLine.size() - 1)));
  if (const std::uint64_t told = told_bytes(found); found.size() < kSealBytes || (told != 0 && told != bytes))
    throw IoError(
        fmt::format("{}: the checkpoint is cut or damaged: it has {} bytes instead of {}. Resume from an "
                    "older checkpoint.",
                    file.string(), bytes, told));
  if (found != seal(bytes - kSealBytes, file_checksum(file, kSealBytes)))
    throw IoError(
        fmt::format("{}: the checkpoint is damaged: its checksum does not match. Resume from an older "
                    "checkpoint.",
                    file.string()));
}

}  // namespace scree
