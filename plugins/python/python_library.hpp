#pragma once
/// \file The library of scree for Python, which is loaded when a scene first has a hook `python`.

#include <memory>
#include <string>

#include "scree/hooks/hook.hpp"

namespace scree::python {

/// Returns the hook that calls a function of a file of Python: scree_python_hook() of framework/python. Its begin()
/// starts the interpreter, unless the process has one. \throws OptionError where Python or the library is not installed
std::unique_ptr<Modifier> make_hook(const std::string& file, const std::string& function, const std::string& parameters,
                                    bool contacts);

}  // namespace scree::python
