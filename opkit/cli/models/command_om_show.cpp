#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/models/om_text.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/model/file/om_file.h"

namespace opkit::cli {
namespace {

Outcome run_om_show(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const model::OfflineModel model, model::load(arguments.get("model")));
  console.show(om_json(model), om_text(model, console.out()));
  return kOk;
}

}  // namespace

Command om_show_command() {
  return {.name = "om show",
          .summary = "what an offline model holds: ends, plugins, steps, memory",
          .details = "Times that end in ~ are estimates or bounds.",
          .positionals = {{.name = "model",
                           .help = "a file that atc wrote",
                           .complete = Complete::kFile}},
          .flags = {},
          .examples = {{"opkit om show resnet50.om", "a table of its steps"},
                       {"opkit om show resnet50.om --json", "for scripts"}},
          .run = run_om_show};
}

}  // namespace opkit::cli
