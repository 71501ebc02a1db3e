// Mistakes in results: the right plugin behind an executor that spoils what it computed, so that
// the tests of any op can be graded without changing a line of it.
#ifndef OPKIT_VERIFY_MUTANTS_WRONG_RESULT_H_
#define OPKIT_VERIFY_MUTANTS_WRONG_RESULT_H_

#include <functional>
#include <string>
#include <vector>

#include "opkit/call/execute/executor.h"

namespace opkit::verify {

struct WrongResult {
  std::string what;                              // "outputs are zeros"
  std::function<void(Invocation&)> before = {};  // changes the call
  std::function<void(Execution&)> after = {};  // changes what came out; may remember earlier calls
};

// Returns the mistakes that make sense for this contract: one that the contract allows is left out.
std::vector<WrongResult> wrong_results(const OpContract& contract);

class WrongExecutor : public Executor {
 public:
  WrongExecutor(Executor& right, WrongResult wrong) : right_(right), wrong_(std::move(wrong)) {}

  Result<Execution> run(Invocation invocation) override;
  Result<SharedPlan> plan(const OpContract& contract, const std::string& soc,
                          const CallFacts& facts) override {
    return right_.plan(contract, soc, facts);
  }
  std::string digest() const override { return right_.digest() + " with " + wrong_.what; }

 private:
  Executor& right_;
  WrongResult wrong_;
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_MUTANTS_WRONG_RESULT_H_
