#include <fmt/format.h>

#include "opkit/base/file.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/text/key_text.h"
#include "registry/change_trust.h"

namespace opkit::cli {
namespace {

Outcome run_trust_forget(const Arguments& arguments, Console& console) {
  const std::filesystem::path opp = target_opp(arguments);
  const std::string vendor = arguments.get("vendor");
  registry::Trust changed;
  OPKIT_CHECK(registry::change_trust(opp, [&](registry::Trust& trust) {
    const Status status = registry::forget(trust, vendor);
    changed = trust;
    return status;
  }));
  console.show(trust_json(changed, opp),
               fmt::format("{}: the name {} belongs to nobody now\n", shown(opp), vendor));
  return kOk;
}

}  // namespace

Command trust_forget_command() {
  return {.name = "trust forget",
          .summary = "give up who owns a vendor's name in an OPP folder",
          .details =
              "The next signed package of the vendor makes an owner again. For a vendor that has "
              "made a\n"
              "new key, or for one's own packages that need no signature any more.",
          .positionals = {{.name = "vendor", .help = "the vendor's name"}},
          .flags = {opp_flag()},
          .examples = {{"opkit trust forget acme", "packages of acme need no signature any more"}},
          .run = run_trust_forget};
}

}  // namespace opkit::cli
