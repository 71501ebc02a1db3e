#include "opkit/base/file.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/table.h"
#include "opkit/cli/text/key_text.h"

namespace opkit::cli {
namespace {

Outcome run_keys_list(const Arguments&, Console& console) {
  const registry::KeyStore store = registry::KeyStore::of_user();
  Table table({"vendor", "key", "yours"});
  Json list = Json::array();
  for (const registry::KnownKey& key : store.list()) {
    table.add({key.key.vendor, key.key.key, key.has_secret ? "yes" : "no"});
    list.push_back(key_json(key));
  }
  const bool none = list.empty();
  console.show(
      {{"folder", store.folder().string()}, {"keys", std::move(list)}},
      none ? "no key is known in " + shown(store.folder()) + "\n" : table.to_string(console.out()));
  return kOk;
}

}  // namespace

Command keys_list_command() {
  return {.name = "keys list",
          .summary = "the vendors' keys that you know",
          .details = "",
          .positionals = {},
          .flags = {},
          .examples = {{"opkit keys list", "vendor, key, and whether you can sign with it"}},
          .run = run_keys_list};
}

}  // namespace opkit::cli
