#pragma once
/// \file Small server for a page that follows a run, for browsers on this machine alone.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace scree::render {

/// Answer to a browser.
struct Answer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string text;
};

/// Returns the path of a request that asks this server, such as "/news?after=3". Nothing for any other: only GET, and
/// only for the host 127.0.0.1 or localhost with this port, so that no page of another site reaches it by a name of
/// its own.
std::optional<std::string> path_asked(std::string_view request, int port);

/// Listens on 127.0.0.1 and answers requests, one after another, until the program is ended.
/// \param port   0: any that is free
/// \param ready  is called once, with the port
/// \throws IoError  if the port is taken
[[noreturn]] void serve(int port, const std::function<void(int)>& ready,
                        const std::function<Answer(const std::string& path)>& answer);

}  // namespace scree::render
