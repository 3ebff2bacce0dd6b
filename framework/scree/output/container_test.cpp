#include "scree/output/container.hpp"

#include <bit>
#include <limits>

#include "catch.hpp"
#include "file_size_limit.hpp"
#include "scree/output/atomic_file.hpp"
#include "temporary_folder.hpp"

namespace scree {

using test::message_of;
using test::TemporaryFolder;

namespace {

void write_sample(const std::filesystem::path& file) {
  CheckpointWriter writer(file);
  writer.write<double>("world/position", std::vector{1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, {2, 3});
  writer.attribute("version", "0.1.0");
  writer.finish();
}

}  // namespace

TEST_CASE("arrays come back with every bit, NaN payloads included") {
  const TemporaryFolder folder;
  const double payload = std::bit_cast<double>(0x7ff8dead'beef1234ull);
  const double signalling = std::bit_cast<double>(0xfff00000'00000001ull);
  const std::vector<double> doubles = {0.1, -0.0, payload, signalling, std::numeric_limits<double>::denorm_min()};
  const std::vector<std::int32_t> ints = {std::numeric_limits<std::int32_t>::min(), 7};
  const std::vector<std::uint32_t> uints = {0xffffffffu};
  const std::vector<std::uint64_t> longs = {~std::uint64_t{0}, 1};
  const std::vector<std::byte> bytes = {std::byte{0}, std::byte{255}};
  CheckpointWriter writer(folder / "a.h5");
  writer.write<double>("deep/in/folders", doubles);
  writer.write<std::int32_t>("ints", ints);
  writer.write<std::uint32_t>("uints", uints);
  writer.write<std::uint64_t>("longs", longs);
  writer.write<std::byte>("bytes", bytes);
  writer.finish();

  const CheckpointReader reader(folder / "a.h5");
  const auto back = reader.read<double>("deep/in/folders");
  REQUIRE(back.size() == doubles.size());
  for (std::size_t i = 0; i < back.size(); ++i)
    CHECK(std::bit_cast<std::uint64_t>(back[i]) == std::bit_cast<std::uint64_t>(doubles[i]));
  CHECK(reader.read<std::int32_t>("ints") == ints);
  CHECK(reader.read<std::uint32_t>("uints") == uints);
  CHECK(reader.read<std::uint64_t>("longs") == longs);
  CHECK(reader.read<std::byte>("bytes") == bytes);
}

TEST_CASE("empty arrays keep their type and shape") {
  const TemporaryFolder folder;
  CheckpointWriter writer(folder / "a.h5");
  writer.write<double>("none", {});
  writer.write<std::uint64_t>("no_rows", {}, {0, 3});
  writer.finish();
  const CheckpointReader reader(folder / "a.h5");
  CHECK(reader.read<double>("none").empty());
  CHECK(reader.shape("no_rows") == std::vector<std::size_t>{0, 3});
  CHECK(reader.type("no_rows") == ElementType::uint64);
}

TEST_CASE("attributes come back, folders are listed") {
  const TemporaryFolder folder;
  CheckpointWriter writer(folder / "a.h5");
  writer.attribute("version", "0.1.0");
  writer.attribute("empty", "");
  writer.attribute("step", std::int64_t{1} << 60);
  writer.attribute("time", 0.1 + 0.2);
  writer.write<double>("columns/b", {});
  writer.write<double>("columns/a", {});
  writer.finish();
  const CheckpointReader reader(folder / "a.h5");
  CHECK(reader.text("version") == "0.1.0");
  CHECK(reader.text("empty").empty());
  CHECK(reader.integer("step") == std::int64_t{1} << 60);
  CHECK(reader.number("time") == 0.1 + 0.2);
  CHECK(reader.has_attribute("time"));
  CHECK_FALSE(reader.has_attribute("Time"));
  CHECK(reader.list("columns") == std::vector<std::string>{"a", "b"});
  CHECK(reader.list() == std::vector<std::string>{"columns"});
  CHECK(reader.has("columns/a"));
  CHECK(reader.has("columns"));
  CHECK_FALSE(reader.has("columns/c"));
  CHECK_FALSE(reader.has("missing/c"));
}

TEST_CASE("without finish() no file appears, and finish() replaces an older one") {
  const TemporaryFolder folder;
  { CheckpointWriter unfinished(folder / "a.h5"); }
  CHECK(std::filesystem::is_empty(folder.path()));
  write_sample(folder / "a.h5");
  write_sample(folder / "a.h5");
  CHECK(CheckpointReader(folder / "a.h5").shape("world/position") == std::vector<std::size_t>{2, 3});
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("errors of a checkpoint name the file, the array and what was expected") {
  const TemporaryFolder folder;
  write_sample(folder / "a.h5");
  const CheckpointReader reader(folder / "a.h5");
  const std::string file = (folder / "a.h5").string();
  CHECK(message_of<IoError>([&] { reader.read<double>("world/speed"); }) ==
        file + ": array \"world/speed\" is missing.");
  CHECK(message_of<IoError>([&] { reader.read<std::int32_t>("world/position"); }) ==
        file + ": array \"world/position\" holds float64 values, expected int32.");
  CHECK(message_of<IoError>([&] { reader.integer("version"); }) == file + ": attribute \"version\" is not an integer.");
  CHECK(message_of<IoError>([&] { reader.text("name"); }) == file + ": attribute \"name\" is missing.");
  double few[3];
  CHECK(message_of<IoError>([&] { reader.read_array("world/position", ElementType::float64, few, 3); }) ==
        file + ": array \"world/position\" holds 6 values, expected 3.");
}

TEST_CASE("foreign, empty, missing and truncated files are refused as such") {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& name) {
    return message_of<IoError>([&] { CheckpointReader reader(folder / name); });
  };
  CHECK_THAT(refusal("none.h5"), Catch::Matchers::EndsWith("none.h5: cannot read: No such file or directory."));
  write_atomically(folder / "empty.h5", "");
  CHECK_THAT(refusal("empty.h5"),
             Catch::Matchers::ContainsSubstring("empty.h5: is not a scree checkpoint: it is empty."));
  write_atomically(folder / "text.h5", "time,energy\n");
  CHECK_THAT(refusal("text.h5"),
             Catch::Matchers::ContainsSubstring("is not a scree checkpoint: it is truncated or no HDF5 file."));
  write_sample(folder / "whole.h5");
  const std::string whole = read_file(folder / "whole.h5");
  for (const std::size_t cut : {whole.size() / 2, whole.size() - 1}) {
    write_atomically(folder / "cut.h5", whole.substr(0, cut));
    CHECK_THAT(refusal("cut.h5"), Catch::Matchers::ContainsSubstring("is not a scree checkpoint"));
  }
}

TEST_CASE("a checkpoint that does not fit on the disk leaves the older one whole") {
  const TemporaryFolder folder;
  write_sample(folder / "a.h5");
  {
    const test::FileSizeLimit full(1000);
    CHECK_THAT(message_of<IoError>([&] { write_sample(folder / "a.h5"); }),
               Catch::Matchers::ContainsSubstring("a.h5: cannot write: File too large."));
  }
  CHECK(CheckpointReader(folder / "a.h5").has("world/position"));
}

TEST_CASE("a name given twice and a text too long are refused when written") {
  const TemporaryFolder folder;
  CheckpointWriter writer(folder / "a.h5");
  writer.write<double>("x", {});
  CHECK_THAT(message_of<IoError>([&] { writer.write<double>("x", {}); }),
             Catch::Matchers::ContainsSubstring("array \"x\" cannot be stored"));
  CHECK_THAT(message_of<IoError>([&] { writer.attribute("text", std::string(70000, 'x')); }),
             Catch::Matchers::ContainsSubstring("attribute \"text\" is a text of more than 60000 bytes"));
  writer.attribute("text", std::string(60000, 'x'));
}

}  // namespace scree
