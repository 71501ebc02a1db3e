#include <array>
#include <regex>
#include <string_view>
#include <utility>

#include "opkit/abi/types.h"
#include "opkit/base/suggest.h"
#include "opkit/codegen/glue.h"

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

Result<int> from_source(const std::string& word) {
  std::vector<std::string> known;
  for (const Name& name : kNames) {
    if (name.source == word) return name.value;
    known.emplace_back(name.source);
  }
  return Error("OPK-GEN-001", "unknown kernel type " + word, suggest(word, known));
}

// Without a statement the vendor infers the kind from the code: use of the cube unit means a mixed
// kernel.
bool uses_cube(const std::string& source) {
  static const std::regex kCube(R"(\b(Mmad|Fixpipe|LoadData|REGIST_MATMUL_OBJ|IterateAll)\b)");
  return std::regex_search(source, kCube);
}

}  // namespace

Result<int> task_type_of(const OpContract& contract, const std::string& kernel_source) {
  if (contract.kernel && !contract.kernel->task_type.empty()) {
    for (const Name& name : kNames) {
      if (name.contract == contract.kernel->task_type) return name.value;
    }
  }
  static const std::regex kStatement(R"(KERNEL_TASK_TYPE_DEFAULT\s*\(\s*(\w+)\s*\))");
  std::smatch match;
  if (std::regex_search(kernel_source, match, kStatement)) return from_source(match[1].str());
  return uses_cube(kernel_source) ? OPK_TASK_MIX_1_2 : OPK_TASK_AIV_ONLY;
}

}  // namespace opkit::codegen
