// What a mode saw of a launch, as text and as JSON.
#ifndef OPKIT_CLI_TEXT_OBSERVATION_TEXT_H_
#define OPKIT_CLI_TEXT_OBSERVATION_TEXT_H_

#include <string>

#include "opkit/call/execute/executor.h"
#include "opkit/cli/terminal/console.h"

namespace opkit::cli {

// Findings, or the warnings of modes that judge nothing, with their source lines.
Json findings_json(const Observation& seen);
// Times, findings, and the warnings of modes that judge nothing.
std::string observation_text(const Observation& seen, Mode mode, const Palette& palette);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TEXT_OBSERVATION_TEXT_H_
