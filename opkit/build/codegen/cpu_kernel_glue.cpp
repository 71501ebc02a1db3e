#include "opkit/build/codegen/cpu_kernel_glue.h"

#include <fmt/format.h>

#include "opkit/build/codegen/kernel_unit.h"
#include "opkit/contract/names.h"

namespace opkit::codegen {
namespace {

// Tells which ports are lists of tensors, inputs first.
std::string dynamic_flags(const OpContract& contract) {
  std::string flags;
  const auto add = [&](const std::vector<Port>& ports) {
    for (const Port& port : ports)
      flags += port.presence == Presence::kDynamic ? "true, " : "false, ";
  };
  add(contract.inputs);
  add(contract.outputs);
  return flags;
}

}  // namespace

std::string cpu_plugin_unit(const OpContract& contract, const std::string& contract_literal) {
  std::string text =
      "#include \"opkit_host/cpu_kernel.h\"\n#include \"opkit_host/plugin_table.h\"\n\n";
  text += "static const char kContract[] =" + contract_literal + ";\n\n";
  text += fmt::format(
      "static const bool kDynamic[] = {{{}}};\n"
      "static void run(opk_core* core, void* const* args) {{\n"
      "  opkit_host::run_cpu_kernel(core, args, {{kDynamic, {}, {}}});\n"
      "}}\n",
      dynamic_flags(contract), contract.inputs.size(), contract.outputs.size());
  text += fmt::format(
      "static const opk_kernel_v1 kKernel = {{sizeof(opk_kernel_v1), OPK_ANY_COLUMN, "
      "OPK_ANY_TILING_KEY, \"{0}\",\n"
      "                                      OPK_TASK_AICPU, {1}, nullptr, run, run}};\n"
      "static const opk_kernel_v1* const kRows[] = {{&kKernel}};\n"
      "static const opkit_host::OpEntry kOps[] = {{{{\"{2}\", kContract, sizeof kContract - 1, "
      "kRows, 1}}}};\n"
      "OPKIT_PLUGIN(\"{0}\", \"{3}\", kOps)\n",
      snake_name(contract.op), argument_count(contract), contract.op, contract.version);
  return text;
}

}  // namespace opkit::codegen
