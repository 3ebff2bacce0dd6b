#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkStringArray.h>
#include <vtkXMLImageDataReader.h>
#include <vtkXMLPolyDataReader.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "catch.hpp"
#include "file_size_limit.hpp"
#include "python_text.hpp"
#include "scree/output/atomic_file.hpp"
#include "temporary_folder.hpp"
#include "test_shapes.hpp"
#include "vtk_writer.hpp"

namespace scree::vtk {

namespace fs = std::filesystem;
using test::Blob;
using test::Floor;
using test::message_of;
using test::TemporaryFolder;
using test::Wedge;

namespace {

/// Two blobs of different size and a floor. Ids: blobs 0 and 1, floor 2.
struct Scene {
  World world{2};
  Scene() {
    const auto small = world.add_shape("small", std::make_shared<Blob>(0.01, 5));
    const auto large = world.add_shape("large", std::make_shared<Blob>(0.02, 7));
    const auto floor = world.add_shape("floor", std::make_shared<Floor>());
    const auto material = world.add_material({"plastic", 1000});
    BodySpec a, b, wall;
    a.shape = small, a.position = {0, 0.1, 0}, a.velocity = {3, 4, 0};
    b.shape = large, b.position = {1, 0.1, 0}, b.group = 1;
    b.orientation = Quat(Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitZ()));
    wall.shape = floor, wall.kind = BodyKind::fixed;
    a.material = b.material = wall.material = material;
    world.add(std::array{a, b, wall});
    world.column<double>("heat", "J").write()[1] = 7;
    world.column<double>("hidden", "", false);
  }
  ContactView contacts() const {
    return {{0, 1, 0, 0, 0.001, Vec3::UnitX(), {0.5, 0.1, 0}, {3, 4, 0}},
            {1, 2, 0, 0, 0.002, -Vec3::UnitY(), {1, 0, 0}, {0, -5, 0}},
            {0, 2, 0, 0, -0.01, -Vec3::UnitY(), {0, 0, 0}, Vec3::Zero()}};
  }
};

vtkSmartPointer<vtkPolyData> read(const fs::path& file) {
  vtkNew<vtkXMLPolyDataReader> reader;
  reader->SetFileName(file.c_str());
  reader->Update();
  return reader->GetOutput();
}

/// Writes `frames` frames, 0.1 s apart, from `first` on.
void run(const fs::path& out, const Settings& settings, const Scene& scene, std::uint64_t first = 0,
         std::uint64_t frames = 1) {
  VtkWriter writer(settings);
  writer.begin(scene.world);
  writer.open(out.string());
  if (first > 0) writer.resume(first);
  for (std::uint64_t k = first; k < first + frames; ++k) {
    const ContactView contacts = scene.contacts();
    writer.observe(scene.world, &contacts, {k, 100 * k, 0.1 * static_cast<double>(k)});
  }
  writer.flush();
}

// Files hold single precision: half a unit in the last place of a float.
constexpr double kFloat = 6e-8;

}  // namespace

TEST_CASE("every particle is one polygon in its place, in id order, with its columns") {
  const TemporaryFolder out;
  Scene scene;
  scene.world.reorder(std::vector<std::uint32_t>{2, 1, 0});
  run(out.path(), {}, scene);
  const auto data = read(out / "particles/particles_000000.vtp");
  REQUIRE(data->GetNumberOfPolys() == 2);
  REQUIRE(data->GetNumberOfPoints() == 12);
  const double* tip = data->GetPoint(0);
  CHECK(tip[0] == Approx(0.02).epsilon(kFloat));
  CHECK(tip[1] == Approx(0.1).epsilon(kFloat));
  tip = data->GetPoint(5);  // turned by a quarter: the bump points up; turning costs a rounding of 0.04
  CHECK(tip[0] == Approx(1).epsilon(kFloat));
  CHECK(tip[1] == Approx(0.14).epsilon(2 * kFloat));
  vtkCellData& cells = *data->GetCellData();
  CHECK(cells.GetArray("id")->GetTuple1(0) == 0);
  CHECK(cells.GetArray("id")->GetTuple1(1) == 1);
  CHECK(cells.GetArray("speed")->GetTuple1(0) == 5);
  CHECK(cells.GetArray("velocity")->GetTuple3(0)[1] == 4);
  CHECK(cells.GetArray("mass")->GetTuple1(1) == Approx(0.4).epsilon(kFloat));
  CHECK(cells.GetArray("radius")->GetTuple1(1) == Approx(0.04).epsilon(kFloat));
  CHECK(cells.GetArray("group")->GetTuple1(1) == 1);
  CHECK(cells.GetArray("heat")->GetTuple1(1) == 7);
  for (const char* name : {"angular_velocity", "material", "shape"}) CHECK(cells.HasArray(name) == 1);
  CHECK(cells.HasArray("hidden") == 0);
  CHECK(std::string(cells.GetScalars()->GetName()) == "speed");
}

TEST_CASE(
    "walls that move out of the periodic cell are drawn in it, like others, and contacts across its sides short") {
  const TemporaryFolder out;
  Scene scene;
  World& world = scene.world;
  world.cell = {{0, 0, 0}, {1.5, 0, 0}};
  BodySpec wall;
  wall.kind = BodyKind::prescribed, wall.position = {3.25, 0.2, 0};  // shape 0: a blob, 0.02 m from tip to origin
  world.add(std::array{wall});
  VtkWriter writer(Settings{});
  writer.begin(world);
  writer.open(out.path().string());
  // Body 1 at x = 1 touches the image of 0 to its right, and the wall, whose id is 3, where that is: two cells on.
  const ContactView contacts = {{0, 1, packed({-1, 0, 0}), 0, 0.001, -Vec3::UnitX(), {-0.25, 0.1, 0}, {-1, 0, 0}},
                                {1, 3, packed({-2, 0, 0}), 0, 0.001, Vec3::UnitX(), {0.2, 0.2, 0}, {1, 0, 0}}};
  writer.observe(world, &contacts, {0, 0, 0});
  writer.flush();
  const auto walls = read(out / "walls/walls_000000.vtp");
  double box[6];
  walls->GetCellBounds(walls->GetNumberOfCells() - 1, box);
  CHECK(box[0] > 0.2);
  CHECK(box[1] == Approx(0.27).epsilon(kFloat));
  const auto lines = read(out / "contacts/contacts_000000.vtp");
  CHECK(lines->GetPoint(0)[0] == 1.5);  // where the contact's point lies in the cell
  CHECK(lines->GetPoint(1)[0] == 1);
  CHECK(lines->GetPoint(2)[0] == 1);
  CHECK(lines->GetPoint(3)[0] == Approx(0.2).epsilon(kFloat));
}

TEST_CASE("files do not depend on the order of rows") {
  const TemporaryFolder first, second;
  Scene scene;
  run(first.path(), {}, scene);
  scene.world.reorder(std::vector<std::uint32_t>{1, 2, 0});
  run(second.path(), {}, scene);
  for (const std::string name : {"particles", "walls", "contacts"}) {
    const std::string file = name + "/" + name + "_000000.vtp";
    CHECK(read_file(first / file) == read_file(second / file));
  }
}

TEST_CASE("files are inline, never appended, and compressed") {
  const TemporaryFolder out;
  run(out.path(), {}, Scene());
  for (const std::string name : {"particles", "walls", "contacts"}) {
    const std::string text = read_file(out / (name + "/" + name + "_000000.vtp"));
    CHECK_THAT(text,
               !Catch::Matchers::ContainsSubstring("appended") && !Catch::Matchers::ContainsSubstring("Appended"));
    CHECK_THAT(text, Catch::Matchers::ContainsSubstring("vtkZLibDataCompressor") &&
                         Catch::Matchers::ContainsSubstring("header_type=\"UInt64\"") &&
                         Catch::Matchers::ContainsSubstring("format=\"binary\""));
  }
}

TEST_CASE("open walls are lines, and contacts go from centre to centre or to the wall's contact point") {
  const TemporaryFolder out;
  run(out.path(), {}, Scene());
  const auto walls = read(out / "walls/walls_000000.vtp");
  CHECK(walls->GetNumberOfPolys() == 0);
  CHECK(walls->GetNumberOfLines() == 1);
  CHECK(walls->GetCellData()->GetArray("id")->GetTuple1(0) == 2);

  const auto contacts = read(out / "contacts/contacts_000000.vtp");
  REQUIRE(contacts->GetNumberOfLines() == 2);  // the gap without force is left out
  CHECK(contacts->GetPoint(1)[0] == 1);
  CHECK(contacts->GetPoint(1)[1] == Approx(0.1).epsilon(kFloat));
  CHECK(contacts->GetPoint(3)[0] == 1);
  CHECK(contacts->GetPoint(3)[1] == 0);
  vtkCellData& cells = *contacts->GetCellData();
  CHECK(cells.GetArray("force_magnitude")->GetTuple1(0) == 5);
  CHECK(cells.GetArray("force")->GetTuple3(1)[1] == -5);
  CHECK(cells.GetArray("overlap")->GetTuple1(1) == Approx(0.002).epsilon(kFloat));
  CHECK(cells.GetArray("normal")->GetTuple3(0)[0] == 1);
  CHECK(cells.GetArray("point")->GetTuple3(0)[0] == 0.5);
  CHECK(cells.GetArray("id_b")->GetTuple1(1) == 2);
}

TEST_CASE("lists give the time of every complete frame") {
  const TemporaryFolder out;
  run(out.path(), {}, Scene(), 0, 3);
  CHECK(read_file(out / "particles.pvd") ==
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
        "  <Collection>\n"
        "    <DataSet timestep=\"0\" part=\"0\" file=\"particles/particles_000000.vtp\"/>\n"
        "    <DataSet timestep=\"0.1\" part=\"0\" file=\"particles/particles_000001.vtp\"/>\n"
        "    <DataSet timestep=\"0.2\" part=\"0\" file=\"particles/particles_000002.vtp\"/>\n"
        "  </Collection>\n"
        "</VTKFile>\n");
}

TEST_CASE("a resumed series equals an uninterrupted one") {
  const TemporaryFolder whole, resumed;
  const Scene scene;
  run(whole.path(), {}, scene, 0, 4);
  run(resumed.path(), {}, scene, 0, 6);
  run(resumed.path(), {}, scene, 2, 2);
  for (const std::string name : {"particles", "walls", "contacts"}) {
    CHECK(read_file(whole / (name + ".pvd")) == read_file(resumed / (name + ".pvd")));
    CHECK(std::distance(fs::directory_iterator(resumed / name), {}) == 4);
  }
}

TEST_CASE("a list that another program has changed is read as far as it is a list of frames") {
  const TemporaryFolder out;
  const Scene scene;
  run(out.path(), {}, scene, 0, 2);
  std::string list = read_file(out / "particles.pvd");
  const std::string strange = "<DataSet timestep=\"" + std::string(500'000, '1') + "\" part=\"0\" file=\"" +
                              std::string(500'000, 'x') +
                              "\"/>\n<DataSet timestep=\"0\" "
                              "file=\"particles/particles_99999999999999999999999.vtp\"/>\n<DataSet timestep=\"0\" "
                              "file=\"particles/particles_1.vtp\"/>\n<DataSet timestep=\"0";
  list.insert(list.find("  </Collection>"), strange);
  write_atomically(out / "particles.pvd", list);
  run(out.path(), {}, scene, 2, 1);
  const std::string now = read_file(out / "particles.pvd");
  CHECK(std::count(now.begin(), now.end(), '\n') == 8);
  for (const char* frame : {"_000000.vtp", "_000001.vtp", "_000002.vtp"})
    CHECK_THAT(now, Catch::Matchers::ContainsSubstring(frame));
}

TEST_CASE("a new run in the same folder drops the frames of the earlier one") {
  const TemporaryFolder out;
  const Scene scene;
  run(out.path(), {}, scene, 0, 5);
  run(out.path(), {}, scene, 0, 1);
  CHECK(std::distance(fs::directory_iterator(out / "particles"), {}) == 1);
  CHECK_THAT(read_file(out / "particles.pvd"), !Catch::Matchers::ContainsSubstring("000001"));
}

TEST_CASE("glyph mode writes points with quaternions (w,x,y,z) and each outline once") {
  const TemporaryFolder out;
  run(out.path(), {"glyph", false, std::nullopt}, Scene());
  const auto data = read(out / "particles/particles_000000.vtp");
  REQUIRE(data->GetNumberOfPoints() == 2);
  CHECK(data->GetPoint(1)[0] == 1);
  double turn[4];
  data->GetPointData()->GetArray("quaternion")->GetTuple(1, turn);
  CHECK(turn[0] == Approx(std::sqrt(0.5)).epsilon(kFloat));
  CHECK(turn[1] == 0);
  CHECK(turn[3] == Approx(std::sqrt(0.5)).epsilon(kFloat));
  CHECK(data->GetPointData()->GetArray("scale")->GetTuple3(1)[2] == 1);
  CHECK(data->GetPointData()->GetArray("shape")->GetTuple1(1) == 1);
  CHECK(read(out / "shapes/shape_000001.vtp")->GetNumberOfPoints() == 7);
  CHECK_FALSE(fs::exists(out / "contacts.pvd"));
}

TEST_CASE("a body of another size than its shape is drawn so, as outline and as glyph") {
  Scene scene;
  BodySpec large;
  large.scale = 3;
  large.position = {2, 0, 0};
  scene.world.add(std::array{large});
  const TemporaryFolder outlines, glyphs;
  run(outlines.path(), {}, scene);
  run(glyphs.path(), {"glyph", false, std::nullopt}, scene);
  const auto outline = read(outlines / "particles/particles_000000.vtp");
  REQUIRE(outline->GetNumberOfPoints() == 17);
  CHECK(outline->GetPoint(12)[0] == Approx(2.06).epsilon(kFloat));  // behind blobs of 5 and 7 corners
  CHECK(outline->GetCellData()->GetArray("radius")->GetTuple1(2) == Approx(0.06).epsilon(kFloat));
  CHECK(outline->GetCellData()->GetArray("scale")->GetTuple1(0) == 1);
  CHECK(outline->GetCellData()->GetArray("scale")->GetTuple1(2) == 3);
  const auto glyph = read(glyphs / "particles/particles_000000.vtp");
  for (int k = 0; k < 3; ++k) CHECK(glyph->GetPointData()->GetArray("scale")->GetComponent(2, k) == 3);
}

TEST_CASE("names of shapes, materials and groups stand beside their numbers") {
  Scene scene;
  scene.world.group_names = {"few", "many"};
  const TemporaryFolder out;
  VtkWriter writer({});
  writer.begin(scene.world);
  writer.open(out.path().string());
  writer.observe(scene.world, nullptr, {0, 0, 0.0});
  writer.flush();
  for (const char* file : {"particles/particles_000000.vtp", "walls/walls_000000.vtp"}) {
    const auto data = read(out / file);
    const auto names = [&](const char* field) {
      auto* const array = vtkStringArray::SafeDownCast(data->GetFieldData()->GetAbstractArray(field));
      REQUIRE(array);
      std::vector<std::string> values;
      for (vtkIdType k = 0; k < array->GetNumberOfValues(); ++k) values.push_back(array->GetValue(k));
      return values;
    };
    CHECK(names("shape_names") == std::vector<std::string>{"small", "large", "floor"});
    CHECK(names("material_names") == std::vector<std::string>{"plastic"});
    CHECK(names("group_names") == std::vector<std::string>{"few", "many"});
  }
}

namespace {

/// Wedges in a row along x, each turned by another angle and as fast as its place is far.
struct Wedges {
  World world{3};
  explicit Wedges(std::size_t count) {
    const auto shape = world.add_shape("wedge", std::make_shared<Wedge>());
    const auto material = world.add_material({"plastic", 1000});
    std::vector<BodySpec> bodies(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto k = static_cast<double>(i);
      bodies[i].shape = shape, bodies[i].material = material;
      bodies[i].position = {0.1 * k, std::sin(k), 0.2};
      bodies[i].orientation = Quat(Eigen::AngleAxisd(k, Vec3(1, 2, 3).normalized()));
      bodies[i].velocity = {std::cos(k), 0.3 * std::cos(2 * k), 0.1 * k};
      bodies[i].angular_velocity = {std::cos(3 * k), std::cos(4 * k), std::cos(5 * k)};
    }
    world.add(bodies);
  }
};

double bytes_in(const fs::path& folder) {
  double bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) bytes += static_cast<double>(entry.file_size());
  return bytes;
}

}  // namespace

TEST_CASE("auto writes outlines where all frames of the run are small with them, else points and each outline once") {
  const Scene scene;
  for (const std::uint64_t frames : {10u, 1'000'000u}) {
    INFO(frames);
    const TemporaryFolder out;
    VtkWriter writer({});
    writer.begin(scene.world);
    writer.open(out.path().string());
    writer.plan(scene.world, frames);
    writer.observe(scene.world, nullptr, {0, 0, 0.0});
    writer.flush();
    const bool points = frames > 10;
    CHECK(read(out / "particles/particles_000000.vtp")->GetNumberOfPolys() == (points ? 0 : 2));
    CHECK(read(out / "shapes/shape_000001.vtp")->GetNumberOfPoints() == 7);
  }
}

TEST_CASE("a resumed run goes on with outlines or points as it began, however many frames are to come") {
  const Scene scene;
  for (const std::string mode : {"surface", "glyph"}) {
    INFO(mode);
    const TemporaryFolder out;
    run(out.path(), {mode, true, std::nullopt}, scene, 0, 2);
    VtkWriter writer({});
    writer.begin(scene.world);
    writer.open(out.path().string());
    writer.plan(scene.world, mode == "surface" ? 1'000'000 : 3);
    writer.resume(2);
    writer.observe(scene.world, nullptr, {2, 200, 0.2});
    writer.flush();
    CHECK(read(out / "particles/particles_000002.vtp")->GetNumberOfPolys() == (mode == "surface" ? 2 : 0));
  }
}

TEST_CASE("files of a run take about as many bytes as it is told before") {
  const Wedges wedges(2000);
  const World& world = wedges.world;
  for (const std::string mode : {"surface", "glyph"}) {
    INFO(mode);
    const TemporaryFolder out;
    VtkWriter writer({mode, false, std::nullopt});
    writer.begin(world);
    writer.open(out.path().string());
    const double expected = writer.plan(world, 3);
    for (std::uint64_t k = 0; k < 3; ++k) writer.observe(world, nullptr, {k, k, 0.1 * static_cast<double>(k)});
    writer.flush();
    // Columns of a real run are now more, now less alike than those here.
    CHECK(bytes_in(out.path()) / expected == Approx(1).margin(0.4));
  }
}

TEST_CASE("surfaces come with one point per particle and each outline once, unless it is not asked for") {
  const Wedges wedges(3);
  const World& world = wedges.world;
  for (const bool asked : {true, false}) {
    const TemporaryFolder out;
    Settings settings;
    settings.points = asked;
    VtkWriter writer(settings);
    writer.begin(world);
    writer.open(out.path().string());
    writer.observe(world, nullptr, {0, 0, 0.0});
    writer.flush();
    CHECK(fs::exists(out / "points.pvd") == asked);
    CHECK(fs::exists(out / "shapes/shape_000000.vtp") == asked);
    if (!asked) continue;
    const auto data = read(out / "points/points_000000.vtp");
    REQUIRE(data->GetNumberOfPoints() == 3);
    CHECK(read(out / "particles/particles_000000.vtp")->GetNumberOfCells() == 12);
    CHECK(data->GetPoint(2)[0] == Approx(0.2));
    CHECK(data->GetPointData()->GetArray("id")->GetTuple1(2) == 2);
    CHECK(data->GetPointData()->HasArray("speed"));
  }
}

TEST_CASE("a run gets a script that opens it in ParaView") {
  Scene scene;
  const TemporaryFolder out;
  VtkWriter writer({});
  writer.begin(scene.world);
  writer.open(out.path().string());
  writer.observe(scene.world, nullptr, {0, 0, 0.0});
  writer.flush();
  std::ifstream script(out / "open_in_paraview.py");
  const std::string text(std::istreambuf_iterator<char>(script), {});
  CHECK(text.starts_with("\"\"\"Shows this run in ParaView"));
  CHECK(text.ends_with("\n"));
  CHECK(text.find("WRITTEN_IN = \"" + out.path().string() + "\"") != std::string::npos);
}

TEST_CASE("a folder of any name is one text of the script for ParaView") {
  CHECK(in_python_text("a\"b\\c") == "a\\\"b\\\\c");
  CHECK(in_python_text("a\nb\x7f") == "a\\x0ab\\x7f");
  CHECK(in_python_text("\xff \xc3\xbc") == "\\udcff \xc3\xbc");
  CHECK(in_python_text("\"\"\"") == "\\\"\\\"\\\"");
}

TEST_CASE("chosen columns are written, and no others besides id, shape and speed") {
  const TemporaryFolder out;
  run(out.path(), {"surface", true, std::vector<std::string>{"hidden", "orientation", "speed"}}, Scene());
  const auto data = read(out / "particles/particles_000000.vtp");
  vtkCellData& cells = *data->GetCellData();
  CHECK(cells.GetNumberOfArrays() == 5);
  CHECK(cells.GetArray("orientation")->GetNumberOfComponents() == 4);
  CHECK(cells.GetArray("orientation")->GetComponent(0, 0) == 1);
}

TEST_CASE("an unknown column is refused with the nearest name before anything is written") {
  const TemporaryFolder out;
  const Scene scene;
  const std::string message = message_of<InputError>([&] {
    run(out.path(), {"auto", true, std::vector<std::string>{"heet"}}, scene);
  });
  CHECK_THAT(message,
             Catch::Matchers::StartsWith(
                 "writer vtk: columns: unknown \"heet\". Did you mean \"heat\"? Bodies have: speed, id, position, "));
  CHECK(fs::is_empty(out.path()));
  // A column of a method comes before what contacts give under the same name, and is told once.
  Scene own;
  own.world.column<double>("pressure", "Pa").write()[0] = 7;
  const std::string once = message_of<InputError>([&] {
    run(out.path(), {"auto", true, std::vector<std::string>{"heet"}}, own);
  });
  CHECK(once.find("pressure") == once.rfind("pressure"));
}

TEST_CASE("bonds are lines between their bodies, with their state, strain and turn, if asked for") {
  const TemporaryFolder out, without;
  Scene scene;
  World& world = scene.world;
  const Quat turned(Eigen::AngleAxisd(0.3, Vec3::UnitZ()));
  world.bonds().add(std::vector<Bonds::Spec>{
      {0, 1, 2, 4e-4, Vec3(0.8, 0, 0), world.orientation.read()[0], world.orientation.read()[1] * turned, Vec3::Zero()},
      {1, 2, 0, 1e-4, Vec3(-1, -0.1, 0), world.orientation.read()[1], world.orientation.read()[2], Vec3::Zero()}});
  world.bonds().break_bonds(std::vector<std::uint32_t>{1}, 0.25);
  world.reorder(std::vector<std::uint32_t>{2, 0, 1});
  Settings settings;
  settings.bonds = true;
  run(out.path(), settings, scene, 0, 2);
  run(without.path(), {}, scene);
  CHECK_FALSE(fs::exists(without / "bonds.pvd"));
  CHECK(fs::exists(out / "bonds.pvd"));
  const auto data = read(out / "bonds/bonds_000001.vtp");
  REQUIRE(data->GetNumberOfLines() == 2);
  vtkCellData& cells = *data->GetCellData();
  CHECK(data->GetPoint(0)[0] == 0);
  CHECK(data->GetPoint(1)[0] == 1);
  CHECK(cells.GetArray("state")->GetTuple1(0) == 1);
  CHECK(cells.GetArray("state")->GetTuple1(1) == 0);
  CHECK(cells.GetArray("broken_at")->GetTuple1(0) == -1);
  CHECK(cells.GetArray("broken_at")->GetTuple1(1) == 0.25);
  CHECK(cells.GetArray("strain")->GetTuple1(0) == Approx(0.25).epsilon(kFloat));
  CHECK(cells.GetArray("turn")->GetTuple1(0) == Approx(0.3).epsilon(kFloat));
  CHECK(cells.GetArray("section")->GetTuple1(0) == Approx(4e-4).epsilon(kFloat));
  CHECK(cells.GetArray("entry")->GetTuple1(0) == 2);
  CHECK(cells.GetArray("id_a")->GetTuple1(1) == 1);
  CHECK(cells.GetArray("id_b")->GetTuple1(1) == 2);
}

TEST_CASE("of an earlier run only listed frames and numbered surfaces are deleted, and no link is followed") {
  const TemporaryFolder out, elsewhere;
  const Scene scene;
  run(out.path(), {"glyph", true, std::nullopt}, scene, 0, 3);
  for (const char* mine :
       {"shapes/mine.txt", "particles/particles_000007.vtp", "particles/particles_99999999999999999999.vtp"})
    write_atomically(out / mine, "mine");
  Settings without_points{"surface", true, std::nullopt};
  without_points.points = false;
  run(out.path(), without_points, scene);
  CHECK(fs::exists(out / "particles/particles_000000.vtp"));
  CHECK_FALSE(fs::exists(out / "particles/particles_000001.vtp"));
  CHECK_FALSE(fs::exists(out / "shapes/shape_000000.vtp"));
  for (const char* mine :
       {"shapes/mine.txt", "particles/particles_000007.vtp", "particles/particles_99999999999999999999.vtp"})
    CHECK(read_file(out / mine) == "mine");
  fs::remove_all(out / "walls");
  fs::create_directory_symlink(elsewhere.path(), out / "walls");
  CHECK_THAT(message_of<IoError>([&] { run(out.path(), {}, scene); }),
             Catch::Matchers::ContainsSubstring("walls: is a link"));
  CHECK(fs::is_empty(elsewhere.path()));
}

TEST_CASE("a folder that cannot be written is an input/output error") {
  const TemporaryFolder out;
  const Scene scene;
  write_atomically(out / "particles", "a file in the way");
  CHECK_THAT(message_of<IoError>([&] { run(out.path(), {}, scene); }),
             Catch::Matchers::ContainsSubstring("particles: is not a folder: File exists."));
  fs::remove(out / "particles");
  {
    const test::FileSizeLimit full(2000);
    CHECK_THAT(message_of<IoError>([&] { run(out.path(), {}, scene); }),
               Catch::Matchers::ContainsSubstring("_000000.vtp: cannot write: File too large."));
  }
  CHECK_THAT(read_file(out / "particles.pvd"), !Catch::Matchers::ContainsSubstring("DataSet"));
}

TEST_CASE("grids of the integrator are images, if asked for") {
  const TemporaryFolder out;
  const Scene scene;
  GridImage image;
  image.name = "sand";
  image.origin = Vec3(1, 2, 0);
  image.spacing = Vec3::Constant(0.5);
  image.counts = {3, 2, 1};
  image.fields = {{"pressure", "Pa", 1, {1, 2, 3, 4, 5, 6}}, {"velocity", "m/s", 3, std::vector<double>(18, 0.25)}};
  Settings with;
  with.grids = true;
  CHECK(std::ranges::count(VtkWriter(with).files(), "grids") == 1);
  for (const bool asked : {false, true}) {
    VtkWriter writer(asked ? with : Settings{});
    writer.begin(scene.world);
    writer.open(out.path().string());
    Frame frame{0, 0, 0};
    frame.grid_images = [&] { return std::vector<GridImage>{image}; };
    writer.observe(scene.world, nullptr, frame);
    writer.flush();
    CHECK(fs::exists(out / "grids") == asked);
  }
  CHECK(fs::exists(out / "grids/sand.pvd"));
  vtkNew<vtkXMLImageDataReader> reader;
  reader->SetFileName((out / "grids/sand/sand_000000.vti").c_str());
  reader->Update();
  vtkImageData& read = *reader->GetOutput();
  CHECK(read.GetNumberOfPoints() == 6);
  double at[3];
  read.GetPoint(5, at);
  CHECK(Vec3(at[0], at[1], at[2]) == Vec3(2, 2.5, 0));
  CHECK(read.GetPointData()->GetArray("pressure")->GetComponent(5, 0) == 6);
  CHECK(read.GetPointData()->GetArray("velocity")->GetNumberOfComponents() == 3);
}

TEST_CASE("a world without bodies is written and read") {
  const TemporaryFolder out;
  Scene scene;
  scene.world.remove(std::vector<Id>{0, 1, 2});
  run(out.path(), {}, scene);
  CHECK(read(out / "particles/particles_000000.vtp")->GetNumberOfCells() == 0);
  CHECK(read(out / "contacts/contacts_000000.vtp")->GetNumberOfCells() == 0);
}

}  // namespace scree::vtk
