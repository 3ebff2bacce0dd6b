#include "page/live.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "page/serve.hpp"
#include "scree/base/text_lines.hpp"

namespace scree::render {

namespace {

Answer answer_to(const PageRequest& request, const std::string& path) {
  constexpr std::string_view news_path = "/news", after_path = "/news?after=";
  if (path == "/") return {200, "text/html; charset=utf-8", live_page(request)};
  if (path != news_path && !path.starts_with(after_path)) return {404, "text/plain; charset=utf-8", "nothing here\n"};
  const auto after = path == news_path ? std::nullopt : parse_number<std::uint64_t>(path.substr(after_path.size()));
  if (path != news_path && !after) return {400, "text/plain; charset=utf-8", "after= takes the number of a frame\n"};
  try {
    return {200, "application/json",
            news(request, after).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)};
  } catch (const std::exception& error) {
    return {500, "text/plain; charset=utf-8", error.what()};
  }
}

}  // namespace

void follow(const PageRequest& request, int port) {
  serve(
      port,
      [](int own) {
        fmt::print("http://127.0.0.1:{}/ shows the run as it goes; Ctrl-C ends this.\n", own);
        std::fflush(stdout);
      },
      [&](const std::string& path) { return answer_to(request, path); });
}

}  // namespace scree::render
