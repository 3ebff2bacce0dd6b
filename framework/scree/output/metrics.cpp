#include "scree/output/metrics.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <utility>

#include "scree/output/atomic_file.hpp"
#include "scree/output/time_text.hpp"

namespace scree {

namespace {

/// Returns the header and the whole rows up to the time, or before it, as in files.
std::string rows_until(std::string_view text, double resume_time, KeptRows rows) {
  const double last_time = time_in_files(resume_time);
  std::size_t kept = text.find('\n') + 1;
  while (true) {
    const std::size_t end = text.find('\n', kept);
    if (end == std::string_view::npos) break;
    const std::string row(text.substr(kept, end - kept));
    char* stop = nullptr;
    const double time = std::strtod(row.c_str(), &stop);
    const double shown = time_in_files(time);
    if (stop == row.c_str() || !(rows == KeptRows::before ? shown < last_time : shown <= last_time)) break;
    kept = end + 1;
  }
  return std::string(text.substr(0, kept));
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> parts;
  for (std::size_t comma; (comma = line.find(',')) != std::string_view::npos; line.remove_prefix(comma + 1))
    parts.push_back(line.substr(0, comma));
  parts.push_back(line);
  return parts;
}

bool has(const std::vector<std::string>& columns, std::string_view name) {
  return std::ranges::find(columns, name) != columns.end();
}

std::string header_of(const std::vector<std::string>& columns) { return fmt::format("{}\n", fmt::join(columns, ",")); }

/// Returns whole rows with other columns: 0 in new ones.
/// \param lost  called if a dropped column holds anything but 0
template <class Lost>
std::string with_columns(std::string_view text, const std::vector<std::string>& columns, const Lost& lost) {
  const auto old = split(text.substr(0, text.find('\n')));
  std::vector<std::size_t> source;  // index of each new column among the old; past the end if it is new
  for (const std::string& name : columns)
    source.push_back(static_cast<std::size_t>(std::ranges::find(old, name) - old.begin()));
  std::string result = header_of(columns);
  std::vector<std::string_view> row(columns.size());
  text.remove_prefix(text.find('\n') + 1);
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    auto values = split(text.substr(0, end));
    values.resize(old.size(), "0");
    for (std::size_t k = 0; k < old.size(); ++k)
      if (values[k] != "0" && !has(columns, old[k])) lost();
    for (std::size_t k = 0; k < columns.size(); ++k) row[k] = source[k] < old.size() ? values[source[k]] : "0";
    result += fmt::format("{}\n", fmt::join(row, ","));
  }
  return result;
}

/// Appends a row: the time, and values that read back to the same bits.
void put_row(fmt::memory_buffer& lines, std::span<const double> row) {
  fmt::format_to(std::back_inserter(lines), "{}", time_text(row[0]));
  for (const double value : row.subspan(1)) fmt::format_to(std::back_inserter(lines), ",{}", value);
  lines.push_back('\n');
}

/// Returns the text that a resumed run continues.
std::string continued(const std::filesystem::path& file, const std::vector<std::string>& columns, double resume_time,
                      KeptRows kept) {
  const std::string text = read_file(file);
  const std::string found = text.substr(0, text.find('\n'));
  const auto refuse = [&] {
    throw IoError(
        fmt::format("{}: has other columns than this run: \"{}\" instead of \"{}\". Resume into the folder of "
                    "the run that wrote the checkpoint, or choose a new one with --out.",
                    file.string(), found, fmt::join(columns, ",")));
  };
  const auto old = split(found);
  const bool fewer = std::ranges::all_of(old, [&](std::string_view name) { return has(columns, name); });
  const bool more =
      std::ranges::all_of(columns, [&](const std::string& name) { return std::ranges::find(old, name) != old.end(); });
  if (!fewer && !more) refuse();
  return with_columns(rows_until(text, resume_time, kept), columns, refuse);
}

}  // namespace

std::vector<std::string> columns_of_table(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return {};
  const std::string text = read_file(file);
  const auto columns = split(std::string_view(text).substr(0, text.find('\n')));
  return {columns.begin(), columns.end()};
}

MetricsWriter::MetricsWriter(std::filesystem::path file, std::vector<std::string> columns,
                             std::optional<double> resume_time, KeptRows kept)
    : file_(std::move(file)), columns_(std::move(columns)) {
  const bool resume = resume_time && std::filesystem::exists(file_);
  write_atomically(file_, resume ? continued(file_, columns_, *resume_time, kept) : header_of(columns_));
  open();
}

void MetricsWriter::open() {
  descriptor_ = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor_ < 0) throw io_error(file_, "cannot open", errno);
}

void MetricsWriter::set_columns(std::vector<std::string> columns) {
  write_atomically(file_, with_columns(read_file(file_), columns, [] {}));
  ::close(std::exchange(descriptor_, -1));
  columns_ = std::move(columns);
  open();
}

MetricsWriter::~MetricsWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void MetricsWriter::append(std::span<const double> rows) {
  if (rows.size() % columns_.size() != 0)
    throw Error(fmt::format("{}: {} values are no rows of {} columns", file_.string(), rows.size(), columns_.size()));
  fmt::memory_buffer lines;
  for (; !rows.empty(); rows = rows.subspan(columns_.size())) put_row(lines, rows.first(columns_.size()));
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
