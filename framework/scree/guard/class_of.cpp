#include "scree/guard/detail/class_of.hpp"

#include <cxxabi.h>

#include <cstddef>

namespace scree::detail {

#ifdef __GLIBCXX__

namespace {

/// Checks whether a part of class \p wanted of an object of class \p type begins at \p part.
bool has_part(const std::type_info& type, const std::byte* object, const std::type_info& wanted,
              const std::byte* part) {
  if (type == wanted) return object == part;
  if (const auto* const derived = dynamic_cast<const abi::__si_class_type_info*>(&type))
    return has_part(*derived->__base_type, object, wanted, part);
  const auto* const derived = dynamic_cast<const abi::__vmi_class_type_info*>(&type);
  if (!derived) return false;
  for (unsigned k = 0; k < derived->__base_count; ++k) {
    const abi::__base_class_type_info& base = derived->__base_info[k];
    std::ptrdiff_t offset = base.__offset();
    if (base.__is_virtual_p())  // its offset is then in the object's table
      offset = *reinterpret_cast<const std::ptrdiff_t*>(*reinterpret_cast<const std::byte* const*>(object) + offset);
    if (has_part(*base.__base_type, object + offset, wanted, part)) return true;
  }
  return false;
}

}  // namespace

/// Checks the class by the C++ ABI that gcc and clang share. In front of an object's table of virtual functions are the
/// type of the whole object, and the offset of this part in it.
bool leads_to(const void* pointer, const std::type_info& wanted) noexcept {
  const auto* const part = static_cast<const std::byte*>(pointer);
  const auto* const table = *static_cast<const void* const* const*>(pointer);
  if (!table) return false;
  const auto* const type = static_cast<const std::type_info*>(table[-1]);
  return !type || has_part(*type, part + reinterpret_cast<std::ptrdiff_t>(table[-2]), wanted, part);
}

#else

bool leads_to(const void*, const std::type_info&) noexcept { return true; }

#endif

}  // namespace scree::detail
