#include "opkit/verify/proof/launch_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "opkit/call/tiling/tile.h"

namespace opkit::verify {
namespace {

// Device memory, rates and the full name do not show in a launch. How many blocks run at the same
// time does where there are more of them.
std::string core_text(const opk_soc_v1& chip, const TilingPlan& tiling) {
  std::string text = fmt::format("{} {} {} {} {} {}", chip.short_name, chip.npu_arch, chip.split,
                                 chip.reserved_ub, chip.reserved_l1, chip.vector_register_bytes);
  for (size_t memory = OPK_MEM_UB; memory < OPK_MEM_COUNT; ++memory)
    text += fmt::format(" {}", chip.memory_size[memory]);
  const uint32_t resident = tiling.kernel ? resident_blocks(chip, tiling.kernel->task_type) : 0;
  if (tiling.block_dim > resident) text += fmt::format(" of {}", resident);
  return text;
}

}  // namespace

std::string launch_text(const CallPlan& plan) {
  const TilingPlan& tiling = plan.tiling;
  std::string text = core_text(to_abi(*plan.soc), tiling);
  text +=
      fmt::format("; {} {} {} {} {} {}", tiling.block_dim, tiling.key, tiling.schedule_mode,
                  tiling.local_memory_size, tiling.need_atomic, fmt::join(tiling.workspaces, " "));
  text.append(reinterpret_cast<const char*>(tiling.data.data()), tiling.data.size());
  return text;
}

}  // namespace opkit::verify
