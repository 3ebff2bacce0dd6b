#pragma once
/// \file What the plugin of the hook `python` asks of the library scree_python, which it loads when a scene has such a
/// hook.

namespace scree {
class Modifier;
}

extern "C" {
/// Returns a hook that calls a function of a file of Python; the caller owns it. The file is run by its begin().
/// \param file        absolute name of the file
/// \param function    name of its function
/// \param parameters  text of a JSON object: further arguments of the function, by name
/// \param contacts    true if the function asks for contacts
__attribute__((visibility("default"))) scree::Modifier* scree_python_hook(const char* file, const char* function,
                                                                          const char* parameters, bool contacts);
}
