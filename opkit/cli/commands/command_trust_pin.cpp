#include <fmt/format.h>

#include "opkit/base/file.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/text/key_text.h"
#include "registry/change_trust.h"

namespace opkit::cli {
namespace {

// Returns the key itself, or a file that holds it for this vendor.
Result<registry::VendorKey> key_of(const std::string& vendor, const std::string& word) {
  if (registry::is_hex(word, registry::kKeyDigits)) return registry::VendorKey{vendor, word};
  OPKIT_TRY(registry::VendorKey key, registry::read_vendor_key(word));
  if (key.vendor == vendor || vendor == "built-in") return registry::VendorKey{vendor, key.key};
  return Error("OPK-KEY-002",
               fmt::format("{} holds a key of {}, not of {}", word, key.vendor, vendor),
               "name the file of this vendor, or the key itself");
}

Outcome run_trust_pin(const Arguments& arguments, Console& console) {
  const std::filesystem::path opp = target_opp(arguments);
  OPKIT_TRY(const registry::VendorKey key, key_of(arguments.get("vendor"), arguments.get("key")));
  registry::Trust changed;
  OPKIT_CHECK(registry::change_trust(opp, [&](registry::Trust& trust) {
    const Status status = registry::pin(trust, key);
    changed = trust;
    return status;
  }));
  console.show(trust_json(changed, opp),
               fmt::format("{}: the name {} belongs to key {}\n", shown(opp), key.vendor, key.key));
  return kOk;
}

}  // namespace

Command trust_pin_command() {
  return {.name = "trust pin",
          .summary = "say which key owns a vendor's name in an OPP folder",
          .details =
              "The first signed package that is installed does this by itself; for the vendor "
              "built-in only\n"
              "this command does.",
          .positionals = {{.name = "vendor", .help = "the vendor's name"},
                          {.name = "key",
                           .help = "the key (64 digits) or its file (.pub)",
                           .complete = Complete::kFile}},
          .flags = {opp_flag()},
          .examples = {{"opkit trust pin acme acme.pub", "before the first package of acme"}},
          .run = run_trust_pin};
}

}  // namespace opkit::cli
