// What is written is read again: by packings, as the same bodies.

#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "program.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

namespace {

/// Bodies that have moved, turned and collided. \param shapes, bodies  JSON
Json scene(int dimension, const std::string& shapes, const std::string& bodies) {
  Json s = Json::parse(fmt::format(R"({{"dimension": {}, "materials": {{"m": {{"density": 2000}}, "w": {{}}}},
    "shapes": {}, "bodies": {}, "interactions": [{{"between": ["*", "*"], "law": {{"type": "linear",
    "normal_stiffness": 1e5, "friction": 0.3}}}}], "integrator": {{"type": "velocity-verlet", "dt": 1e-5}},
    "run": {{"duration": 0.04}}}})",
                                   dimension, shapes, bodies));
  s["output"] = {{"interval", 0.02}, {"checkpoint_interval", 0.02}};
  return s;
}

const std::string kSpheres = R"({"ball": {"type": "sphere", "radius": 0.01, "thickness": 0.001}})";
std::string spheres(int dimension) {
  const bool plane = dimension == 2;
  return fmt::format(R"([{{"name": "balls", "shape": "ball", "material": "m", "random_speed": 0.5, "seed": 3,
    "scale": {{"type": "lognormal", "sigma": 0.2}}, "packing": {{"type": "lattice", "lower": {}, "counts": {},
    "spacing": 0.035}}}}, {{"name": "post", "shape": "ball", "material": "w", "fixed": true, "position": {}}}])",
                     plane ? "[0, 0]" : "[0, 0, 0]", plane ? "[4, 4]" : "[3, 3, 3]",
                     plane ? "[0, -0.1]" : "[0, 0, -0.1]");
}

struct Runs {
  std::string run(Json s, const std::string& name, const Json& writer, const std::string& more = "") {
    s["output"]["writers"] = Json::array({writer});
    spit(folder / (name + ".json"), s.dump());
    const Outcome done = scree_program(fmt::format("run {} --quiet --out {} {}", (folder / (name + ".json")).string(),
                                                   (folder / name).string(), more));
    code = done.exit_code;
    return done.err;
  }
  std::string text(const std::string& file) { return slurp(folder / file); }
  TemporaryFolder folder;
  int code = 0;
};

/// The scene whose first entry stands as the packing says.
Json standing(Json s, const Json& packing) {
  s["bodies"][0]["packing"] = packing;
  for (const char* key : {"random_speed", "seed", "scale", "orientation"}) s["bodies"][0].erase(key);
  return s;
}

Json writer(const std::string& format) { return {{"type", "particle-files"}, {"format", format}, {"name", "b"}}; }

/// The numbers of a text behind its first lines.
std::vector<double> numbers(std::string text, int heading) {
  std::size_t at = 0;
  for (int k = 0; k < heading; ++k) at = text.find('\n', at) + 1;
  std::ranges::replace(text, ',', ' ');
  std::istringstream in(text.substr(at));
  std::vector<double> all;
  for (double x; in >> x;) all.push_back(x);
  return all;
}

/// Equal but for the rounding of a radius that is divided by the shape's, or of a quaternion made unit again.
void check_equal(const std::string& one, const std::string& other, int heading) {
  const std::vector<double> a = numbers(one, heading), b = numbers(other, heading);
  REQUIRE(a.size() == b.size());
  REQUIRE(a.size() > 50);
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(std::abs(a[i] - b[i]) <= 1e-15 * std::max(1.0, std::abs(a[i])));
}

}  // namespace

TEST_CASE("spheres and discs of many sizes, written as csv, dump and xyzr, are read again as the same bodies") {
  for (const int dimension : {2, 3})
    for (const std::string format : {"csv", "dump", "xyzr"}) {
      INFO(dimension << "D " << format);
      const std::string file = "b_000002." + (format == "xyzr" ? "txt" : format);
      const Json packing = format == "csv" ? Json{{"type", "csv"}, {"file", "one/b/" + file}}
                                           : Json{{"type", "import"}, {"file", "one/b/" + file}, {"format", format}};
      Runs runs;
      const Json first = scene(dimension, kSpheres, spheres(dimension));
      INFO(runs.run(first, "one", writer(format)));
      REQUIRE(runs.code == 0);
      INFO(runs.run(standing(first, packing), "two", writer(format)));
      REQUIRE(runs.code == 0);
      const std::string wrote = runs.text("one/b/" + file);
      if (format == "dump") CHECK_THAT(wrote, ContainsSubstring("ITEM: TIMESTEP\n4000\n"));
      check_equal(wrote, runs.text("two/b/b_000000" + file.substr(8)), format == "dump" ? 9 : 1);
    }
}

TEST_CASE("clumps, polygons and stars in csv keep place, orientation, motion and size") {
  // Their centres of mass lie beside their reference points, a clump's axes are not those of its frame.
  const std::string plane =
      R"({"a": {"type": "spheropolygon", "vertices": [[0, 0], [0.02, 0], [0, 0.01]], "radius": 0.001}})";
  const std::string star =
      R"({"a": {"type": "star", "coefficients": {"a0": 5.1, "cos": {"1": 2}, "sin": {"1": -1}}, "radius": 0.012}})";
  const std::string space = R"({"a": {"type": "clump", "spheres": [{"position": [0.003, 0.001, 0], "radius": 0.006},
    {"position": [0.01, 0.004, 0.002], "radius": 0.004}]}})";
  for (const auto& [dimension, shapes] : {std::pair{2, plane}, {2, star}, {3, space}}) {
    const std::string bodies =
        fmt::format(R"([{{"name": "grains", "shape": "a", "material": "m", "random_speed": 0.5,
      "seed": 3, "orientation": "random", "scale": {{"type": "uniform", "lower": 0.7, "upper": 1.2}},
      "packing": {{"type": "lattice", "lower": {}, "counts": {}, "spacing": 0.04}}}}])",
                    dimension == 2 ? "[0, 0]" : "[0, 0, 0]", dimension == 2 ? "[4, 4]" : "[3, 3, 3]");
    Runs runs;
    const Json first = scene(dimension, shapes, bodies);
    INFO(runs.run(first, "one", writer("csv")));
    REQUIRE(runs.code == 0);
    INFO(runs.run(standing(first, {{"type", "csv"}, {"file", "one/b/b_000002.csv"}}), "two", writer("csv")));
    REQUIRE(runs.code == 0);
    const std::string wrote = runs.text("one/b/b_000002.csv");
    check_equal(wrote, runs.text("two/b/b_000000.csv"), 1);
    CHECK(std::ranges::count(wrote, '\n') == (dimension == 2 ? 17 : 28));
  }
}

TEST_CASE("a resumed run, and one in the folder of a longer one, leave the files of the whole run and no others") {
  Runs runs;
  Json s = scene(3, kSpheres, spheres(3));
  runs.run(s, "one", writer("dump"));
  REQUIRE(runs.code == 0);
  const std::string last = runs.text("one/b/b_000002.dump");
  s["run"]["duration"] = 0.02;
  runs.run(s, "one", writer("dump"));
  REQUIRE(runs.code == 0);
  CHECK(fs::exists(runs.folder / "one/b/b_000001.dump"));
  CHECK(!fs::exists(runs.folder / "one/b/b_000002.dump"));
  s["run"]["duration"] = 0.04;
  INFO(runs.run(s, "one", writer("dump"),
                "--resume " + (runs.folder / "one/checkpoints/checkpoint_000002000.h5").string()));
  REQUIRE(runs.code == 0);
  CHECK(fs::exists(runs.folder / "one/b/b_000000.dump"));
  CHECK(runs.text("one/b/b_000002.dump") == last);
}

TEST_CASE("entries that are named are written, fixed and driven ones too") {
  Runs r;
  Json s = scene(3, kSpheres, spheres(3));
  s["bodies"][1]["name"] = "post";
  Json w = writer("csv");
  w["bodies"] = {"post"};
  CHECK(r.run(s, "walls", w) == "");
  const std::string text = r.text("walls/b/b_000000.csv");
  CHECK(std::ranges::count(text, '\n') == 2);  // a heading and the post
}

TEST_CASE("a dump of two materials has ids from 1 and types by material or entry, and is read again type by type") {
  Runs r;
  Json s = scene(3, kSpheres, spheres(3));
  s["materials"]["heavy"] = {{"density", 4000}};
  s["bodies"].insert(s["bodies"].begin(), s["bodies"][1]);  // a fixed body with id 0
  s["bodies"][2] = s["bodies"][1];
  s["bodies"][2]["name"] = "heavy";
  s["bodies"][2]["material"] = "heavy";
  s["bodies"][2]["packing"]["lower"] = {0, 0, 0.2};
  Json w = writer("dump");
  CHECK(r.run(s, "one", w) == "");
  const std::string first = r.text("one/b/b_000002.dump");
  CHECK_THAT(first, ContainsSubstring("radius\n2 2 ") && ContainsSubstring("\n28 2 ") && ContainsSubstring("\n29 1 "));
  Json again = s;
  const auto take = [&](std::size_t entry, int type) {
    again["bodies"][entry] = standing(
        Json{{"bodies", {s["bodies"][entry]}}},
        {{"type", "import"}, {"file", "one/b/b_000002.dump"}, {"format", "dump"}, {"types", {type}}})["bodies"][0];
  };
  take(1, 2), take(2, 1);  // "heavy" is first in the text of the scene, then "m" and "w"
  CHECK(r.run(again, "two", w) == "");
  check_equal(first, r.text("two/b/b_000000.dump"), 9);

  w["types"] = "entries";
  w["columns"] = {"id", "type", "x", "mass", "diameter"};
  CHECK(r.run(again, "three", w) == "");
  const std::string few = r.text("three/b/b_000000.dump");
  CHECK_THAT(few, ContainsSubstring("ITEM: ATOMS id type x mass diameter\n2 2 ") && ContainsSubstring("\n29 3 "));
  const std::vector<double> row = numbers(few, 9), full = numbers(first, 9);
  REQUIRE(row.size() == 54 * 5);
  for (std::size_t k = 0; k < 54; ++k) {
    const double d = 2 * full[12 * k + 11], density = k < 27 ? 2000 : 4000;
    CHECK(row[5 * k + 2] == full[12 * k + 2]);
    CHECK_THAT(row[5 * k + 4], Catch::Matchers::WithinRel(d, 1e-15));
    CHECK_THAT(row[5 * k + 3], Catch::Matchers::WithinRel(density * M_PI / 6 * d * d * d, 1e-12));
  }

  // Types that are not there, and ids that walls have taken.
  take(2, 3);
  CHECK_THAT(r.run(again, "four", w),
             ContainsSubstring("b_000002.dump:63: there are no spheres of type 3. Types up to this line: 1, 2."));
  CHECK(r.code == 2);
  again["bodies"][2] = s["bodies"][0];
  again["bodies"].insert(again["bodies"].begin(), s["bodies"][0]);
  again["bodies"][1]["name"] = "second", again["bodies"][3]["name"] = "third";
  again["bodies"][1]["position"] = {0, 0, -0.2};
  again["bodies"][3]["position"] = {0, 0, -0.3};
  CHECK_THAT(r.run(again, "five", w),
             ContainsSubstring("/bodies/2: body id 1 is given twice. Ids must be unique over all bodies. List entries "
                               "whose ids come from files or places first."));
  CHECK(r.code == 2);
}

TEST_CASE("columns and types of formats other than dumps, and columns that are not known, are refused") {
  Runs r;
  const Json s = scene(3, kSpheres, spheres(3));
  Json w = writer("csv");
  w["types"] = "entries";
  CHECK_THAT(r.run(s, "one", w), ContainsSubstring("/output/writers/0/types: only dumps have these. Leave it out, or "
                                                   "write \"format\": \"dump\"."));
  CHECK(r.code == 2);
  w = writer("xyzr");
  w["columns"] = {"id"};
  CHECK_THAT(r.run(s, "one", w), ContainsSubstring("/output/writers/0/columns: only dumps have these."));
  w = writer("dump");
  w["columns"] = {"id", "fx"};
  CHECK_THAT(r.run(s, "one", w), ContainsSubstring("/output/writers/0/columns/1") && ContainsSubstring("\"fx\""));
  CHECK(r.code == 2);
  Json wrong = standing(s, {{"type", "import"}, {"file", "no.txt"}, {"format", "xyzr"}, {"types", {1}}});
  spit(r.folder / "no.txt", "0 0 0 1\n");
  CHECK_THAT(r.run(wrong, "one", writer("csv")),
             ContainsSubstring("/types: lines x y z r have no types. Leave it out, or write a dump."));
  CHECK(r.code == 2);
}

TEST_CASE("what a format cannot tell is refused by name, or written for the entries that are named") {
  Runs runs;
  const std::string shapes = R"({"ball": {"type": "sphere", "radius": 0.01},
    "pair": {"type": "clump", "spheres": [{"position": [0, 0, 0], "radius": 0.01}, {"position": [0.01, 0, 0], "radius": 0.01}]}})";
  const Json s = scene(3, shapes, R"([{"name": "balls", "shape": "ball", "material": "m", "position": [0, 0, 0]},
    {"name": "pairs", "shape": "pair", "material": "m", "position": [0.1, 0, 0]}])");
  const std::string refused = runs.run(s, "one", writer("dump"));
  CHECK(runs.code == 2);
  CHECK_THAT(refused,
             ContainsSubstring("/output/writers/0/format: \"dump\" tells of spheres alone, and body 1 has shape "
                               "\"pair\". Take \"csv\", or name entries of spheres in \"bodies\"."));
  CHECK(!fs::exists(runs.folder / "one"));
  Json some = writer("dump");
  some["bodies"] = {"balls"};
  runs.run(s, "one", some);
  CHECK(runs.code == 0);
  CHECK_THAT(runs.text("one/b/b_000000.dump"), ContainsSubstring("ITEM: NUMBER OF ATOMS\n1\n"));
  some["bodies"] = {"bals"};
  CHECK_THAT(runs.run(s, "one", some), ContainsSubstring("/output/writers/0/bodies/0: there is no entry \"bals\""));
  CHECK(runs.code == 2);
  runs.run(s, "two", writer("csv"));
  CHECK_THAT(runs.text("two/b/b_000000.csv"), ContainsSubstring(",scale,shape\n0,") && ContainsSubstring(",1,pair\n"));
}
