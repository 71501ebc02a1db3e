#include <fmt/format.h>

#include "opkit/base/file.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/text/key_text.h"
#include "registry/change_trust.h"

namespace opkit::cli {
namespace {

Outcome run_trust_policy(const Arguments& arguments, Console& console) {
  const std::filesystem::path opp = target_opp(arguments);
  const auto policy = registry::policy_of(arguments.get("policy"));
  registry::Trust changed;
  OPKIT_CHECK(registry::change_trust(opp, [&](registry::Trust& trust) {
    trust.policy = *policy;  // the parser allows no other words
    changed = trust;
    return Status();
  }));
  console.show(trust_json(changed, opp),
               fmt::format("{} takes packages: {}\n", shown(opp), arguments.get("policy")));
  return kOk;
}

}  // namespace

Command trust_policy_command() {
  return {.name = "trust policy",
          .summary = "say whose packages an OPP folder takes",
          .details =
              "any: signed or not, but a vendor with an owner must sign. signed: whoever signs "
              "first owns\n"
              "the vendor's name. known-vendors: signed by an owner, or by a key of `opkit keys`.\n"
              "What is installed already stays; `opkit verify` names what would be refused now.",
          .positionals = {{.name = "policy",
                           .help = "any, signed or known-vendors",
                           .choices = {"any", "signed", "known-vendors"}}},
          .flags = {opp_flag()},
          .examples = {{"opkit trust policy signed", "no unsigned package from now on"}},
          .run = run_trust_policy};
}

}  // namespace opkit::cli
