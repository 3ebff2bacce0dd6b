/// \file The hook `python` of scenes, whose plugin loads this library when a scene has one.

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <mutex>

#include "core.hpp"
#include "python_hook.h"
#include "scree/base/error.hpp"
#include "scree/hooks/hook.hpp"

namespace scree::python {

namespace {

/// Returns the folder of the package `scree` that belongs to this library: in a build lib/python, else Debian's folder
/// of packages. "" where there is none.
std::string folder_of_package() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&folder_of_package), &info) == 0 || !info.dli_fname) return "";
  std::error_code ignored;
  const auto library = std::filesystem::weakly_canonical(info.dli_fname, ignored);
  for (auto folder = library.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
    for (const char* const place : {"python", "python3/dist-packages"})
      if (std::filesystem::exists(folder / place / "scree" / "__init__.py", ignored)) return (folder / place).string();
  return "";
}

/// Starts the interpreter where the process has none. It is never ended: modules such as NumPy cannot be loaded twice.
/// Signals stay those of the program.
void start_interpreter() {
  if (Py_IsInitialized() != 0) return;
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.install_signal_handlers = 0;
  config.write_bytecode = 0;  // folders of scenes stay as they are
  PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, SCREE_PYTHON_EXECUTABLE);
  if (PyStatus_Exception(status) == 0) status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status) != 0)
    throw Error(fmt::format("Python cannot start: {}. It needs the files of Python {}.",
                            status.err_msg ? status.err_msg : "no reason is given", PY_VERSION));
  PyEval_SaveThread();  // whoever works with Python takes its lock
}

/// Returns the module that runs files. \pre the interpreter's lock is held
py::module_ hook_module() {
  const std::string folder = folder_of_package();
  py::list path = py::module_::import("sys").attr("path");
  if (!py::module_::import("sys").attr("modules").contains("scree") && !folder.empty()) path.insert(0, folder);
  return py::module_::import("scree._hook");
}

/// Hook whose function is in a file of Python. It works on the World of the run by an object like scree.Simulation.
class PythonHook final : public Modifier {
 public:
  PythonHook(std::string file, std::string function, std::string parameters, bool contacts)
      : file_(std::move(file)),
        function_(std::move(function)),
        parameters_(std::move(parameters)),
        contacts_(contacts) {}
  ~PythonHook() override {
    if (!program_) return;
    const py::gil_scoped_acquire gil;
    try {
      program_.attr("end")();
    } catch (const py::error_already_set&) {  // nobody is left to be told
    }
    program_ = py::object();
  }

  bool wants_contacts() const noexcept override { return contacts_; }

  void begin(World& world) override {
    static std::mutex starting;
    {
      const std::lock_guard lock(starting);
      start_interpreter();
    }
    const py::gil_scoped_acquire gil;
    const During during(*this, world, nullptr);
    try {
      in_python<InputError>([&] {
        program_ = hook_module().attr("Program")(core_, file_, function_, parameters_);
        program_.attr("begin")();
      });
    } catch (const InputError& error) {
      throw OptionError("/file", error.what());
    }
  }

  void apply(World& world, const ContactView* contacts, HistoryStore&) override {
    const py::gil_scoped_acquire gil;
    const During during(*this, world, contacts);
    in_python<Error>([&] { program_.attr("call")(); });
    if (core_->held_rows > 0)
      throw Error(fmt::format("{}: {}() has returned with rows still held. Take them by a block \"with sim.rows()\".",
                              file_, function_));
  }

  std::vector<std::byte> save() const override {
    const py::gil_scoped_acquire gil;
    std::string state;
    in_python<Error>([&] { state = program_.attr("save")().cast<std::string>(); });
    const auto* bytes = reinterpret_cast<const std::byte*>(state.data());
    return {bytes, bytes + state.size()};
  }

  void load(const std::vector<std::byte>& state) override {
    const py::gil_scoped_acquire gil;
    const std::string text(reinterpret_cast<const char*>(state.data()), state.size());
    in_python<InputError>([&] { program_.attr("load")(py::bytes(text)); });
  }

 private:
  /// Lends the World to Python for the time of a call.
  struct During {
    HookCall& call;
    During(PythonHook& hook, World& world, const ContactView* contacts) : call(*hook.call_) {
      call = {&world, contacts};
      hook.core_->forget_order();  // rows may be those of another state
    }
    ~During() { call = {}; }
  };

  /// Calls f(). What Python raises becomes an error with file and line: NumericalError where that was raised, else E.
  template <class E, class F>
  void in_python(const F& f) const {
    try {
      f();
    } catch (py::error_already_set& error) {
      std::string text, kind;
      try {
        if (error.trace()) PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
        const py::tuple told = py::module_::import("scree._hook").attr("told")(error.value(), file_);
        text = told[0].cast<std::string>(), kind = told[1].cast<std::string>();
      } catch (const py::error_already_set&) {  // the package itself cannot be imported
        text = error.what();
      }
      if (kind == "NumericalError") throw NumericalError(text);
      throw E(text);
    }
  }

  std::string file_, function_, parameters_;
  bool contacts_;
  std::shared_ptr<HookCall> call_ = std::make_shared<HookCall>();
  std::shared_ptr<Core> core_ = std::make_shared<Core>(call_);
  py::object program_;
};

}  // namespace

}  // namespace scree::python

scree::Modifier* scree_python_hook(const char* file, const char* function, const char* parameters, bool contacts) {
  return new scree::python::PythonHook(file, function, parameters, contacts);
}
