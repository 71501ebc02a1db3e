// JobAnswer: what a finished job hands over, to whoever asked for it, in this process or another.
#ifndef OPKIT_CLI_TUNING_JOB_ANSWER_H_
#define OPKIT_CLI_TUNING_JOB_ANSWER_H_

#include <string>

#include "opkit/base/json.h"
#include "opkit/cli/tuning/shard_file.h"

namespace opkit::cli {

struct JobAnswer {
  Json fate;            // fate_json's
  std::string bank;     // the file of the op's bank
  std::string text;     // is for people
  Json call;            // is for scripts; null where the job failed
  std::string section;  // joins the report; empty where nobody asked for one
};

JobAnswer answer_of(const Result<JobResult>& result, const Arguments& arguments);

std::string message_of(const JobAnswer& answer);
// Reads what message_of() wrote. Error: OPK-TUNE-013 it is something else.
Result<JobAnswer> read_answer(const std::string& message);

// Returns the fate for who writes banks. Errors: read_fate's.
Result<JobFate> fate_of(const JobAnswer& answer);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TUNING_JOB_ANSWER_H_
