#include "packing/tetrahedra.hpp"

#include <fmt/format.h>

#include "scree/base/error.hpp"
#include "scree/base/memory.hpp"

namespace scree::bonded {

namespace {

FaceArea read_area(const Options& options) {
  return options.text("area") == "face" ? FaceArea::whole : FaceArea::projected;
}

Quat read_orientation(const Options& options) {
  const std::vector<double> q = options.numbers("orientation");
  const Quat turn(q[0], q[1], q[2], q[3]);
  if (!(turn.norm() > 1e-3))
    throw OptionError("/orientation", fmt::format("quaternion [{}, {}, {}, {}] has length {:.3g}; an orientation has "
                                                  "length 1. Give [1, 0, 0, 0] for none.",
                                                  q[0], q[1], q[2], q[3], turn.norm()));
  return turn.normalized();
}

Cuboid read_cuboid(const Options& options, std::uint64_t seed) {
  Cuboid box{options.vector("size"), {}, options.number("jitter"), seed};
  const std::vector<double> cells = options.numbers("cells");
  for (std::size_t k = 0; k < 3; ++k) box.cells[k] = static_cast<int>(cells[k]);
  const double elements = 12 * cells[0] * cells[1] * cells[2];
  if (elements > kMostElements)
    throw OptionError("/cells",
                      fmt::format("{} x {} x {} cells make about {:.2g} elements; at most {:.0e} are possible. "
                                  "Make the cells larger.",
                                  cells[0], cells[1], cells[2], elements, kMostElements));
  constexpr double kBodiesPerElement = 4;  // an element's corners, faces and bonds take as much as three bodies more
  if (const std::string fault = memory_fault(kBodiesPerElement * elements); !fault.empty())
    throw OptionError("/cells",
                      fmt::format("{} x {} x {} cells make about {:.2g} elements: like {}. Make the cells larger.",
                                  cells[0], cells[1], cells[2], elements, fault));
  return box;
}

Elements cut_cuboid(const Options& options, std::uint64_t seed) {
  const Cuboid box = read_cuboid(options, seed);
  const std::string kind = options.text("kind");
  if (kind == "cubic") return cubic_lattice(box);
  return elements_of(kind == "bcc" ? bcc_mesh(box) : kuhn_mesh(box), read_area(options));
}

NamedMesh read_file(const Options& options) {
  const std::filesystem::path file = options.file("file");
  try {
    return read_mesh({file, options.number("unit"), {options.number("min_quality"), options.boolean("allow_pieces")}});
  } catch (const InputError& e) {
    throw OptionError("/file", e.what());
  }
}

/// Exactly one of a file and a cuboid.
void check_source(const Options& options) {
  const bool file = options.has("file"), size = options.has("size"), cells = options.has("cells");
  if (file && (size || cells))
    throw OptionError("/file",
                      "a packing of tetrahedra is a \"file\" or a cuboid of \"size\" and \"cells\"; both are given. "
                      "Remove one.");
  if (!file && !(size && cells))
    throw OptionError("",
                      fmt::format("a packing of tetrahedra needs a \"file\", or \"size\" and \"cells\"; {}. Add {}.",
                                  size    ? "\"cells\" is missing"
                                  : cells ? "\"size\" is missing"
                                          : "none is given",
                                  size    ? "\"cells\""
                                  : cells ? "\"size\""
                                          : "one"));
}

/// From where they were cut to where they lie.
void move(Elements& elements, const Vec3& position, const Quat& turn) {
  for (Vec3& x : elements.centroid) x = position + turn * x;
  for (std::size_t k = 0; k < elements.tetrahedron.size(); k += 3) {
    Eigen::Map<Vec3> corner(&elements.tetrahedron[k]);
    corner = turn * Vec3(corner);
  }
}

}  // namespace

PlacedElements read_tetrahedra(const Options& options, int dimension, std::uint64_t seed) {
  if (dimension != 3)
    throw OptionError(
        "", fmt::format("tetrahedra fill space; the scene has dimension {}. Set \"dimension\": 3.", dimension));
  check_source(options);
  PlacedElements placed;
  if (options.has("file")) {
    NamedMesh mesh = read_file(options);
    placed = {elements_of(mesh.mesh, read_area(options)), std::move(mesh.notes)};
  } else {
    placed.elements = cut_cuboid(options, seed);
  }
  const Quat turn = read_orientation(options);
  move(placed.elements, options.vector("position"), turn);
  return placed;
}

}  // namespace scree::bonded
