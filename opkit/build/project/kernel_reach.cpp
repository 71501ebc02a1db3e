#include "opkit/build/project/kernel_reach.h"

#include <cxxabi.h>
#include <elf.h>

#include <cctype>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "opkit/base/file.h"
#include "registry/elf_bytes.h"

namespace opkit::project {
namespace {

using registry::ElfBytes;

constexpr std::string_view kMarks = "opkit_reach_cube_";  // sections

struct Symbol {
  std::string name;
  uint32_t section = 0;
  bool is_function = false;
};

std::string demangled(const std::string& name) {
  if (name.rfind("_Z", 0) != 0) return name;  // "v" would be "void"
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : name;
}

bool has_word(std::string_view text, std::string_view word) {
  const auto is_part = [&](size_t i) {
    return i < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
  };
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    if ((at == 0 || !is_part(at - 1)) && !is_part(at + word.size())) return true;
  }
  return false;
}

// The sections of an object, and which of them refer to which.
class ObjectGraph {
 public:
  // False: the bytes are no relocatable object.
  bool read(std::string_view bytes) {
    const ElfBytes elf(bytes);
    const auto header = elf.at<Elf64_Ehdr>(0);
    if (!header || header->e_type != ET_REL || header->e_ident[EI_CLASS] != ELFCLASS64)
      return false;
    const auto first = elf.at<Elf64_Shdr>(header->e_shoff);
    if (!first) return false;
    const uint64_t count = header->e_shnum != 0 ? header->e_shnum : first->sh_size;
    for (uint64_t i = 0; i < count; ++i) {
      const auto section = elf.at<Elf64_Shdr>(header->e_shoff, i);
      if (!section) return false;
      sections_.push_back(*section);
    }
    const uint32_t names = header->e_shstrndx != SHN_XINDEX ? header->e_shstrndx : first->sh_link;
    if (names < sections_.size()) read_names(elf, sections_[names]);
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type == SHT_SYMTAB) read_symbols(elf, section);
    }
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type == SHT_RELA) read_relocations(elf, section);
    }
    return true;
  }

  CubeReach reach_of(const std::string& kernel) const {
    CubeReach reach;
    std::set<uint32_t> seen;
    std::vector<uint32_t> open;
    const auto visit = [&](uint32_t section) {
      if (seen.insert(section).second) open.push_back(section);
    };
    for (const Symbol& symbol : symbols_) {
      if (symbol.is_function && symbol.section != 0 && has_word(demangled(symbol.name), kernel))
        visit(symbol.section);
    }
    reach.found = !open.empty();
    while (!open.empty()) {
      const uint32_t section = open.back();
      open.pop_back();
      const auto references = references_.find(section);
      if (references == references_.end()) continue;
      for (const size_t at : references->second) {
        const uint32_t next = symbols_[at].section;
        const auto mark = marks_.find(next);
        if (mark != marks_.end()) return found(mark->second, section, kernel);
        if (next != 0) visit(next);
      }
    }
    return reach;
  }

 private:
  void read_names(const ElfBytes& elf, const Elf64_Shdr& names) {
    for (uint32_t i = 0; i < sections_.size(); ++i) {
      const std::string name =
          elf.text(names.sh_offset, names.sh_size, sections_[i].sh_name).value_or("");
      if (name.rfind(kMarks, 0) == 0) marks_[i] = name.substr(kMarks.size());
    }
  }

  void read_symbols(const ElfBytes& elf, const Elf64_Shdr& table) {
    if (table.sh_link >= sections_.size() || table.sh_entsize != sizeof(Elf64_Sym)) return;
    const Elf64_Shdr& names = sections_[table.sh_link];
    for (uint64_t i = 0; i < table.sh_size / sizeof(Elf64_Sym); ++i) {
      const auto entry = elf.at<Elf64_Sym>(table.sh_offset, i);
      if (!entry) return;
      Symbol symbol;
      symbol.name = elf.text(names.sh_offset, names.sh_size, entry->st_name).value_or("");
      symbol.section = section_of(elf, *entry, i);
      symbol.is_function = ELF64_ST_TYPE(entry->st_info) == STT_FUNC;
      symbols_.push_back(std::move(symbol));
    }
  }

  // 0: none. Numbers that do not fit their field stand in a section of their own.
  uint32_t section_of(const ElfBytes& elf, const Elf64_Sym& entry, uint64_t index) const {
    if (entry.st_shndx != SHN_XINDEX)
      return entry.st_shndx < SHN_LORESERVE ? entry.st_shndx : SHN_UNDEF;
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type == SHT_SYMTAB_SHNDX)
        return elf.at<uint32_t>(section.sh_offset, index).value_or(SHN_UNDEF);
    }
    return SHN_UNDEF;
  }

  void read_relocations(const ElfBytes& elf, const Elf64_Shdr& table) {
    for (uint64_t i = 0; i < table.sh_size / sizeof(Elf64_Rela); ++i) {
      const auto entry = elf.at<Elf64_Rela>(table.sh_offset, i);
      if (!entry) return;
      const size_t symbol = ELF64_R_SYM(entry->r_info);
      if (symbol < symbols_.size()) references_[table.sh_info].push_back(symbol);
    }
  }

  CubeReach found(const std::string& call, uint32_t section, const std::string& kernel) const {
    CubeReach reach{true, true, call, {}};
    for (const Symbol& symbol : symbols_) {
      if (symbol.section != section || !symbol.is_function) continue;
      const std::string name = demangled(symbol.name);
      if (!has_word(name, kernel)) reach.caller = name;
      break;
    }
    return reach;
  }

  std::vector<Elf64_Shdr> sections_;
  std::map<uint32_t, std::string> marks_;  // names the call that marks a section
  std::vector<Symbol> symbols_;
  std::map<uint32_t, std::vector<size_t>> references_;  // holds for each section places in symbols_
};

}  // namespace

Result<CubeReach> cube_reach(const std::filesystem::path& object, const std::string& kernel) {
  OPKIT_TRY(const std::string bytes, read_file(object));
  ObjectGraph graph;
  if (!graph.read(bytes)) return CubeReach{};
  return graph.reach_of(kernel);
}

}  // namespace opkit::project
