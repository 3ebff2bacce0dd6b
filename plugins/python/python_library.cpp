#include "python_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "scree/base/error.hpp"

namespace scree::python {

namespace {

using Make = Modifier*(const char* file, const char* function, const char* parameters, bool contacts);

/// Opens a library, which stays until the process ends: Python cannot be started twice.
/// \param scope  RTLD_LOCAL or RTLD_GLOBAL
void* opened(const char* library, int scope) {
  if (void* const handle = dlopen(library, RTLD_NOW | scope)) return handle;
  const char* const reason = dlerror();
  throw OptionError(
      "", fmt::format("python: {} cannot be loaded ({}). Install Debian's package python3-scree, or python3 and "
                      "python3-numpy for a build of your own with SCREE_PYTHON.",
                      library, reason ? reason : "no reason is given"));
}

Make* find_make() {
  // Modules of Python look for its functions among those of the whole process. A program of Python has them.
  if (!dlsym(RTLD_DEFAULT, "Py_IsInitialized")) opened(SCREE_PYTHON_SONAME, RTLD_GLOBAL);
  void* const library = opened("libscree_python.so", RTLD_LOCAL);
  void* const made = dlsym(library, "scree_python_hook");
  if (!made)
    throw OptionError("", "python: libscree_python.so is that of another version of scree. Install the same one.");
  return reinterpret_cast<Make*>(made);
}

}  // namespace

std::unique_ptr<Modifier> make_hook(const std::string& file, const std::string& function, const std::string& parameters,
                                    bool contacts) {
  static Make* const make = find_make();
  return std::unique_ptr<Modifier>(make(file.c_str(), function.c_str(), parameters.c_str(), contacts));
}

}  // namespace scree::python
