#pragma once
/// \file A plugin's factories as the registry hands them out: guarded themselves, and what they make is guarded too.

#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "scree/guard/guarded.hpp"
#include "scree/plugin/plugin.hpp"

namespace scree {

/// Looks at what a packing says, before anything is made of it.
/// \param shapes  how many the entry has; 0: not known
/// \throws InternalError naming the first place, face or column that cannot be
Packed guarded(const Method& method, Packed packed, std::size_t shapes);

namespace detail {

/// \throws InputError when there is no function
template <class Made, class... Arguments>
std::function<Made(Arguments...)> guarded_factory(const Method& method, std::function<Made(Arguments...)> factory) {
  if (!factory) throw InputError("the " + method.kind + " \"" + method.name + "\" is registered without a factory.");
  return [method, factory = std::move(factory)](Arguments... arguments) -> Made {
    Made made = guarded_set_up(method, "factory", [&] { return factory(arguments...); });
    if constexpr (std::is_same_v<Made, Packed>)
      return guarded(method, std::move(made), std::get<1>(std::tie(arguments...)).shapes.size());
    else
      return guarded(method, std::move(made));
  };
}

}  // namespace detail

}  // namespace scree
