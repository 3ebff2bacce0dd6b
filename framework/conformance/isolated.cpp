#include "conformance/isolated.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>

#include "scree/base/error.hpp"

namespace scree::conformance {

namespace {

using Json = nlohmann::json;

/// What ends a check is its result: the guards around a plugin's calls have put method and entry point in front.
Rows rows_of(const std::string& name, const std::function<Rows()>& check) {
  try {
    return check();
  } catch (const std::exception& e) {
    return {failed(name, e.what())};
  } catch (...) {
    return {failed(name, "threw something that is no std::exception.")};
  }
}

[[noreturn]] void tell(const Rows& rows, int pipe) {
  Json all = Json::array();
  for (const Row& row : rows) all.push_back({row.check, static_cast<int>(row.verdict), row.reason});
  const std::string text = all.dump(-1, ' ', false, Json::error_handler_t::replace);
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t done = ::write(pipe, text.data() + at, text.size() - at);
    if (done <= 0) break;
    at += static_cast<std::size_t>(done);
  }
  ::_exit(0);
}

std::string all_from(int pipe) {
  std::string text;
  char block[4096];
  for (ssize_t got; (got = ::read(pipe, block, sizeof block)) > 0;) text.append(block, static_cast<std::size_t>(got));
  return text;
}

std::string end_of(int status, int seconds) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) return fmt::format("did not end within {} s.", seconds);
  if (WIFSIGNALED(status)) return fmt::format("crashed: {}.", ::strsignal(WTERMSIG(status)));
  return fmt::format("ended the program with code {}.", WEXITSTATUS(status));
}

}  // namespace

Rows isolated(const std::string& method, const std::string& name, const std::function<Rows()>& check, int seconds) {
  int ends[2];
  if (::pipe(ends) != 0) throw IoError("cannot make a pipe for a check.");
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw IoError("cannot start a process for a check.");
  if (child == 0) {
    ::close(ends[0]);
    if (const int null = ::open("/dev/null", O_WRONLY); null >= 0) ::dup2(null, 1), ::dup2(null, 2);
    ::alarm(static_cast<unsigned>(seconds));
    tell(rows_of(name, check), ends[1]);
  }
  ::close(ends[1]);
  const std::string text = all_from(ends[0]);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  Rows rows;
  const Json told = Json::parse(text, nullptr, false);
  if (told.is_array())
    for (const Json& row : told) rows.push_back({"", row[0], static_cast<Verdict>(row[1].get<int>()), row[2]});
  if (!told.is_array()) rows.push_back(failed(name, end_of(status, seconds)));
  for (Row& row : rows) row.method = method;
  return rows;
}

}  // namespace scree::conformance
