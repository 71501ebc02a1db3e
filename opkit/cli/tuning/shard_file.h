// Shards: parts of a list of jobs that other machines do, and the files of what they found.
#ifndef OPKIT_CLI_TUNING_SHARD_FILE_H_
#define OPKIT_CLI_TUNING_SHARD_FILE_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "opkit/base/document.h"
#include "opkit/base/json.h"
#include "opkit/cli/tuning/tune_job.h"

namespace opkit::cli {

// Shard i of n, counted from 1, does jobs i, i + n, i + 2n, ...
struct Shard {
  size_t i = 1, n = 1;
};
// "2/8". Error: OPK-TUNE-014.
Result<Shard> read_shard(const std::string& text);

// Returns what became of a job, as files and messages hold it. A job that fails on one machine
// fails on every one: nobody waits for it.
Json fate_json(const tuning::Tuned& tuned);
Json fate_json(const Error& error);

// Holds what a shard found, as a file.
class ShardFile {
 public:
  ShardFile(Shard shard, const std::vector<TuneJob>& jobs);
  void add(const TuneJob& job, const Json& fate);
  Status write(const std::filesystem::path& file) const;

 private:
  Json head_, results_;
};

// Holds what became of one job: an entry of a bank, an error, or neither: nothing that was tried is
// right.
struct JobFate {
  std::optional<Bank> bank;  // has one entry
  std::optional<Error> error;
};

// `file` is what errors name. Errors: OPK-TUNE-013, -003.
Result<JobFate> read_fate(const Value& fate, const std::string& file);

// Holds a shard's file that was read.
struct ReadShard {
  std::string file;
  std::vector<std::string> jobs;  // digests of all
  int64_t i = 0, n = 0;
  std::map<std::string, JobFate> results;  // holds what became of each job
};
// Reads a file. Errors: OPK-FILE's; OPK-TUNE-013 it is not one of a shard; OPK-TUNE-003.
Result<ReadShard> read_shard_file(const std::string& file);

// Returns OPK-TUNE-013: the files do not fit together.
Error no_fit(const std::string& file, const std::string& what);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TUNING_SHARD_FILE_H_
