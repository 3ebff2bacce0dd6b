#include "core.hpp"
#include "scree/base/error.hpp"
#include "scree/base/internal_error.hpp"

namespace scree::python {

namespace {

/// Raises the class of this name in scree.errors.
void raise_python(const char* name, const std::exception& error) {
  const py::object type = py::module_::import("scree.errors").attr(name);
  py::str text(
      py::reinterpret_steal<py::str>(PyUnicode_DecodeUTF8(error.what(), std::strlen(error.what()), "replace")));
  PyErr_SetObject(type.ptr(), text.ptr());
}

}  // namespace

void bind_errors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      std::rethrow_exception(thrown);
    } catch (const NumericalError& error) {
      raise_python("NumericalError", error);
    } catch (const IoError& error) {
      raise_python("IoError", error);
    } catch (const InternalError& error) {
      raise_python("PluginError", error);
    } catch (const Error& error) {
      raise_python("InputError", error);
    }
  });
}

}  // namespace scree::python
