#include <fmt/format.h>

#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/text/key_text.h"

namespace opkit::cli {
namespace {

bool is_own(const registry::KeyStore& store, const std::string& vendor) {
  for (const registry::KnownKey& key : store.list())
    if (key.key.vendor == vendor) return key.has_secret;
  return false;
}

Outcome run_keys_remove(const Arguments& arguments, Console& console) {
  const registry::KeyStore store = registry::KeyStore::of_user();
  const std::string vendor = arguments.get("vendor");
  if (is_own(store, vendor) && !arguments.has("--force")) {
    return Error("OPK-KEY-004", fmt::format("the secret key of {} would be lost for good", vendor),
                 "--force removes it all the same");
  }
  OPKIT_CHECK(store.remove(vendor));
  console.show(
      {{"vendor", vendor}},
      fmt::format("{} the key of {}\n", console.out().paint(Style::kGreen, "removed"), vendor));
  return kOk;
}

}  // namespace

Command keys_remove_command() {
  return {.name = "keys remove",
          .summary = "forget a vendor's key",
          .details = "",
          .positionals = {{.name = "vendor", .help = "whose key"}},
          .flags = {{.name = "--force", .value = "", .help = "a key of your own, too"}},
          .examples = {{"opkit keys remove acme", "after acme has made a new key"}},
          .run = run_keys_remove};
}

}  // namespace opkit::cli
