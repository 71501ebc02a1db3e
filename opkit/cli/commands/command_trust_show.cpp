#include <fmt/format.h>

#include "opkit/base/file.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/table.h"
#include "opkit/cli/text/key_text.h"

namespace opkit::cli {
namespace {

Outcome run_trust_show(const Arguments& arguments, Console& console) {
  const std::filesystem::path opp = target_opp(arguments);
  OPKIT_TRY(const registry::Trust trust, registry::load_trust(opp));
  Table table({"vendor", "belongs to key"});
  for (const auto& [vendor, key] : trust.owners) table.add({vendor, key});
  console.show(trust_json(trust, opp),
               fmt::format("{} takes packages: {}\n{}", shown(opp), registry::name_of(trust.policy),
                           trust.owners.empty() ? "no vendor's name has an owner\n"
                                                : table.to_string(console.out())));
  return kOk;
}

}  // namespace

Command trust_show_command() {
  return {.name = "trust show",
          .summary = "whose packages an OPP folder takes",
          .details = "",
          .positionals = {},
          .flags = {opp_flag()},
          .examples = {{"opkit trust show", "the policy, and who owns which vendor's name"}},
          .run = run_trust_show};
}

}  // namespace opkit::cli
