#include "scree/plugin/plugin.hpp"

#include "python_library.hpp"

SCREE_PLUGIN(python_hook, "1.0.0") {
  using namespace scree;
  registrar.modifier("python", [](const Options& options) {
    return python::make_hook(options.file("file").string(), options.text("function"),
                             options.object("parameters").dump(), options.boolean("contacts"));
  });
}
