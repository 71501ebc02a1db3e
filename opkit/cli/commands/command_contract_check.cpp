#include <fmt/format.h>

#include "opkit/base/file.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/options/contract_path.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/contract/explain.h"
#include "registry/manifest.h"

namespace opkit::cli {
namespace {

// Returns the function that the kernel's file must have: AdamWStep is adam_w_step.
std::string entry_of(const OpContract& contract) {
  if (contract.kernel && !contract.kernel->entry.empty()) return contract.kernel->entry;
  return registry::snake_name(contract.op);
}

Outcome run_contract_check(const Arguments& arguments, Console& console) {
  Json all = Json::array();
  bool good = true;
  for (const std::string& given : arguments.all("contract")) {
    OPKIT_TRY(const std::string name, contract_path(given));
    OPKIT_TRY(const std::string text, read_file(name));
    const OpContract::Checked checked = OpContract::check(text, name);
    good = good && checked.ok();
    all.push_back(check_json(checked, name));
    console.print(check_text(checked, name));
    if (!checked.ok()) continue;
    const std::string entry = entry_of(*checked.contract);
    all.back()["kernel_entry"] = entry;
    console.print(fmt::format("kernel: function {} in op_kernel/{}.cpp\n", entry,
                              registry::snake_name(checked.contract->op)));
  }
  console.emit(all.size() == 1 ? all.front() : Json{{"contracts", all}, {"ok", good}});
  return good ? kOk : kFailed;
}

}  // namespace

Command contract_check_command() {
  return {
      .name = "contract check",
      .summary = "every error and warning of a contract, with its place",
      .details = "Exit code 1 when there is an error.",
      .positionals = {{.name = "contract",
                       .help = "an op_contract.yaml or a folder that holds one",
                       .complete = Complete::kFile,
                       .repeated = true}},
      .flags = {},
      .examples = {{"opkit contract check my_fused", "the contract of a project"},
                   {"opkit contract check ops/*/op_contract.yaml --json", "many, for a script"}},
      .run = run_contract_check};
}

}  // namespace opkit::cli
