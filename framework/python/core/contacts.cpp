#include <cstddef>
#include <cstring>
#include <stdexcept>

#include "core.hpp"
#include "scree/world/world.hpp"

namespace scree::python {

namespace {

/// Builder of a NumPy type with named fields.
class Fields {
 public:
  explicit Fields(std::size_t row_bytes) : row_bytes_(row_bytes) {}
  template <class T>
  void add(const std::string& name, std::size_t offset, int components = 1) {
    names_.append(name);
    if (components == 1)
      formats_.append(py::dtype::of<T>());
    else
      formats_.append(py::make_tuple(py::dtype::of<T>(), components));
    offsets_.append(offset);
  }
  py::dtype type() const {
    py::dict all;
    all["names"] = names_;
    all["formats"] = formats_;
    all["offsets"] = offsets_;
    all["itemsize"] = row_bytes_;
    return py::dtype::from_args(all);
  }

 private:
  std::size_t row_bytes_;
  py::list names_, formats_, offsets_;
};

/// Returns contacts as rows: ids a < b, image, feature, overlap [m], normal from a to b, point [m], force on b [N].
py::array contacts(Core& core) {
  ContactView view;
  if (!core.call())
    core.compute([&](Simulation& simulation) { view = simulation.contacts(); });
  else if (core.world(); core.call()->contacts)
    view = *core.call()->contacts;
  else
    throw std::runtime_error("there are no contacts here: the hook has \"contacts\": false, or the run has not begun.");
  Fields fields(sizeof(ContactRecord));
  fields.add<Id>("a", offsetof(ContactRecord, a));
  fields.add<Id>("b", offsetof(ContactRecord, b));
  fields.add<std::int32_t>("image", offsetof(ContactRecord, image));
  fields.add<std::uint32_t>("feature", offsetof(ContactRecord, feature));
  fields.add<double>("overlap", offsetof(ContactRecord, overlap));
  fields.add<double>("normal", offsetof(ContactRecord, normal), 3);
  fields.add<double>("point", offsetof(ContactRecord, point), 3);
  fields.add<double>("force", offsetof(ContactRecord, force), 3);
  return py::array(fields.type(), {view.size()}, view.data());
}

/// Returns all bonds as rows, with a field for each column of their laws; in a hook without these.
py::array bonds(Core& core) {
  const Bonds& bonds = core.world().bonds();
  BondValues values;
  if (!core.call()) core.compute([&](Simulation& s) { values = s.bonds(); });
  constexpr std::size_t kFixed = 2 * sizeof(Id) + sizeof(std::uint64_t) + 2 * sizeof(double);
  const std::size_t bytes = kFixed + values.columns.size() * sizeof(double);
  Fields fields(bytes);
  fields.add<Id>("a", 0);
  fields.add<Id>("b", 8);
  fields.add<std::uint64_t>("entry", 16);
  fields.add<double>("section", 24);
  fields.add<double>("broken_at", 32);
  for (std::size_t k = 0; k < values.columns.size(); ++k)
    fields.add<double>(values.columns[k].name, kFixed + k * sizeof(double));
  py::array rows(fields.type(), std::vector<py::ssize_t>{static_cast<py::ssize_t>(bonds.size())});
  auto* to = static_cast<std::byte*>(rows.mutable_data());
  const auto put = [&](std::size_t row, std::size_t offset, const auto& value) {
    std::memcpy(to + row * bytes + offset, &value, sizeof value);
  };
  for (std::size_t row = 0; row < bonds.size(); ++row) {
    put(row, 0, bonds.a[row]);
    put(row, 8, bonds.b[row]);
    put(row, 16, std::uint64_t{bonds.entry[row]});
    put(row, 24, bonds.section[row]);
    put(row, 32, bonds.broken_at[row]);
    for (std::size_t k = 0; k < values.columns.size(); ++k)
      put(row, kFixed + k * sizeof(double), values.columns[k].value[row]);
  }
  return rows;
}

}  // namespace

void bind_contacts(py::class_<Core, std::shared_ptr<Core>>& core) {
  core.def("contacts", &contacts).def("bonds", &bonds);
}

}  // namespace scree::python
