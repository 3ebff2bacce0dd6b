#include <fmt/format.h>
#include <sys/stat.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "page_parts.hpp"
#include "rendering.hpp"
#include "scree/output/atomic_file.hpp"
#include "temporary_folder.hpp"
#include "vtk_writer.hpp"

namespace scree {

using Catch::Matchers::ContainsSubstring;
using namespace test;

namespace {

/// A polygon of equal sides.
class Polygon final : public Shape {
 public:
  explicit Polygon(int corners) : corners_(corners) {}
  int dimension() const noexcept override { return 2; }
  MassProperties mass(double density) const override { return {density, Vec3::Constant(density)}; }
  double bounding_radius() const noexcept override { return kRadius; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }
  Surface surface() const override {
    Surface s;
    s.cells.emplace_back();
    for (int k = 0; k < corners_; ++k) {
      const double angle = 2 * std::numbers::pi * k / corners_;
      s.points.emplace_back(kRadius * std::cos(angle), kRadius * std::sin(angle), 0);
      s.cells[0].push_back(static_cast<std::uint32_t>(k));
    }
    return s;
  }

 private:
  int corners_;
};

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

}  // namespace

TEST_CASE("a page needs nothing from a network, and tells its frames, colours and room") {
  const TemporaryFolder out;
  write_row(out.path(), "surface", 5, 4);
  write_atomically(out / "metrics.csv",
                   "time_s,step,kinetic_energy_J,bodies\n0,0,1,5\n0.5,10,0.25,5\n1.5,30,nan,5\n2,3");
  const Outcome outcome = render(fmt::format("--page {}", out.path().string()));
  INFO(outcome.output);
  REQUIRE(outcome.status == 0);
  CHECK_THAT(outcome.output, ContainsSubstring("view.html ("));
  const std::string page = read_file(out / "view.html");
  for (const char* word : {"<script src", "stylesheet", "@PROGRAM@", "@STYLE@", "http://", "https://", "import("})
    CHECK(page.find(word) == std::string::npos);
  const nlohmann::json told = told_by(page);
  CHECK(told["flat"] == false);
  CHECK(told["column"] == "speed");
  CHECK(told["columns"]["speed"]["unit"] == "m/s");
  CHECK(told["columns"]["speed"]["range"][1].get<double>() == Approx(0.5));
  CHECK(told["columns"].contains("mass"));
  CHECK(told["colours"]["maps"]["dusk"].size() == told["colours"]["maps"]["viridis"].size());
  REQUIRE(told["frames"].size() == 4);
  CHECK(told["frames"][3]["time"] == 1.5);
  const nlohmann::json& surface = told["surfaces"]["surface"];
  REQUIRE(surface["topologies"].size() == 1);
  CHECK(surface["topologies"][0]["triangles"] == 3 * 8 * 5);
  CHECK_FALSE(told["surfaces"].contains("walls"));
  // A row that is being written is left out, and so are columns that do not change.
  CHECK(told["metrics"]["names"] == nlohmann::json({"kinetic_energy_J"}));
  CHECK(told["metrics"]["rows"] == 3);
}

TEST_CASE("corners of a page lie where the bodies' are, to the sixteenth bit of the scene") {
  const TemporaryFolder out;
  write_row(out.path(), "surface", 5, 2);
  REQUIRE(render(fmt::format("--page {}", out.path().string())).status == 0);
  const std::string page = read_file(out / "view.html");
  const nlohmann::json told = told_by(page);
  const auto frames = frames_of(page, told["surfaces"]["surface"]["corners"]);
  REQUIRE(frames.size() == 2);
  REQUIRE(frames[1].keys.size() == 30);
  const auto surface = Octahedron().surface();
  const char* const axes[3] = {"x", "y", "z"};
  double worst = 0;
  for (std::size_t i = 0; i < 30; ++i) {
    const int body = static_cast<int>(i / 6);
    const Vec3 wanted = Vec3(0.03 * body, 0.01 * body, 1e-3) + turn_of(body) * surface.points[i % 6];
    for (std::size_t k = 0; k < 3; ++k)
      worst = std::max(worst, std::abs(frames[1].values.at(axes[k])[i] - wanted[static_cast<Eigen::Index>(k)]));
  }
  CHECK(worst < 1e-5 * 0.15);  // half of a 65534th, and single precision of the file
}

TEST_CASE("bodies that a run writes as points are small in a page: outlines once, then places and turns") {
  const TemporaryFolder points, surfaces;
  write_row(points.path(), "glyph", 300, 10);
  write_row(surfaces.path(), "surface", 300, 10);
  REQUIRE(render(fmt::format("--page {}", points.path().string())).status == 0);
  REQUIRE(render(fmt::format("--page {}", surfaces.path().string())).status == 0);
  const std::string page = read_file(points / "view.html");
  const nlohmann::json told = told_by(page);
  CHECK(told["shapes"]["0"]["triangles"] == 24);
  const auto frames = frames_of(page, told["tables"]["bodies"]);
  REQUIRE(frames.size() == 10);
  const SeenRows& last = frames[9];
  REQUIRE(last.keys.size() == 300);
  CHECK(last.keys[299].first == 299);
  CHECK(last.values.at("x")[299] == Approx(0.03 * 299).epsilon(1e-5));
  CHECK(last.values.at("z")[299] == Approx(9e-3).margin(1e-6));
  CHECK(last.values.at("speed")[299] == Approx(30).epsilon(1e-3));
  CHECK(last.values.at("size")[299] == 1);
  double worst = 0;
  for (int k = 0; k < 300; ++k) {
    const auto row = static_cast<std::size_t>(k);
    const Vec3 turn(last.values.at("turn_x")[row], last.values.at("turn_y")[row], last.values.at("turn_z")[row]);
    const Quat found(Eigen::AngleAxisd(turn.norm(), turn.normalized()));
    worst = std::max(worst, found.angularDistance(turn_of(k)));
  }
  CHECK(worst < 2e-4);  // half of a 65536th of a turn along three axes, and half turns either way round
  // Both have the same boxes, within the reach of a body.
  const nlohmann::json of_surfaces = told_by(read_file(surfaces / "view.html"));
  for (std::size_t k = 0; k < 6; ++k)
    CHECK(told["boxes"]["bodies"][k].get<double>() ==
          Approx(of_surfaces["boxes"]["bodies"][k].get<double>()).margin(1.01 * kRadius));
}

TEST_CASE("a body that moves steadily takes less than ten bytes per frame in a page") {
  const TemporaryFolder few, many;
  write_row(few.path(), "glyph", 1000, 20);
  write_row(many.path(), "glyph", 1000, 100);
  REQUIRE(render(fmt::format("--page {}", few.path().string())).status == 0);
  REQUIRE(render(fmt::format("--page {}", many.path().string())).status == 0);
  const double more = static_cast<double>(fs::file_size(many / "view.html") - fs::file_size(few / "view.html"));
  INFO(more / (1000 * 80));
  CHECK(more / (1000 * 80) < 1);
}

TEST_CASE("a run with surfaces and points gives the page of one with points: each outline once") {
  const TemporaryFolder both, points;
  write_row(both.path(), "surface", 300, 10, true);
  write_row(points.path(), "glyph", 300, 10);
  REQUIRE(render(fmt::format("--page {}", both.path().string())).status == 0);
  REQUIRE(render(fmt::format("--page {}", points.path().string())).status == 0);
  const std::string page = read_file(both / "view.html"), of_points = read_file(points / "view.html");
  nlohmann::json told = told_by(page), wanted = told_by(of_points);
  told.erase("title"), wanted.erase("title");
  CHECK(told == wanted);
  CHECK_FALSE(told["surfaces"].contains("surface"));
  CHECK(frames_of(page, told["tables"]["bodies"])[9].values ==
        frames_of(of_points, told["tables"]["bodies"])[9].values);
}

TEST_CASE("a disc of many equal sides is a disc in a page, and a hexagon a hexagon") {
  for (const auto& [corners, discs] : {std::pair(40, 1), std::pair(6, 0)}) {
    const TemporaryFolder out;
    World world(2);
    BodySpec body;
    body.shape = world.add_shape("polygon", std::make_shared<Polygon>(corners));
    body.material = world.add_material({"glass", 2500});
    world.add(std::vector{body});
    vtk::VtkWriter writer(vtk::Settings{"glyph", false, std::nullopt});
    writer.begin(world);
    writer.open(out.path().string());
    writer.observe(world, nullptr, {0, 0, 0});
    writer.flush();
    REQUIRE(render(fmt::format("--page {}", out.path().string())).status == 0);
    const nlohmann::json told = told_by(read_file(out / "view.html")), shape = told["shapes"]["0"];
    CHECK(told["flat"] == true);
    CHECK((shape["triangles"] == 0) == (discs == 1));
    REQUIRE(shape["balls"].size() == static_cast<std::size_t>(discs));
    if (discs == 1) CHECK(shape["balls"][0][3].get<double>() == Approx(kRadius));
  }
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
  CHECK(told_by(page)["title"] == "<b>@TOLD@&\\x1b");
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
  outcome = render("--page " + folder + " --port 8000");
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.output, ContainsSubstring("scree view: --port goes with --live."));
  outcome = render("--page " + folder + " --live --port 70000");
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.output, ContainsSubstring("--port is 70000; 0 to 65535 are possible."));
  outcome = render("--page " + folder + " --live --output page.html");
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.output, ContainsSubstring("--live writes no file; give it without --output."));
  outcome = render("--page");
  CHECK(outcome.status == 2);
  CHECK_FALSE(fs::exists(out / "view.html"));
}

}  // namespace scree
