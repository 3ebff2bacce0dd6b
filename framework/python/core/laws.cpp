#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "core.hpp"
#include "scree/base/version.hpp"
#include "scree/plugin/registry.hpp"

namespace scree::python {

namespace {

/// Returns a reference to an object of Python that any thread may let go.
std::shared_ptr<py::object> held(py::object object) {
  return {new py::object(std::move(object)), [](py::object* o) {
            const py::gil_scoped_acquire gil;
            delete o;
          }};
}

/// Law whose formulas are in Python: an object of scree.Law. Its methods get copies of the columns, as arrays, and give
/// arrays back. A law without range gets contacts that touch, and gaps have no force.
class PythonLaw final : public ContactLaw, public ForceFace {
 public:
  PythonLaw(const py::object& law, std::shared_ptr<Raised> raised) : law_(held(law)), raised_(std::move(raised)) {
    const py::dict what = law.attr("_interface")();
    for (const auto& name : what["needs"].cast<std::vector<std::string>>()) {
      needs_.mass |= name == "mass";
      needs_.radius |= name == "radius";
      needs_.spin |= name == "spin";
      needs_.turn |= name == "turn";
      needs_.moment |= name == "moment";
    }
    history_ = what["history"].cast<int>();
    range_ = what["range"].cast<double>();
    has_energy_ = what["has_energy"].cast<bool>();
    contact_inputs_ = what["contact_inputs"].cast<std::vector<std::string>>();
    body_inputs_ = what["body_inputs"].cast<std::vector<std::string>>();
    contact_names_.assign(contact_inputs_.begin(), contact_inputs_.end());
    body_names_.assign(body_inputs_.begin(), body_inputs_.end());
  }

  std::span<const std::string_view> contact_inputs() const noexcept override { return contact_names_; }
  std::span<const std::string_view> body_inputs() const noexcept override { return body_names_; }
  double range() const noexcept override { return range_; }
  const void* face(std::string_view name) const noexcept override {
    return name == ForceFace::kName ? static_cast<const ForceFace*>(this) : nullptr;
  }

  ForceNeeds needs() const noexcept override { return needs_; }
  int history_size() const noexcept override { return history_; }

  void force(const ContactColumns& c, const double* const* last, double* const* now, ForceColumns out) const override {
    for (double* column : out.force) std::fill_n(column, c.size, 0.0);
    if (needs_.moment)
      for (double* column : out.moment) std::fill_n(column, c.size, 0.0);
    for (int k = 0; k < history_; ++k) std::fill_n(now[k], c.size, 0.0);
    const std::vector<std::size_t> of = contacts_in_range(c);
    if (of.empty()) return;
    call([&] {
      const py::tuple result = law_->attr("_force")(columns(c, of, last));
      put(result[0], of, out.force, 3);
      if (needs_.moment) put(result[1], of, out.moment, 3);
      if (history_ > 0) put(result[2], of, now, history_);
    });
  }

  void energy(const ContactColumns& c, const double* const* history, double* energy) const override {
    std::fill_n(energy, c.size, 0.0);
    const std::vector<std::size_t> of = has_energy_ ? contacts_in_range(c) : std::vector<std::size_t>();
    if (!of.empty()) call([&] { put(law_->attr("_energy")(columns(c, of, history)), of, &energy, 1); });
  }

  double contact_duration(double reduced_mass, double reduced_radius) const noexcept override {
    double duration = std::numeric_limits<double>::infinity();
    try {
      call([&] { duration = law_->attr("_duration")(reduced_mass, reduced_radius).cast<double>(); });
    } catch (const std::exception&) {  // kept in raised_: the next force() throws it
    }
    return duration;
  }

 private:
  /// Calls f() with the interpreter. The error of Python is kept for the caller of the simulation.
  template <class F>
  void call(const F& f) const {
    const py::gil_scoped_acquire gil;
    if (raised_->error) throw std::runtime_error("a method in Python has failed before.");
    try {
      f();
    } catch (const py::error_already_set& error) {
      raised_->error.emplace(error);
      throw std::runtime_error(error.what());
    }
  }

  std::vector<std::size_t> contacts_in_range(const ContactColumns& c) const {
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < c.size; ++i)
      if (c.overlap[i] > 0 || (range_ > 0 && c.overlap[i] > -range_)) of.push_back(i);
    return of;
  }

  /// Returns columns of some contacts as an array (n, components), a column after the other in memory.
  static py::array array_of(const double* const* columns, int components, const std::vector<std::size_t>& of) {
    const auto n = static_cast<py::ssize_t>(of.size());
    py::array_t<double, py::array::f_style> array({n, static_cast<py::ssize_t>(components)});
    double* to = array.mutable_data();
    for (int k = 0; k < components; ++k)
      for (const std::size_t i : of) *to++ = columns[k][i];
    return array;
  }
  static py::array array_of(const double* column, const std::vector<std::size_t>& of) {
    return array_of(&column, 1, of).reshape({static_cast<py::ssize_t>(of.size())});
  }

  /// \param array  (n, components) numbers, which scree.Law has checked
  static void put(const py::object& array, const std::vector<std::size_t>& of, double* const* columns, int components) {
    const auto values = array.cast<py::array_t<double, py::array::f_style | py::array::forcecast>>();
    const double* from = values.data();
    for (int k = 0; k < components; ++k)
      for (const std::size_t i : of) columns[k][i] = *from++;
  }

  /// Returns what force() of scree.Law reads.
  py::dict columns(const ContactColumns& c, const std::vector<std::size_t>& of, const double* const* history) const {
    py::dict all;
    all["dt"] = c.dt;
    all["overlap"] = array_of(c.overlap, of);
    all["normal"] = array_of(c.normal, 3, of);
    all["velocity"] = array_of(c.velocity, 3, of);
    if (needs_.mass) all["mass"] = array_of(c.mass, of);
    if (needs_.radius) all["radius"] = array_of(c.radius, of);
    if (needs_.spin) all["spin"] = array_of(c.spin, 3, of);
    if (needs_.turn) all["turn"] = array_of(c.turn, 3, of);
    if (history_ > 0) all["history"] = array_of(history, history_, of);
    py::dict quantity, a, b;
    for (std::size_t k = 0; k < contact_inputs_.size(); ++k)
      quantity[py::str(contact_inputs_[k])] = array_of(c.quantity[k], of);
    for (std::size_t k = 0; k < body_inputs_.size(); ++k) {
      a[py::str(body_inputs_[k])] = array_of(c.of_a[k], of);
      b[py::str(body_inputs_[k])] = array_of(c.of_b[k], of);
    }
    all["quantity"] = quantity;
    all["a"] = a;
    all["b"] = b;
    return all;
  }

  std::shared_ptr<py::object> law_;
  std::shared_ptr<Raised> raised_;
  ForceNeeds needs_;
  int history_ = 0;
  double range_ = 0;
  bool has_energy_ = false;
  std::vector<std::string> contact_inputs_, body_inputs_;
  std::vector<std::string_view> contact_names_, body_names_;  ///< of the texts above
};

}  // namespace

std::function<void(Registry&)> python_laws(const std::map<std::string, py::object>& laws, const std::string& schemas,
                                           const std::shared_ptr<Raised>& raised) {
  std::map<std::string, std::shared_ptr<py::object>> all;
  for (const auto& [name, law] : laws) all[name] = held(law);
  return [all, schemas, raised](Registry& registry) {
    registry.add("python", SCREE_VERSION, "<python>", [&](Registrar& registrar) {
      registrar.schemas(schemas.c_str());
      for (const auto& [name, law] : all)
        registrar.law(name, [law = law, raised](const Options& options, const LawContext&) {
          const py::gil_scoped_acquire gil;
          try {
            return std::make_unique<PythonLaw>(law->attr("_with")(options.dump()), raised);
          } catch (const py::error_already_set& error) {
            if (!raised->error) raised->error.emplace(error);
            throw std::runtime_error(error.what());
          }
        });
    });
  };
}

}  // namespace scree::python
