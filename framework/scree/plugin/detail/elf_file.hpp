#pragma once
/// \file Shared library read as data: its kind, whether all of it is there, and its exported constants. Nothing of it
/// is loaded or run, and no byte outside the file is ever read, whatever its headers say.

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
  /// \param bytes  whole file; must outlive this object
  /// \throws InputError, a sentence about the file, if it is no complete shared library for this machine
  explicit ElfFile(std::span<const std::byte> bytes);

  /// Checks whether the library defines a dynamic symbol of this name.
  bool defines(std::string_view symbol) const { return address(symbol).has_value(); }

  /// Returns the bytes of the file from a dynamic symbol to the end of its segment. None if the file has none of them,
  /// as for variables that are filled in at run time. \pre defines(symbol)
  std::span<const std::byte> constant(std::string_view symbol) const;

 private:
  struct Segment {
    std::uint64_t address, offset, size;  ///< part of it in the file [bytes]
    std::uint64_t end;                    ///< end of its addresses; memory beyond `size` begins as zeros
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
  std::vector<Symbol> symbols_;  ///< defined dynamic symbols
};

}  // namespace scree
