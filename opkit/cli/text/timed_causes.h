// What a timed launch spends its time on, line by line, and what to look at first.
#ifndef OPKIT_CLI_TEXT_TIMED_CAUSES_H_
#define OPKIT_CLI_TEXT_TIMED_CAUSES_H_

#include <string>

#include "opkit/base/json.h"
#include "opkit/call/trace/waits.h"
#include "opkit/cli/terminal/color.h"

namespace opkit::cli {

// Sentences. REQUIRES, of all three: the launch was timed with spans.
std::string diagnosis_text(const core::TimedResult& result, const trace::Places& names,
                           const Palette& palette);
// Tables of the longest waits and of the source lines that take most.
std::string causes_text(const core::TimedResult& result, const trace::Places& names,
                        const Palette& palette);
// Members "diagnosis", "waits" and "lines".
Json causes_json(const core::TimedResult& result, const trace::Places& names);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TEXT_TIMED_CAUSES_H_
