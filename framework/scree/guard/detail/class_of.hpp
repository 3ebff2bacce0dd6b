#pragma once
/// \file Check that an untyped pointer from a plugin leads to the requested class.
///
/// Facets and faces cross as `const void*`. A pointer to another class, or one to the whole object that was not
/// converted to the facet's type, would make the first call through it jump anywhere.

#include <fmt/format.h>

#include <type_traits>
#include <typeinfo>

#include "scree/guard/method.hpp"

namespace scree::detail {

/// Checks whether \p pointer, which leads to an object with virtual functions, is that of its part of class \p wanted.
/// True if that cannot be known: the object was compiled without type information.
bool leads_to(const void* pointer, const std::type_info& wanted) noexcept;

/// Checks the class of a pointer. \param given  for Face::kName, or nullptr
/// \throws InternalError if it is of another class
template <class Face>
void check_class(const Method& method, const char* entry, const void* given) {
  static_assert(std::is_polymorphic_v<Face>);
  if (!given || leads_to(given, typeid(Face))) return;
  fail_contract(
      method, entry,
      fmt::format("returned for \"{}\" a pointer that does not lead to that class. Derive from it, and return "
                  "a pointer converted to it: static_cast<const {}*>(this).",
                  Face::kName, name_of(typeid(Face))));
}

/// Checks the classes of several pointers, which `of` returns by name.
template <class... Faces, class Of>
void check_classes(const Method& method, const char* entry, const Of& of) {
  (check_class<Faces>(method, entry, of(Faces::kName)), ...);
}

}  // namespace scree::detail
