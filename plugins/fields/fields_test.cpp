/// \file The observer `fields`: its frames, its averages over time, and what a checkpoint keeps of them.

#include "fields.hpp"

#include <vtkInformation.h>
#include <vtkInformationStringKey.h>

#include <fstream>
#include <memory>
#include <sstream>

#include "catch.hpp"
#include "fields_scenes.hpp"
#include "image_reader.hpp"
#include "scree/base/error.hpp"
#include "temporary_folder.hpp"

namespace scree::fields {

namespace {

namespace fs = std::filesystem;
using scree::test::TemporaryFolder;
using test::Gas;
using test::read_image;

constexpr const char* kKernel = R"("thickness": 1, "width": 0.8, "spacing": 0.8)";

Options options(const std::string& more) {
  return Options::parse(R"({"name": "f", )" + std::string(kKernel) + more + "}");
}

/// The gas at a time: its bodies move on straight lines, faster and faster.
struct GasAt : Gas {
  explicit GasAt(double time) : Gas(3, 30) {
    const auto x = world.position.write(), v = world.velocity.write();
    for (std::size_t i = 0; i < world.size(); ++i) {
      x[i] = world.cell.inside(x[i] + time * v[i]);
      v[i] *= 1 + time;
    }
  }
};

void observe(Fields& observer, int call, double time) {
  const GasAt gas(time);
  observer.observe(gas.world, &gas.contacts, {static_cast<std::uint64_t>(call), 0, time});
}

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

std::size_t frames_in(const fs::path& folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder / "f")) ++count;
  return count;
}

}  // namespace

TEST_CASE("each call is a frame: cells with all fields, and what lies outside") {
  const TemporaryFolder out;
  Fields observer(options(R"(, "lower": [0, 0, 0], "upper": [1, 1, 1])"));
  observer.begin(Gas(3, 30).world);
  observer.open(out.path().string());
  for (int k = 0; k < 3; ++k) observe(observer, k, 0.1 * k);
  CHECK(observer.files() == std::vector<std::string>{"f.pvd", "f"});
  CHECK(observer.save().empty());
  CHECK(frames_in(out.path()) == 3);
  const auto image = read_image(out / "f/f_000002.vti");
  CHECK(image->GetNumberOfCells() == 125);
  CHECK(image->GetCellData()->GetNumberOfArrays() == 11);
  CHECK(image->GetCellData()->GetArray("contact_stress")->GetNumberOfComponents() == 9);
  CHECK(std::string(image->GetCellData()->GetArray("pressure")->GetInformation()->Get(vtkDataArray::UNITS_LABEL())) ==
        "Pa");
  const Totals all = totals(GasAt(0.2).world, Vec3::Zero());
  CHECK(test::integral(*image, "density") == Approx(all.mass).epsilon(1e-6));
  CHECK(test::integral(*image, "momentum_density", 1) == Approx(all.momentum[1]).epsilon(1e-5));
  CHECK(test::number(*image, "outside_mass") == 0);
  CHECK(test::number(*image, "samples") == 1);
  CHECK(test::number(*image, "kernel_width") == 0.8);
  CHECK_THAT(text_of(out / "f.pvd"), Catch::Contains("timestep=\"0.2\""));
}

TEST_CASE("only fields that are named are written") {
  const TemporaryFolder out;
  Fields observer(options(R"(, "fields": ["velocity", "pressure"])"));
  observer.begin(Gas(3, 30).world);
  CHECK(observer.plan(Gas(3, 30).world, 10) == Approx(4.9 * 125 * 4 * 10));
  observer.open(out.path().string());
  observe(observer, 0, 0);
  const auto image = read_image(out / "f/f_000000.vti");
  CHECK(image->GetCellData()->GetNumberOfArrays() == 2);
  CHECK(image->GetCellData()->GetArray("velocity")->GetNumberOfComponents() == 3);
}

TEST_CASE("in 2D an image is flat, and densities are per thickness") {
  const TemporaryFolder out;
  Fields observer(Options::parse(R"({"name": "f", "width": 0.8, "thickness": 0.5})"));
  const Gas gas(2, 30);
  observer.begin(gas.world);
  observer.open(out.path().string());
  observer.observe(gas.world, &gas.contacts, {0, 0, 0});
  const auto image = read_image(out / "f/f_000000.vti");
  CHECK(image->GetDimensions()[2] == 1);
  CHECK(image->GetNumberOfCells() == 100);
  CHECK(image->GetSpacing()[2] == 0.5);
  CHECK(test::integral(*image, "density") == Approx(totals(gas.world, Vec3::Zero()).mass).epsilon(1e-6));
}

TEST_CASE("the size of the files is known before the run: of calls, of windows, or of one frame for all") {
  const auto bytes = [](const std::string& more) {
    Fields observer(options(R"(, "fields": ["density"], "interval": 0.1)" + more));
    observer.begin(Gas(3, 30).world);
    return observer.plan(Gas(3, 30).world, 101) / (4.9 * 125);
  };
  CHECK(bytes("") == Approx(101));
  CHECK(bytes(R"(, "average": {"start": 2, "window": 0.5})") == Approx(16));
  CHECK(bytes(R"(, "average": {"start": 2})") == Approx(1));
  CHECK(bytes(R"(, "average": {"start": 20})") == 0);
}

TEST_CASE("a window averages densities and m v v, not velocities: windows end with their last moment") {
  const TemporaryFolder out, single;
  Fields observer(options(R"(, "average": {"start": 0.1, "window": 0.2})"));
  observer.begin(Gas(3, 30).world);
  observer.open(out.path().string());
  for (int k = 0; k <= 6; ++k) observe(observer, k, 0.1 * k);  // (0.1, 0.3] and (0.3, 0.5]; 0.6 has no end
  CHECK(frames_in(out.path()) == 2);
  CHECK_THAT(text_of(out / "f.pvd"), Catch::Contains("timestep=\"0.3\"") && Catch::Contains("timestep=\"0.5\""));
  std::vector<double> sums;
  Grid grid;
  for (const double time : {0.4, 0.5}) {
    const GasAt gas(time);
    const test::Moment m(test::grid_of(gas.world, R"(, "width": 0.8, "spacing": 0.8)"), gas.world, gas.contacts);
    sums.resize(m.sums.size());
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += m.sums[k];
  }
  const auto image = read_image(out / "f/f_000001.vti");
  CHECK(test::number(*image, "samples") == 2);
  for (const auto& field : field_values(sums, 2, 3, {})) {
    vtkDataArray& found = *image->GetCellData()->GetArray(field.name.c_str());
    for (std::size_t k = 0; k < field.value.size(); ++k) {
      const int at = static_cast<int>(k), components = field.components;
      REQUIRE(found.GetComponent(at / components, at % components) == static_cast<float>(field.value[k]));
    }
  }
}

TEST_CASE("a window whose end no moment meets is written with the next one, at its own time") {
  const TemporaryFolder out;
  Fields observer(options(R"(, "average": {"start": 0, "window": 0.25})"));
  observer.begin(Gas(3, 30).world);
  observer.open(out.path().string());
  for (int k = 0; k <= 3; ++k) observe(observer, k, 0.1 * k);
  CHECK(frames_in(out.path()) == 1);
  CHECK_THAT(text_of(out / "f.pvd"), Catch::Contains("timestep=\"0.25\""));
  CHECK(test::number(*read_image(out / "f/f_000000.vti"), "samples") == 2);
}

TEST_CASE("a window ends with the moment nearest to its end, a part of a step before or after it") {
  for (const double off : {-3e-4, 3e-4}) {
    const TemporaryFolder out;
    Fields observer(options(R"(, "interval": 0.1, "average": {"start": 0.1, "window": 0.2})"));
    observer.begin(Gas(3, 30).world);
    observer.open(out.path().string());
    for (int k = 0; k <= 5; ++k) observe(observer, k, 0.1 * k + off);
    CHECK(frames_in(out.path()) == 2);
    for (const char* const file : {"f/f_000000.vti", "f/f_000001.vti"})
      CHECK(test::number(*read_image(out / file), "samples") == 2);
  }
}

TEST_CASE("an average in the middle of a window goes on from a checkpoint with the same bits") {
  for (const char* const average : {R"("window": 0.4)", R"("window": 1)", ""}) {
    const std::string more = std::string(R"(, "average": {"start": 0.05)") + (*average ? ", " : "") + average + "}";
    INFO(more);
    const TemporaryFolder whole, parts;
    const auto fresh = [&](const TemporaryFolder& out) {
      auto observer = std::make_unique<Fields>(options(more));
      observer->begin(Gas(3, 30).world);
      observer->open(out.path().string());
      return observer;
    };
    const auto run = [&](Fields& observer, int from, int end) {
      for (int k = from; k < end; ++k) observe(observer, k, 0.1 * k);
      observer.flush();
    };
    run(*fresh(whole), 0, 21);
    const auto first = fresh(parts);
    run(*first, 0, 8);
    const auto state = first->save();
    run(*first, 8, 13);  // later frames, which a resumed run drops
    auto second = std::make_unique<Fields>(options(more));
    second->begin(Gas(3, 30).world);
    second->load(state);
    second->open(parts.path().string());
    second->resume(8);
    run(*second, 8, 21);
    CHECK(frames_in(parts.path()) == frames_in(whole.path()));
    CHECK(frames_in(whole.path()) > 0);
    for (const auto& entry : fs::directory_iterator(whole / "f"))
      CHECK((text_of(entry.path()) == text_of(parts / "f" / entry.path().filename().string())));
    CHECK(text_of(whole / "f.pvd") == text_of(parts / "f.pvd"));
  }
}

TEST_CASE("a window of another grid begins anew, and states that are damaged are refused") {
  const std::string average = R"(, "average": {"start": 0, "window": 5})";
  Fields observer(options(average)),
      other(Options::parse(R"({"name": "f", "width": 1, "thickness": 1)" + average + "}"));
  for (Fields* const one : {&observer, &other}) one->begin(Gas(3, 30).world);
  const TemporaryFolder out;
  observer.open(out.path().string());
  observe(observer, 1, 0.1);
  std::vector<std::byte> state = observer.save();
  CHECK_NOTHROW(other.load(state));
  CHECK(other.save().size() < state.size());
  state.resize(state.size() - 8);
  CHECK_THROWS_WITH(observer.load(state), Catch::Contains("the state of fields in the checkpoint is damaged"));
  state.resize(20);
  CHECK_THROWS_AS(observer.load(state), InputError);
}

}  // namespace scree::fields
