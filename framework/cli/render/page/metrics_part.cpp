#include "page/metrics_part.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "scree/base/text_lines.hpp"
#include "scree/output/atomic_file.hpp"

namespace scree::render {

namespace {

std::vector<std::string_view> values_of(std::string_view line) {
  std::vector<std::string_view> values;
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t to = std::min(line.find(',', from), line.size());
    values.push_back(trimmed(line.substr(from, to - from)));
    from = to + 1;
  }
  return values;
}

/// Returns the lines that end with a line feed, without the first.
std::vector<std::string_view> lines_of(std::string_view text, std::string_view& header) {
  std::vector<std::string_view> lines;
  for (std::size_t from = 0, to = 0; (to = text.find('\n', from)) != std::string_view::npos; from = to + 1)
    lines.push_back(text.substr(from, to - from));
  if (lines.empty()) return lines;
  header = lines.front();
  lines.erase(lines.begin());
  return lines;
}

}  // namespace

nlohmann::json metrics_told(const std::filesystem::path& out, std::size_t most, Parts& parts) {
  const std::filesystem::path file = out / "metrics.csv";
  if (!std::filesystem::is_regular_file(file)) return nullptr;
  const std::string text = read_file(file);
  std::string_view header;
  const std::vector<std::string_view> lines = lines_of(text, header);
  const std::vector<std::string_view> names = values_of(header);
  const auto time = std::ranges::find(names, "time_s");
  if (time == names.end() || lines.size() < 2) return nullptr;
  const std::size_t count = std::min(lines.size(), most);
  std::vector<std::vector<float>> columns(names.size(), std::vector<float>(count));
  for (std::size_t k = 0; k < count; ++k) {
    const auto values = values_of(lines[k * (lines.size() - 1) / (count - 1)]);
    for (std::size_t c = 0; c < names.size(); ++c) {
      const auto value = c < values.size() ? parse_number<double>(values[c]) : std::nullopt;
      columns[c][k] = value ? static_cast<float>(*value) : std::numeric_limits<float>::quiet_NaN();
    }
  }
  nlohmann::json shown = nlohmann::json::array();
  std::string bytes = joined(columns[static_cast<std::size_t>(time - names.begin())]);
  for (std::size_t c = 0; c < names.size(); ++c) {
    const auto other = [&](float value) { return !(value == columns[c].front()); };
    if (names[c] == "time_s" || names[c] == "step" || std::ranges::none_of(columns[c], other)) continue;
    shown.push_back(std::string(names[c]));
    bytes += joined(columns[c]);
  }
  if (shown.empty()) return nullptr;
  return {{"names", shown}, {"rows", count}, {"part", parts.add(bytes)}};
}

}  // namespace scree::render
