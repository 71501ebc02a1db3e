// What tunings leave: banks beside packages, and files of shards that become banks.
#ifndef OPKIT_CLI_TUNING_TUNE_FILES_H_
#define OPKIT_CLI_TUNING_TUNE_FILES_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "opkit/base/json.h"
#include "opkit/cli/tuning/tune_job.h"

namespace opkit::cli {

// Shard i of n, counted from 1, does jobs i, i + n, i + 2n, ...
struct Shard {
  size_t i = 1, n = 1;
};
// "2/8". Error: OPK-TUNE-014.
Result<Shard> read_shard(const std::string& text);

// The entry joins the bank in this file. Errors: OPK-FILE's; OPK-TUNE-003 a file that is no bank.
Status write_entry(const std::filesystem::path& file, const tuning::TunedCall& subject,
                   const BankEntry& entry);

// Where measurements are kept: --store, else a file of the user's cache.
std::filesystem::path store_file(const Arguments& arguments);

// What a shard found, as a file.
class ShardFile {
 public:
  ShardFile(Shard shard, const std::vector<TuneJob>& jobs);
  void add(const TuneJob& job, const tuning::Tuned& tuned);
  Status write(const std::filesystem::path& file) const;

 private:
  Json head_, results_;
};

// Banks out of the files of all shards of one command. Returns how many entries there are. Errors:
// OPK-TUNE-013 files of other jobs, a shard twice, or a job without a result; OPK-TUNE-004 another
// plugin is installed here.
Result<size_t> merge_shards(const std::vector<std::string>& files, const Arguments& arguments,
                            Console& console);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TUNING_TUNE_FILES_H_
