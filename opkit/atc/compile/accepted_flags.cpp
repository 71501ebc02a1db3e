#include "opkit/atc/compile/accepted_flags.h"

#include <fmt/format.h>

#include <algorithm>

namespace opkit::compile {
namespace {

const std::vector<std::string> kAny, kOffOnly = {"0"}, kSwitch = {"0", "1"},
                                     kTruth = {"false", "true"};

}  // namespace

const std::vector<AcceptedFlag>& accepted_flags() {
  static const std::vector<AcceptedFlag> all = {
      {"op_select_implmode",
       {"high_performance", "high_performance_for_all"},
       "installed ops have one implementation each"},
      {"core_type", {"AiCore"}, "the task type of a kernel says on which cores it runs"},
      {"is_input_adjust_hw_layout", {"false"}, "programs give inputs with dense elements"},
      {"is_output_adjust_hw_layout", {"false"}, "programs take outputs with dense elements"},
      {"buffer_optimize",
       {"l2_optimize", "l1_optimize", "off_optimize"},
       "only these three are known"},
      {"enable_small_channel", kSwitch, "it is a switch"},
      {"disable_reuse_memory", kOffOnly, "the memory of values is always used again"},
      {"enable_single_stream", kTruth, "it is a switch"},
      {"ac_parallel_enable", kSwitch, "it is a switch"},
      {"deterministic", kSwitch, "it is a switch; results are the same every time"},
      {"sparsity", kOffOnly, "weights of structured sparsity are not read"},
      {"external_weight", kOffOnly, "weights lie in the offline model"},
      {"host_env_os", {"linux"}, "opkit runs on Linux"},
      {"host_env_cpu", {"x86_64", "aarch64"}, "only these two are known"},
      {"op_debug_level", {"0", "1", "2", "3", "4"}, "it is a number from 0 to 4"},
      {"debug_dir", kAny, ""},
      {"op_compiler_cache_mode", {"enable", "disable", "force"}, "only these three are known"},
      {"op_compiler_cache_dir", kAny, ""},
      {"export_compile_stat", {"1", "0", "2"}, "it is a number from 0 to 2"},
      {"quant_dumpable", kSwitch, "it is a switch"},
      {"atomic_clean_policy", kSwitch, "it is a switch"},
  };
  return all;
}

const AcceptedFlag* find_accepted_flag(const std::string& name) {
  const auto& all = accepted_flags();
  const auto found = std::ranges::find(all, name, &AcceptedFlag::name);
  return found == all.end() ? nullptr : &*found;
}

Status check(const AcceptedFlag& flag, const std::string& called, const std::string& value) {
  if (flag.values.empty() || std::ranges::count(flag.values, value) > 0) return {};
  return Error(
      "E10001",
      fmt::format("value [{}] for parameter [{}] is invalid. Reason: {}", value, called, flag.why),
      fmt::format("{}={}", called, flag.values[0]));
}

}  // namespace opkit::compile
