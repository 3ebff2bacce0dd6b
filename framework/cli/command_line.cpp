#include "cli/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "scree/base/error.hpp"

namespace scree::cli {

namespace po = boost::program_options;

CommandLine::CommandLine(std::string usage, std::string about, std::string positional)
    : usage_(std::move(usage)), about_(std::move(about)), positional_(std::move(positional)), options_("Options", 100) {
  if (positional_.ends_with("...")) {
    positional_.resize(positional_.size() - 3);
    most_ = -1;
  } else if (!positional_.empty()) {
    most_ = 1;
  }
}

bool CommandLine::parse(const Arguments& arguments) {
  options().operator()("help,h", "print this and stop");
  if (arguments == Arguments{"--list-options"}) {  // for completion in shells
    for (const auto& option : options_.options())
      fmt::print("--{}{}\n", option->long_name(), option->semantic()->max_tokens() > 0 ? "=" : "");
    return false;
  }
  po::options_description all;
  all.add(options_);
  po::positional_options_description positions;
  if (most_ != 0) {
    all.add_options()(positional_.c_str(), po::value<std::vector<std::string>>());
    positions.add(positional_.c_str(), most_);
  }
  const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
  try {
    po::store(po::command_line_parser(arguments).options(all).positional(positions).style(style).run(), values_);
    po::notify(values_);
  } catch (const po::unknown_option& e) {
    std::vector<std::string> known;
    for (const auto& option : options_.options()) known.push_back("--" + option->long_name());
    const std::string name = e.get_option_name(), nearest = nearest_name(name, known);
    throw InputError(fmt::format("unknown option {}.{} Known: {}.", name,
                                 nearest.empty() ? "" : " Did you mean " + nearest + "?", fmt::join(known, ", ")));
  } catch (const po::too_many_positional_options_error&) {
    throw InputError(fmt::format("too many arguments. Usage: {}.", usage_));
  } catch (const po::error& e) {
    throw InputError(fmt::format("{}. Usage: {}.", e.what(), usage_));
  }
  if (!has("help")) return true;
  std::ostringstream text;
  text << options_;
  fmt::print("Usage: {}\n\n{}\n\n{}", usage_, about_, text.str());
  return false;
}

std::string CommandLine::text(const std::string& name) const {
  return has(name) ? values_[name].as<std::string>() : "";
}

std::vector<std::string> CommandLine::texts(const std::string& name) const {
  return has(name) ? values_[name].as<std::vector<std::string>>() : std::vector<std::string>{};
}

std::vector<std::string> CommandLine::all_required() const {
  if (!has(positional_)) throw InputError(fmt::format("{} is missing. Usage: {}.", positional_, usage_));
  return texts(positional_);
}

}  // namespace scree::cli
