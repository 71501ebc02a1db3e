// One launch of a prepared op in a mode, and what the mode has to say.
#ifndef OPKIT_CLI_LAUNCH_H_
#define OPKIT_CLI_LAUNCH_H_

#include <string>
#include <vector>

#include "opkit/cli/console.h"
#include "opkit/runtime/op_runner.h"

namespace opkit::cli {

// "fast", "checked", "timed".
const std::vector<std::string>& launch_modes();

struct Launched {
  std::string mode;
  bool good = true;               // no fault and no finding that is an error
  double seconds = 0;             // of this machine, poisoning left out
  std::string printed;            // by the kernel
  std::string text;               // the mode's words, or empty
  Json findings = Json::array();  // of checked mode
  Json timing;                    // of timed mode
};

struct LaunchOptions {
  std::string mode;  // one of launch_modes()
  std::string op;    // for messages
  const SocSpec* soc = nullptr;
  uint64_t schedule_seed = 0;  // core::LaunchRequest's
  bool numerics = false;       // core::CheckedOptions'
  bool implied_order = true;   // core::CheckedOptions::automatic_order
};

// Poisons and launches. A fault in fast mode is the Error; checked mode reports it as a finding.
Result<Launched> launch(PreparedRun& prepared, const LaunchOptions& options,
                        const Palette& palette);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_LAUNCH_H_
