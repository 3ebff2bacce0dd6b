#include "page/serve.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>

#include "scree/base/error.hpp"
#include "scree/base/text_lines.hpp"

namespace scree::render {

namespace {

class Socket {
 public:
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  ~Socket() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

sockaddr* generic(sockaddr_in& address) { return reinterpret_cast<sockaddr*>(&address); }

[[noreturn]] void fail(int port) {
  throw IoError(fmt::format("scree view: cannot listen on port {}: {}. Give another one to --port, or 0 for any.", port,
                            std::strerror(errno)));
}

int listen_on(const Socket& socket, int port) {
  const int yes = 1;
  ::setsockopt(socket.descriptor(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (socket.descriptor() < 0 || ::bind(socket.descriptor(), generic(address), size) != 0 ||
      ::listen(socket.descriptor(), 8) != 0 || ::getsockname(socket.descriptor(), generic(address), &size) != 0)
    fail(port);
  return ntohs(address.sin_port);
}

/// Reads a request's head. Browsers that say nothing for two seconds are left.
std::string read_head(const Socket& browser) {
  constexpr std::size_t longest = 16384;
  const timeval patience{2, 0};
  ::setsockopt(browser.descriptor(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(browser.descriptor(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  std::string head;
  std::array<char, 4096> chunk;
  while (head.find("\r\n\r\n") == std::string::npos && head.size() < longest) {
    const ssize_t size = ::recv(browser.descriptor(), chunk.data(), chunk.size(), 0);
    if (size <= 0) break;
    head.append(chunk.data(), static_cast<std::size_t>(size));
  }
  return head;
}

void send_all(const Socket& browser, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = ::send(browser.descriptor(), text.data(), text.size(), MSG_NOSIGNAL);
    if (size <= 0) return;  // the browser has gone
    text.remove_prefix(static_cast<std::size_t>(size));
  }
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

}  // namespace

std::optional<std::string> path_asked(std::string_view request, int port) {
  constexpr std::string_view get = "GET ", host = "host:";
  if (!request.starts_with(get)) return std::nullopt;
  std::string_view path = request.substr(get.size());
  path = path.substr(0, path.find_first_of(" \r\n"));
  bool own = false;
  for (std::size_t from = request.find('\n'); from != std::string_view::npos; from = request.find('\n', from + 1)) {
    const std::string line = lower(request.substr(from + 1, request.find('\r', from) - from - 1));
    if (!line.starts_with(host)) continue;
    const std::string name(trimmed(std::string_view(line).substr(host.size())));
    own = name == fmt::format("127.0.0.1:{}", port) || name == fmt::format("localhost:{}", port);
  }
  return own ? std::optional(std::string(path)) : std::nullopt;
}

void serve(int port, const std::function<void(int)>& ready,
           const std::function<Answer(const std::string& path)>& answer) {
  const Socket socket(::socket(AF_INET, SOCK_STREAM, 0));
  const int own = listen_on(socket, port);
  ready(own);
  for (;;) {
    const Socket browser(::accept(socket.descriptor(), nullptr, nullptr));
    if (browser.descriptor() < 0) continue;
    const auto path = path_asked(read_head(browser), own);
    const Answer told = path ? answer(*path) : Answer{403, "text/plain; charset=utf-8", "not for you\n"};
    send_all(browser,
             fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n"
                         "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
                         told.status, told.status == 200 ? "OK" : "Error", told.type, told.text.size()));
    send_all(browser, told.text);
  }
}

}  // namespace scree::render
