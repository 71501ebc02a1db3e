#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/op_choice.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/contract/diff.h"

namespace opkit::cli {
namespace {

Outcome run_contract_diff(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const OpContract before, choose_contract(arguments.get("before"), arguments, console));
  OPKIT_TRY(const OpContract after, choose_contract(arguments.get("after"), arguments, console));
  const ContractDiff diff = diff_contracts(before, after);
  console.show(diff_json(diff), diff_text(diff));
  return diff.version_suffices() ? kOk : kFailed;
}

}  // namespace

Command contract_diff_command() {
  return {
      .name = "contract diff",
      .summary = "what changed between two contracts: patch, minor or major, and why",
      .details =
          "Exit code 1 when the newer contract's version does not say what the change asks for.",
      .positionals = {{.name = "before",
                       .help = "a contract file, an op project, a package or an installed op",
                       .complete = Complete::kOp},
                      {.name = "after", .help = "the same", .complete = Complete::kOp}},
      .flags = choice_flags(),
      .examples = {{"opkit contract diff old.yaml my_fused", "before a release"},
                   {"opkit contract diff AddRelu add_relu/op_contract.yaml",
                    "installed against edited"}},
      .run = run_contract_diff};
}

}  // namespace opkit::cli
