#include "opkit/cli/tuning/merge_shards.h"

#include <fmt/format.h>

#include <set>

#include "opkit/call/execute/installed_ops.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/tuning/shard_file.h"
#include "opkit/cli/tuning/tune_files.h"

namespace opkit::cli {
namespace {

Status check_together(const std::vector<ReadShard>& shards) {
  std::set<int64_t> seen;
  std::set<std::string> done;
  for (const ReadShard& shard : shards) {
    if (shard.jobs != shards[0].jobs || shard.n != shards[0].n)
      return no_fit(shard.file, "it is of another list of jobs than " + shards[0].file);
    if (!seen.insert(shard.i).second)
      return no_fit(shard.file, fmt::format("shard {} is there twice", shard.i));
    for (const auto& [job, fate] : shard.results) done.insert(job);
  }
  for (const std::string& job : shards[0].jobs) {
    if (done.count(job) == 0)
      return no_fit(shards[0].file,
                    fmt::format("job {} has no result in any of {} files; {} shards were made", job,
                                shards.size(), shards[0].n));
  }
  return {};
}

struct Joining {
  std::filesystem::path file;
  Bank found;
};

Result<Joining> joining_of(const Bank& bank, const std::string& file,
                           const registry::Registry& registry) {
  const BankEntry& entry = bank.entries.front();
  const InstalledOps ops = InstalledOps::open(registry, entry.soc, {bank.op}, in_this_process());
  const InstalledOp* op = ops.find(bank.op);
  if (op == nullptr) {
    const Error* why = ops.why_not(bank.op);
    if (why != nullptr) return *why;
    return no_fit(file, fmt::format("op '{}' is not installed here", bank.op));
  }
  const std::string& plugin = op->package().manifest.library_sha256;
  if (plugin != bank.plugin) return stale_bank(file, bank.op, bank.plugin, plugin);
  if (op->contract().version != bank.version)
    return no_fit(file, fmt::format("it is of {} {}, {} is installed here", bank.op, bank.version,
                                    op->contract().version));
  return Joining{bank_path(op->contract()).lexically_normal(), bank};
}

}  // namespace

Result<MergedShards> merge_shards(const std::vector<std::string>& files, const Arguments& arguments,
                                  Console& console) {
  std::vector<ReadShard> shards;
  for (const std::string& file : files) {
    OPKIT_TRY(ReadShard shard, read_shard_file(file));
    shards.push_back(std::move(shard));
  }
  OPKIT_CHECK(check_together(shards));
  const registry::Registry registry = open_registry(arguments, console);
  MergedShards merged;
  std::vector<Joining> all;
  for (const ReadShard& shard : shards) {
    for (const auto& [job, fate] : shard.results) {
      if (fate.error) merged.failed.push_back(*fate.error);
      if (!fate.error && !fate.bank) ++merged.without;
      if (!fate.bank) continue;
      OPKIT_TRY(Joining one, joining_of(*fate.bank, shard.file, registry));
      all.push_back(std::move(one));
    }
  }
  for (const Joining& one : all) OPKIT_CHECK(write_entry(one.file, one.found));
  merged.entries = all.size();
  return merged;
}

}  // namespace opkit::cli
