#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/op_choice.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/contract/explain.h"

namespace opkit::cli {
namespace {

Outcome run_contract_explain(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const OpContract contract, choose_contract(arguments.get("op"), arguments, console));
  console.show(explain_json(contract), explain_text(contract));
  return kOk;
}

}  // namespace

Command contract_explain_command() {
  return {
      .name = "contract explain",
      .summary = "a contract in words: signature, columns, symbols, constraints, reference",
      .details = "",
      .positionals = {{.name = "op",
                       .help = "a contract file, an op project, a package or an installed op",
                       .complete = Complete::kOp}},
      .flags = choice_flags(),
      .examples = {{"opkit contract explain my_fused", "what the project's contract says"},
                   {"opkit contract explain AddRelu --json", "an installed op's, for a script"}},
      .run = run_contract_explain};
}

}  // namespace opkit::cli
