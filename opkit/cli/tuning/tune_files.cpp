#include "opkit/cli/tuning/tune_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "opkit/base/document.h"
#include "opkit/base/file.h"
#include "opkit/call/execute/installed_ops.h"
#include "opkit/cli/options/opp_option.h"
#include "registry/probe.h"

namespace opkit::cli {
namespace {

namespace fs = std::filesystem;

Error no_fit(const std::string& file, const std::string& what) {
  return Error("OPK-TUNE-013", fmt::format("{}: {}", file, what),
               "give the files of all shards of one command, each once");
}

// One file of a shard, read.
struct ReadShard {
  std::string file;
  std::vector<std::string> jobs;  // digests of all
  int64_t i = 0, n = 0;
  std::map<std::string, Bank> results;  // by job: banks of one entry
};

Result<ReadShard> read_shard_file(const std::string& file) {
  OPKIT_TRY(const Document document, Document::load(file));
  const Value& root = document.root();
  const Value *jobs = root.find("jobs"), *results = root.find("results"), *i = root.find("shard"),
              *n = root.find("shards");
  if (!root.is_map() || jobs == nullptr || results == nullptr || i == nullptr || n == nullptr ||
      !jobs->is_list() || !results->is_list())
    return no_fit(file, "it is no file of a shard");
  ReadShard shard{file, {}, 0, 0, {}};
  OPKIT_TRY(shard.i, i->as_int("shard"));
  OPKIT_TRY(shard.n, n->as_int("shards"));
  for (const Value& job : jobs->items) shard.jobs.push_back(job.text);
  for (const Value& result : results->items) {
    const Value *job = result.find("job"), *bank = result.find("bank");
    if (job == nullptr || bank == nullptr) return no_fit(file, "a result has no job or no bank");
    OPKIT_TRY(shard.results[job->text], bank_from(*bank, file));
  }
  return shard;
}

Status check_together(const std::vector<ReadShard>& shards) {
  std::set<int64_t> seen;
  std::set<std::string> done;
  for (const ReadShard& shard : shards) {
    if (shard.jobs != shards[0].jobs || shard.n != shards[0].n)
      return no_fit(shard.file, "it is of another list of jobs than " + shards[0].file);
    if (!seen.insert(shard.i).second)
      return no_fit(shard.file, fmt::format("shard {} is there twice", shard.i));
    for (const auto& [job, bank] : shard.results) done.insert(job);
  }
  for (const std::string& job : shards[0].jobs) {
    if (done.count(job) == 0)
      return no_fit(shards[0].file,
                    fmt::format("job {} has no result in any of {} files; {} shards were made", job,
                                shards.size(), shards[0].n));
  }
  return {};
}

Json entry_bank(const tuning::Tuned& tuned) {
  const BankEntry entry = tuned.entry();
  Json knobs = Json::object();
  for (const auto& [name, value] : entry.knobs)
    knobs[name.substr(kKnobPrefix.size())] = std::get<int64_t>(value);
  Json entries = Json::array();
  entries.push_back({{"soc", entry.soc},
                     {"inputs", entry.call.inputs},
                     {"attrs", entry.call.attrs},
                     {"knobs", std::move(knobs)},
                     {"ns", entry.ns},
                     {"default_ns", entry.default_ns},
                     {"bound_ns", entry.bound_ns}});
  return {{"bank", 1},
          {"op", tuned.subject.op},
          {"version", tuned.subject.version},
          {"plugin", tuned.subject.plugin},
          {"entries", std::move(entries)}};
}

}  // namespace

Result<Shard> read_shard(const std::string& text) {
  const size_t slash = text.find('/');
  const auto number = [](const std::string& word) -> size_t {
    const bool digits =
        !word.empty() && word.size() < 7 &&
        std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits ? std::stoul(word) : 0;
  };
  Shard shard{0, 0};
  if (slash != std::string::npos)
    shard = {number(text.substr(0, slash)), number(text.substr(slash + 1))};
  if (shard.i >= 1 && shard.i <= shard.n) return shard;
  return Error("OPK-TUNE-014", fmt::format("--shard {}: a shard is i/n with i from 1 to n", text),
               "--shard 1/8");
}

Status write_entry(const fs::path& file, const tuning::TunedCall& subject, const BankEntry& entry) {
  Bank bank{subject.op, subject.version, subject.plugin, {}};
  std::error_code ignored;
  if (fs::exists(file, ignored)) {
    OPKIT_TRY(bank, read_bank(file));
  }
  bank.op = subject.op;
  bank.version = subject.version;
  tuning::add_entry(subject.plugin, entry, bank);
  fs::create_directories(file.parent_path(), ignored);
  return write_file(file, tuning::bank_text(std::move(bank)));
}

fs::path store_file(const Arguments& arguments) {
  if (arguments.has("--store")) return arguments.get("--store");
  return registry::default_cache_dir() / "tunings.sqlite";
}

ShardFile::ShardFile(Shard shard, const std::vector<TuneJob>& jobs)
    : head_(Json::object()), results_(Json::array()) {
  Json digests = Json::array();
  for (const TuneJob& job : jobs) digests.push_back(job.digest);
  head_["shard"] = shard.i;
  head_["shards"] = shard.n;
  head_["jobs"] = std::move(digests);
}

void ShardFile::add(const TuneJob& job, const tuning::Tuned& tuned) {
  results_.push_back({{"job", job.digest}, {"bank", entry_bank(tuned)}});
}

Status ShardFile::write(const fs::path& file) const {
  Json all = head_;
  all["results"] = results_;
  return write_file(file, all.dump(1) + "\n");
}

Result<size_t> merge_shards(const std::vector<std::string>& files, const Arguments& arguments,
                            Console& console) {
  std::vector<ReadShard> shards;
  for (const std::string& file : files) {
    OPKIT_TRY(ReadShard shard, read_shard_file(file));
    shards.push_back(std::move(shard));
  }
  OPKIT_CHECK(check_together(shards));
  const registry::Registry registry = open_registry(arguments, console);
  size_t entries = 0;
  for (const ReadShard& shard : shards) {
    for (const auto& [job, bank] : shard.results) {
      const InstalledOps ops =
          InstalledOps::open(registry, bank.entries[0].soc, {bank.op}, in_this_process());
      const InstalledOp* op = ops.find(bank.op);
      if (op == nullptr) return *ops.why_not(bank.op);
      if (op->package().manifest.library_sha256 != bank.plugin)
        return Error("OPK-TUNE-004",
                     fmt::format("{} was tuned with another plugin of {} than {}", shard.file,
                                 bank.op, op->name()),
                     "install the package that was tuned, or tune this one");
      const tuning::TunedCall subject{bank.op, bank.version, {}, bank.plugin, {}, {}, {}, {}};
      OPKIT_CHECK(
          write_entry(bank_path(op->contract()).lexically_normal(), subject, bank.entries[0]));
      ++entries;
    }
  }
  return entries;
}

}  // namespace opkit::cli
