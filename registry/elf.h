// What a shared library says about itself, read without loading it. The reader follows the program
// headers as the dynamic loader does, copies nothing out of range and never trusts a count.
#ifndef OPKIT_REGISTRY_ELF_H_
#define OPKIT_REGISTRY_ELF_H_

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::registry {

struct ElfFacts {
  std::string machine;   // "x86_64", "aarch64", "machine 8"
  std::string platform;  // "linux-x86_64"
  std::string soname;
  std::vector<std::string> needed;            // DT_NEEDED, in file order
  std::vector<std::string> run_path;          // DT_RUNPATH or DT_RPATH, split at ':'
  std::vector<std::string> also_loads;        // filters and auditors
  std::vector<std::string> exported;          // defined dynamic symbols, sorted
  std::vector<std::string> imported;          // undefined dynamic symbols, sorted
  std::vector<std::string> version_needs;     // "GLIBC_2.34", "GLIBCXX_3.4.30": sorted
  std::vector<std::string> version_provides;  // versions that the library defines, sorted

  // Returns the highest "<family>_x.y" among version_needs or version_provides, without the prefix;
  // empty when there is none. family: "GLIBC", "GLIBCXX", "CXXABI".
  std::string highest_need(std::string_view family) const;
  std::string highest_provided(std::string_view family) const;
  bool exports(std::string_view symbol) const;
  bool imports(std::string_view symbol) const;
  // "address", "thread" or "none", by the run-time symbols that the library asks for.
  std::string sanitizer() const;
};

// kVersions: without symbols, which are many in a large library.
enum class ElfParts { kAll, kVersions };

// OPK-ELF-001 no ELF file, -002 damaged, -003 not a 64-bit little-endian shared library.
Result<ElfFacts> read_elf(std::string_view bytes, const std::string& name,
                          ElfParts parts = ElfParts::kAll);
Result<ElfFacts> read_elf_file(const std::filesystem::path& path, ElfParts parts = ElfParts::kAll);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_ELF_H_
