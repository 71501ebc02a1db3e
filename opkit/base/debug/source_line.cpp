#include "opkit/base/debug/source_line.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <vector>

namespace opkit::debug {
namespace {

// Headers that authors include; a frame in one of them is not the author's.
bool is_own_header(const std::string& file) {
  return file.find("/opkit/include/") != std::string::npos ||
         file.find("/opkit/abi/num/") != std::string::npos ||
         file.find("/opkit/abi/") != std::string::npos;
}

std::string text_of(const char* text) { return text ? text : ""; }

// Returns the files that a compilation unit's line numbers refer to.
std::string call_file(Dwarf_Die* unit, Dwarf_Word index) {
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  if (dwarf_getsrcfiles(unit, &files, &count) != 0 || index >= count) return {};
  return text_of(dwarf_filesrc(files, index, nullptr, nullptr));
}

std::optional<Dwarf_Word> number(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &value) != 0) return {};
  return value;
}

// The innermost place first, then the places of the calls that were inlined around it.
std::vector<SourceLine> frames_of(Dwarf_Die* unit, Dwarf_Addr address) {
  std::vector<SourceLine> frames;
  SourceLine here;
  if (Dwarf_Line* line = dwarf_getsrc_die(unit, address)) {
    here.file = text_of(dwarf_linesrc(line, nullptr, nullptr));
    dwarf_lineno(line, &here.line);
  }
  Dwarf_Die* found = nullptr;
  const int count = dwarf_getscopes(unit, address, &found);
  if (count <= 0) return here.file.empty() ? frames : std::vector<SourceLine>{here};
  // The scopes around an inlined instance are those of its definition; those of the call are
  // wanted.
  Dwarf_Die innermost = found[0];
  Dwarf_Die* scopes = nullptr;
  const int depth = dwarf_getscopes_die(&innermost, &scopes);
  for (int i = 0; i < depth; ++i) {
    const int tag = dwarf_tag(&scopes[i]);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
    here.function = text_of(dwarf_diename(&scopes[i]));
    frames.push_back(here);
    if (tag == DW_TAG_subprogram) break;
    here.file = call_file(unit, number(&scopes[i], DW_AT_call_file).value_or(0));
    here.line = static_cast<int>(number(&scopes[i], DW_AT_call_line).value_or(0));
  }
  std::free(scopes);
  std::free(found);
  return frames;
}

char* no_debug_path = nullptr;

// An object that lives in memory (memfd_create) has no file of the name that the kernel shows; the
// loader still knows the path that it was loaded by.
int find_elf(Dwfl_Module* module, void** user_data, const char* name, Dwarf_Addr base,
             char** file_name, Elf** elf) {
  Dl_info info = {};
  if (std::strncmp(name, "/memfd:", 7) != 0 ||
      dladdr(reinterpret_cast<const void*>(base), &info) == 0 || !info.dli_fname) {
    return dwfl_linux_proc_find_elf(module, user_data, name, base, file_name, elf);
  }
  return open(info.dli_fname, O_RDONLY | O_CLOEXEC);
}

// Returns how many objects the loader has let go of: others may lie at their addresses now.
uint64_t count_of_unloaded() {
  uint64_t count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* out) {
        *static_cast<uint64_t*>(out) = info->dlpi_subs;
        return 1;
      },
      &count);
  return count;
}

// Returns the innermost place that is the author's.
std::optional<SourceLine> author_line(Dwfl_Module* module, Dwarf_Addr address) {
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = module ? dwfl_module_addrdie(module, address, &bias) : nullptr;
  if (!unit) return {};
  const std::vector<SourceLine> frames = frames_of(unit, address - bias);
  for (const SourceLine& frame : frames) {
    if (!frame.file.empty() && frame.line > 0 && !is_own_header(frame.file)) return frame;
  }
  if (frames.empty()) return {};
  return frames.back();
}

}  // namespace

class SourceLines::Impl {
 public:
  ~Impl() {
    if (dwfl_) dwfl_end(dwfl_);
  }

  std::optional<SourceLine> find(const void* pc) {
    forget_what_is_gone();
    const auto known = cache_.find(pc);
    if (known != cache_.end()) return known->second;
    std::optional<SourceLine> line = search(reinterpret_cast<Dwarf_Addr>(pc) - 1);
    cache_.emplace(pc, line);
    return line;
  }

 private:
  void forget_what_is_gone() {
    const uint64_t now = count_of_unloaded();
    if (now == unloaded_) return;
    unloaded_ = now;
    cache_.clear();
    if (dwfl_) dwfl_end(dwfl_);
    dwfl_ = nullptr;
  }
  std::optional<SourceLine> search(Dwarf_Addr address) {
    if (!dwfl_ || !dwfl_addrmodule(dwfl_, address)) load();
    return author_line(dwfl_ ? dwfl_addrmodule(dwfl_, address) : nullptr, address);
  }

  void load() {
    if (dwfl_) dwfl_end(dwfl_);
    callbacks_.find_elf = find_elf;
    callbacks_.find_debuginfo = dwfl_standard_find_debuginfo;
    callbacks_.debuginfo_path = &no_debug_path;
    dwfl_ = dwfl_begin(&callbacks_);
    if (!dwfl_) return;
    dwfl_report_begin(dwfl_);
    dwfl_linux_proc_report(dwfl_, getpid());
    dwfl_report_end(dwfl_, nullptr, nullptr);
  }

  Dwfl_Callbacks callbacks_ = {};
  Dwfl* dwfl_ = nullptr;
  uint64_t unloaded_ = 0;
  std::map<const void*, std::optional<SourceLine>> cache_;
};

std::string short_text(const SourceLine& line) {
  const std::filesystem::path file = std::filesystem::path(line.file).lexically_normal();
  return (file.parent_path().filename() / file.filename()).string() + ":" +
         std::to_string(line.line);
}

SourceLines::SourceLines() : impl_(std::make_unique<Impl>()) {}
SourceLines::~SourceLines() = default;

std::optional<SourceLine> SourceLines::find(const void* pc) { return impl_->find(pc); }

std::string SourceLines::text(const void* pc) {
  const auto line = find(pc);
  return line ? line->file + ":" + std::to_string(line->line) : std::string();
}

std::optional<SourceLine> line_in(const std::string& file, uint64_t offset) {
  Dwfl_Callbacks callbacks = {};
  callbacks.find_elf = dwfl_build_id_find_elf;
  callbacks.find_debuginfo = dwfl_standard_find_debuginfo;
  callbacks.section_address = dwfl_offline_section_address;
  callbacks.debuginfo_path = &no_debug_path;
  Dwfl* dwfl = dwfl_begin(&callbacks);
  if (!dwfl) return {};
  dwfl_report_begin(dwfl);
  Dwfl_Module* module = dwfl_report_offline(dwfl, file.c_str(), file.c_str(), -1);
  dwfl_report_end(dwfl, nullptr, nullptr);
  GElf_Addr bias = 0;
  std::optional<SourceLine> line;
  if (module && dwfl_module_getelf(module, &bias)) line = author_line(module, bias + offset - 1);
  dwfl_end(dwfl);
  return line;
}

}  // namespace opkit::debug
