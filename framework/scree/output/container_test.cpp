#include "scree/output/container.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <sys/stat.h>

#include <bit>
#include <functional>
#include <limits>

#include "catch.hpp"
#include "file_size_limit.hpp"
#include "scree/output/atomic_file.hpp"
#include "scree/output/checksum.hpp"
#include "scree/output/seal.hpp"
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
  using Catch::Matchers::ContainsSubstring;
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& name) {
    return message_of<IoError>([&] { CheckpointReader reader(folder / name); });
  };
  CHECK_THAT(refusal("none.h5"), Catch::Matchers::EndsWith("none.h5: cannot read: No such file or directory."));
  write_atomically(folder / "empty.h5", "");
  CHECK_THAT(refusal("empty.h5"), ContainsSubstring("empty.h5: is not a scree checkpoint: it is empty."));
  write_atomically(folder / "text.h5", "time,energy\n");
  CHECK_THAT(refusal("text.h5"), ContainsSubstring("it does not begin with \"scree checkpoint 2\""));
  write_sample(folder / "whole.h5");
  const std::string whole = read_file(folder / "whole.h5");
  write_atomically(folder / "bare.h5", whole.substr(kSealBytes));
  CHECK_THAT(refusal("bare.h5"), ContainsSubstring("it is an HDF5 file of another program"));
  for (const std::size_t cut : {whole.size() - 1, whole.size() / 2, kSealBytes, std::size_t{100}}) {
    write_atomically(folder / "cut.h5", whole.substr(0, cut));
    CHECK_THAT(refusal("cut.h5"),
               ContainsSubstring(fmt::format("cut or damaged: it has {} bytes instead of {}.", cut, whole.size())));
  }
  CHECK_THAT(refusal("."), ContainsSubstring("it is no regular file"));
  REQUIRE(::mkfifo((folder / "pipe.h5").c_str(), 0600) == 0);
  CHECK_THAT(refusal("pipe.h5"), ContainsSubstring("it is no regular file"));
}

TEST_CASE("a bit that is another anywhere in the file is told before HDF5 reads it") {
  const TemporaryFolder folder;
  write_sample(folder / "a.h5");
  const std::string whole = read_file(folder / "a.h5");
  int told = 0, bits = 0;
  for (std::size_t at = 0; at < whole.size(); at += at < kSealBytes ? 1 : 7, ++bits) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    write_atomically(folder / "a.h5", damaged);
    told += !message_of<IoError>([&] { CheckpointReader reader(folder / "a.h5"); }).empty();
  }
  CHECK(told == bits);
}

TEST_CASE("the checksum is CRC-64/XZ, of bytes and of files") {
  const TemporaryFolder folder;
  CHECK(checksum(std::as_bytes(std::span("123456789", 9))) == 0x995dc9bbdf1939fa);
  write_atomically(folder / "a", "0123456789");
  CHECK(file_checksum(folder / "a", 1) == 0x995dc9bbdf1939fa);
  CHECK_THAT(message_of<IoError>([&] { file_checksum(folder.path()); }),
             Catch::Matchers::ContainsSubstring("is not a regular file"));
}

namespace {

/// Writes an HDF5 file of any content with a valid seal.
void write_sealed(const std::filesystem::path& file, const std::function<void(hid_t)>& fill) {
  const std::string bare = file.string() + ".bare";
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);  // with all that was opened in it
  const hid_t id = H5Fcreate(bare.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  fill(id);
  H5Fclose(id);
  const std::string rest = read_file(bare);
  write_atomically(file, seal_of(std::as_bytes(std::span<const char>(rest))) + rest);
}

hid_t array(hid_t file, const char* name, hid_t type, hsize_t size, hid_t properties = H5P_DEFAULT) {
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  return H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
}

}  // namespace

TEST_CASE("what scree does not write is refused, though the checksum is right") {
  using Catch::Matchers::ContainsSubstring;
  const TemporaryFolder folder;
  const auto refusal = [&](const std::function<void(hid_t)>& fill) {
    write_sealed(folder / "a.h5", fill);
    return message_of<IoError>([&] {
      const CheckpointReader reader(folder / "a.h5");
      reader.integer("step");
    });
  };
  CHECK_THAT(refusal([](hid_t f) { array(f, "x", H5T_NATIVE_DOUBLE, hsize_t{1} << 40); }),
             ContainsSubstring("array \"x\" is larger than the file"));
  CHECK_THAT(refusal([](hid_t f) { array(f, "x", H5T_NATIVE_FLOAT, 3); }),
             ContainsSubstring("array \"x\" holds values of a type scree does not write"));
  CHECK_THAT(refusal([&](hid_t f) {
               const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
               H5Pset_external(properties, "/etc/passwd", 0, 8);
               array(f, "x", H5T_NATIVE_UINT64, 1, properties);
             }),
             ContainsSubstring("array \"x\" is stored in another file"));
  CHECK_THAT(refusal([&](hid_t f) {
               const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
               const hsize_t piece = 2;
               H5Pset_chunk(properties, 1, &piece);
               H5Pset_deflate(properties, 1);
               array(f, "x", H5T_NATIVE_UINT64, 4, properties);
             }),
             ContainsSubstring("array \"x\" is stored in pieces"));
  CHECK_THAT(refusal([](hid_t f) { H5Lcreate_external("/tmp/b.h5", "/", f, "x", H5P_DEFAULT, H5P_DEFAULT); }),
             ContainsSubstring("holds a link that leads elsewhere"));
  CHECK_THAT(refusal([](hid_t f) { H5Lcreate_soft("/y", f, "x", H5P_DEFAULT, H5P_DEFAULT); }),
             ContainsSubstring("holds a link that leads elsewhere"));
  CHECK_THAT(refusal([](hid_t f) {
               const hid_t group = H5Gcreate2(f, "x", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
               H5Lcreate_hard(f, "/", group, "again", H5P_DEFAULT, H5P_DEFAULT);
             }),
             ContainsSubstring("lies too deep"));
  CHECK_THAT(refusal([](hid_t f) { H5Tcommit2(f, "x", H5Tcopy(H5T_NATIVE_INT), 0, 0, 0); }),
             ContainsSubstring("object \"x\" is neither an array nor a folder"));
  CHECK_THAT(refusal([](hid_t f) {
               const hsize_t size = 100;
               const hid_t space = H5Screate_simple(1, &size, nullptr);
               H5Acreate2(f, "step", H5T_NATIVE_INT64, space, H5P_DEFAULT, H5P_DEFAULT);
             }),
             ContainsSubstring("attribute \"step\" is not an integer"));
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
