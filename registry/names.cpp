#include <fmt/format.h>

#include <algorithm>

#include "opkit/abi/aicpu.h"
#include "opkit/abi/types.h"
#include "opkit/base/suggest.h"
#include "opkit/contract/names.h"
#include "registry/manifest.h"

namespace opkit::registry {
namespace {

constexpr size_t kMaxName = 128;

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_alphanumeric(char c) { return is_upper(c) || is_lower(c) || is_digit(c); }

}  // namespace

bool is_vendor_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxName && is_alphanumeric(name[0]) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_alphanumeric(c) || c == '_' || c == '-'; });
}

bool is_op_type(std::string_view name) {
  return !name.empty() && name.size() <= kMaxName && is_upper(name[0]) &&
         std::all_of(name.begin(), name.end(), is_alphanumeric);
}

// A capital starts a word when no capital is before it, or when a lower-case letter follows it
// (as the vendor's project generator names files).
std::string snake_name(std::string_view op_type) {
  std::string text;
  for (size_t i = 0; i < op_type.size(); ++i) {
    const char c = op_type[i];
    const bool after_capital = i > 0 && is_upper(op_type[i - 1]);
    const bool before_lower = i + 1 < op_type.size() && is_lower(op_type[i + 1]);
    if (i > 0 && is_upper(c) && (!after_capital || before_lower)) text += '_';
    text += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

std::string suggest_op(std::string_view op, const std::vector<std::string>& installed) {
  return suggest(op, installed,
                 fmt::format("`opkit list` shows the {} installed ops", installed.size()));
}

bool is_aicpu(const Manifest& manifest) {
  return !manifest.kernels.empty() && manifest.kernels[0].task_type == kAicpuKernel;
}

std::string_view kind_of(const Manifest& manifest) {
  return is_aicpu(manifest) ? "AICPU" : "AI Core";
}

std::string task_type_name(int32_t task_type) {
  switch (task_type) {
    case OPK_TASK_AIV_ONLY: return "aiv";
    case OPK_TASK_AIC_ONLY: return "aic";
    case OPK_TASK_MIX_1_1: return "mix_1_1";
    case OPK_TASK_MIX_1_2: return "mix_1_2";
    case OPK_TASK_MIX_AIC_1_0: return "mix_aic_1_0";
    case OPK_TASK_MIX_AIV_1_0: return "mix_aiv_1_0";
    case OPK_TASK_AICPU: return kAicpuKernel;
    default: return fmt::format("task_{}", task_type);
  }
}

}  // namespace opkit::registry
