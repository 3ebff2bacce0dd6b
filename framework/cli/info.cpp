#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/run_metrics.hpp"
#include "command.hpp"
#include "scree/base/error.hpp"
#include "scree/base/printable.hpp"
#include "scree/output/atomic_file.hpp"
#include "scree/output/output_folder.hpp"
#include "scree/output/sizes.hpp"

namespace scree::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Checks whether a run writes into the folder now: it holds the lock.
bool is_running(const fs::path& folder) {
  const int descriptor = ::open((folder / OutputFolder::kLock).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool held = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(descriptor);
  return held;
}

/// Returns the document in a file; null if there is none, or none that can be read.
Json document_in(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return {};
  Json document = Json::parse(read_file(file), nullptr, false);
  return document.is_discarded() ? Json() : document;
}

/// Files of one kind in a folder.
struct FileCount {
  std::uint64_t number = 0;
  std::uint64_t bytes = 0;
};

/// Returns the files of each ending, in the folder and its subfolders.
std::map<std::string, FileCount> files_in(const fs::path& folder) {
  std::map<std::string, FileCount> found;
  std::error_code ignored;
  constexpr auto kOptions = fs::directory_options::skip_permission_denied;
  for (auto entry = fs::recursive_directory_iterator(folder, kOptions, ignored);
       entry != fs::recursive_directory_iterator(); entry.increment(ignored)) {
    if (ignored) break;
    if (!entry->is_regular_file(ignored) || entry->is_symlink(ignored)) continue;
    if (entry->path().filename().string().starts_with('.')) continue;  // the lock, and parts of files
    const std::string ending = entry->path().extension().string();
    FileCount& count = found[ending.empty() ? "other" : ending];
    ++count.number;
    count.bytes += entry->file_size(ignored);
  }
  return found;
}

/// Returns the number of frames that a collection lists.
std::uint64_t frames_of(const fs::path& collection) {
  std::error_code ignored;
  if (!fs::is_regular_file(collection, ignored)) return 0;
  const std::string text = read_file(collection);
  std::uint64_t frames = 0;
  for (std::size_t at = 0; (at = text.find("<DataSet ", at)) != std::string::npos; ++at) ++frames;
  return frames;
}

/// Returns all collections for ParaView with their numbers of frames, sorted.
Json frames_in(const fs::path& folder) {
  std::map<std::string, std::uint64_t> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".pvd") found[entry.path().filename().string()] = frames_of(entry.path());
  return found;
}

/// Returns the newest checkpoint, or "".
std::string last_checkpoint(const fs::path& folder) {
  std::string last;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder / "checkpoints", ignored))
    if (entry.path().extension() == ".h5") last = std::max(last, entry.path().string());
  return last;
}

Json information_of(const fs::path& folder) {
  const Json summary = document_in(folder / "summary.json");
  Json info = {{"folder", folder.string()}};
  const auto copy = [&](const char* key) {
    if (summary.contains(key)) info[key] = summary[key];
  };
  copy("scene");
  info["status"] = is_running(folder)           ? Json("running")
                   : summary.contains("status") ? summary["status"]
                                                : Json("ended without a summary");
  for (const char* key : {"reason", "steps", "simulated_time", "dt", "wall_seconds", "bodies"}) copy(key);
  if (!info.contains("simulated_time")) {
    const std::string time = RunMetrics(folder).text("time_s");
    if (const Json number = Json::parse(time, nullptr, false); number.is_number()) info["simulated_time"] = number;
  }
  const Json scene = document_in(folder / "scene.json");
  if (scene.contains("/run/duration"_json_pointer)) info["duration"] = scene["run"]["duration"];
  for (const char* key : {"particle_steps_per_second", "peak_overlap_ratio", "device", "threads", "version"}) copy(key);
  info["frames"] = frames_in(folder);
  info["last_checkpoint"] = last_checkpoint(folder);
  std::uint64_t bytes = 0;
  info["files"] = Json::object();
  for (const auto& [ending, count] : files_in(folder)) {
    info["files"][ending] = {{"number", count.number}, {"bytes", count.bytes}};
    bytes += count.bytes;
  }
  info["bytes"] = bytes;
  info["warnings"] = summary.contains("warnings") ? summary["warnings"] : Json::array();
  return info;
}

std::string plain(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// Returns lines for the user.
std::string text_of(const Json& info) {
  std::string text;
  const auto add = [&](const char* head, const std::string& line) { text += fmt::format("{:<12} {}\n", head, line); };
  const auto number = [&](const char* key) { return info.contains(key) && info[key].is_number(); };
  if (info.contains("scene")) add("scene", plain(info["scene"]));
  add("status", plain(info["status"]));
  if (info.contains("reason")) add("reason", plain(info["reason"]));
  if (number("simulated_time")) {
    std::string time = fmt::format("{:.6g} s", info["simulated_time"].get<double>());
    if (number("duration")) time += fmt::format(" of {:.6g} s", info["duration"].get<double>());
    if (number("steps")) time += fmt::format(", {} steps", plain(info["steps"]));
    if (number("dt")) time += fmt::format(" (the last of {:.4g} s)", info["dt"].get<double>());
    add("time", time);
  }
  if (number("bodies")) add("bodies", plain(info["bodies"]));
  if (number("wall_seconds") && number("particle_steps_per_second"))
    add("computing", fmt::format("{:.3g} s, {:.3g} body steps per second", info["wall_seconds"].get<double>(),
                                 info["particle_steps_per_second"].get<double>()));
  if (number("peak_overlap_ratio"))
    add("overlap",
        fmt::format("at most {:.2g} % of the smallest radius", 100 * info["peak_overlap_ratio"].get<double>()));
  for (const auto& [name, frames] : info["frames"].items()) add("frames", fmt::format("{} in {}", plain(frames), name));
  if (const std::string file = info["last_checkpoint"]; !file.empty()) add("checkpoint", file);
  for (const auto& [ending, count] : info["files"].items())
    add("files", fmt::format("{} {}, {}", plain(count["number"]), ending, bytes_text(count["bytes"])));
  add("size", bytes_text(info["bytes"]));
  for (const Json& warning : info["warnings"]) add("warning", plain(warning));
  return text;
}

}  // namespace

int info(const Arguments& arguments) {
  CommandLine line(
      "scree info OUT [options]",
      "Tells what the folder OUT of results holds: how its run went, time, bodies, frames, sizes, warnings.\n"
      "It also works while the run goes on.",
      "OUT");
  line.options()("json", "print JSON, for programs");
  if (!line.parse(arguments)) return kDone;
  const fs::path folder = line.required();
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    throw InputError(fmt::format("{}: no such folder. Name the folder of a run, such as out/pile.", folder.string()));
  if (!fs::exists(folder / "summary.json", ignored) && !fs::exists(folder / "metrics.csv", ignored))
    throw InputError(
        fmt::format("{}: holds no results of a run: neither metrics.csv nor summary.json.", folder.string()));
  const Json told = information_of(folder);
  if (line.has("json"))
    fmt::print("{}\n", told.dump(2, ' ', false, Json::error_handler_t::replace));
  else
    fmt::print("{}", printable(text_of(told)));
  return kDone;
}

}  // namespace scree::cli
