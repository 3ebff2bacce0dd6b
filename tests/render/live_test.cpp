#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "page_parts.hpp"
#include "rendering.hpp"
#include "scree/output/atomic_file.hpp"
#include "temporary_folder.hpp"
#include "vtk_writer.hpp"

namespace scree {

using Catch::Matchers::ContainsSubstring;
using namespace test;

namespace {

/// A server of `scree view --live`, ended with this object.
class Server {
 public:
  explicit Server(const fs::path& out) {
    int pipe[2];
    REQUIRE(::pipe(pipe) == 0);
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(pipe[1], 1);
      ::execl(SCREE_RENDER, SCREE_RENDER, "--page", out.c_str(), "--live", static_cast<char*>(nullptr));
      ::_exit(127);
    }
    ::close(pipe[1]);
    std::string line;
    for (char c = 0; ::read(pipe[0], &c, 1) == 1 && c != '\n';) line += c;
    ::close(pipe[0]);
    const std::string begin = "http://127.0.0.1:";
    REQUIRE(line.starts_with(begin));
    port_ = std::stoi(line.substr(begin.size()));
  }
  ~Server() {
    ::kill(process_, SIGTERM);
    ::waitpid(process_, nullptr, 0);
  }
  /// Returns head and text of the answer.
  std::string ask(const std::string& path, const std::string& host = "127.0.0.1") const {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET, address.sin_port = htons(static_cast<std::uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    const std::string request = fmt::format("GET {} HTTP/1.1\r\nHost: {}:{}\r\n\r\n", path, host, port_);
    REQUIRE(::send(socket, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size()));
    std::string answer;
    std::array<char, 4096> chunk;
    for (ssize_t size; (size = ::recv(socket, chunk.data(), chunk.size(), 0)) > 0;)
      answer.append(chunk.data(), static_cast<std::size_t>(size));
    ::close(socket);
    return answer;
  }
  nlohmann::json news(const std::string& query = "") const {
    const std::string answer = ask("/news" + query);
    return nlohmann::json::parse(answer.substr(answer.find("\r\n\r\n") + 4));
  }

 private:
  pid_t process_ = -1;
  int port_ = 0;
};

}  // namespace

TEST_CASE("a page that follows a run gets each frame once, from the first to the newest") {
  const TemporaryFolder out;
  const Server server(out.path());
  const nlohmann::json page = told_by(server.ask("/"));
  CHECK(page["live"] == true);
  CHECK(server.news() == nlohmann::json::object());  // the run has not begun

  World world(3);
  const auto shape = world.add_shape("octahedron", std::make_shared<Octahedron>());
  BodySpec body;
  body.shape = shape, body.material = world.add_material({"glass", 2500});
  world.add(std::vector{body});
  vtk::VtkWriter writer(vtk::Settings{"glyph", false, std::nullopt});
  writer.begin(world);
  writer.open(out.path().string());
  const auto write = [&](int frame) {
    world.position.write()[0] = {0.1 * frame, 0, 0};
    writer.observe(world, nullptr, {static_cast<std::uint64_t>(frame), 0, 0.5 * frame});
    writer.flush();
  };
  write(0), write(1);
  const nlohmann::json first = server.news();
  REQUIRE(first["told"]["frames"].size() == 2);
  const nlohmann::json& block = first["told"]["tables"]["bodies"][0];
  const auto frames =
      frames_in(block, unpacked_text(first["parts"][block["part"].get<std::string>()], bytes_in(block)));
  CHECK(frames[1].values.at("x")[0] == Approx(0.1));
  const std::string last = first["told"]["frames"][1]["number"].dump();
  CHECK(server.news("?after=" + last) == nlohmann::json::object());
  write(2);
  const nlohmann::json second = server.news("?after=" + last);
  REQUIRE(second["told"]["frames"].size() == 1);
  CHECK(second["told"]["frames"][0]["time"] == 1.0);
}

TEST_CASE("the server of a page serves nothing else, and nobody else") {
  const TemporaryFolder out;
  const Server server(out.path());
  CHECK_THAT(server.ask("/"), ContainsSubstring("200 OK"));
  CHECK_THAT(server.ask("/../../etc/passwd"), ContainsSubstring("404"));
  CHECK_THAT(server.ask("/particles.pvd"), ContainsSubstring("404"));
  CHECK_THAT(server.ask("/news?after=x"), ContainsSubstring("400"));
  CHECK_THAT(server.ask("/", "other.example"), ContainsSubstring("403"));
  write_atomically(out / "particles.pvd", "<DataSet timestep=\"0\" file=\"particles/particles_000000.vtp\"/>");
  CHECK_THAT(server.ask("/news"), ContainsSubstring("500") && ContainsSubstring("particles_000000.vtp: cannot read"));
  CHECK_THAT(server.ask("/"), ContainsSubstring("200 OK"));
}

}  // namespace scree
