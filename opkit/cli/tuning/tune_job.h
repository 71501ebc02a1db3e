// Jobs of `opkit tune`: independent calls, each of which is tuned by itself, wherever that is.
#ifndef OPKIT_CLI_TUNING_TUNE_JOB_H_
#define OPKIT_CLI_TUNING_TUNE_JOB_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/cli/options/arguments.h"
#include "opkit/cli/options/call_options.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/tuning/tune.h"

namespace opkit::cli {

struct TuneJob {
  std::string op;    // a word of the command line: a type, or a package's path
  std::string soc;   // full name
  std::string name;  // names the call for people
  measure::SaidCall call;
  uint64_t weight = 0;  // modelled nanoseconds in a model; the heaviest first
  std::string digest;   // names the job in shards

  // Returns the words that the digest is of.
  std::string text() const;
};

// The jobs that the words ask for: of one op its bench cases or the call that --shape describes; of
// --all every installed op with knobs; of --model every such op that the model's cover calls.
// Errors: those of the words, the registry and the model; OPK-TUNE-008 the op has no knobs, -016
// there is no call to tune.
Result<std::vector<TuneJob>> tune_jobs(const Arguments& arguments, Console& console);

struct JobResult {
  tuning::Tuned tuned;
  std::filesystem::path bank;  // where the op's bank of tilings lies
};
// Tunes the call of one job. Errors: those of opening the op, and tuning::tune's.
Result<JobResult> run_job(const TuneJob& job, const Arguments& arguments, tuning::Store* store,
                          Console& console);

// OPK-TUNE-008, with what to do.
Error no_knobs(const OpContract& contract);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TUNING_TUNE_JOB_H_
