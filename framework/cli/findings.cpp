#include "cli/findings.hpp"

#include <regex>

namespace scree::cli {

namespace {

/// Returns the sentences of a text. A sentence ends with . or ? before a blank and a capital letter.
std::vector<std::string> sentences_of(const std::string& text) {
  std::vector<std::string> sentences(1);
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool ends = at > 0 && (text[at] == ' ' || text[at] == '\n') && (text[at - 1] == '.' || text[at - 1] == '?') &&
                      at + 1 < text.size() && text[at + 1] >= 'A' && text[at + 1] <= 'Z';
    if (ends)
      sentences.emplace_back();
    else
      sentences.back() += text[at];
  }
  return sentences;
}

/// Returns the first match of a pattern's group in a text, or "".
std::string part_of(const std::string& text, const char* pattern) {
  std::smatch match;
  return std::regex_search(text, match, std::regex(pattern)) ? match[1].str() : "";
}

/// Splits the text of a finding. The phrases are those of the schema's faults (scene/schema_faults.cpp); messages of
/// other words keep what and fix alone.
void split(Finding& finding) {
  const std::vector<std::string> sentences = sentences_of(finding.text);
  finding.what = sentences[0];
  finding.got = part_of(finding.what, R"((?:, got |^unknown )(.+?)(?: \([a-z]+\))?\.?$)");
  if (finding.got.empty()) finding.got = part_of(finding.what, R"(^(.+) is out of range)");
  finding.allowed = part_of(finding.what, R"((?:must be|must have|expected) (.+?)(?:, got .*)?\.?$)");
  for (std::size_t k = 1; k < sentences.size(); ++k) {
    const std::string names = part_of(sentences[k], R"(^(?:Loaded|Allowed|Known): (.+?)\.?$)");
    if (names.empty())
      finding.fix += (finding.fix.empty() ? "" : " ") + sentences[k];
    else
      finding.allowed = names;
  }
  if (finding.got == "key") finding.got.clear();
}

}  // namespace

std::vector<Finding> findings_of(std::string_view message) {
  static const std::regex place(R"(^([^\s:][^:]*):(\d+):(\d+)(?: (/\S*))?: (.*)$)");
  std::vector<Finding> found;
  while (!message.empty()) {
    const std::size_t end = message.find('\n');
    const std::string line(message.substr(0, end));
    message.remove_prefix(end == std::string_view::npos ? message.size() : end + 1);
    std::smatch match;
    if (line.size() < 4000 && std::regex_match(line, match, place)) {  // std::regex recurses for each character
      Finding& finding = found.emplace_back();
      finding.file = match[1];
      finding.line = std::stoi(match[2]);
      finding.column = std::stoi(match[3]);
      finding.pointer = match[4];
      finding.text = match[5];
    } else if (found.empty()) {
      found.emplace_back().text = line;
    } else {
      found.back().text += "\n" + line;
    }
  }
  for (Finding& finding : found) split(finding);
  return found;
}

}  // namespace scree::cli
