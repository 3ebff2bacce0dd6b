#include "scree/output/sizes.hpp"

#include <fmt/format.h>

#include <array>
#include <system_error>

namespace scree {

namespace fs = std::filesystem;

namespace {

double bytes_of_file(const fs::directory_entry& entry) {
  std::error_code error;
  if (entry.is_symlink(error) || !entry.is_regular_file(error)) return 0;
  const std::uintmax_t bytes = entry.file_size(error);
  return error ? 0 : static_cast<double>(bytes);
}

double bytes_in(const fs::path& folder) {
  std::error_code error;
  double bytes = 0;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    bytes += bytes_of_file(*entry);
  return bytes;
}

}  // namespace

std::string bytes_text(double bytes) {
  constexpr std::array kUnits = {"kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (bytes /= 1e3; bytes >= 999.5 && unit + 1 < kUnits.size(); bytes /= 1e3) ++unit;
  return fmt::format("{:.{}f} {}", bytes, bytes < 99.95 ? 1 : 0, kUnits[unit]);
}

double bytes_of(const fs::path& folder, std::span<const std::string> names) {
  double bytes = 0;
  for (const std::string& name : names) {
    std::error_code error;
    const fs::directory_entry entry(folder / name, error);
    if (error || entry.is_symlink(error)) continue;
    bytes += entry.is_directory(error) ? bytes_in(entry.path()) : bytes_of_file(entry);
  }
  return bytes;
}

}  // namespace scree
