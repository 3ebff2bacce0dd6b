#include <fmt/format.h>
#include <sys/stat.h>
#include <vtkBase64Utilities.h>
#include <vtkZLibDataCompressor.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "rendering.hpp"
#include "scree/output/atomic_file.hpp"
#include "temporary_folder.hpp"
#include "vtk_writer.hpp"

namespace scree {

using Catch::Matchers::ContainsSubstring;
using namespace test;

namespace {

Quat turn_of(int k) { return Quat(Eigen::AngleAxisd(0.4 * k, Vec3(1, 2, 3).normalized())); }

/// Octahedra in a row that rise by 1 mm per frame.
/// \param points  whether surfaces come with points
void write_row(const fs::path& out, const std::string& mode, int bodies, int frames, bool points = false) {
  World world(3);
  const auto shape = world.add_shape("octahedron", std::make_shared<Octahedron>());
  const auto material = world.add_material({"glass", 2500});
  std::vector<BodySpec> specs;
  for (int k = 0; k < bodies; ++k) {
    BodySpec body;
    body.shape = shape, body.material = material;
    body.position = {0.03 * k, 0.01 * k, 0};
    body.orientation = turn_of(k);
    body.velocity = {0, 0, 0.1 * (k + 1)};
    specs.push_back(body);
  }
  world.add(specs);
  vtk::Settings settings{mode, false, std::nullopt};
  settings.points = points;
  vtk::VtkWriter writer(settings);
  writer.begin(world);
  writer.open(out.string());
  for (int k = 0; k < frames; ++k) {
    writer.observe(world, nullptr, {static_cast<std::uint64_t>(k), 0, 0.5 * k});
    for (Vec3& x : world.position.write()) x.z() += 1e-3;
  }
}

nlohmann::json told_by(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"told\">";
  const std::size_t at = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
}

/// The part's bytes, as a browser unpacks them.
std::string unpacked(const std::string& page, const std::string& id, std::size_t size) {
  const std::string begin = fmt::format("id=\"{}\">", id);
  const std::size_t at = page.find(begin) + begin.size();
  const std::string text = page.substr(at, page.find("</script>", at) - at);
  std::string packed(text.size(), '\0'), bytes(size, '\0');
  packed.resize(vtkBase64Utilities::DecodeSafely(reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                                                 reinterpret_cast<unsigned char*>(packed.data()), packed.size()));
  vtkNew<vtkZLibDataCompressor> zlib;
  CHECK(zlib->Uncompress(reinterpret_cast<const unsigned char*>(packed.data()), packed.size(),
                         reinterpret_cast<unsigned char*>(bytes.data()), size) == size);
  return bytes;
}

template <class T>
T value_at(const std::string& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

}  // namespace

TEST_CASE("a page needs nothing from a network, and tells its frames, colours and room") {
  const TemporaryFolder out;
  write_row(out.path(), "surface", 5, 4);
  const Outcome outcome = render(fmt::format("--page {}", out.path().string()));
  INFO(outcome.output);
  REQUIRE(outcome.status == 0);
  CHECK_THAT(outcome.output, ContainsSubstring("view.html ("));
  const std::string page = read_file(out / "view.html");
  CHECK(page.find("<script src") == std::string::npos);
  CHECK(page.find("<link") == std::string::npos);
  CHECK(page.find("@THREE@") == std::string::npos);
  const nlohmann::json told = told_by(page);
  CHECK(told["flat"] == false);
  CHECK(told["column"] == "speed");
  CHECK(told["unit"] == "m/s");
  CHECK(told["range"][1].get<double>() == Approx(0.5).margin(0.11));
  REQUIRE(told["frames"].size() == 4);
  CHECK(told["frames"][3]["time"] == 1.5);
  CHECK(told["frames"][0]["bodies"]["triangles"] == 3 * 8 * 5);
  CHECK(told["frames"][3]["bodies"]["topology"] == 0);
  CHECK(told["frames"][0]["walls"].is_null());
}

TEST_CASE("corners of a page lie where the bodies' are, to the sixteenth bit of the scene") {
  const TemporaryFolder out;
  write_row(out.path(), "surface", 5, 2);
  REQUIRE(render(fmt::format("--page {}", out.path().string())).status == 0);
  const std::string page = read_file(out / "view.html");
  const nlohmann::json told = told_by(page);
  const std::size_t points = told["frames"][1]["bodies"]["points"];
  REQUIRE(points == 30);
  const std::string bytes = unpacked(page, "bodies1", 180 + 32);
  const auto surface = Octahedron().surface();
  double worst = 0;
  for (std::size_t i = 0; i < points; ++i) {
    const int body = static_cast<int>(i / 6);
    const Vec3 wanted = Vec3(0.03 * body, 0.01 * body, 1e-3) + turn_of(body) * surface.points[i % 6];
    for (std::size_t k = 0; k < 3; ++k) {
      const double low = told["boxes"]["bodies"][2 * k], high = told["boxes"]["bodies"][2 * k + 1];
      const double found = low + value_at<std::uint16_t>(bytes, 2 * (3 * i + k)) / 65535.0 * (high - low);
      worst = std::max(worst, std::abs(found - wanted[static_cast<Eigen::Index>(k)]) / (high - low));
    }
  }
  CHECK(worst < 1e-5);  // half of a 65535th, and single precision of the file
}

TEST_CASE("bodies that a run writes as points are small in a page: outlines once, then places and turns") {
  const TemporaryFolder points, surfaces;
  write_row(points.path(), "glyph", 300, 10);
  write_row(surfaces.path(), "surface", 300, 10);
  REQUIRE(render(fmt::format("--page {}", points.path().string())).status == 0);
  REQUIRE(render(fmt::format("--page {}", surfaces.path().string())).status == 0);
  const std::string page = read_file(points / "view.html");
  const nlohmann::json told = told_by(page);
  CHECK(told["outlines"]["0"]["triangles"].size() == 24);
  CHECK(told["frames"][0]["points"]["count"] == 300);
  const std::string bytes = unpacked(page, "points9", 600 + 1800 + 2400 + 1200 + 300);
  const double low = told["boxes"]["bodies"][0], high = told["boxes"]["bodies"][1];
  CHECK(low + value_at<std::uint16_t>(bytes, 600 + 6 * 299) / 65535.0 * (high - low) ==
        Approx(0.03 * 299).epsilon(1e-5));
  const Quat turn = turn_of(299);
  CHECK(std::abs(value_at<std::int16_t>(bytes, 2400 + 8 * 299 + 2) / 32767.0) ==
        Approx(std::abs(turn.x())).margin(1e-4));
  CHECK(value_at<float>(bytes, 4800) == 1);
  CHECK(value_at<std::uint8_t>(bytes, 6000 + 299) == 255);
  // Both hold the same boxes, within the reach of a body.
  const nlohmann::json of_surfaces = told_by(read_file(surfaces / "view.html"));
  for (std::size_t k = 0; k < 6; ++k)
    CHECK(told["boxes"]["bodies"][k].get<double>() ==
          Approx(of_surfaces["boxes"]["bodies"][k].get<double>()).margin(1.01 * kRadius));
}

TEST_CASE("a run with surfaces and points gives the page of one with points: each outline once") {
  const TemporaryFolder both, points;
  write_row(both.path(), "surface", 300, 10, true);
  write_row(points.path(), "glyph", 300, 10);
  REQUIRE(render(fmt::format("--page {}", both.path().string())).status == 0);
  REQUIRE(render(fmt::format("--page {}", points.path().string())).status == 0);
  const std::string page = read_file(both / "view.html"), of_points = read_file(points / "view.html");
  const nlohmann::json told = told_by(page);
  CHECK(told == told_by(of_points));
  CHECK(told["frames"][9]["points"]["count"] == 300);
  CHECK(!told["frames"][9].contains("bodies"));
  CHECK(unpacked(page, "points9", 6300) == unpacked(of_points, "points9", 6300));
}

TEST_CASE("a page has as many frames as asked for, the first and the last among them") {
  const TemporaryFolder out;
  write_row(out.path(), "surface", 2, 9);
  REQUIRE(render(fmt::format("--page {} --frames 3 --output {}", out.path().string(), (out / "a" / "b.html").string()))
              .status == 0);
  const nlohmann::json frames = told_by(read_file(out / "a" / "b.html"))["frames"];
  REQUIRE(frames.size() == 3);
  CHECK(frames[0]["time"] == 0);
  CHECK(frames[1]["time"] == 2);
  CHECK(frames[2]["time"] == 4);
}

TEST_CASE("text of strangers stays text in a page: names of folders, columns and units") {
  const TemporaryFolder folder;
  const fs::path out = folder / "<b>@TOLD@&\x1b";
  fs::create_directories(out);
  write_row(out, "surface", 2, 1);
  const fs::path frame = out / "particles/particles_000000.vtp";
  std::string text = read_file(frame);
  const std::string name = "Name=\"mass\"";
  REQUIRE(text.find(name) != std::string::npos);
  text.replace(text.find(name), name.size(), "Name=\"&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;@PARTS@\"");
  write_atomically(frame, text);
  const Outcome outcome =
      render(fmt::format("--page '{}' --colour '</script><script>alert(1)</script>@PARTS@'", out.string()));
  INFO(outcome.output);
  REQUIRE(outcome.status == 0);
  const std::string page = read_file(out / "view.html");
  CHECK(page.find("<script>alert(1)") == std::string::npos);
  CHECK(page.find("<title>&lt;b>@TOLD@&amp;\\x1b") != std::string::npos);
  CHECK(told_by(page)["column"] == "</script><script>alert(1)</script>@PARTS@");
}

TEST_CASE("lists, notes and summaries that somebody changed: frames that are none are left out, pipes are told") {
  const TemporaryFolder out;
  write_row(out.path(), "surface", 2, 2);
  const fs::path list = out / "particles.pvd";
  const std::string good = read_file(list), first = "particles/particles_000000.vtp", time = "timestep=\"0\"";
  const auto shown = [&](const std::string& text) {
    write_atomically(list, text);
    return render(fmt::format("--page {}", out.path().string())).status;
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    REQUIRE(text.find(from) != std::string::npos);
    return text.replace(text.find(from), from.size(), to);
  };
  CHECK(shown(with(time, "timestep=\"0." + std::string(100000, '0') + "\"")) == 0);
  CHECK(shown(with(time, "timestep=\"x\"")) == 0);
  CHECK(told_by(read_file(out / "view.html"))["frames"].size() == 1);
  CHECK(shown(with(first, "particles/particles_99999999999999999999999999.vtp")) == 0);
  CHECK(shown(with(first, "../../../etc/particles_000000.vtp")) == 0);
  CHECK(told_by(read_file(out / "view.html"))["frames"].size() == 1);
  CHECK(shown(with(first, "/etc/particles_000000.vtp")) == 0);
  CHECK(shown("<" + std::string(1'000'000, 'x')) == 4);
  fs::remove(list);
  REQUIRE(::mkfifo(list.c_str(), 0600) == 0);
  const Outcome pipe = render(fmt::format("--page {}", out.path().string()), "timeout 10");
  CHECK(pipe.status == 4);
  CHECK_THAT(pipe.output, ContainsSubstring("particles.pvd: is no regular file, so it is not read"));
}

TEST_CASE("what a page cannot show is said") {
  const TemporaryFolder out;
  const std::string folder = out.path().string();
  Outcome outcome = render("--page " + folder);
  CHECK(outcome.status == 4);
  CHECK_THAT(outcome.output, ContainsSubstring("particles.pvd is missing or empty. Give the output folder of a run"));
  write_row(out.path(), "surface", 2, 1);
  outcome = render("--page " + folder + " --colour taste");
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.output, ContainsSubstring("scree view: --colour is \"taste\"; allowed here: "));
  CHECK_THAT(outcome.output, ContainsSubstring("speed"));
  outcome = render("--page " + folder + " --frames 0");
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.output, ContainsSubstring("--frames is 0; at least 1 is possible."));
  outcome = render("--page");
  CHECK(outcome.status == 2);
  CHECK_FALSE(fs::exists(out / "view.html"));
}

}  // namespace scree
