#include "packing/read_gmsh.hpp"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#include "scree/base/text_lines.hpp"

namespace scree::bonded {

namespace {

/// Gmsh's numbers of kinds of elements.
enum Kind : std::uint64_t { kTetrahedron = 4, kTetrahedron10 = 11 };

/// Returns the name of another kind of volume element, or "" if it is no volume.
std::string_view volume_kind(std::uint64_t kind) {
  switch (kind) {
    case 5:
    case 12:
    case 17:
      return "hexahedron";
    case 6:
    case 13:
    case 18:
      return "prism";
    case 7:
    case 14:
    case 19:
      return "pyramid";
    case 29:
    case 30:
    case 31:
      return "tetrahedron of third or higher order";
    default:
      return "";
  }
}

/// The file, line by line, number by number.
class GmshLines : public TextLines {
 public:
  using TextLines::TextLines;

  void require_next(std::string_view wanted) {
    if (!next()) fail(fmt::format("the file ends where {} should be. Is it complete?", wanted));
  }
  std::uint64_t whole(std::string_view what) { return parsed<std::uint64_t>(what, "a whole number"); }
  double real(std::string_view what) { return parsed<double>(what, "a number"); }

 private:
  template <class T>
  T parsed(std::string_view what, std::string_view kind) {
    const std::string_view text = word();
    const auto value = parse_number<T>(text);
    if (!value) fail(fmt::format("expected {}, {}; found \"{}\".", what, kind, text));
    return *value;
  }
};

class GmshReader {
 public:
  GmshReader(std::istream& in, const std::string& name) : lines_(in, name) { out_.file = name; }

  NamedMesh read() {
    while (lines_.next()) {
      const std::string section(lines_.word());
      if (section == "$MeshFormat") {
        read_format();
      } else if (section == "$Nodes") {
        require_format();
        version_ == 2 ? read_nodes_2() : read_nodes_4();
      } else if (section == "$Elements") {
        require_format();
        version_ == 2 ? read_elements_2() : read_elements_4();
      }
    }
    require_format();
    if (second_order_ > 0) out_.notes.push_back(second_order_note(out_.file, second_order_));
    return std::move(out_);
  }

 private:
  void require_format() const {
    if (version_ == 0)
      lines_.fail("is no Gmsh file: it has no $MeshFormat. Allowed are .msh files of format 2.2 or 4.1.");
  }
  void read_format() {
    lines_.require_next("the number of the format");
    const std::string version(lines_.word());
    const std::uint64_t binary = lines_.whole("0 for ASCII or 1 for binary");
    if (version != "2.2" && version != "4.1")
      lines_.fail(fmt::format("format {}; 2.2 and 4.1 are read. Save it anew (Gmsh: -format msh41).", version));
    if (binary != 0) lines_.fail("is binary; ASCII is read. Save it anew (Gmsh: -bin off, or Mesh.Binary = 0).");
    version_ = version == "2.2" ? 2 : 4;
  }

  void add_node(std::uint64_t tag) {
    const double x = lines_.real("x"), y = lines_.real("y"), z = lines_.real("z");
    if (!index_.emplace(tag, static_cast<std::uint32_t>(out_.mesh.vertex.size())).second)
      lines_.fail(fmt::format("node {} is there twice.", tag));
    out_.mesh.vertex.emplace_back(x, y, z);
  }
  void read_nodes_2() {
    lines_.require_next("the number of nodes");
    for (std::uint64_t left = lines_.whole("the number of nodes"); left > 0; --left) {
      lines_.require_next("a node");
      add_node(lines_.whole("a node's number"));
    }
  }
  void read_nodes_4() {
    lines_.require_next("the number of blocks of nodes");
    for (std::uint64_t blocks = lines_.whole("the number of blocks of nodes"); blocks > 0; --blocks) {
      lines_.require_next("a block of nodes");
      for (const auto what : {"dimension", "entity", "whether nodes are parametric"}) lines_.whole(what);
      std::vector<std::uint64_t> tags;
      for (std::uint64_t left = lines_.whole("the number of nodes"); left > 0; --left) {
        lines_.require_next("a node's number");
        tags.push_back(lines_.whole("a node's number"));
      }
      for (const std::uint64_t tag : tags) {
        lines_.require_next("a node's place");
        add_node(tag);
      }
    }
  }

  void read_elements_2() {
    lines_.require_next("the number of elements");
    for (std::uint64_t left = lines_.whole("the number of elements"); left > 0; --left) {
      lines_.require_next("an element");
      const std::uint64_t label = lines_.whole("an element's number"), kind = lines_.whole("an element's kind");
      for (std::uint64_t tags = lines_.whole("the number of its tags"); tags > 0; --tags)
        if (lines_.word().empty()) lines_.fail(fmt::format("element {} has fewer tags than it says.", label));
      add_element(kind, label);
    }
  }
  void read_elements_4() {
    lines_.require_next("the number of blocks of elements");
    for (std::uint64_t blocks = lines_.whole("the number of blocks of elements"); blocks > 0; --blocks) {
      lines_.require_next("a block of elements");
      lines_.whole("dimension"), lines_.whole("entity");
      const std::uint64_t kind = lines_.whole("the kind of its elements");
      for (std::uint64_t left = lines_.whole("the number of elements"); left > 0; --left) {
        lines_.require_next("an element");
        add_element(kind, lines_.whole("an element's number"));
      }
    }
  }
  void add_element(std::uint64_t kind, std::uint64_t label) {
    if (const auto other = volume_kind(kind); !other.empty())
      lines_.fail(
          fmt::format("element {} is a {}; bonded elements are made of tetrahedra of first or second order. Mesh "
                      "with tetrahedra.",
                      label, other));
    if (kind != kTetrahedron && kind != kTetrahedron10) return;
    second_order_ += kind == kTetrahedron10;
    Tetrahedron t;
    for (std::uint32_t& corner : t) {
      const std::uint64_t tag = lines_.whole("a corner's node");
      const auto found = index_.find(tag);
      if (found == index_.end()) lines_.fail(fmt::format("element {} has node {}, which is not there.", label, tag));
      corner = found->second;
    }
    out_.mesh.tetrahedron.push_back(t);
    out_.label.push_back(label);
  }

  GmshLines lines_;
  NamedMesh out_;
  int version_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> index_;  ///< index of nodes, by number
  std::size_t second_order_ = 0;
};

}  // namespace

NamedMesh read_gmsh(std::istream& in, const std::string& name) { return GmshReader(in, name).read(); }

}  // namespace scree::bonded
