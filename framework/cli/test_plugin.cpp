#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/table.hpp"
#include "command.hpp"
#include "conformance/suite.hpp"
#include "scree/base/error.hpp"

namespace scree::cli {

namespace {

namespace po = boost::program_options;
using conformance::Verdict;

const char* text_of(Verdict verdict) {
  if (verdict == Verdict::passed) return "passed";
  return verdict == Verdict::failed ? "FAILED" : "not applicable";
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

int test_plugin(const Arguments& arguments) {
  CommandLine line(
      "scree test-plugin FILE [options]",
      "Tests every method of a plugin: what it computes alone, wrong options, and runs with 1, 2 and 3\n"
      "threads and a resume. FILE is the plugin's library. Methods need \"examples\" of their options in the\n"
      "schema. Prints a line for each check: passed, failed, or not applicable, with the reason.\n"
      "Exit code: 0 nothing failed, 1 a check failed or nothing could be tested, 2 the plugin cannot be loaded.",
      "FILE");
  line.options()("scene", po::value<std::string>()->value_name("FILE"),
                 "scene in which the methods run (default: one is made for each method of what is loaded)");
  line.options()("steps", po::value<int>()->value_name("N"),
                 "steps of each run (default: 60 in scenes that are made, 1000 in one that is given)");
  line.options()("seconds", po::value<double>()->value_name("S"),
                 "processor time that a group of checks may take (default: 300)");
  line.options()("json", "print JSON: a list of method, check, verdict, reason");
  add_plugin_options(line);
  if (!line.parse(arguments)) return kDone;

  const std::string file = line.required();
  Registry registry(OnCrash::end_program);
  registry.load_library(file);
  load_plugins(line, registry);
  conformance::SuiteOptions options;
  options.library = std::filesystem::weakly_canonical(file).string();
  if (line.has("scene")) {
    options.scene = line.text("scene");
    read_scene(options.scene, {}, registry);
  }
  if (line.has("steps")) options.steps = line.value<int>("steps");
  if (line.has("steps") && options.steps < 4)
    throw InputError("--steps must be at least 4: half of them are done again from a checkpoint.");

  if (line.has("seconds")) options.limits.processor = line.value<double>("seconds");
  if (!(options.limits.processor > 0)) throw InputError("--seconds must be above 0.");

  conformance::Rows all;
  const bool watched = ::isatty(STDERR_FILENO) != 0;
  conformance::test_plugin(
      registry, options,
      [&](const std::string& group) {
        if (watched) fmt::print(stderr, "\r{} ...\033[K", group);
      },
      [&](const conformance::Rows& rows) { all.insert(all.end(), rows.begin(), rows.end()); });
  if (watched) fmt::print(stderr, "\r\033[K");
  const auto count = [&](Verdict v) { return std::ranges::count(all, v, &conformance::Row::verdict); };
  TableRows table = {{"method", "check", "verdict", "reason"}};
  for (const conformance::Row& row : all)
    table.push_back({row.method, row.check, text_of(row.verdict), first_line(row.reason)});
  if (line.has("json")) {
    nlohmann::json list = nlohmann::json::array();
    for (const conformance::Row& row : all)
      list.push_back(
          {{"method", row.method}, {"check", row.check}, {"verdict", text_of(row.verdict)}, {"reason", row.reason}});
    fmt::print("{}\n", list.dump(2));
  } else {
    print_table(table);
    fmt::print("{} passed, {} failed, {} not applicable\n", count(Verdict::passed), count(Verdict::failed),
               count(Verdict::not_applicable));
  }
  if (count(Verdict::passed) + count(Verdict::failed) == 0) {
    fmt::print(stderr,
               "error: nothing of {} could be tested. Methods need \"examples\" of their options in the schema.\n",
               file);
    return kInternalError;
  }
  return count(Verdict::failed) > 0 ? kInternalError : kDone;
}

}  // namespace scree::cli
