#include <fmt/format.h>

#include "opkit/base/file.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/text/key_text.h"

namespace opkit::cli {
namespace {

Outcome run_keys_new(const Arguments& arguments, Console& console) {
  const registry::KeyStore store = registry::KeyStore::of_user();
  const std::string vendor = arguments.get("vendor");
  auto made = store.make(vendor);
  if (!made.ok() && !registry::is_vendor_name(vendor)) {
    console.fail(made.error());
    return kUsage;
  }
  OPKIT_TRY(const registry::VendorKey key, std::move(made));
  const std::filesystem::path open = store.folder() / (key.vendor + ".pub");
  console.show(
      key_json({key, true}),
      fmt::format("{} key {} of {}\nnext: give {} to those who install your packages; "
                  "keep the secret key beside it\n",
                  console.out().paint(Style::kGreen, "made"), key.key, key.vendor, shown(open)));
  return kOk;
}

}  // namespace

Command keys_new_command() {
  return {.name = "keys new",
          .summary = "make a vendor's key, to sign packages with",
          .details =
              "An Ed25519 key. The secret part lies in your configuration folder and can be read "
              "by you\n"
              "alone: OPKIT_CONFIG_DIR, else XDG_CONFIG_HOME/opkit, else ~/.config/opkit.",
          .positionals = {{.name = "vendor", .help = "the vendor's name, as in its packages"}},
          .flags = {},
          .examples = {{"opkit keys new acme", "acme.pub and the secret acme.key"}},
          .run = run_keys_new};
}

}  // namespace opkit::cli
