#include <fmt/format.h>

#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/text/key_text.h"

namespace opkit::cli {
namespace {

Outcome run_keys_add(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const registry::VendorKey key, registry::read_vendor_key(arguments.get("file")));
  OPKIT_CHECK(registry::KeyStore::of_user().add(key));
  console.show(key_json({key, false}),
               fmt::format("{} key {} of {}\n", console.out().paint(Style::kGreen, "known"),
                           key.key, key.vendor));
  return kOk;
}

}  // namespace

Command keys_add_command() {
  return {.name = "keys add",
          .summary = "know a vendor's key from now on",
          .details =
              "Packages that another key signed under this vendor's name are refused, and an OPP "
              "with the\n"
              "policy known-vendors takes packages that this key signed. Compare the key with the "
              "vendor\n"
              "on another way than the one that the file came.",
          .positionals = {{.name = "file",
                           .help = "the vendor's key file (.pub)",
                           .complete = Complete::kFile}},
          .flags = {},
          .examples = {{"opkit keys add acme.pub", "the key of acme"}},
          .run = run_keys_add};
}

}  // namespace opkit::cli
