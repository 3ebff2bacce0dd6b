#include "scree/plugin/detail/elf_file.hpp"

#include <link.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "scree/base/error.hpp"

namespace scree {

namespace {

using Bytes = std::span<const std::byte>;
using Header = ElfW(Ehdr);
using SegmentHeader = ElfW(Phdr);
using SectionHeader = ElfW(Shdr);
using SymbolEntry = ElfW(Sym);

constexpr unsigned char kClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
constexpr unsigned char kByteOrder = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
#if defined(__x86_64__)
constexpr unsigned kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kMachine = EM_AARCH64;
#elif defined(__powerpc64__)
constexpr unsigned kMachine = EM_PPC64;
#elif defined(__riscv)
constexpr unsigned kMachine = EM_RISCV;
#else
constexpr unsigned kMachine = EM_NONE;  // not compared
#endif

/// Limit of memory [bytes]: a library that needs more is invalid.
constexpr std::uint64_t kMostMemory = std::uint64_t{1} << (sizeof(void*) == 8 ? 40 : 31);

/// Largest page of existing machines [bytes].
constexpr std::uint64_t kPage = 65536;

/// Returns offset + size, or the largest number if that overflows.
std::uint64_t end_of(std::uint64_t offset, std::uint64_t size) {
  return size > std::numeric_limits<std::uint64_t>::max() - offset ? std::numeric_limits<std::uint64_t>::max()
                                                                   : offset + size;
}

/// Returns a part of the file. \throws InputError if it is not all there
Bytes part(Bytes bytes, std::uint64_t offset, std::uint64_t size) {
  const std::uint64_t end = end_of(offset, size);
  if (end > bytes.size())
    throw InputError("is incomplete: by its headers it has at least " + std::to_string(end) +
                     " bytes, but the file has " + std::to_string(bytes.size()) + ". Copy or build it again.");
  return bytes.subspan(offset, size);
}

[[noreturn]] void fail_as_damaged() {
  throw InputError("is damaged: its headers contradict each other. Copy or build it again.");
}

template <typename T>
T read(Bytes bytes, std::uint64_t offset) {
  T value;
  std::memcpy(&value, part(bytes, offset, sizeof(T)).data(), sizeof(T));
  return value;
}

/// Reads an array whose place and length the file's headers give; both are checked before memory is allocated.
template <typename T>
std::vector<T> read_table(Bytes bytes, std::uint64_t offset, std::uint64_t count) {
  if (count > std::numeric_limits<std::uint64_t>::max() / sizeof(T)) count = bytes.size();  // too many in any case
  const Bytes from = part(bytes, offset, count * sizeof(T));
  std::vector<T> table(count);
  if (count > 0) std::memcpy(table.data(), from.data(), from.size());
  return table;
}

Header read_header(Bytes bytes) {
  const std::array<std::byte, 4> magic{std::byte{0x7f}, std::byte{'E'}, std::byte{'L'}, std::byte{'F'}};
  if (bytes.size() < magic.size() || !std::equal(magic.begin(), magic.end(), bytes.begin()))
    throw InputError("is not a shared library (no ELF file).");
  const auto header = read<Header>(bytes, 0);
  if (header.e_ident[EI_CLASS] != kClass || header.e_ident[EI_DATA] != kByteOrder ||
      (kMachine != EM_NONE && header.e_machine != kMachine))
    throw InputError("is for another kind of machine (ELF machine " + std::to_string(header.e_machine) + ", class " +
                     std::to_string(header.e_ident[EI_CLASS]) + "; this scree has " + std::to_string(kMachine) +
                     ", class " + std::to_string(kClass) + "). Build it for this one.");
  if (header.e_type != ET_DYN)
    throw InputError("is an ELF file but not a shared library (type " + std::to_string(header.e_type) + ").");
  if (header.e_phentsize != sizeof(SegmentHeader) ||
      (header.e_shnum > 0 && header.e_shentsize != sizeof(SectionHeader)))
    fail_as_damaged();
  return header;
}

/// Returns the zero-terminated text at a place of a table of texts; nothing if it does not end within the table.
std::string_view text_at(Bytes texts, std::uint64_t offset) {
  if (offset >= texts.size()) return {};
  const Bytes rest = texts.subspan(offset);
  const auto end = std::find(rest.begin(), rest.end(), std::byte{0});
  if (end == rest.end()) return {};
  return {reinterpret_cast<const char*>(rest.data()), static_cast<std::size_t>(end - rest.begin())};
}

}  // namespace

ElfFile::ElfFile(Bytes bytes) : bytes_(bytes) {
  read_segments();
  read_symbols();
}

/// Reads the segments, and checks data that the dynamic linker does not: it would map, protect and fill memory outside
/// of the library.
void ElfFile::read_segments() {
  const Header header = read_header(bytes_);
  const auto headers = read_table<SegmentHeader>(bytes_, header.e_phoff, header.e_phnum);
  for (const auto& s : headers) {
    part(bytes_, s.p_offset, s.p_filesz);
    if (s.p_type != PT_LOAD) continue;
    const bool apart = segments_.empty() || s.p_vaddr >= segments_.back().end;
    if (!apart || s.p_filesz > s.p_memsz || s.p_memsz > kMostMemory || s.p_vaddr > kMostMemory) fail_as_damaged();
    segments_.push_back({s.p_vaddr, s.p_offset, s.p_filesz, s.p_vaddr + s.p_memsz});
  }
  for (const auto& s : headers) {
    if (s.p_type == PT_DYNAMIC && !is_loaded(s.p_vaddr, s.p_memsz)) fail_as_damaged();
    if (s.p_type == PT_TLS && s.p_filesz > 0 && !is_loaded(s.p_vaddr, s.p_filesz)) fail_as_damaged();
    // Made read-only after relocation, page by page: the last page may reach beyond the segment.
    if (s.p_type == PT_GNU_RELRO && !is_loaded(s.p_vaddr, s.p_memsz > kPage ? s.p_memsz - kPage : 0)) fail_as_damaged();
  }
}

bool ElfFile::is_loaded(std::uint64_t address, std::uint64_t size) const {
  return std::any_of(segments_.begin(), segments_.end(),
                     [&](const Segment& s) { return address >= s.address && end_of(address, size) <= s.end; });
}

void ElfFile::read_symbols() {
  const Header header = read_header(bytes_);
  const auto sections = read_table<SectionHeader>(bytes_, header.e_shoff, header.e_shnum);
  for (const auto& s : sections)
    if (s.sh_type != SHT_NOBITS && s.sh_type != SHT_NULL) part(bytes_, s.sh_offset, s.sh_size);
  for (const auto& s : sections) {
    if (s.sh_type == SHT_RELA) check_relocations<ElfW(Rela)>(s.sh_offset, s.sh_size);
    if (s.sh_type == SHT_REL) check_relocations<ElfW(Rel)>(s.sh_offset, s.sh_size);
    if (s.sh_type != SHT_DYNSYM || s.sh_link >= sections.size()) continue;
    const auto& names = sections[s.sh_link];
    if (names.sh_type != SHT_STRTAB) continue;
    const Bytes texts = part(bytes_, names.sh_offset, names.sh_size);
    for (const auto& symbol : read_table<SymbolEntry>(bytes_, s.sh_offset, s.sh_size / sizeof(SymbolEntry)))
      if (symbol.st_shndx != SHN_UNDEF) symbols_.push_back({text_at(texts, symbol.st_name), symbol.st_value});
  }
}

/// Checks that all places that the dynamic linker fills in belong to the library.
template <class Relocation>
void ElfFile::check_relocations(std::uint64_t offset, std::uint64_t size) const {
  for (const auto& relocation : read_table<Relocation>(bytes_, offset, size / sizeof(Relocation)))
    if (relocation.r_info != 0 && !is_loaded(relocation.r_offset, sizeof(void*))) fail_as_damaged();
}

std::optional<std::uint64_t> ElfFile::address(std::string_view symbol) const {
  for (const Symbol& s : symbols_)
    if (s.name == symbol) return s.address;
  return std::nullopt;
}

Bytes ElfFile::constant(std::string_view symbol) const {
  const std::uint64_t at = address(symbol).value_or(0);
  for (const Segment& s : segments_)
    if (at >= s.address && at - s.address < s.size)
      return part(bytes_, s.offset + (at - s.address), s.size - (at - s.address));
  return {};
}

}  // namespace scree
