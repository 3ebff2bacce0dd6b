#include "page/serve.hpp"

#include "catch.hpp"

namespace scree::render {

TEST_CASE("only browsers of this machine that ask this server by its own name are answered") {
  CHECK(path_asked("GET / HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n\r\n", 8000) == "/");
  CHECK(path_asked("GET /news?after=3 HTTP/1.1\r\nAccept: */*\r\nhost:  LocalHost:8000 \r\n\r\n", 8000) ==
        "/news?after=3");
  CHECK_FALSE(path_asked("GET / HTTP/1.1\r\nHost: evil.example:8000\r\n\r\n", 8000));
  CHECK_FALSE(path_asked("GET / HTTP/1.1\r\nHost: 127.0.0.1:8001\r\n\r\n", 8000));
  CHECK_FALSE(path_asked("GET / HTTP/1.1\r\nX-Host: 127.0.0.1:8000\r\n\r\n", 8000));
  CHECK_FALSE(path_asked("GET / HTTP/1.1\r\n\r\n", 8000));
  CHECK_FALSE(path_asked("POST / HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n\r\n", 8000));
  CHECK_FALSE(path_asked("", 8000));
  CHECK_FALSE(path_asked("GET ", 8000));
  CHECK_FALSE(path_asked("GET /\nHost:", 8000));
}

}  // namespace scree::render
