// What `opkit feasible` is asked about: an op's call, or nodes of a model.
#ifndef OPKIT_CLI_TUNING_FEASIBLE_SUBJECT_H_
#define OPKIT_CLI_TUNING_FEASIBLE_SUBJECT_H_

#include <string>

#include "opkit/cli/options/arguments.h"
#include "opkit/cli/options/call_options.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/fusion/feasible/feasible.h"

namespace opkit::cli {

struct AskedOp {
  feasible::Subject subject;
  std::string call;  // "S=[512], N=768"
};

// Returns a call that is described already. Errors: those of binding and lowering.
Result<feasible::Subject> asked_op_of(const OpContract& contract, const measure::SaidCall& options);

// Returns the call that --shape and its like describe, else the case --case of the contract's
// bench, else its last test. Errors: those of the call's words, binding and lowering.
Result<AskedOp> asked_op(const OpContract& contract, const Arguments& arguments);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TUNING_FEASIBLE_SUBJECT_H_
