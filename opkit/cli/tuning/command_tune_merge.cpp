// opkit tune merge: banks out of what shards found.
#include <fmt/format.h>

#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/tuning/merge_shards.h"

namespace opkit::cli {
namespace {

Outcome run_tune_merge(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const MergedShards merged, merge_shards(arguments.all("files"), arguments, console));
  std::string text = fmt::format("{} entries joined the banks\n", merged.entries);
  if (merged.without > 0)
    text += fmt::format("{} calls have none: nothing that was tried is right\n", merged.without);
  for (const Error& error : merged.failed) text += error.to_string() + "\n";
  console.show({{"entries", merged.entries},
                {"without", merged.without},
                {"failed", to_json(merged.failed)}},
               text);
  return merged.failed.empty() ? kOk : kFailed;
}

}  // namespace

Command tune_merge_command() {
  return {
      .name = "tune merge",
      .summary = "banks of tilings out of the files of all shards",
      .details = "The banks are the same bytes as those of one machine that does all calls.",
      .positionals = {{.name = "files",
                       .help = "what opkit tune --shard i/n --out wrote, all n of them",
                       .complete = Complete::kFile,
                       .repeated = true}},
      .flags = {opp_flag()},
      .examples = {{"opkit tune merge shard1.json shard2.json", "after two machines"}},
      .run = run_tune_merge,
  };
}

}  // namespace opkit::cli
