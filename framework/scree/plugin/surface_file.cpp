#include "scree/plugin/surface_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>

#include "scree/base/error.hpp"
#include "scree/base/text_lines.hpp"
#include "scree/scene/options.hpp"

namespace scree {

static_assert(std::endian::native == std::endian::little, "binary STL is read as it lies in memory");

namespace {

constexpr const char* kExport = "Export the surface as STL, OBJ or PLY, with the ending of its kind.";

/// Lines of a text and their words, without copies: files have millions.
class SurfaceText {
 public:
  SurfaceText(std::string_view text, const std::string& name, const std::string& pointer)
      : rest_(text), name_(name), pointer_(pointer) {}

  bool next_line() {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    return true;
  }

  /// Returns the next word of the line, or "" at its end.
  std::string_view word() {
    const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
    const auto begin = std::find_if_not(line_.begin(), line_.end(), blank),
               end = std::find_if(begin, line_.end(), blank);
    const std::string_view found(begin, end);
    line_ = {end, line_.end()};
    return found;
  }

  /// Returns the number that a word is, if it is a finite one; a plus is allowed.
  static std::optional<double> number(std::string_view word) {
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    return parse_number<double>(word);
  }

  Vec3 place(const char* example) {
    Vec3 p;
    for (int k = 0; k < 3; ++k) {
      const std::string_view w = word();
      const std::optional<double> x = number(w);
      if (!x)
        fail(fmt::format("{}; expected \"{}\".",
                         w.empty() ? "no three numbers" : fmt::format("\"{:.40}\" is no finite number", w), example));
      p[k] = *x;
    }
    return p;
  }

  /// Returns what lies behind this line.
  std::string_view rest() const { return rest_; }
  /// Returns the bytes that were not read, of this line too.
  std::size_t left() const { return line_.size() + rest_.size(); }

  [[noreturn]] void fail(const std::string& what) const {
    throw OptionError(pointer_, fmt::format("\"{}\", line {}: {}", name_, number_, what));
  }

 private:
  std::string_view rest_, line_;
  const std::string &name_, &pointer_;
  std::size_t number_ = 0;
};

/// Tells the kind of a file by its beginning, as a part of a message; "" if that is not known.
std::string begins_like(std::string_view contents) {
  if (contents.empty()) return ": it is empty";
  constexpr std::string_view kKinds[][2] = {
      {"ply", "a PLY file"},        {"solid", "an STL file"}, {"v ", "an OBJ file"},   {"# ", "an OBJ file"},
      {"ISO-10303", "a STEP file"}, {"OFF", "an OFF file"},   {"PK", "a ZIP archive"}, {"<", "an XML or HTML file"}};
  for (const auto& [beginning, kind] : kKinds)
    if (contents.starts_with(beginning)) return fmt::format(": it begins like {}", kind);
  return "";
}

/// Number of a vertex that a list of corners gives. \throws OptionError
std::uint32_t corner(double v, std::size_t face, std::size_t vertices, const std::string& file,
                     const std::string& pointer) {
  if (!(v >= 0 && v < static_cast<double>(vertices)))
    throw OptionError(
        pointer, fmt::format("{}face {} names vertex {:.0f}; there are {}, numbered from 0.", file, face, v, vertices));
  return static_cast<std::uint32_t>(v);
}

/// The surface of a file, once it was checked. \throws OptionError
SurfaceMesh checked(SurfaceMesh surface, std::string_view contents, const std::string& name,
                    const std::string& pointer) {
  if (surface.faces.empty())
    throw OptionError(pointer, fmt::format("\"{}\" has no faces{}. {}", name, begins_like(contents), kExport));
  for (std::size_t v = 0; v < surface.vertices.size(); ++v)
    if (const Vec3& p = surface.vertices[v]; !p.allFinite())
      throw OptionError(pointer,
                        fmt::format("\"{}\": vertex {} is ({}, {}, {}); places are finite numbers. Vertices are "
                                    "numbered from 0. Export the surface again without it.",
                                    name, v, p[0], p[1], p[2]));
  for (std::size_t f = 0; f < surface.faces.size(); ++f)
    if (const std::size_t corners = surface.faces[f].size(); corners < 3)
      throw OptionError(pointer, fmt::format("\"{}\": face {} has {} corners; a face has 3 or more. Faces are numbered "
                                             "from 0. Export the surface again without it.",
                                             name, f, corners));
  return surface;
}

/// One corner of an OBJ face, "7", "7/1" or "7//3"; below 0 counts back from the last vertex.
std::uint32_t obj_corner(std::string_view word, std::size_t vertices, const SurfaceText& text) {
  const std::optional<long long> index = parse_number<long long>(word.substr(0, word.find('/')));
  if (!index || *index == 0)
    text.fail(fmt::format("\"{:.40}\" is no corner; expected the number of a vertex, from 1.", word));
  const auto count = static_cast<long long>(vertices);
  if (*index > count || *index < -count)
    text.fail(fmt::format("the face names vertex {}; {} vertices precede it.", *index, vertices));
  return static_cast<std::uint32_t>(*index > 0 ? *index - 1 : count + *index);
}

/// Compares a word of a text STL, which some programs write in capitals.
bool is_word(std::string_view word, std::string_view small) {
  return std::ranges::equal(word, small, {}, [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
}

SurfaceMesh parse_text_stl(const std::string& contents, const std::string& name, const std::string& pointer) {
  SurfaceMesh body;
  SurfaceText text(contents, name, pointer);
  std::vector<std::uint32_t> corners;
  body.vertices.reserve(contents.size() /
                        64);  // a line of a vertex and its share of the others have about as many bytes
  bool ended = false;
  while (text.next_line()) {
    const std::string_view word = text.word();
    if (!word.empty()) ended = is_word(word, "endsolid");
    if (is_word(word, "vertex")) {
      corners.push_back(static_cast<std::uint32_t>(body.vertices.size()));
      body.vertices.push_back(text.place("vertex 0 0 1"));
    } else if (is_word(word, "endloop")) {
      if (corners.size() != 3) text.fail(fmt::format("a triangle of {} vertices; expected 3.", corners.size()));
      body.faces.push_back(corners);
      corners.clear();
    }
  }
  if (!ended) text.fail("the file ends without \"endsolid\": it was cut off. Export the surface again.");
  return body;
}

constexpr std::size_t kStlHeader = 84, kStlTriangle = 50;

/// Number of triangles a binary STL file says it has; the size of the file tells whether it is one.
std::size_t count_of_stl(const std::string& contents) {
  std::uint32_t count = 0;
  if (contents.size() >= kStlHeader) std::memcpy(&count, contents.data() + 80, sizeof count);
  return count;
}

struct PlyProperty {
  std::string_view name;
  int type;         ///< index into kPlyTypes
  int length_type;  ///< type of the length of a list; -1: a single value
};

struct PlyElement {
  std::string_view name;
  std::size_t count;
  std::vector<PlyProperty> properties;
};

constexpr std::string_view kPlyTypes[][2] = {{"char", "int8"},     {"uchar", "uint8"},   {"short", "int16"},
                                             {"ushort", "uint16"}, {"int", "int32"},     {"uint", "uint32"},
                                             {"float", "float32"}, {"double", "float64"}};
constexpr std::size_t kPlySizes[] = {1, 1, 2, 2, 4, 4, 4, 8};

/// Reads the parts of a PLY file one after the other.
class PlyFile {
 public:
  PlyFile(const std::string& contents, const std::string& name, const std::string& pointer)
      : text_(contents, name, pointer), name_(name), pointer_(pointer) {
    read_header();
    bytes_ = text_.rest();
  }

  SurfaceMesh read() {
    SurfaceMesh surface;
    for (const PlyElement& element : elements_) {
      expect_room(element);
      const PlyProperty* corners = nullptr;
      for (const PlyProperty& p : element.properties)
        if (element.name == "face" && p.length_type >= 0 && (p.name == "vertex_indices" || p.name == "vertex_index"))
          corners = &p;
      for (place_ = 0; place_ < element.count; ++place_) read_one(element, corners, surface);
    }
    return surface;
  }

 private:
  void read_header() {
    std::string_view format, word;
    text_.next_line();
    do {
      if (!text_.next_line()) text_.fail("the header has no line \"end_header\".");
      word = text_.word();
      if (word == "format") format = text_.word();
      if (word == "element") {
        const std::string_view element = text_.word();
        const std::optional<std::size_t> count = parse_number<std::size_t>(text_.word());
        if (!count) text_.fail("expected \"element\", a name and a count, as \"element vertex 8\".");
        elements_.push_back({element, *count, {}});
      }
      if (word == "property") read_property();
    } while (word != "end_header");
    if (format != "ascii" && format != "binary_little_endian" && format != "binary_big_endian")
      text_.fail(
          fmt::format("the format is \"{:.40}\"; expected ascii, binary_little_endian or binary_big_endian.", format));
    is_text_ = format == "ascii";
    swapped_ = format == "binary_big_endian";
    const auto vertex = std::ranges::find(elements_, "vertex", &PlyElement::name);
    vertices_ = vertex == elements_.end() ? 0 : vertex->count;
    for (const std::string_view axis : {"x", "y", "z"})
      if (vertex == elements_.end() || std::ranges::count(vertex->properties, axis, &PlyProperty::name) != 1)
        text_.fail(fmt::format("the header has no element \"vertex\" with one property {}.", axis));
  }

  void read_property() {
    if (elements_.empty()) text_.fail("a property precedes all elements.");
    std::string_view word = text_.word();
    const bool list = word == "list";
    const int length_type = list ? type_of(text_.word()) : -1;
    if (list) word = text_.word();
    const int type = type_of(word);
    elements_.back().properties.push_back({text_.word(), type, length_type});
  }

  int type_of(std::string_view word) const {
    for (int k = 0; k < 8; ++k)
      if (std::ranges::count(kPlyTypes[k], word)) return k;
    text_.fail(
        fmt::format("\"{:.40}\" is no type of a property; expected char, uchar, short, ushort, int, uint, float, "
                    "double, or \"list\" and two of them.",
                    word));
  }

  /// Refuses counts that the file is too short for, before memory is asked for.
  void expect_room(const PlyElement& element) const {
    std::size_t least = 0;
    for (const PlyProperty& p : element.properties)
      least += is_text_ ? 2 : kPlySizes[p.length_type >= 0 ? p.length_type : p.type];
    if (element.count > (left() + 1) / std::max<std::size_t>(least, 1))
      throw OptionError(pointer_, fmt::format("\"{}\" announces {} of \"{:.40}\", of {} bytes or more each; {} bytes "
                                              "follow. Export the surface again: the file was cut off.",
                                              name_, element.count, element.name, least, left()));
  }

  void read_one(const PlyElement& element, const PlyProperty* corners, SurfaceMesh& surface) {
    if (element.name == "vertex") surface.vertices.push_back(Vec3::Zero());
    for (const PlyProperty& p : element.properties) {
      if (p.length_type < 0) {
        const double x = value(element, p.type);
        if (element.name == "vertex" && p.name.size() == 1 && p.name[0] >= 'x' && p.name[0] <= 'z')
          surface.vertices.back()[p.name[0] - 'x'] = x;
        continue;
      }
      const double length = value(element, p.length_type);
      if (!(length >= 0 && length <= static_cast<double>(left() + 1)))
        fail(element,
             fmt::format("a list of {:.0f} values; {} bytes follow. Export the surface again.", length, left()));
      std::vector<std::uint32_t>* const face = &p == corners ? &surface.faces.emplace_back() : nullptr;
      for (double k = 0; k < length; ++k) {
        const double v = value(element, p.type);
        if (face) face->push_back(corner(v, place_, vertices_, fmt::format("\"{}\": ", name_), pointer_));
      }
    }
  }

  double value(const PlyElement& element, int type) {
    if (is_text_) {
      std::string_view word = text_.word();
      while (word.empty() && text_.next_line()) word = text_.word();
      if (word.empty()) fail(element, "the file ends here. Export the surface again.");
      const std::optional<double> x = SurfaceText::number(word);
      if (!x) text_.fail(fmt::format("\"{:.40}\" is no finite number.", word));
      return *x;
    }
    const std::size_t size = kPlySizes[type];
    if (bytes_.size() < size) fail(element, "the file ends here. Export the surface again.");
    char bytes[8];
    std::copy_n(bytes_.data(), size, bytes);
    bytes_.remove_prefix(size);
    if (swapped_) std::reverse(bytes, bytes + size);
    const auto as = [&]<class T>(T x) {
      std::memcpy(&x, bytes, sizeof x);
      return static_cast<double>(x);
    };
    switch (type) {
      case 0:
        return as(std::int8_t{});
      case 1:
        return as(std::uint8_t{});
      case 2:
        return as(std::int16_t{});
      case 3:
        return as(std::uint16_t{});
      case 4:
        return as(std::int32_t{});
      case 5:
        return as(std::uint32_t{});
      case 6:
        return as(float{});
      default:
        return as(double{});
    }
  }

  std::size_t left() const { return is_text_ ? text_.left() : bytes_.size(); }

  [[noreturn]] void fail(const PlyElement& element, const std::string& what) const {
    throw OptionError(pointer_, fmt::format("\"{}\", {:.40} {}: {}", name_, element.name, place_, what));
  }

  SurfaceText text_;
  std::string_view bytes_;
  const std::string &name_, &pointer_;
  std::vector<PlyElement> elements_;
  bool is_text_ = false, swapped_ = false;
  std::size_t vertices_ = 0, place_ = 0;
};

}  // namespace

SurfaceMesh parse_obj(const std::string& contents, const std::string& name, const std::string& pointer) {
  SurfaceMesh body;
  SurfaceText text(contents, name, pointer);
  while (text.next_line()) {
    std::string_view word = text.word();
    if (word == "v") body.vertices.push_back(text.place("v 0 0 1"));
    if (word != "f") continue;
    std::vector<std::uint32_t>& face = body.faces.emplace_back();
    while (!(word = text.word()).empty()) face.push_back(obj_corner(word, body.vertices.size(), text));
  }
  return checked(std::move(body), contents, name, pointer);
}

SurfaceMesh parse_stl(const std::string& contents, const std::string& name, const std::string& pointer) {
  const std::size_t count = count_of_stl(contents);
  if (contents.size() < kStlHeader || contents.size() != kStlHeader + count * kStlTriangle) {
    SurfaceText text(contents, name, pointer);
    if (text.next_line() && is_word(text.word(), "solid") && contents.find('\0') == std::string::npos)
      return checked(parse_text_stl(contents, name, pointer), contents, name, pointer);
    throw OptionError(pointer, fmt::format("\"{}\" is no STL file{}. It neither begins with \"solid\" and is text, nor "
                                           "has the {} bytes of a binary file of {} triangles, but {}. {}",
                                           name, begins_like(contents), kStlHeader + count * kStlTriangle, count,
                                           contents.size(), kExport));
  }
  SurfaceMesh body;
  body.vertices.reserve(3 * count);
  body.faces.reserve(count);
  for (std::size_t t = 0; t < count; ++t) {
    float number[12];
    std::memcpy(number, contents.data() + kStlHeader + t * kStlTriangle, sizeof number);
    const auto first = static_cast<std::uint32_t>(body.vertices.size());
    for (int k = 1; k < 4; ++k) body.vertices.emplace_back(number[3 * k], number[3 * k + 1], number[3 * k + 2]);
    body.faces.push_back({first, first + 1, first + 2});
  }
  return checked(std::move(body), contents, name, pointer);
}

SurfaceMesh parse_ply(const std::string& contents, const std::string& name, const std::string& pointer) {
  if (!contents.starts_with("ply\n") && !contents.starts_with("ply\r\n"))
    throw OptionError(pointer, fmt::format("\"{}\" is no PLY file{}. It does not begin with a line \"ply\". {}", name,
                                           begins_like(contents), kExport));
  return checked(PlyFile(contents, name, pointer).read(), contents, name, pointer);
}

SurfaceMesh read_surface(const std::filesystem::path& path, const std::string& pointer) {
  std::string contents(std::filesystem::file_size(path), '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file.read(contents.data(), static_cast<std::streamsize>(contents.size())))
    throw OptionError(pointer, fmt::format("\"{}\" cannot be read to its end.", path.string()));
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".obj") return parse_obj(contents, path.string(), pointer);
  if (ending == ".stl") return parse_stl(contents, path.string(), pointer);
  if (ending == ".ply") return parse_ply(contents, path.string(), pointer);
  throw OptionError(pointer, fmt::format("\"{}\" ends with \"{}\"; files that end with .stl, .obj or .ply can be read.",
                                         path.string(), ending));
}

SurfaceMesh read_surface(const Options& options) {
  if (options.has("file") == options.has("vertices"))
    throw OptionError("", "the surface is either a \"file\", or \"vertices\" and \"faces\"; give one of the two.");
  if (options.has("faces") != options.has("vertices"))
    throw OptionError("", "\"vertices\" and \"faces\" belong together; give both, or a \"file\".");
  if (options.has("file")) return read_surface(options.file("file"), "/file");
  SurfaceMesh surface;
  for (const Options& vertex : options.objects("vertices")) {
    const std::vector<double> x = vertex.as_numbers();
    surface.vertices.emplace_back(x[0], x[1], x[2]);
  }
  for (const Options& face : options.objects("faces")) {
    const std::size_t number = surface.faces.size();
    std::vector<std::uint32_t>& corners = surface.faces.emplace_back();
    for (const double v : face.as_numbers())
      corners.push_back(corner(v, number, surface.vertices.size(), "", "/faces"));
  }
  return surface;
}

}  // namespace scree
