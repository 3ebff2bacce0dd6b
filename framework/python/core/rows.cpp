#include <cstring>
#include <map>
#include <stdexcept>

#include "core.hpp"
#include "scree/world/world.hpp"

namespace scree::python {

namespace {

/// Columns of bodies where they lie in memory, while rows are held in place.
class Rows {
 public:
  explicit Rows(std::shared_ptr<Core> core) : core_(std::move(core)) {
    core_->world();
    ++core_->held_rows;
  }
  ~Rows() { close(); }  // what cannot be set is put back without a word
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  /// Returns an array over a column's memory: the caller lets nobody use it after close().
  py::array view(const std::string& name) {
    require_open();
    World& world = core_->world();
    const ColumnStorage& column = column_of(world, name);
    const std::byte* rows = column.read();
    return py::array(dtype_of(column.type()), shape_of(column, world.owned()), rows, py::cast(core_));
  }

  /// Opens a column for writing, until close().
  void open(const std::string& name) {
    require_open();
    ColumnStorage& column = column_of(core_->world(), name);
    if (written_.contains(&column)) return;
    const std::byte* rows = column.open_write();
    written_[&column].assign(rows, rows + column.rows() * column.row_bytes());
  }

  /// Ends the use of all views. Bodies whose state was changed are marked as moved. What may not be set is put back.
  /// \return text of the error that this is; "" without one
  std::string close() {
    if (closed_) return "";
    closed_ = true;
    --core_->held_rows;
    if (written_.empty()) return "";
    World& world = core_->world();
    std::vector<bool> changed(world.size());
    std::string fault;
    for (auto& [column, before] : written_) {
      if (moves_bodies(column->name())) {
        put_back(world, *column, before, fault);
        note_changes(*column, before, changed);
      }
      column->close_write();
    }
    written_.clear();
    std::vector<Id> moved;
    const auto ids = world.id.read();
    for (std::size_t row = 0; row < changed.size(); ++row)
      if (changed[row]) moved.push_back(ids[row]);
    if (!moved.empty()) world.mark_moved(moved);
    return fault;
  }

 private:
  void require_open() const {
    if (closed_) throw std::runtime_error("rows are closed.");
  }
  static bool moves_bodies(const std::string& name) {
    return name == "position" || name == "orientation" || name == "velocity" || name == "angular_velocity";
  }
  /// Puts values of bodies back that do not move freely.
  static void put_back(const World& world, ColumnStorage& column, const std::vector<std::byte>& before,
                       std::string& fault) {
    const std::size_t bytes = column.row_bytes();
    std::byte* now = column.open_write();
    for (std::size_t row = 0; row < world.size(); ++row) {
      const std::byte* old = before.data() + row * bytes;
      if (!is_held(world, column.name(), row) || std::memcmp(now + row * bytes, old, bytes) == 0) continue;
      std::memcpy(now + row * bytes, old, bytes);
      if (fault.empty()) fault = held_text(world, column.name(), row);
    }
    column.close_write();
  }
  static void note_changes(const ColumnStorage& column, const std::vector<std::byte>& before,
                           std::vector<bool>& changed) {
    const std::size_t bytes = column.row_bytes();
    const std::byte* now = column.read();
    for (std::size_t row = 0; row < changed.size(); ++row)
      if (std::memcmp(now + row * bytes, before.data() + row * bytes, bytes) != 0) changed[row] = true;
  }

  std::shared_ptr<Core> core_;
  std::map<ColumnStorage*, std::vector<std::byte>> written_;  ///< columns open for writing, with earlier rows
  bool closed_ = false;
};

}  // namespace

void bind_rows(py::module_& module) {
  py::class_<Rows>(module, "Rows")
      .def(py::init<std::shared_ptr<Core>>())
      .def("view", &Rows::view)
      .def("open", &Rows::open)
      .def("close", &Rows::close);
}

}  // namespace scree::python
