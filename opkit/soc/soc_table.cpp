#include "opkit/soc/soc_table.h"

#include <fmt/format.h>

#include "opkit/soc/soc_spec.h"

namespace opkit {
namespace {

constexpr const char* kTop =
    R"(// Generated from opkit/soc/specs by the build target soc_table; do not edit.
#ifndef OPKIT_HOST_SOC_TABLE_H_
#define OPKIT_HOST_SOC_TABLE_H_

#include "opkit/abi/soc.h"

namespace opkit_host {

// clang-format off
inline constexpr opk_soc_v1 kSocTable[] = {
)";

constexpr const char* kBottom = R"(};
// clang-format on

}  // namespace opkit_host

#endif  // OPKIT_HOST_SOC_TABLE_H_
)";

// Lists them in the order of the fields of opk_soc_v1, which the file checks by its initialiser.
std::string row(const opk_soc_v1& s) {
  std::string memory;
  for (uint64_t size : s.memory_size)
    memory += fmt::format("{}{}", memory.empty() ? "" : ", ", size);
  return fmt::format(
      "    {{sizeof(opk_soc_v1), {}, \"{}\", \"{}\", {}, {}, {}, {}, {{{}}}, {}, {}, {}, {}, {}, "
      "{}, {}, "
      "{}, {}, {}, {}, nullptr}},\n",
      s.npu_arch, s.name, s.short_name, s.core_num, s.cube_core_num, s.vector_core_num, s.split,
      memory, s.l2_size, s.reserved_ub, s.reserved_l1, s.lib_api_workspace, s.cube_freq_mhz,
      s.vector_freq_mhz, s.l2_read_rate, s.l2_write_rate, s.ddr_read_rate, s.ddr_write_rate,
      s.vector_register_bytes);
}

}  // namespace

Result<std::string> soc_table_header() {
  std::string text = kTop;
  std::vector<std::string> families;
  for (const std::string& name : soc_names()) {
    OPKIT_TRY(const SocMatch match, find_soc(name));
    text += row(to_abi(*match.spec));
    OPKIT_TRY(const SocMatch family, find_soc(match.spec->short_name));
    const std::string entry =
        fmt::format("    {{\"{}\", \"{}\"}},\n", match.spec->short_name, family.spec->name);
    if (families.empty() || families.back() != entry) families.push_back(entry);
  }
  text += "};\n\n// Short name, chip that stands for it.\n";
  text += "inline constexpr const char* kSocFamilies[][2] = {\n";
  for (const std::string& family : families) text += family;
  return text + kBottom;
}

}  // namespace opkit
