#include "on_device.hpp"

#include <fmt/format.h>

#include "scree/device/table_bytes.hpp"

namespace scree::nodes_to_surface {

std::vector<std::byte> NodesOnDevice::tables(std::span<const std::uint32_t> shapes) const {
  std::vector<device::OutlineTable> entries(outlines_.size());
  device::TableBytes tables;
  tables.append(std::span(entries));
  for (const std::uint32_t shape : shapes) {
    const Outline& outline = outlines_[shape];
    std::vector<PlanarVector> nodes;
    for (const Vec3& node : outline.nodes) nodes.push_back({node[0], node[1]});
    entries[shape] = {static_cast<std::uint32_t>(nodes.size()), tables.append(std::span(nodes)), outline.spacing};
  }
  tables.overwrite(0, std::span<const device::OutlineTable>(entries));
  return tables.take();
}

std::string NodesOnDevice::trouble(int, const device::NamedBody& a, const device::NamedBody& b) const {
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
