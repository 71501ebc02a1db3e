// TestedOp: how the tests of one op ended, in this process or in another one.
#ifndef OPKIT_CLI_COMMANDS_TESTED_OP_H_
#define OPKIT_CLI_COMMANDS_TESTED_OP_H_

#include <string>

#include "opkit/base/json.h"
#include "opkit/base/status.h"

namespace opkit::cli {

enum class OpFate { kPassed, kFailed, kSkipped };

struct TestedOp {
  std::string op, version;
  OpFate fate = OpFate::kPassed;
  std::string reason;  // says why the fate is not kPassed
  Json report;         // null where nothing ran
  size_t problems = 0;
  double seconds = 0;
  std::string junit;         // its part of a document
  bool interrupted = false;  // a part of its problems says nothing
};

std::string message_of(const TestedOp& tested);
// Reads what message_of() wrote. Error: OPK-SPREAD-001 it is something else.
Result<TestedOp> read_tested_op(const std::string& op, const std::string& message);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_COMMANDS_TESTED_OP_H_
