// A law whose schema gives no example of its options: nothing of it can be tested.

#include <scree/plugin/plugin.hpp>

SCREE_PLUGIN(untested, "1.0.0") {
  registrar.law("untested", [](const scree::Options&, const scree::LawContext&) -> std::unique_ptr<scree::ContactLaw> {
    return nullptr;
  });
}
