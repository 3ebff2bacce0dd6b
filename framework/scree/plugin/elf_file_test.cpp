#include "scree/plugin/detail/elf_file.hpp"

#include <link.h>

#include <bit>
#include <cstring>
#include <random>

#include "catch.hpp"
#include "random_cases.hpp"
#include "scree/base/error.hpp"

using namespace scree;
using namespace scree::test;

namespace {

using Bytes = std::vector<std::byte>;

template <class T>
void put(Bytes& bytes, std::size_t at, const T& value) {
  if (bytes.size() < at + sizeof(T)) bytes.resize(at + sizeof(T));
  std::memcpy(bytes.data() + at, &value, sizeof(T));
}

constexpr std::size_t kSegment = sizeof(ElfW(Ehdr)), kConstant = 256, kNames = 384, kSymbols = 448, kSections = 640;
constexpr std::uint64_t kBase = 0x10000;  ///< address of the segment's first byte

#if defined(__x86_64__)
constexpr int kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr int kMachine = EM_AARCH64;
#elif defined(__powerpc64__)
constexpr int kMachine = EM_PPC64;
#else
constexpr int kMachine = EM_RISCV;
#endif

/// The least library: one segment with the constant 42, dynamic symbols "answer" and, in no segment's file part,
/// "late".
Bytes least_library() {
  Bytes bytes;
  ElfW(Ehdr) header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  header.e_ident[EI_DATA] = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  header.e_type = ET_DYN;
  header.e_machine = kMachine;
  header.e_phoff = kSegment;
  header.e_phnum = 1;
  header.e_phentsize = sizeof(ElfW(Phdr));
  header.e_shoff = kSections;
  header.e_shnum = 3;
  header.e_shentsize = sizeof(ElfW(Shdr));
  put(bytes, 0, header);
  ElfW(Phdr) segment{};
  segment.p_type = PT_LOAD;
  segment.p_vaddr = kBase;
  segment.p_filesz = kSections;
  segment.p_memsz = 0x1000;
  put(bytes, kSegment, segment);
  put(bytes, kConstant, 42);
  put(bytes, kNames, "\0answer\0late");
  ElfW(Sym) answer{}, late{}, elsewhere{};
  answer.st_name = 1;
  answer.st_shndx = 1;
  answer.st_value = kBase + kConstant;
  late.st_name = 8;
  late.st_shndx = 1;
  late.st_value = kBase + 0xf00;
  elsewhere.st_name = 3;  // "swer", undefined
  put(bytes, kSymbols, answer);
  put(bytes, kSymbols + sizeof(answer), late);
  put(bytes, kSymbols + 2 * sizeof(answer), elsewhere);
  ElfW(Shdr) symbols{}, names{};
  symbols.sh_type = SHT_DYNSYM;
  symbols.sh_offset = kSymbols;
  symbols.sh_size = 3 * sizeof(answer);
  symbols.sh_link = 2;
  names.sh_type = SHT_STRTAB;
  names.sh_offset = kNames;
  names.sh_size = 13;
  put(bytes, kSections, ElfW(Shdr){});
  put(bytes, kSections + sizeof(symbols), symbols);
  put(bytes, kSections + 2 * sizeof(symbols), names);
  return bytes;
}

std::string fault(const Bytes& bytes) {
  try {
    ElfFile{bytes};
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

/// Asks everything there is to ask. \return whether the file is taken for a library
bool read_all(const Bytes& bytes) {
  try {
    const ElfFile elf(bytes);
    std::size_t sum = 0;
    for (const char* name : {"answer", "late", "swer", ""})
      if (elf.defines(name))
        for (const std::byte b : elf.constant(name)) sum += static_cast<std::size_t>(b);
    return sum < bytes.size() * 256;
  } catch (const InputError&) {
    return false;
  }
}

template <class T, class Part, class Value>
Bytes with(std::size_t at, Part T::*part, Value value) {
  Bytes bytes = least_library();
  T entry;
  std::memcpy(&entry, bytes.data() + at, sizeof(T));
  entry.*part = static_cast<Part>(value);
  put(bytes, at, entry);
  return bytes;
}

}  // namespace

TEST_CASE("constants of a library are read from its file") {
  const Bytes bytes = least_library();
  const ElfFile elf(bytes);
  REQUIRE(elf.defines("answer"));
  int answer = 0;
  REQUIRE(elf.constant("answer").size() >= sizeof(answer));
  std::memcpy(&answer, elf.constant("answer").data(), sizeof(answer));
  CHECK(answer == 42);
  CHECK(elf.defines("late"));
  CHECK(elf.constant("late").empty());  // beyond the file's part of the segment: zero until the program runs
  CHECK_FALSE(elf.defines("swer"));
  CHECK_FALSE(elf.defines("question"));
}

TEST_CASE("what is no complete library of this machine is refused in a sentence") {
  using Header = ElfW(Ehdr);
  using Segment = ElfW(Phdr);
  using Section = ElfW(Shdr);
  CHECK(fault({}) == "is not a shared library (no ELF file).");
  Bytes short_one = least_library();
  short_one.resize(20);
  CHECK(fault(short_one) == "is incomplete: by its headers it has at least " + std::to_string(sizeof(Header)) +
                                " bytes, but the file has 20. Copy or build it again.");
  CHECK_THAT(fault(with(0, &Header::e_machine, 40)), Catch::Matchers::StartsWith("is for another kind of machine"));
  CHECK(fault(with(0, &Header::e_type, ET_REL)) == "is an ELF file but not a shared library (type 1).");
  const char* const incomplete = "is incomplete: by its headers it has at least ";
  CHECK_THAT(fault(with(0, &Header::e_phoff, 1 << 20)), Catch::Matchers::StartsWith(incomplete));
  CHECK_THAT(fault(with(0, &Header::e_shoff, ~std::uint64_t{0} - 8)), Catch::Matchers::StartsWith(incomplete));
  CHECK_THAT(fault(with(0, &Header::e_shnum, 1000)), Catch::Matchers::StartsWith(incomplete));
  CHECK_THAT(fault(with(kSegment, &Segment::p_filesz, ~std::uint64_t{0})), Catch::Matchers::StartsWith(incomplete));
  CHECK_THAT(fault(with(kSections + sizeof(Section), &Section::sh_size, 1 << 20)),
             Catch::Matchers::StartsWith(incomplete));
  const char* const damaged = "is damaged: its headers contradict each other. Copy or build it again.";
  CHECK(fault(with(0, &Header::e_phentsize, 8)) == damaged);
  CHECK(fault(with(kSegment, &Segment::p_memsz, 8)) == damaged);  // less than stands in the file
  CHECK(fault(with(kSegment, &Segment::p_vaddr, std::uint64_t{1} << 60)) == damaged);
}

TEST_CASE("no length of a file and no damage to it makes the reader look outside") {
  const Bytes whole = least_library();
  CHECK(read_all(whole));
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK_FALSE(read_all(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length))));
  std::mt19937_64 random(1);
  const std::uint64_t odd[] = {0, 1, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff, ~std::uint64_t{0}};
  for (int i = 0; i < random_cases(100000, 20000); ++i) {
    Bytes bytes = whole;
    for (std::uint64_t k = 1 + random() % 4; k > 0; --k) {
      const std::uint64_t word = random() % 2 ? odd[random() % std::size(odd)] : random();
      const std::size_t width = std::size_t{1} << random() % 4, at = random() % (bytes.size() - 8) / width * width;
      std::memcpy(bytes.data() + at, &word, width);
    }
    read_all(bytes);  // or throws InputError
  }
}
