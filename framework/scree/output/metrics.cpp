#include "scree/output/metrics.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <utility>

#include "scree/output/atomic_file.hpp"

namespace scree {

namespace {

/// The header and the whole rows with time <= last_time.
std::string rows_until(std::string_view text, double last_time) {
  std::size_t kept = text.find('\n') + 1;
  while (true) {
    const std::size_t end = text.find('\n', kept);
    if (end == std::string_view::npos) break;
    const std::string row(text.substr(kept, end - kept));
    char* stop = nullptr;
    const double time = std::strtod(row.c_str(), &stop);
    if (stop == row.c_str() || !(time <= last_time)) break;
    kept = end + 1;
  }
  return std::string(text.substr(0, kept));
}

std::string continued(const std::filesystem::path& file, const std::string& header, double last_time) {
  const std::string text = read_file(file);
  const std::string found = text.substr(0, text.find('\n') + 1);
  if (found != header)
    throw IoError(
        fmt::format("{}: has other columns than this run: \"{}\" instead of \"{}\". Resume into the folder of "
                    "the run that wrote the checkpoint, or choose a new one with --out.",
                    file.string(), found.substr(0, found.find('\n')), header.substr(0, header.size() - 1)));
  return rows_until(text, last_time);
}

}  // namespace

MetricsWriter::MetricsWriter(std::filesystem::path file, std::vector<std::string> columns,
                             std::optional<double> resume_time)
    : file_(std::move(file)), columns_(std::move(columns)) {
  const std::string header = fmt::format("{}\n", fmt::join(columns_, ","));
  const bool resume = resume_time && std::filesystem::exists(file_);
  write_atomically(file_, resume ? continued(file_, header, *resume_time) : header);
  descriptor_ = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor_ < 0) throw io_error(file_, "cannot open", errno);
}

MetricsWriter::~MetricsWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void MetricsWriter::append(std::span<const double> rows) {
  assert(rows.size() % columns_.size() == 0);
  fmt::memory_buffer lines;
  for (; !rows.empty(); rows = rows.subspan(columns_.size()))
    fmt::format_to(std::back_inserter(lines), "{}\n", fmt::join(rows.first(columns_.size()), ","));
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  try {
    write_all(descriptor_, std::as_bytes(std::span(lines.data(), lines.size())), file_);
  } catch (const IoError&) {
    // A disk that fills up in the middle of a row must not leave half of it; there is nothing to do if this fails too.
    [[maybe_unused]] const int ignored = ::ftruncate(descriptor_, end);
    throw;
  }
}

}  // namespace scree
