#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/text/soc_text.h"

namespace opkit::cli {
namespace {

Outcome run_soc_show(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const std::string name, checked_soc(arguments.get("soc"), console));
  OPKIT_TRY(const SocMatch match, find_soc(name));
  if (arguments.has("--yaml") && !console.json()) {
    console.raw(opkit::soc_text(match.spec->name));
    return kOk;
  }
  console.show(soc_json(*match.spec), soc_text(*match.spec, console.out()));
  return kOk;
}

}  // namespace

Command soc_show_command() {
  return {.name = "soc show",
          .summary = "one chip: cores, memories, rates, dtypes per instruction",
          .details = "",
          .positionals = {{.name = "soc",
                           .help = "full name (Ascend910B1) or family (Ascend910B)",
                           .complete = Complete::kSoc}},
          .flags = {{.name = "--yaml", .value = "", .help = "print the data file itself"}},
          .examples = {{"opkit soc show Ascend310P3", "a table"},
                       {"opkit soc show Ascend910B1 --json", "for scripts"}},
          .run = run_soc_show};
}

}  // namespace opkit::cli
