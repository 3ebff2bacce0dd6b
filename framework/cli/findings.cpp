#include "cli/findings.hpp"

#include <charconv>
#include <optional>
#include <utility>

namespace scree::cli {

// No std::regex here: messages quote what strangers wrote, and it recurses once per character.

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

/// Returns what follows the first of these phrases in a text, or nothing.
std::optional<std::string_view> behind(std::string_view text, std::initializer_list<std::string_view> phrases) {
  std::size_t first = text.npos, length = 0;
  for (const std::string_view phrase : phrases)
    if (const std::size_t at = text.find(phrase); at < first) first = at, length = phrase.size();
  if (first == text.npos) return std::nullopt;
  return text.substr(first + length);
}

std::string_view before(std::string_view text, std::string_view phrase) { return text.substr(0, text.find(phrase)); }

std::string_view without_stop(std::string_view text) {
  if (text.ends_with('.')) text.remove_suffix(1);
  return text;
}

/// Returns a value without the kind that follows it in brackets: "x" (string).
std::string_view without_kind(std::string_view text) {
  const std::size_t open = text.rfind(" (");
  if (!text.ends_with(')') || open == text.npos) return text;
  for (const char c : text.substr(open + 2, text.size() - open - 3))
    if (c < 'a' || c > 'z') return text;
  return text.substr(0, open);
}

/// Splits the text of a finding. The phrases are those of the schema's faults (scene/schema_faults.cpp); messages of
/// other words keep what and fix alone.
void split(Finding& finding) {
  const std::vector<std::string> sentences = sentences_of(finding.text);
  finding.what = sentences[0];
  const std::string_view what = finding.what;
  if (const auto got = behind(what, {", got "}))
    finding.got = without_kind(without_stop(*got));
  else if (what.starts_with("unknown "))
    finding.got = without_kind(without_stop(what.substr(8)));
  else if (what.find(" is out of range") != what.npos)
    finding.got = before(what, " is out of range");
  if (const auto allowed = behind(what, {"must be ", "must have ", "expected "}))
    finding.allowed = without_stop(before(*allowed, ", got "));
  for (std::size_t k = 1; k < sentences.size(); ++k) {
    const std::string_view sentence = sentences[k];
    bool names = false;
    for (const std::string_view head : {"Loaded: ", "Allowed: ", "Known: "})
      if (sentence.starts_with(head)) finding.allowed = without_stop(sentence.substr(head.size())), names = true;
    if (!names) finding.fix += (finding.fix.empty() ? "" : " ") + sentences[k];
  }
  if (finding.got == "key") finding.got.clear();
}

/// Takes ":", and a number from 0 on, off the front of a text.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  if (text.size() < 2 || text[0] != ':' || text[1] < '0' || text[1] > '9') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// Returns the finding of a line "file:line:column /pointer: text", the pointer not always there; or nothing.
std::optional<Finding> placed(std::string_view line) {
  Finding finding;
  const std::size_t colon = line.find(':');
  if (colon == 0 || colon == line.npos || line[0] == ' ' || line[0] == '\t') return std::nullopt;
  finding.file = line.substr(0, colon);
  line.remove_prefix(colon);
  const std::optional<int> row = take_number(line), column = row ? take_number(line) : std::nullopt;
  if (!column) return std::nullopt;
  finding.line = *row, finding.column = *column;
  if (line.starts_with(" /")) {
    const std::size_t end = line.find(' ', 1);
    if (end == line.npos || line[end - 1] != ':') return std::nullopt;
    finding.pointer = line.substr(1, end - 2);
    line.remove_prefix(end - 1);
  }
  if (!line.starts_with(": ")) return std::nullopt;
  finding.text = line.substr(2);
  return finding;
}

}  // namespace

std::vector<Finding> findings_of(std::string_view message) {
  std::vector<Finding> found;
  while (!message.empty()) {
    const std::size_t end = message.find('\n');
    const std::string_view line = message.substr(0, end);
    message.remove_prefix(end == std::string_view::npos ? message.size() : end + 1);
    if (std::optional<Finding> finding = placed(line))
      found.push_back(std::move(*finding));
    else if (found.empty())
      found.emplace_back().text = line;
    else
      found.back().text.append("\n").append(line);
  }
  for (Finding& finding : found) split(finding);
  return found;
}

}  // namespace scree::cli
