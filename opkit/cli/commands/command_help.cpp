#include <fmt/format.h>

#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/options/help.h"
#include "opkit/cli/options/parser.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"

namespace opkit::cli {
namespace {

Outcome run_help(const Arguments& arguments, Console& console) {
  const Commands& commands = all_commands();
  OPKIT_TRY(const Chosen chosen, choose(commands, arguments.all("command")));
  if (!chosen.rest.empty())
    return Error("OPK-CLI-005", fmt::format("'{}' is one too many", chosen.rest[0]),
                 "opkit help " + (chosen.command ? chosen.command->name : chosen.group));
  const Palette& palette = console.out();
  const std::string text = chosen.command          ? help_of_command(*chosen.command, palette)
                           : !chosen.group.empty() ? help_of_group(commands, chosen.group, palette)
                                                   : help_of_program(commands, palette);
  console.show(Json{{"help", text}}, text);
  return kOk;
}

}  // namespace

Command help_command() {
  return {.name = "help",
          .summary = "the help page of a command",
          .details = "",
          .positionals = {{.name = "command",
                           .help = "as in `opkit help contract check`; without it the overview",
                           .complete = Complete::kCommand,
                           .required = false,
                           .repeated = true}},
          .flags = {},
          .examples = {{"opkit help new", "the same as `opkit new --help`"}},
          .run = run_help};
}

}  // namespace opkit::cli
