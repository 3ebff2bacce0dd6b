#include "on_device.hpp"

#include <fmt/format.h>

#include "scree/device/table_bytes.hpp"

namespace scree::nodes_to_surface {

namespace {

/// Overlaps that the table is true for, over the bounding radius. Deeper, folds of first-order distances begin.
constexpr double kBand = 0.08;

BakedShape bake_outline(const Outline& outline) {
  BakeOptions options;
  options.where =
      fmt::format("detector \"nodes-to-surface\" on a device: the shape of bounding radius {:.4g} m and {} nodes",
                  outline.radius, outline.nodes.size());
  options.band = kBand;
  return bake(*outline.field, outline.radius, outline.nodes, options);
}

}  // namespace

const BakedShape& ShapesOnDevice::baked(std::uint32_t shape) const {
  const auto found = baked_.find(shape);
  if (found != baked_.end()) return found->second;
  return baked_.emplace(shape, bake_outline(outlines_[shape])).first->second;
}

std::vector<std::byte> ShapesOnDevice::tables(std::span<const std::uint32_t> nodes_of,
                                              std::span<const std::uint32_t> fields_of) const {
  std::vector<device::OutlineTable> entries(outlines_.size());
  device::TableBytes tables;
  tables.append(std::span(entries));
  for (const std::uint32_t shape : nodes_of) {
    const Outline& outline = outlines_[shape];
    std::vector<PlanarVector> nodes;
    for (const Vec3& node : outline.nodes) nodes.push_back({node[0], node[1]});
    entries[shape].nodes = static_cast<std::uint32_t>(nodes.size());
    entries[shape].first_node = tables.append(std::span(nodes));
    entries[shape].spacing = outline.spacing;
  }
  for (const std::uint32_t shape : fields_of) {
    if (!outlines_[shape].field) continue;
    const BakedShape& field = baked(shape);
    entries[shape].field = field.field;
    entries[shape].field_nodes = tables.append(std::span(field.bytes));
  }
  tables.overwrite(0, std::span<const device::OutlineTable>(entries));
  return tables.take();
}

std::vector<device::ShapeError> ShapesOnDevice::errors() const {
  std::vector<device::ShapeError> errors;
  for (const auto& [shape, field] : baked_) errors.push_back({shape, field.report.largest_error});
  return errors;
}

device::DeviceStage PairsOnDevice::stage() const {
  static const device::NodesInFields geometry;
  return {"nodes_to_surface", "nodes-to-surface", &geometry};
}

std::string PairsOnDevice::trouble(int, const device::NamedBody& a, const device::NamedBody& b) const {
  return no_normal_text(a.id, b.id);
}
std::string OutlinesOnDevice::trouble(int, const device::NamedBody& a, const device::NamedBody& b) const {
  return no_normal_text(a.id, b.id);
}

std::string no_normal_text(Id a, Id b) {
  return fmt::format(
      "bodies {} and {}: the signed distance has no gradient at their contact, so the contact has no normal; the "
      "overlap "
      "reaches a centre. Use a smaller dt or a stiffer law.",
      a, b);
}

}  // namespace scree::nodes_to_surface
