#include "registry/elf.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "opkit/base/regular_file.h"
#include "registry/elf_bytes.h"
#include "registry/version.h"

namespace opkit::registry {
namespace {

constexpr size_t kMaxFileBytes = size_t{800} << 20;  // the vendor's loader limit
constexpr uint64_t kMaxSymbols = 1u << 20;
constexpr uint64_t kMaxVersions = 4096;
constexpr uint64_t kMaxNeeded = 256;

// Reads one image; the first problem ends the reading.
class ElfReader {
 public:
  ElfReader(std::string_view bytes, const std::string& name) : file_(bytes), name_(name) {}

  Result<ElfFacts> read(ElfParts parts) {
    OPKIT_CHECK(read_header());
    OPKIT_CHECK(read_program_headers());
    OPKIT_CHECK(read_dynamic());
    OPKIT_CHECK(read_names());
    OPKIT_CHECK(read_version_needs());
    OPKIT_CHECK(read_version_provides());
    if (parts == ElfParts::kAll) {
      OPKIT_CHECK(read_symbols());
    }
    sort();
    return std::move(facts_);
  }

 private:
  Status read_header();
  Status read_program_headers();
  Status read_dynamic();
  Status read_names();
  Status read_version_needs();
  Status read_version_need_entries(const Elf64_Verneed& need, uint64_t offset);
  Status read_version_provides();
  Status read_symbols();
  Result<uint64_t> count_symbols() const;
  Result<uint64_t> count_gnu_symbols(uint64_t table) const;
  Status read_dynamic_symbols(uint64_t count);
  void sort();

  Error damaged(const std::string& what) const {
    return Error("OPK-ELF-002", fmt::format("{} is damaged: {}", name_, what),
                 "build the library again");
  }
  // File offset of a virtual address inside a loaded segment.
  std::optional<uint64_t> offset_of(uint64_t address) const {
    for (const Elf64_Phdr& segment : loads_) {
      if (address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz) {
        return segment.p_offset + (address - segment.p_vaddr);
      }
    }
    return std::nullopt;
  }
  std::optional<uint64_t> table(int64_t tag) const {
    const auto found = tags_.find(tag);
    if (found == tags_.end()) return std::nullopt;
    return offset_of(found->second);
  }
  std::optional<std::string> string_at(uint64_t index) const {
    return file_.text(strings_, strings_size_, index);
  }

  ElfBytes file_;
  const std::string& name_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> loads_;
  std::optional<Elf64_Phdr> dynamic_;
  std::map<int64_t, uint64_t> tags_;  // holds entries that come once
  std::vector<uint64_t> needed_;      // string indices
  uint64_t strings_ = 0, strings_size_ = 0;
  ElfFacts facts_;
};

std::string machine_name(uint16_t machine) {
  switch (machine) {
    case EM_X86_64: return "x86_64";
    case EM_AARCH64: return "aarch64";
    case EM_RISCV: return "riscv64";
    case EM_386: return "i386";
    default: return fmt::format("machine {}", machine);
  }
}

Status ElfReader::read_header() {
  const auto header = file_.at<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) {
    return Error("OPK-ELF-001", name_ + " is not an ELF file", "name a shared library");
  }
  header_ = *header;
  facts_.machine = machine_name(header_.e_machine);
  const bool linux_abi =
      header_.e_ident[EI_OSABI] == ELFOSABI_SYSV || header_.e_ident[EI_OSABI] == ELFOSABI_GNU;
  facts_.platform = (linux_abi ? "linux-" : "other-") + facts_.machine;
  if (header_.e_ident[EI_CLASS] != ELFCLASS64 || header_.e_ident[EI_DATA] != ELFDATA2LSB ||
      header_.e_type != ET_DYN) {
    return Error("OPK-ELF-003", name_ + " is not a 64-bit little-endian shared library",
                 "link with -shared");
  }
  return {};
}

Status ElfReader::read_program_headers() {
  if (header_.e_phentsize != sizeof(Elf64_Phdr)) return damaged("wrong program header size");
  for (uint64_t i = 0; i < header_.e_phnum; ++i) {
    const auto segment = file_.at<Elf64_Phdr>(header_.e_phoff, i);
    if (!segment) return damaged("program headers reach past the end of the file");
    const bool inside =
        segment->p_offset <= file_.size() && segment->p_filesz <= file_.size() - segment->p_offset;
    if (segment->p_type != PT_LOAD && segment->p_type != PT_DYNAMIC) continue;
    if (!inside) return damaged("a segment reaches past the end of the file");
    if (segment->p_type == PT_LOAD) loads_.push_back(*segment);
    if (segment->p_type == PT_DYNAMIC) dynamic_ = *segment;
  }
  if (!dynamic_) return damaged("it has no dynamic section");
  return {};
}

Status ElfReader::read_dynamic() {
  const uint64_t count = dynamic_->p_filesz / sizeof(Elf64_Dyn);
  for (uint64_t i = 0; i < count; ++i) {
    const auto entry = file_.at<Elf64_Dyn>(dynamic_->p_offset, i);
    if (!entry) return damaged("the dynamic section is cut");
    if (entry->d_tag == DT_NULL) break;
    if (entry->d_tag == DT_NEEDED) {
      if (needed_.size() == kMaxNeeded) return damaged("it needs too many libraries");
      needed_.push_back(entry->d_un.d_val);
    } else {
      tags_[entry->d_tag] = entry->d_un.d_val;
    }
  }
  const auto strings = table(DT_STRTAB);
  if (!strings || tags_.count(DT_STRSZ) == 0) return damaged("it has no string table");
  strings_ = *strings;
  strings_size_ = tags_[DT_STRSZ];
  if (strings_size_ > file_.size() - strings_) return damaged("the string table is cut");
  return {};
}

Status ElfReader::read_names() {
  for (const uint64_t index : needed_) {
    const auto text = string_at(index);
    if (!text || text->empty()) return damaged("the name of a needed library is unreadable");
    facts_.needed.push_back(*text);
  }
  if (tags_.count(DT_SONAME) != 0) {
    const auto text = string_at(tags_[DT_SONAME]);
    if (!text) return damaged("its soname is unreadable");
    facts_.soname = *text;
  }
  for (const int64_t tag : {DT_FILTER, DT_AUXILIARY, DT_AUDIT, DT_DEPAUDIT}) {
    if (tags_.count(tag) == 0) continue;
    const auto text = string_at(tags_[tag]);
    if (!text) return damaged("the name of a filter is unreadable");
    facts_.also_loads.push_back(*text);
  }
  const int64_t tag = tags_.count(DT_RUNPATH) != 0 ? DT_RUNPATH : DT_RPATH;
  if (tags_.count(tag) == 0) return {};
  const auto path = string_at(tags_[tag]);
  if (!path) return damaged("its run path is unreadable");
  for (size_t start = 0; start <= path->size();) {
    const size_t end = std::min(path->find(':', start), path->size());
    if (end > start) facts_.run_path.push_back(path->substr(start, end - start));
    start = end + 1;
  }
  return {};
}

// Entries are chained by byte distances; each step must go forward, so the walk ends.
Status ElfReader::read_version_needs() {
  if (tags_.count(DT_VERNEED) == 0) return {};
  auto offset = table(DT_VERNEED);
  if (!offset) return damaged("the table of needed versions is outside the file");
  for (uint64_t i = 0; i < std::min(tags_[DT_VERNEEDNUM], kMaxVersions); ++i) {
    const auto need = file_.at<Elf64_Verneed>(*offset);
    if (!need) return damaged("the table of needed versions is cut");
    OPKIT_CHECK(read_version_need_entries(*need, *offset));
    if (need->vn_next == 0) break;
    *offset += need->vn_next;
  }
  return {};
}

Status ElfReader::read_version_need_entries(const Elf64_Verneed& need, uint64_t offset) {
  uint64_t at = offset + need.vn_aux;
  for (uint64_t i = 0; i < need.vn_cnt; ++i) {
    const auto entry = file_.at<Elf64_Vernaux>(at);
    const auto text = entry ? string_at(entry->vna_name) : std::nullopt;
    if (!text) return damaged("a needed version is unreadable");
    if (facts_.version_needs.size() == kMaxVersions) return damaged("it needs too many versions");
    facts_.version_needs.push_back(*text);
    if (entry->vna_next == 0) break;
    at += entry->vna_next;
  }
  return {};
}

Status ElfReader::read_version_provides() {
  if (tags_.count(DT_VERDEF) == 0) return {};
  auto offset = table(DT_VERDEF);
  if (!offset) return damaged("the table of defined versions is outside the file");
  for (uint64_t i = 0; i < std::min(tags_[DT_VERDEFNUM], kMaxVersions); ++i) {
    const auto definition = file_.at<Elf64_Verdef>(*offset);
    if (!definition) return damaged("the table of defined versions is cut");
    const auto entry = file_.at<Elf64_Verdaux>(*offset + definition->vd_aux);
    const auto text = entry ? string_at(entry->vda_name) : std::nullopt;
    if (!text) return damaged("a defined version is unreadable");
    facts_.version_provides.push_back(*text);
    if (definition->vd_next == 0) break;
    *offset += definition->vd_next;
  }
  return {};
}

// The dynamic symbol table has no length of its own; the hash tables know it.
Result<uint64_t> ElfReader::count_symbols() const {
  if (tags_.count(DT_HASH) != 0) {
    const auto offset = table(DT_HASH);
    const auto chains = offset ? file_.at<uint32_t>(*offset, 1) : std::nullopt;
    if (!chains) return damaged("the hash table is outside the file");
    return uint64_t{*chains};
  }
  if (tags_.count(DT_GNU_HASH) == 0) return uint64_t{0};
  const auto offset = table(DT_GNU_HASH);
  if (!offset) return damaged("the hash table is outside the file");
  return count_gnu_symbols(*offset);
}

Result<uint64_t> ElfReader::count_gnu_symbols(uint64_t table) const {
  const auto buckets = file_.at<uint32_t>(table, 0), first = file_.at<uint32_t>(table, 1),
             words = file_.at<uint32_t>(table, 2);
  if (!buckets || !first || !words) return damaged("the hash table is cut");
  const uint64_t bucket_table = table + 16 + uint64_t{*words} * 8;
  const uint64_t chain_table = bucket_table + uint64_t{*buckets} * 4;
  uint64_t last = 0;
  for (uint64_t i = 0; i < *buckets; ++i) {
    const auto symbol = file_.at<uint32_t>(bucket_table, i);
    if (!symbol) return damaged("the hash table is cut");
    last = std::max<uint64_t>(last, *symbol);
  }
  if (last < *first) return uint64_t{*first};  // nothing is exported
  for (;; ++last) {  // the chain of the last bucket ends at the entry whose low bit is set
    const auto hash = file_.at<uint32_t>(chain_table, last - *first);
    if (!hash) return damaged("the hash table is cut");
    if (*hash & 1) return last + 1;
  }
}

Status ElfReader::read_symbols() {
  if (tags_.count(DT_SYMTAB) == 0) return {};
  OPKIT_TRY(const uint64_t count, count_symbols());
  if (count > kMaxSymbols) return damaged(fmt::format("it claims {} symbols", count));
  return read_dynamic_symbols(count);
}

Status ElfReader::read_dynamic_symbols(uint64_t count) {
  const auto offset = table(DT_SYMTAB);
  if (!offset) return damaged("the symbol table is outside the file");
  for (uint64_t i = 1; i < count; ++i) {
    const auto symbol = file_.at<Elf64_Sym>(*offset, i);
    if (!symbol) return damaged("the symbol table is cut");
    const auto text = string_at(symbol->st_name);
    if (!text) return damaged("the name of a symbol is unreadable");
    const auto visibility = ELF64_ST_VISIBILITY(symbol->st_other);
    const bool visible = visibility == STV_DEFAULT || visibility == STV_PROTECTED;
    if (ELF64_ST_BIND(symbol->st_info) == STB_LOCAL || text->empty()) continue;
    if (symbol->st_shndx == SHN_UNDEF)
      facts_.imported.push_back(*text);
    else if (visible && symbol->st_shndx != SHN_ABS)
      facts_.exported.push_back(*text);
  }
  return {};
}

void ElfReader::sort() {
  for (auto* list :
       {&facts_.exported, &facts_.imported, &facts_.version_needs, &facts_.version_provides}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
}

std::string highest(const std::vector<std::string>& versions, std::string_view family) {
  const std::string prefix = std::string(family) + "_";
  std::string best;
  for (const std::string& version : versions) {
    if (version.rfind(prefix, 0) != 0) continue;
    const std::string number = version.substr(prefix.size());
    if (number.empty() || number[0] < '0' || number[0] > '9') continue;  // GLIBC_PRIVATE
    if (best.empty() || compare_dotted(number, best) > 0) best = number;
  }
  return best;
}

}  // namespace

std::string ElfFacts::highest_need(std::string_view family) const {
  return highest(version_needs, family);
}

std::string ElfFacts::highest_provided(std::string_view family) const {
  return highest(version_provides, family);
}

bool ElfFacts::exports(std::string_view symbol) const {
  return std::binary_search(exported.begin(), exported.end(), symbol, std::less<>());
}

bool ElfFacts::imports(std::string_view symbol) const {
  return std::binary_search(imported.begin(), imported.end(), symbol, std::less<>());
}

std::string ElfFacts::sanitizer() const {
  if (imports("__asan_init")) return "address";
  if (imports("__tsan_init")) return "thread";
  return "none";
}

Result<ElfFacts> read_elf(std::string_view bytes, const std::string& name, ElfParts parts) {
  return ElfReader(bytes, name).read(parts);
}

Result<ElfFacts> read_elf_file(const std::filesystem::path& path, ElfParts parts) {
  OPKIT_TRY(const std::string bytes, read_regular_file(path, kMaxFileBytes));
  return read_elf(bytes, path.string(), parts);
}

}  // namespace opkit::registry
