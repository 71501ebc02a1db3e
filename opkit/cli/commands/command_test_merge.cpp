// opkit test merge: what shards of a test found, in one folder.
#include <fmt/format.h>

#include "opkit/base/counted.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/verify/results_store.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

Result<verify::TakenOver> take_all(const std::vector<std::string>& folders, const fs::path& to) {
  OPKIT_TRY(verify::ResultsStore store, verify::ResultsStore::open(to));
  verify::TakenOver all;
  for (const std::string& from : folders) {
    OPKIT_TRY(const verify::TakenOver taken, store.take_over(from));
    all.judged += taken.judged;
    all.mutants += taken.mutants;
  }
  return all;
}

Outcome run_test_merge(const Arguments& arguments, Console& console) {
  const fs::path folder = arguments.get("--results");
  std::error_code none;
  const bool is_new = !fs::exists(folder, none);
  const auto merged = take_all(arguments.all("folders"), folder);
  if (!merged.ok()) {
    if (is_new) fs::remove_all(folder, none);  // nothing half-merged remains
    return merged.error();
  }
  const verify::TakenOver& all = *merged;
  console.show({{"results", all.judged}, {"mutants", all.mutants}, {"folder", folder.string()}},
               fmt::format("{} and {} joined {}; the whole: the shards' command without --shard, "
                           "with --results {} --resume\n",
                           counted(static_cast<uint64_t>(all.judged), "result"),
                           counted(static_cast<uint64_t>(all.mutants), "mutant"), folder.string(),
                           folder.string()));
  return kOk;
}

}  // namespace

Command test_merge_command() {
  return {
      .name = "test merge",
      .summary = "one folder of results out of those of all shards",
      .details =
          "The command of the shards, without --shard and with --results FOLDER --resume, "
          "then gives the\nverdict of the whole run: it takes over what passed, and judges "
          "what failed or what nobody did.",
      .positionals = {{.name = "folders",
                       .help = "what opkit test --shard i/n --results wrote, of all shards",
                       .complete = Complete::kDirectory,
                       .repeated = true}},
      .flags = {{.name = "--results",
                 .value = "PATH",
                 .help = "the folder that takes all",
                 .complete = Complete::kDirectory,
                 .preset = "merged"}},
      .examples = {{"opkit test merge shard1 shard2 --results all", "after two machines"}},
      .run = run_test_merge,
  };
}

}  // namespace opkit::cli
