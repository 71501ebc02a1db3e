#include "opkit/acl/execute.h"

#include <cstdio>
#include <deque>
#include <string>
#include <utility>

namespace opkit::acl {

opk_kernel_v1 entry_of(const char* name, int task_type, opk_kernel_fn aiv, opk_kernel_fn aic) {
  const bool cube = task_type != OPK_TASK_AIV_ONLY && task_type != OPK_TASK_MIX_AIV_1_0;
  const bool vector = task_type != OPK_TASK_AIC_ONLY && task_type != OPK_TASK_MIX_AIC_1_0;
  opk_kernel_v1 kernel = {};
  kernel.struct_size = sizeof kernel;
  kernel.column = OPK_ANY_COLUMN;
  kernel.tiling_key = OPK_ANY_TILING_KEY;
  kernel.name = name;
  kernel.task_type = task_type;
  kernel.arg_count = 1;
  kernel.aic = cube ? aic : nullptr;
  kernel.aiv = vector ? aiv : nullptr;
  return kernel;
}

namespace {

// Memory is called by the arguments that point into it: "argument 2". The names live in `names`.
void name_by_argument(const std::vector<const void*>& pointers, std::deque<std::string>& names,
                      std::vector<core::GmRange>& ranges) {
  for (core::GmRange& range : ranges) {
    std::string name;
    for (size_t i = 0; i < pointers.size(); ++i) {
      const auto* p = static_cast<const uint8_t*>(pointers[i]);
      if (p < range.base || p >= range.base + range.bytes) continue;
      name += (name.empty() ? "argument " : " and ") + std::to_string(i + 1);
    }
    if (!name.empty()) range.name = names.emplace_back(std::move(name)).c_str();
  }
}

}  // namespace

bool execute(Runtime& runtime, const opk_kernel_v1& kernel, uint32_t blocks, void* arguments,
             const std::vector<const void*>& pointers) {
  void* const args[] = {arguments};
  core::LaunchRequest request;
  request.kernel = &kernel;
  request.block_dim = blocks;
  request.tiling_key = runtime.tiling_key;
  request.args = args;
  request.system_workspace = runtime.system_workspace();
  std::vector<core::GmRange> ranges = runtime.gm_ranges();
  std::deque<std::string> names;
  name_by_argument(pointers, names, ranges);
  request.gm = ranges.data();
  request.gm_count = static_cast<uint32_t>(ranges.size());
  request.observer = runtime.mode().observer();
  request.schedule_seed = chosen_schedule_seed();
  const core::LaunchReport report = runtime.machine().launch(request);
  std::fwrite(report.printed.data(), 1, report.printed.size(), stdout);
  if (!report.printed.empty()) std::fflush(stdout);
  return runtime.mode().judge(report, kernel.name);
}

aclError failed(Runtime& runtime, aclrtStream stream, const char* kernel) {
  runtime.any_fault = true;
  if (Stream* const one = runtime.find(stream)) one->failed = true;
  return fail(ACL_ERROR_RT_AICORE_EXCEPTION, "kernel %s failed (see stderr)", kernel);
}

}  // namespace opkit::acl
