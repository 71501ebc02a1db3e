// One call of one op as the command line describes it: what run, profile and tile share.
#ifndef OPKIT_CLI_OPTIONS_PREPARED_CALL_H_
#define OPKIT_CLI_OPTIONS_PREPARED_CALL_H_

#include <memory>
#include <string>
#include <vector>

#include "opkit/call/execute/executor.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/options/call_options.h"
#include "opkit/cli/options/op_choice.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/measure/said/invocation.h"

namespace opkit::cli {

// --soc, --in, --shape, --dtype, --attr, --seed, --schedule-seed and choice_flags().
std::vector<Flag> call_flags();

// The op that a word names, on the chip that --soc names, and what runs it.
struct ChosenOp {
  std::string soc;  // full name
  const SocSpec* spec = nullptr;
  std::unique_ptr<OpenedOp> op;

  const OpContract& contract() const { return op->contract; }
  Executor& executor() const { return *op->executor; }
};
Result<ChosenOp> choose_op_and_soc(const std::string& word, const Arguments& arguments,
                                   const OpenOptions& options, Console& console);

// Returns the call with its tensors; inputs without a file depend on --seed and are filled when it
// runs (or by fill_inputs, for many runs). The op must outlive it. threads = 0: one per host core.
Result<Invocation> invocation_of(const ChosenOp& chosen, const Arguments& arguments,
                                 unsigned threads);
// Makes the invocation from options and values of another origin than the command line; files'
// tensors become those of the invocation.
Result<Invocation> invocation_of(const ChosenOp& chosen, measure::SaidCall options,
                                 const measure::Filler& filler, unsigned threads);
// Returns the call's plan. Inputs without a file have no elements, but for those that the host
// reads, which are zero.
Result<SharedPlan> plan_of(const ChosenOp& chosen, const Arguments& arguments);

// Tells whether --shape or --in say what the call is.
bool says_inputs(const Arguments& arguments);
Flag case_flag(const std::string& help);

uint64_t seed_of(const Arguments& arguments);
uint64_t schedule_seed(const Arguments& arguments);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_PREPARED_CALL_H_
