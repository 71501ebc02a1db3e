// RunStages: what a run with large tensors is at, as progress.
#ifndef OPKIT_CLI_COMMANDS_RUN_STAGES_H_
#define OPKIT_CLI_COMMANDS_RUN_STAGES_H_

#include <string>

#include "opkit/call/execute/executor.h"
#include "opkit/cli/terminal/progress.h"

namespace opkit::cli {

class RunStages {
 public:
  RunStages(Console& console, const std::string& op) : progress_(console, "run " + op) {}

  // Tells of the call's inputs while they are made, then that it runs. Says nothing of calls
  // without a large tensor, which are done before one could read it.
  void watch(Invocation& call);
  void begin(const std::string& stage) {
    if (large_) progress_.step(stage);
  }
  void finish() { progress_.finish(); }

 private:
  static constexpr size_t kLarge = size_t{1} << 28;  // bytes: about a second's work
  ProgressLine progress_;
  bool large_ = false;
  size_t blanks_ = 0;  // inputs without values
};

}  // namespace opkit::cli

#endif  // OPKIT_CLI_COMMANDS_RUN_STAGES_H_
