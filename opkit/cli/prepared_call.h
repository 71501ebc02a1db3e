// One call of one op as the command line describes it, ready to launch: what run and profile share.
#ifndef OPKIT_CLI_PREPARED_CALL_H_
#define OPKIT_CLI_PREPARED_CALL_H_

#include <memory>
#include <string>
#include <vector>

#include "opkit/cli/arguments.h"
#include "opkit/cli/call_options.h"
#include "opkit/cli/console.h"
#include "opkit/cli/op_choice.h"
#include "opkit/runtime/op_runner.h"

namespace opkit::cli {

// --soc, --in, --shape, --dtype, --attr, --seed, --schedule-seed and choice_flags().
std::vector<Flag> call_flags();

// The op that a word names, on the chip that --soc names.
struct ChosenOp {
  std::string soc;  // full name
  const SocSpec* spec = nullptr;
  std::unique_ptr<LoadedOp> op;

  const OpContract& contract() const { return op->contract; }
};
Result<ChosenOp> choose_op_and_soc(const std::string& word, const Arguments& arguments,
                                   Console& console);

// The op and its runner must outlive the call; inputs without a file depend on --seed.
struct PreparedCall {
  std::unique_ptr<OpRunner> runner;
  PreparedRun run;

  std::string column(const OpContract& contract) const {
    return contract.column_name(run.binding().column);
  }
};
// threads = 0: one per host core.
Result<PreparedCall> prepare_call(const ChosenOp& chosen, const Arguments& arguments,
                                  unsigned threads);

// The same for options of another origin than the command line.
Result<PreparedCall> prepare_options(const ChosenOp& chosen, const CallOptions& options,
                                     uint64_t seed, unsigned threads);

// Whether --shape or --in say what the call is.
bool says_inputs(const Arguments& arguments);
Flag case_flag(const std::string& help);

uint64_t schedule_seed(const Arguments& arguments);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_PREPARED_CALL_H_
