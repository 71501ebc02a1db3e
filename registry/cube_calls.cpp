#include "registry/cube_calls.h"

#include <elf.h>

#include "opkit/base/file.h"
#include "registry/elf_bytes.h"

namespace opkit::registry {
namespace {

constexpr std::string_view kMarks = "opkit_reach_cube_";

}  // namespace

std::vector<std::string> cube_calls_of(const std::filesystem::path& library) {
  const Result<std::string> bytes = read_file(library);
  if (!bytes.ok()) return {};
  const ElfBytes elf(*bytes);
  const auto header = elf.at<Elf64_Ehdr>(0);
  if (!header || header->e_shstrndx >= header->e_shnum) return {};
  const auto names = elf.at<Elf64_Shdr>(header->e_shoff, header->e_shstrndx);
  std::vector<std::string> calls;
  for (uint64_t i = 0; names && i < header->e_shnum; ++i) {
    const auto section = elf.at<Elf64_Shdr>(header->e_shoff, i);
    if (!section || section->sh_size <= sizeof(uint64_t)) continue;  // one belongs to nobody
    const auto name = elf.text(names->sh_offset, names->sh_size, section->sh_name);
    if (name && name->rfind(kMarks, 0) == 0) calls.push_back(name->substr(kMarks.size()));
  }
  return calls;
}

}  // namespace opkit::registry
