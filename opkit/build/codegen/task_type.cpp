#include "opkit/build/codegen/task_type.h"

#include <array>
#include <string_view>

#include "opkit/abi/types.h"
#include "opkit/base/suggest.h"

namespace opkit::codegen {
namespace {

struct Name {
  std::string_view contract, source;
  int value;
};

constexpr std::array<Name, 6> kNames = {{
    {"aiv_only", "KERNEL_TYPE_AIV_ONLY", OPK_TASK_AIV_ONLY},
    {"aic_only", "KERNEL_TYPE_AIC_ONLY", OPK_TASK_AIC_ONLY},
    {"mix_1_1", "KERNEL_TYPE_MIX_AIC_1_1", OPK_TASK_MIX_1_1},
    {"mix_1_2", "KERNEL_TYPE_MIX_AIC_1_2", OPK_TASK_MIX_1_2},
    {"mix_aic_1_0", "KERNEL_TYPE_MIX_AIC_1_0", OPK_TASK_MIX_AIC_1_0},
    {"mix_aiv_1_0", "KERNEL_TYPE_MIX_AIV_1_0", OPK_TASK_MIX_AIV_1_0},
}};

}  // namespace

Result<int> task_type_named(const std::string& word) {
  std::vector<std::string> known;
  for (const Name& name : kNames) {
    if (name.source == word) return name.value;
    known.emplace_back(name.source);
  }
  return Error("OPK-GEN-001", "unknown kernel type " + word, suggest(word, known));
}

int default_task_type(const OpContract& contract, const KernelSource& source) {
  if (contract.kernel && !contract.kernel->task_type.empty()) {
    for (const Name& name : kNames) {
      if (name.contract == contract.kernel->task_type) return name.value;
    }
  }
  if (source.task_type) return *source.task_type;
  return source.names_cube ? kTaskTypeByReach : OPK_TASK_AIV_ONLY;
}

bool runs_on_cube(int task_type) {
  return task_type != OPK_TASK_AIV_ONLY && task_type != OPK_TASK_MIX_AIV_1_0;
}

bool runs_on_vector(int task_type) {
  return task_type != OPK_TASK_AIC_ONLY && task_type != OPK_TASK_MIX_AIC_1_0;
}

}  // namespace opkit::codegen
