#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/contract/schema.h"

namespace opkit::cli {
namespace {

// The schema is a JSON document itself: it is printed with and without --json.
Outcome run_contract_schema(const Arguments&, Console& console) {
  console.raw(contract_schema_text());
  return kOk;
}

}  // namespace

Command contract_schema_command() {
  return {.name = "contract schema",
          .summary = "the JSON Schema of op_contract.yaml, for editors",
          .details = "",
          .positionals = {},
          .flags = {},
          .examples = {{"opkit contract schema > op_contract.schema.json",
                        "for the YAML plug-in of an editor"}},
          .run = run_contract_schema};
}

}  // namespace opkit::cli
