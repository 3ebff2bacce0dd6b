#include "engine/body_state.hpp"

#include <algorithm>
#include <string_view>

namespace scree::device {

/// One column, by rank on the device and by row on the host.
class BodyState::Lent final : public DeviceRows {
 public:
  Lent(BodyState& state, ColumnStorage& column, Device& device, void* rows)
      : state_(state), column_(column), device_(device), rows_(rows) {
    column.lend(this);
  }
  ~Lent() override {
    try {
      column_.read();
    } catch (...) {  // the device is lost, and with it what it had
      column_.open_overwrite();
      column_.close_write();
    }
    column_.lend(nullptr);
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

  void fetch(std::span<std::byte> host) override {
    const std::size_t bytes = column_.row_bytes();
    std::vector<std::byte> by_rank(host.size());
    device_.download(by_rank.data(), rows_, by_rank.size());
    const auto& row = state_.plan_.row_of_rank;
    for (std::size_t rank = 0; rank < row.size(); ++rank)
      std::memcpy(host.data() + row[rank] * bytes, by_rank.data() + rank * bytes, bytes);
    const bool force = column_.name() == "force";
    if (!(force || column_.name() == "torque") || !state_.wall_wrenches) return;
    for (const auto& [rank, wrench] : state_.wall_wrenches())
      std::memcpy(host.data() + row[rank] * bytes, force ? wrench.force.data() : wrench.torque.data(), bytes);
  }
  void upload() {
    const std::size_t bytes = column_.row_bytes();
    const std::byte* const host = column_.read();
    const auto& row = state_.plan_.row_of_rank;
    std::vector<std::byte> by_rank(row.size() * bytes);
    for (std::size_t rank = 0; rank < row.size(); ++rank)
      std::memcpy(by_rank.data() + rank * bytes, host + row[rank] * bytes, bytes);
    if (!by_rank.empty()) device_.upload(rows_, by_rank.data(), by_rank.size());
    column_.mark_taken();
  }
  ColumnStorage& column() { return column_; }

 private:
  BodyState& state_;
  ColumnStorage& column_;
  Device& device_;
  void* rows_;
};

template <class T>
void BodyState::lend(ColumnStorage& column, Buffer<T>& rows) {
  rows = Buffer<T>(device_);
  rows.resize(plan_.row_of_rank.size());
  lent_.push_back(std::make_unique<Lent>(*this, column, device_, rows.data()));
}

BodyState::BodyState(Device& device, World& world, const DevicePlan& plan)
    : device_(device), world_(world), plan_(plan) {
  // Registered in the order of the host's engine, so that checkpoints have the same columns.
  world.column<Vec3>("reference_position", "m", false);
  world.column<Quat>("reference_orientation", "", false);
  world.column<Vec3>("force", "N");
  world.column<Vec3>("torque", "N m");
  const auto column = [&](const char* name) -> ColumnStorage& { return *world.find_column(name); };
  lend(column("position"), x_);
  lend(column("orientation"), q_);
  lend(column("velocity"), v_);
  lend(column("angular_velocity"), w_);
  lend(column("force"), force_);
  lend(column("torque"), torque_);
  lend(column("reference_position"), x0_);
  lend(column("reference_orientation"), q0_);
  if (world.find_column("external_force")) {
    lend(column("external_force"), external_force_);
    lend(column("external_torque"), external_torque_);
  }
  if (world.cell.any()) {
    world.column<Vec3>("cell_crossings");
    lend(column("cell_crossings"), crossings_);
    wrapped_ = Buffer<std::uint8_t>(device_);
    wrapped_.resize(plan_.row_of_rank.size());
  }
  upload();
}

BodyState::~BodyState() = default;

template <class T, class From>
void BodyState::upload_by_rank(Buffer<T>& to, const From& column) {
  const auto rows = column.read();
  static_assert(sizeof(rows[0]) == sizeof(T));
  std::vector<T> by_rank(plan_.row_of_rank.size());
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank)
    std::memcpy(static_cast<void*>(&by_rank[rank]), static_cast<const void*>(&rows[plan_.row_of_rank[rank]]),
                sizeof(T));
  to = Buffer<T>(device_, by_rank);
}

void BodyState::upload() {
  for (const auto& lent : lent_) lent->upload();
  upload_by_rank(mass_, world_.mass);
  upload_by_rank(inverse_mass_, world_.inverse_mass);
  upload_by_rank(radius_, world_.radius);
  upload_by_rank(moments_, world_.inertia);
  upload_by_rank(inverse_moments_, world_.inverse_inertia);
  first_site_ = Buffer<std::uint32_t>(device_, plan_.first_site);
}

bool BodyState::upload_changes() {
  bool any = false;
  for (const auto& lent : lent_)
    if (lent->column().host_is_newer()) lent->upload(), any = true;
  return any;
}

bool BodyState::lacks_external_wrenches() const {
  return external_force_.data() == nullptr && world_.find_column("external_force") && !plan_.row_of_rank.empty();
}

void BodyState::mark_newer() {
  for (const auto& lent : lent_) lent->column().mark_device_newer();
}

Bodies BodyState::view() const {
  Bodies b;
  b.count = static_cast<std::uint32_t>(plan_.row_of_rank.size());
  b.x = x_.data(), b.v = v_.data(), b.w = w_.data(), b.q = q_.data();
  b.mass = mass_.data(), b.inverse_mass = inverse_mass_.data(), b.radius = radius_.data();
  b.moments = moments_.data(), b.inverse_moments = inverse_moments_.data();
  b.first_site = first_site_.data();
  b.force = force_.data(), b.torque = torque_.data();
  b.external_force = external_force_.data(), b.external_torque = external_torque_.data();
  return b;
}

void BodyState::take_reference() {
  if (const PeriodicCell& cell = world_.cell; cell.any()) {
    const Bodies bodies = view();
    device_.run(bodies.count, WrapBodies{bodies,
                                         {cell.lower[0], cell.lower[1], cell.lower[2]},
                                         {cell.length(0), cell.length(1), cell.length(2)},
                                         crossings_.data(),
                                         wrapped_.data()});
  }
  x0_.copy_from(x_);
  q0_.copy_from(q_);
}

}  // namespace scree::device
