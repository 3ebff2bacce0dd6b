#include "scree/plugin/surface_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstring>
#include <fstream>
#include <sstream>

#include "scree/base/error.hpp"

namespace scree {

static_assert(std::endian::native == std::endian::little, "binary STL is read as it lies in memory");

namespace {

/// A file of text, for messages.
struct TextPlace {
  const std::string &name, &pointer;
  std::size_t line = 0;

  [[noreturn]] void fail(const std::string& what) const {
    throw OptionError(pointer, fmt::format("\"{}\", line {}: {}", name, line, what));
  }
};

Vec3 read_point(std::istream& words, const TextPlace& place, const char* example) {
  Vec3 p;
  if (!(words >> p[0] >> p[1] >> p[2])) place.fail(fmt::format("no three numbers; expected \"{}\".", example));
  return p;
}

/// One corner of an OBJ face, "7", "7/1" or "7//3"; below 0 counts back from the last vertex.
std::uint32_t read_corner(const std::string& word, std::size_t vertices, const TextPlace& place) {
  long long index = 0;
  std::istringstream number(word.substr(0, word.find('/')));
  if (!(number >> index) || !number.eof() || index == 0)
    place.fail(fmt::format("\"{}\" is no corner; expected the number of a vertex, from 1.", word));
  const long long at = index > 0 ? index - 1 : static_cast<long long>(vertices) + index;
  if (at < 0 || at >= static_cast<long long>(vertices))
    place.fail(fmt::format("the face names vertex {}; {} vertices precede it.", index, vertices));
  return static_cast<std::uint32_t>(at);
}

SurfaceMesh parse_text_stl(const std::string& text, const std::string& name, const std::string& pointer) {
  SurfaceMesh body;
  TextPlace place{name, pointer};
  std::istringstream lines(text);
  std::vector<std::uint32_t> corners;
  for (std::string line; std::getline(lines, line);) {
    ++place.line;
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "vertex") {
      corners.push_back(static_cast<std::uint32_t>(body.vertices.size()));
      body.vertices.push_back(read_point(words, place, "vertex 0 0 1"));
    } else if (word == "endloop") {
      if (corners.size() != 3) place.fail(fmt::format("a triangle of {} vertices; expected 3.", corners.size()));
      body.faces.push_back(std::move(corners));
      corners.clear();
    }
  }
  return body;
}

constexpr std::size_t kStlHeader = 84, kStlTriangle = 50;

/// Number of triangles a binary STL file says it has; the size of the file tells whether it is one.
std::size_t count_of_stl(const std::string& contents) {
  std::uint32_t count = 0;
  if (contents.size() >= kStlHeader) std::memcpy(&count, contents.data() + 80, sizeof count);
  return count;
}

}  // namespace

SurfaceMesh parse_obj(const std::string& text, const std::string& name, const std::string& pointer) {
  SurfaceMesh body;
  TextPlace place{name, pointer};
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    ++place.line;
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "v") body.vertices.push_back(read_point(words, place, "v 0 0 1"));
    if (word != "f") continue;
    std::vector<std::uint32_t>& face = body.faces.emplace_back();
    while (words >> word) face.push_back(read_corner(word, body.vertices.size(), place));
  }
  return body;
}

SurfaceMesh parse_stl(const std::string& contents, const std::string& name, const std::string& pointer) {
  const std::size_t count = count_of_stl(contents);
  if (contents.size() < kStlHeader || contents.size() != kStlHeader + count * kStlTriangle) {
    if (contents.starts_with("solid")) return parse_text_stl(contents, name, pointer);
    throw OptionError(pointer,
                      fmt::format("\"{}\" is no STL file: it neither begins with \"solid\", nor has the {} bytes "
                                  "of a binary file of {} triangles, but {}.",
                                  name, kStlHeader + count * kStlTriangle, count, contents.size()));
  }
  SurfaceMesh body;
  for (std::size_t t = 0; t < count; ++t) {
    float number[12];
    std::memcpy(number, contents.data() + kStlHeader + t * kStlTriangle, sizeof number);
    const auto first = static_cast<std::uint32_t>(body.vertices.size());
    for (int k = 1; k < 4; ++k) body.vertices.emplace_back(number[3 * k], number[3 * k + 1], number[3 * k + 2]);
    body.faces.push_back({first, first + 1, first + 2});
  }
  return body;
}

SurfaceMesh read_surface(const std::filesystem::path& path, const std::string& pointer) {
  std::stringstream contents;
  contents << std::ifstream(path, std::ios::binary).rdbuf();
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".obj") return parse_obj(contents.str(), path.string(), pointer);
  if (ending == ".stl") return parse_stl(contents.str(), path.string(), pointer);
  throw OptionError(pointer, fmt::format("\"{}\" ends with \"{}\"; files that end with .obj or .stl can be read.",
                                         path.string(), ending));
}

}  // namespace scree
