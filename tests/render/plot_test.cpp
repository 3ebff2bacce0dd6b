// Charts of what runs measured.

#include <fmt/format.h>
#include <sys/stat.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGReader.h>

#include <cmath>

#include "catch.hpp"
#include "program.hpp"
#include "skip.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Two runs: a line that rises, and one that falls; and a file of a meter.
struct PlotHome {
  TemporaryFolder folder;
  PlotHome() {
    spit(folder / "one/metrics.csv", "time_s,step,up,zero\n0,0,0,0\n1,1,1,0\n2,2,2,inf\n");
    spit(folder / "two/metrics.csv", "time_s,step,up,zero\n0,0,2,0\n2,2,0,0\n");
    spit(folder / "one/bed.csv", "time_s,coordination\n0,3\n0.5,4\n");
  }
  Outcome plot(const std::string& more) const {
    return shell(fmt::format("cd {} && {} plot {}", folder.path().string(), SCREE_PROGRAM, more));
  }
};

bool can_draw() {
  if (std::getenv("DISPLAY") || std::system("command -v xvfb-run xauth >/dev/null") == 0) return true;
  skip_for_want_of("a display, or xvfb-run and xauth");
  return false;
}

/// Pixels of about this colour.
int pixels_of(const fs::path& file, std::array<int, 3> colour) {
  vtkNew<vtkPNGReader> reader;
  reader->SetFileName(file.c_str());
  reader->Update();
  vtkImageData& image = *reader->GetOutput();
  int count = 0;
  for (int j = 0; j < image.GetDimensions()[1]; ++j)
    for (int i = 0; i < image.GetDimensions()[0]; ++i) {
      double apart = 0;
      for (int c = 0; c < 3; ++c)
        apart = std::max(apart,
                         std::abs(image.GetScalarComponentAsDouble(i, j, 0, c) - colour[static_cast<std::size_t>(c)]));
      count += apart < 40;
    }
  return count;
}

}  // namespace

TEST_CASE("a table of curves has the rows of each run, and blanks where a run has no value") {
  const PlotHome home;
  const Outcome plot = home.plot("one two --columns up,zero --out t.csv");
  INFO(plot.err);
  REQUIRE(plot.exit_code == 0);
  CHECK(slurp(home.folder / "t.csv") ==
        "run,time_s,up,zero\none,0,0,\none,1,1,\none,2,2,\none,0,,0\none,1,,0\ntwo,0,2,0\ntwo,2,0,0\n");
  REQUIRE(home.plot("one --columns bed/coordination --out bed.csv").exit_code == 0);
  CHECK(slurp(home.folder / "bed.csv") == "run,time_s,bed/coordination\none,0,3\none,0.5,4\n");
  REQUIRE(home.plot("one/bed.csv --x coordination --columns time_s --out back.csv").exit_code == 0);
  CHECK_THAT(slurp(home.folder / "back.csv"), ContainsSubstring("bed.csv,4,0.5\n"));
}

TEST_CASE("rows of one moment or body are a curve, by the nearest value, and means are over a window that ends there") {
  const PlotHome home;
  spit(home.folder / "one/p.csv", "time_s,position_m,v\n0,1,10\n0,2,20\n0.5,1,30\n0.5,2,40\n1,1,50\n1,2,60\n");
  REQUIRE(home.plot("one --columns p/v --x position_m --where time_s=0.4,last --out t.csv").exit_code == 0);
  CHECK(slurp(home.folder / "t.csv") == "run,position_m,p/v at time_s=0.5,p/v at time_s=1\none,1,30,50\none,2,40,60\n");
  REQUIRE(home.plot("one --columns p/v --where position_m=2 --mean 1 --out m.csv").exit_code == 0);
  CHECK(slurp(home.folder / "m.csv") == "run,time_s,p/v at position_m=2\none,0,20\none,0.5,30\none,1,50\n");
  const auto refused = [&](const std::string& more, const char* text) {
    const Outcome plot = home.plot("one --out x.csv " + more);
    CHECK(plot.exit_code == 2);
    CHECK_THAT(plot.err, ContainsSubstring(text));
  };
  refused("--columns p/v --where time=1", "--where time: one/p.csv has no such column. Did you mean \"time_s\"?");
  refused("--columns p/v --where time_s", "--where time_s: give a column and values, as time_s=0.5,1.");
  refused("--columns p/v --where time_s=a", "--where time_s=a: \"a\" is no number. Give numbers, or \"last\".");
  refused("--columns p/v --x position_m --mean 1", "--mean: p/v of one is not over rows in order.");
  refused("--columns up --mean 0", "--mean is 0; it must be above 0.");
}

TEST_CASE("a curve of the SVG goes through the points of its column, linear and logarithmic") {
  const PlotHome home;
  REQUIRE(home.plot("one two --columns up --title 'a < b' --out c.svg").exit_code == 0);
  const std::string svg = slurp(home.folder / "c.svg");
  CHECK_THAT(svg, ContainsSubstring("a &lt; b") && ContainsSubstring(">time_s<") && ContainsSubstring(">up<") &&
                      ContainsSubstring(">one<") && ContainsSubstring(">two<"));
  const auto points_of = [](const std::string& text, const char* colour) {
    std::vector<double> numbers(6);
    const std::string path = text.substr(text.find(std::string("<path fill=\"none\" stroke=\"") + colour));
    const std::string d = path.substr(path.find(" d=\"") + 4);
    std::sscanf(d.c_str(), "M%lf %lfL%lf %lfL%lf %lf", &numbers[0], &numbers[1], &numbers[2], &numbers[3], &numbers[4],
                &numbers[5]);
    return numbers;
  };
  const auto up = points_of(svg, "#0072b2");
  CHECK(up[2] - up[0] == Approx(up[4] - up[2]).margin(0.03));  // two decimals are written
  CHECK(up[1] - up[3] == Approx(up[3] - up[5]).margin(0.03));
  CHECK(up[1] > up[5]);  // y goes down in a picture
  const auto down = points_of(svg, "#d55e00");
  CHECK(down[1] == Approx(up[5]).margin(0.02));
  CHECK(down[3] == Approx(up[1]).margin(0.02));

  spit(home.folder / "three/metrics.csv", "time_s,decades\n0,0\n1,0.001\n2,1\n3,1000\n");
  REQUIRE(home.plot("three --columns decades --log --out d.svg").exit_code == 0);
  const std::string logarithmic = slurp(home.folder / "d.svg");
  const auto decades = points_of(logarithmic, "#0072b2");
  CHECK(decades[1] - decades[3] == Approx(decades[3] - decades[5]).margin(0.03));
  CHECK_THAT(logarithmic, ContainsSubstring(">1e-3<") || ContainsSubstring(">1e-2<"));
}

TEST_CASE("a PNG has both curves in their colours, and goes to the first run's folder") {
  if (!can_draw()) return;
  const PlotHome home;
  const Outcome plot = home.plot("one two --columns up");
  INFO(plot.err);
  REQUIRE(plot.exit_code == 0);
  CHECK(plot.out == "one/plot.png\n");
  CHECK(plot.err.empty());
  // A diagonal of 1000 by 620 pixels, two wide, has some thousand; edges are blended.
  CHECK(pixels_of(home.folder / "one/plot.png", {0, 114, 178}) > 500);
  CHECK(pixels_of(home.folder / "one/plot.png", {213, 94, 0}) > 500);
}

TEST_CASE("a title of any bytes makes an SVG of valid text") {
  const PlotHome home;
  const Outcome drawn =
      home.plot("one --columns up --out p.svg --title \"$(printf '<a>&\\377\\033\\001 \\303\\274')\"");
  INFO(drawn.err);
  REQUIRE(drawn.exit_code == 0);
  CHECK_THAT(slurp(home.folder / "p.svg"), ContainsSubstring("&lt;a&gt;&amp;\\xff\\x1b\\x01 \xc3\xbc</text>"));
}

TEST_CASE("pipes among results are told, not waited for") {
  const PlotHome home;
  fs::remove(home.folder / "one/metrics.csv");
  REQUIRE(::mkfifo((home.folder / "one/metrics.csv").c_str(), 0600) == 0);
  const Outcome told = shell(fmt::format("cd {} && timeout 10 {} plot one --columns up --out p.svg",
                                         home.folder.path().string(), SCREE_PROGRAM));
  CHECK(told.exit_code == 4);
  CHECK_THAT(told.err, ContainsSubstring("one/metrics.csv: is no regular file, so it is not read"));
}

TEST_CASE("charts that cannot be drawn are refused with what there is") {
  struct Fault {
    const char* arguments;
    int exit_code;
    const char* message;
  };
  const PlotHome home;
  for (const Fault& fault : std::initializer_list<Fault>{
           {"", 2, "RUN is missing. Usage: scree plot RUN... --columns A,B"},
           {"one", 2, "--columns is missing. Name columns of metrics.csv, e.g. --columns kinetic_energy_J."},
           {"one --columns upp", 2,
            "--columns upp: one/metrics.csv has no such column. Did you mean \"up\"? There are: "},
           {"one --columns up,,zero", 2, "--columns up,,zero: a name is empty."},
           {"one --columns up --x time", 2, "--x time: one/metrics.csv has no such column."},
           {"none --columns up", 4,
            "none/metrics.csv: is not there, or cannot be read. Give the output folder of a run"},
           {"one --columns bad/up", 4, "one/bad.csv: is not there"},
           {"one/bed.csv --columns bed/up", 2, "one/bed.csv is a file; name the run's folder"},
           {"one --columns up --out a.pdf", 2, "--out is a.pdf; its name must end with .png, .svg or .csv."},
           {"one --columns zero --log", 2, "--log: zero of one has no value above 0."},
           {"one --columns up --width 10", 2, "--width is 10; 200 to 4000 pixels are possible."},
           {"one --colums up", 2, "unknown option --colums. Did you mean --columns?"}}) {
    INFO(fault.arguments);
    const Outcome plot = home.plot(fault.arguments);
    CHECK(plot.exit_code == fault.exit_code);
    CHECK_THAT(plot.err, ContainsSubstring(fault.message));
  }
  CHECK(!fs::exists(home.folder / "one/plot.png"));
}
