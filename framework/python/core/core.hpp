#pragma once
/// \file Simulation as the module `scree._core` binds it. One file per topic adds its functions to the module.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scree/run/simulation.hpp"

namespace scree::python {

namespace py = pybind11;

/// Checks that threads can work. A child of a process that has used several cannot use more than one: OpenMP would wait
/// for threads that fork() has not copied. \throws std::runtime_error
void require_threads(int threads);

/// Error of Python that a method in Python has raised, until the call of the simulation ends. The interpreter's lock
/// guards it.
struct Raised {
  std::optional<py::error_already_set> error;
  /// Raises the error in Python, if there is one.
  void raise() {
    if (!error) return;
    const py::error_already_set raised = *error;
    error.reset();
    throw raised;
  }
};

/// Returns what registers laws of Python. \param laws  by name  \param schemas  of their options: schema.json of a
/// plugin
std::function<void(Registry&)> python_laws(const std::map<std::string, py::object>& laws, const std::string& schemas,
                                           const std::shared_ptr<Raised>& raised);

/// Call of a hook by a run: what Python works on meanwhile. Null between calls.
struct HookCall {
  World* world = nullptr;
  const ContactView* contacts = nullptr;  ///< null also where the hook has not asked for them
};

/// Simulation with what Python adds: use by one thread at a time, and rows that are held in place. That of a hook has
/// only the World of the run that calls the hook.
class Core : public std::enable_shared_from_this<Core> {
 public:
  /// \param threads  of the simulation; 0: all
  Core(Simulation simulation, int threads, std::shared_ptr<Raised> raised)
      : simulation_(std::move(simulation)), threads_(threads), raised_(std::move(raised)) {}
  explicit Core(std::shared_ptr<const HookCall> call)
      : call_(std::move(call)), threads_(1), raised_(std::make_shared<Raised>()) {}

  /// Returns the simulation. \throws std::runtime_error (RuntimeError) while another thread steps it, and in a hook
  Simulation& use();
  /// Returns the simulation for a change of its rows. \throws std::runtime_error while rows are held
  Simulation& change();
  /// Returns the World. \throws std::runtime_error while another thread steps it, and between the calls of a hook
  World& world();
  /// Returns the World for a change of its rows. \throws std::runtime_error while rows are held
  World& change_world();
  /// Returns the call of the hook; null for a simulation.
  const HookCall* call() const { return call_.get(); }

  /// Calls f(simulation), which changes rows, with the interpreter free for other threads: those that compute call laws
  /// of Python too.
  template <class F>
  void without_gil(const F& f) {
    change();
    compute(f);
  }
  /// Calls f(simulation), which leaves rows where they are, with the interpreter free for other threads.
  template <class F>
  void compute(const F& f) {
    Simulation& simulation = use();
    require_threads(threads_);
    struct Flag {
      bool& value;
      explicit Flag(bool& v) : value(v) { value = true; }
      ~Flag() { value = false; }
    } flag(busy_);
    try {
      py::gil_scoped_release free;
      f(simulation);
    } catch (...) {
      raised_->raise();
      throw;
    }
    raised_->raise();
  }

  /// Returns rows in the order of ids: entry k is the row of the k-th id.
  std::span<const std::uint32_t> order();
  /// Records that the state is another one: rows may be others at the same layout version.
  void forget_order() { order_of_ = nullptr; }
  /// Checks that bodies added last can take part in the simulation. \throws InputError
  void check_added();

  int held_rows = 0;        ///< number of open Rows
  std::uint64_t batch = 1;  ///< number of steps between two looks at Ctrl-C, from how long the last ones took

 private:
  void require_idle() const;
  void require_no_rows() const;

  std::optional<Simulation> simulation_;  ///< none in a hook
  std::shared_ptr<const HookCall> call_;  ///< of a hook
  int threads_;
  std::shared_ptr<Raised> raised_;
  bool busy_ = false;  ///< true while a thread works without the interpreter; guarded by the interpreter's lock
  std::vector<std::uint32_t> order_;
  const World* order_of_ = nullptr;  ///< World, layout version and stage of order_
  std::uint64_t order_version_ = 0;
  std::string order_stage_;
};

/// Returns the column of this name. \throws InputError with the nearest name
ColumnStorage& column_of(World& world, const std::string& name);
/// Checks whether a body has what this column holds from its motion, or is fixed: nobody else may set it.
bool is_held(const World& world, const std::string& column, std::size_t row);
/// Returns the text of the error where somebody sets it.
std::string held_text(const World& world, const std::string& column, std::size_t row);
/// Returns NumPy's type of a column's numbers.
py::dtype dtype_of(ColumnType type);
/// Returns the shape of a column with so many rows: (n) or (n, components).
std::vector<py::ssize_t> shape_of(const ColumnStorage& column, std::size_t rows);
/// Checks whether the numbers of a row are a quaternion, which Python has as (w, x, y, z).
bool is_quaternion(const ColumnStorage& column);

void bind_errors(py::module_& module);
void bind_simulation(py::module_& module, py::class_<Core, std::shared_ptr<Core>>& core);
void bind_bodies(py::class_<Core, std::shared_ptr<Core>>& core);
void bind_rows(py::module_& module);
void bind_contacts(py::class_<Core, std::shared_ptr<Core>>& core);
void bind_methods(py::module_& module);

}  // namespace scree::python
