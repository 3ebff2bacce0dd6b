#include "cli/batch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/child_runs.hpp"
#include "command.hpp"
#include "scree/base/content_hash.hpp"
#include "scree/base/error.hpp"
#include "scree/base/printable.hpp"
#include "scree/base/tell.hpp"
#include "scree/output/atomic_file.hpp"
#include "scree/output/output_folder.hpp"
#include "scree/plugin/launch.hpp"

namespace scree::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kNotes = "runs.json";
constexpr const char* kSummary = "summary.json";

Json parsed_or_null(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return {};
  Json json = Json::parse(read_file(file), nullptr, false);
  return json.is_discarded() ? Json() : json;
}

/// Returns a value of a file that others may have changed: null, "" or `otherwise` if the key is missing, or has
/// another type.
Json member_in(const Json& object, const std::string& key) {
  return object.is_object() && object.contains(key) ? Json(object.at(key)) : Json();
}
std::string text_in(const Json& object, const std::string& key, const std::string& otherwise = "") {
  const Json value = member_in(object, key);
  return value.is_string() ? value.get<std::string>() : otherwise;
}

/// Returns arguments as a command line.
std::string words_of(const Json& list) {
  if (!list.is_array()) return list.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string words;
  for (const Json& word : list)
    words += (words.empty() ? "" : " ") +
             (word.is_string() ? word.get<std::string>() : word.dump(-1, ' ', false, Json::error_handler_t::replace));
  return words;
}

/// Returns "completed", "failed", "interrupted", or "" if there is no summary.
std::string status_in(const fs::path& folder) { return text_in(parsed_or_null(folder / kSummary), "status"); }

/// Returns the newest checkpoint; empty if there is none. Names have the step, with leading zeros.
fs::path newest_checkpoint(const fs::path& folder) {
  fs::path newest;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder / "checkpoints", ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("checkpoint_") && name.ends_with(".h5") && entry.path() > newest) newest = entry.path();
  }
  return newest;
}

/// Returns the last message of a run about its end.
std::string message_in(const fs::path& log) {
  std::error_code ignored;
  if (!fs::is_regular_file(log, ignored)) return "";
  const std::string text = "\n" + read_file(log), mark = "\nerror: ";
  const std::size_t at = text.rfind(mark);
  if (at == std::string::npos) return "";
  std::string message = text.substr(at + mark.size());
  message.erase(message.find_last_not_of('\n') + 1);
  return message;
}

std::string ended_by(int exit_code, const fs::path& log) {
  if (exit_code == kInterrupted) return "interrupted";
  if (const std::string message = message_in(log); !message.empty()) return message;
  if (exit_code > 128) return fmt::format("was killed by signal {}; see {}", exit_code - 128, log.string());
  return fmt::format("ended with exit code {}; see {}", exit_code, log.string());
}

}  // namespace

Batch::Batch(const Scene& scene, std::vector<BatchRun> runs, BatchOptions options)
    : scene_(scene), runs_(std::move(runs)), options_(std::move(options)), outcomes_(runs_.size()) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  if (options_.jobs == 0)
    options_.jobs = options_.threads ? std::max(1, cores / options_.threads)
                                     : std::min(cores, std::max(1, static_cast<int>(runs_.size())));
  threads_ = options_.threads ? options_.threads : std::max(1, cores / options_.jobs);
  const std::string text = read_file(scene_.file);
  scene_hash_ = fmt::format("{:016x}", content_hash(std::as_bytes(std::span(text))));
  look_back();
}

std::vector<std::string> Batch::arguments_of(std::size_t run) const {
  std::vector<std::string> arguments;
  for (const std::string& set : runs_[run].sets) {
    arguments.push_back("--set");
    arguments.push_back(set);
  }
  arguments.insert(arguments.end(), options_.passed.begin(), options_.passed.end());
  return arguments;
}

void Batch::look_back() {
  for (std::size_t k = 0; k < runs_.size(); ++k)
    if (!runs_[k].refusal.empty()) outcomes_[k] = {kBadInput, runs_[k].refusal};
  const Json notes = parsed_or_null(options_.out / kNotes);
  if (!notes.is_object()) return;
  earlier_ = notes.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string remedy = "Choose another --out, or remove that folder.";
  if (text_in(notes, "scene_hash") != scene_hash_)
    throw InputError(fmt::format("{}: has runs of {} as it was before it was changed, or of another scene. {}",
                                 options_.out.string(), text_in(notes, "scene", "?"), remedy));
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    const Json note = member_in(member_in(notes, "runs"), runs_[k].name);
    if (!note.is_object() || outcomes_[k].exit_code >= 0) continue;
    if (const Json before = member_in(note, "arguments"); before != Json(arguments_of(k)))
      throw InputError(
          fmt::format("{}: was started with other options: {}. {}", folder_of(k).string(), words_of(before), remedy));
    const std::string status = status_in(folder_of(k));
    if (status == "completed") outcomes_[k] = {kDone, ""};
    const Json code = member_in(note, "exit_code");
    const bool known = code.is_number_integer() && code.get<std::int64_t>() > 0 && code.get<std::int64_t>() < 256;
    if (status == "failed")
      outcomes_[k] = {known ? code.get<int>() : int{kNumericalFailure},
                      text_in(parsed_or_null(folder_of(k) / kSummary), "reason")};
  }
}

/// Writes the notes; runs of an earlier batch in this folder keep theirs.
void Batch::write_notes() const {
  Json notes = earlier_.empty() ? Json::object() : Json::parse(earlier_);
  if (!member_in(notes, "runs").is_object()) notes["runs"] = Json::object();
  notes["scene"] = scene_.file;
  notes["scene_hash"] = scene_hash_;
  for (std::size_t k = 0; k < runs_.size(); ++k)
    notes["runs"][runs_[k].name] = {{"arguments", arguments_of(k)}, {"exit_code", outcomes_[k].exit_code}};
  write_atomically(options_.out / kNotes, notes.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

bool Batch::run() {
  prepare_folder(options_.out);
  const std::vector<std::string> names = {kNotes, options_.result};
  OutputFolder folder(options_.out, names);
  folder.keep();
  prepare_subfolder(options_.out / "logs");
  write_notes();
  std::vector<ChildRun> children;
  std::vector<std::size_t> indices;
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    if (outcomes_[k].exit_code >= 0) {
      ++ended_;
      continue;
    }
    ChildRun& child = children.emplace_back(ChildRun{arguments_of(k), log_of(k)});
    child.arguments.insert(child.arguments.begin(), {"run", scene_.file});
    for (const std::string& word :
         {std::string("--out"), folder_of(k).string(), std::string("--threads"), std::to_string(threads_)})
      child.arguments.push_back(word);
    if (const fs::path checkpoint = newest_checkpoint(folder_of(k)); !checkpoint.empty())
      for (const std::string& word : {std::string("--resume"), checkpoint.string()}) child.arguments.push_back(word);
    indices.push_back(k);
  }
  if (!options_.quiet)
    tell(stderr, fmt::format("{} runs, {} of them done before; {} at once, with {} thread{} each.\n", runs_.size(),
                             ended_, options_.jobs, threads_, threads_ == 1 ? "" : "s"));
  interrupted_ = !run_children(children, options_.jobs,
                               [&](std::size_t child, int exit_code) { note_end(indices[child], exit_code); });
  if (interrupted_) tell(stderr, "Interrupted. The same command continues from here.\n");
  return !interrupted_;
}

void Batch::note_end(std::size_t run, int exit_code) {
  BatchOutcome& outcome = outcomes_[run];
  outcome.exit_code = exit_code;
  if (exit_code != kDone) outcome.message = ended_by(exit_code, log_of(run));
  ++ended_;
  write_notes();
  if (!options_.quiet) tell_end(run);
}

void Batch::tell_end(std::size_t run) const {
  const BatchOutcome& outcome = outcomes_[run];
  tell(stderr, printable(fmt::format("[{}/{}] {}: {}\n", ended_, runs_.size(), runs_[run].name,
                                     outcome.completed() ? "completed" : outcome.message)));
}

int Batch::exit_code() const {
  if (interrupted_) return kInterrupted;
  for (const BatchOutcome& outcome : outcomes_)
    if (!outcome.completed()) return outcome.exit_code < 0 ? int{kInternalError} : outcome.exit_code;
  return kDone;
}

std::string Batch::failures() const {
  std::string text;
  for (std::size_t k = 0; k < runs_.size(); ++k)
    if (outcomes_[k].exit_code > 0)
      text += fmt::format("{}: exit code {}: {}\n", runs_[k].name, outcomes_[k].exit_code, outcomes_[k].message);
  return text;
}

namespace {

int count_option(const CommandLine& line, const char* name, int most) {
  if (!line.has(name)) return 0;
  const int value = line.value<int>(name);
  if (value < 1 || value > most)
    throw InputError(fmt::format("--{} {}: must be from 1 to {}. Leave it out to share the {} cores out.", name, value,
                                 most, std::thread::hardware_concurrency()));
  return value;
}

}  // namespace

void add_batch_options(CommandLine& line, const std::string& kind, const std::string& figures) {
  namespace po = boost::program_options;
  using Texts = std::vector<std::string>;
  line.options()("out", po::value<std::string>()->value_name("DIR"),
                 ("folder of all results (default: out/<scene name>_" + kind + ")").c_str());
  line.options()("figures", po::value<std::string>()->value_name("NAME,..."),
                 ("columns of " + kind +
                  ".csv: keys of summary.json (also figures.NAME), columns of metrics.csv (the last row; COLUMN:mean, "
                  ":min or :max over all rows), FILE/COLUMN of a meter. Default: " +
                  figures)
                     .c_str());
  line.options()("from", po::value<double>()->default_value(0)->value_name("TIME"),
                 "rows from this time on count for :mean, :min and :max [s]");
  line.options()("jobs", po::value<int>()->value_name("N"), "runs at once (default: as many as there are cores)");
  line.options()("threads", po::value<int>()->value_name("N"),
                 "threads of each run (default: all cores, divided among the runs)");
  line.options()("device", po::value<std::string>()->value_name("NAME"),
                 "what computes: cpu, or an engine of a plugin");
  line.options()("set", po::value<Texts>()->value_name("/POINTER=VALUE"),
                 "change a value of the scene in all runs; may be given several times");
  line.options()("allow-path", po::value<Texts>()->value_name("DIR"),
                 "folder whose files the scene may name besides those of its own folder; may be given several times");
  line.options()("allow-python", "let the scene run its files of Python, which may do whatever you may");
  line.options()("quiet", "no line for each run that ends");
  add_plugin_options(line);
}

BatchOptions batch_options(const CommandLine& line, const Scene& scene, const std::string& kind) {
  if (const Launch launch = launch_of_environment(); launch.size > 1)
    throw InputError(fmt::format(
        "mpirun has started {} processes, and scree {} starts its own. Start it without mpirun.", launch.size, kind));
  if (line.has("out") && line.text("out").empty())
    throw InputError("--out is given an empty name. Name a folder, or leave the option out.");
  BatchOptions options;
  options.out = line.has("out") ? fs::path(line.text("out")) : fs::path("out") / (scene.name + "_" + kind);
  options.jobs = count_option(line, "jobs", 1024);
  options.threads = count_option(line, "threads", 1024);
  options.quiet = line.has("quiet");
  options.result = kind + ".csv";
  for (const char* name : {"allow-path", "plugin-path"})
    for (const std::string& value : line.texts(name))
      for (const std::string& word : {std::string("--") + name, value}) options.passed.push_back(word);
  if (line.has("allow-python")) options.passed.emplace_back("--allow-python");
  if (line.has("device"))
    for (const std::string& word : {std::string("--device"), line.text("device")}) options.passed.push_back(word);
  return options;
}

}  // namespace scree::cli
