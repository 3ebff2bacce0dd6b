#pragma once
/// \file Reads a shared library as data: what it is, whether all of it is there, which constants it exports. Nothing of
/// it is loaded or run, and no byte outside the file is ever read, whatever its headers say.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/base/api.hpp"

namespace scree {

class SCREE_API ElfFile {
 public:
  /// \param bytes  the whole file; must outlive this object
  /// \throws InputError, a sentence about the file, when it is no complete shared library for this machine
  explicit ElfFile(std::span<const std::byte> bytes);

  /// Whether the library defines a dynamic symbol of this name.
  bool defines(std::string_view symbol) const { return address(symbol).has_value(); }

  /// The bytes of the file that begin at a dynamic symbol and end with its segment. None where the file holds nothing
  /// of it, as for variables that are filled in at run time. \pre defines(symbol)
  std::span<const std::byte> constant(std::string_view symbol) const;

 private:
  struct Segment {
    std::uint64_t address, offset, size;  ///< what of it stands in the file [bytes]
    std::uint64_t end;                    ///< address behind it; memory beyond `size` begins as zeros
  };
  struct Symbol {
    std::string_view name;
    std::uint64_t address;
  };
  void read_segments();
  void read_symbols();
  bool is_loaded(std::uint64_t address, std::uint64_t size) const;
  template <class Relocation>
  void check_relocations(std::uint64_t offset, std::uint64_t size) const;
  std::optional<std::uint64_t> address(std::string_view symbol) const;

  std::span<const std::byte> bytes_;
  std::vector<Segment> segments_;
  std::vector<Symbol> symbols_;  ///< defined dynamic ones
};

}  // namespace scree
