#include "taubin/on_device.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "outline/crushed.hpp"
#include "scree/base/error.hpp"
#include "scree/device/table_bytes.hpp"
#include "taubin/pair_kernel.hpp"

namespace scree::star {

namespace {

/// Returns the steepest slope of the lines between the samples of both tables, rounded up.
float steepest(const Outline& outline) {
  double most = 0;
  const auto& table = outline.table;
  const auto cells = static_cast<std::size_t>(std::lround(4 * outline.cells_per_unit));
  for (std::size_t i = 0; i < cells; ++i) {
    const double angle = polar_angle(4.0 * static_cast<double>(i + 1) / static_cast<double>(cells)) -
                         polar_angle(4.0 * static_cast<double>(i) / static_cast<double>(cells));
    most =
        std::max(most, std::abs(table[i + 1].r - table[i].r) / std::abs(std::remainder(angle, 2 * std::numbers::pi)));
  }
  return static_cast<float>(1.01 * most);
}

/// A coarse table of r and r' over all directions.
struct SteepTable {
  std::vector<SteepCell> cells;
  double slope_error = 0;  ///< error of r' over r

  explicit SteepTable(const Outline& outline) {
    const auto exact = [&](double q) { return lookup(outline.table.data(), outline.cells_per_unit, q); };
    for (int i = 0; i < kFloatCells; ++i) {
      const RadialSample<double> low = exact(i / kPerUnit), high = exact((i + 1) / kPerUnit);
      const SteepCell cell{static_cast<float>(low.r), static_cast<float>(high.r - low.r), static_cast<float>(low.slope),
                           static_cast<float>(high.slope - low.slope)};
      cells.push_back(cell);
      for (double t = 0; t <= 1; t += 0.125) {
        const RadialSample<double> truth = exact((i + t) / kPerUnit);
        slope_error = std::max(slope_error, std::abs(cell.slope + t * cell.bend - truth.slope) / truth.r);
      }
    }
    cells.push_back(cells.front());  // q = 4
  }
  /// Relative bound of the error of depths beyond Outline::sign_error, as Outline::depth_error.
  float depth_error() const { return static_cast<float>(std::min(1.0, 1.5 * slope_error + 1e-5)); }

 private:
  static constexpr double kPerUnit = kFloatCellsPerUnit;
};

OutlineEntry append(const Outline& outline, device::TableBytes& tables) {
  if (outline.table.empty())
    throw InputError(
        "this device does not run detector \"taubin\" for stars without a table of their radius (table_size 0). Give "
        "them a \"table_size\", or use --device cpu.");
  OutlineEntry entry{};
  entry.centre_x = outline.centre[0], entry.centre_y = outline.centre[1];
  entry.r_max = outline.r_max, entry.r_min = outline.r_min;
  entry.cells_per_unit = outline.cells_per_unit;
  const SteepTable steep(outline);
  entry.sign_error = outline.sign_error, entry.depth_error = steep.depth_error();
  entry.steepest = steepest(outline);
  entry.nodes = static_cast<std::uint32_t>(outline.nodes);
  std::vector<CoarsePoint> coarse;
  for (std::uint32_t i = 0; i < entry.nodes; ++i) coarse.push_back({outline.fx[i], outline.fy[i]});
  entry.points = tables.append(std::span(outline.points).first(entry.nodes));
  entry.edge = tables.append(std::span(outline.edge));
  entry.table = tables.append(std::span(outline.table));
  entry.coarse_points = tables.append(std::span<const CoarsePoint>(coarse));
  entry.coarse_table = tables.append(std::span(steep.cells));
  return entry;
}

}  // namespace

device::DeviceStage StarPairsOnDevice::stage() const {
  static const StarPairs geometry;
  return {"star", "taubin", &geometry};
}

device::DeviceStage StarPairsOnDevice::sized_stage() const {
  static const SizedStarPairs geometry;
  return {"star", "taubin-sizes", &geometry};
}

int StarPairsOnDevice::contacts() const { return StarPairs::kContacts; }

std::size_t StarPairsOnDevice::memory() const { return sizeof(StarRuns); }

std::vector<std::byte> StarPairsOnDevice::tables(std::span<const std::uint32_t> shapes) const {
  std::vector<OutlineEntry> entries(outlines_.of_shape.size());
  device::TableBytes tables;
  tables.append(std::span<const OutlineEntry>(entries));
  for (const std::uint32_t shape : shapes) entries[shape] = append(outlines_[shape], tables);
  tables.overwrite(0, std::span<const OutlineEntry>(entries));
  return tables.take();
}

std::string StarPairsOnDevice::trouble(int code, const device::NamedBody& a, const device::NamedBody& b) const {
  const device::NamedBody& body = code == kCentreOfA ? a : b;
  const Outline& inner = outlines_[body.shape];
  return crushed_text(a.id, b.id, code == kCentreOfA, body.scale * inner.r_min, body.scale * inner.r_max);
}

}  // namespace scree::star
