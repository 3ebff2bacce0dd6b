#pragma once
/// \file Guards of a plugin's objects: each is held by an object of the same interface that guards every call and
/// checks the result. The registry gives no others.
///
/// Costs one more virtual call per batch, and a pass over the results while they are in cache.

#include <memory>

#include "scree/detect/contact_detector.hpp"
#include "scree/engine/engine.hpp"
#include "scree/guard/method.hpp"
#include "scree/hooks/hook.hpp"
#include "scree/integrate/integrator.hpp"
#include "scree/law/bond_law.hpp"
#include "scree/law/contact_law.hpp"
#include "scree/shape/shape.hpp"

namespace scree {

/// Returns the object in its guard. \throws InternalError if the object is null, or reports impossible properties
SCREE_API std::shared_ptr<const Shape> guarded(const Method& method, std::shared_ptr<const Shape> shape);
SCREE_API std::unique_ptr<ContactDetector> guarded(const Method& method, std::unique_ptr<ContactDetector> detector);
SCREE_API std::unique_ptr<ContactLaw> guarded(const Method& method, std::unique_ptr<ContactLaw> law);
SCREE_API std::unique_ptr<BondLaw> guarded(const Method& method, std::unique_ptr<BondLaw> law);
SCREE_API std::unique_ptr<Integrator> guarded(const Method& method, std::unique_ptr<Integrator> integrator);
SCREE_API std::unique_ptr<Modifier> guarded(const Method& method, std::unique_ptr<Modifier> modifier);
SCREE_API std::unique_ptr<Observer> guarded(const Method& method, std::unique_ptr<Observer> observer);
SCREE_API std::unique_ptr<Engine> guarded(const Method& method, std::unique_ptr<Engine> engine);

}  // namespace scree
