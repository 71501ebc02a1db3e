// Running a program and reading what it says, line by line.
#ifndef OPKIT_CLI_PROCESS_H_
#define OPKIT_CLI_PROCESS_H_

#include <functional>
#include <string>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::cli {

struct ProcessResult {
  int exit_code = 0;   // 128 + signal when a signal ended it
  std::string output;  // stdout and stderr, in the order they came
};

// Runs words[0] (looked up on PATH) without a shell and waits for it; each line, without its end,
// goes to on_line as it comes. Standard input is empty. OPK-ENV-003 when it cannot be started.
Result<ProcessResult> run_process(const std::vector<std::string>& words,
                                  const std::function<void(const std::string&)>& on_line = {});

}  // namespace opkit::cli

#endif  // OPKIT_CLI_PROCESS_H_
