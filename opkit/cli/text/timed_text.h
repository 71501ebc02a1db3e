// What a Timed launch says: as text and as JSON.
#ifndef OPKIT_CLI_TEXT_TIMED_TEXT_H_
#define OPKIT_CLI_TEXT_TIMED_TEXT_H_

#include <string>

#include "opkit/call/trace/report.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/core/modes/timed.h"

namespace opkit::cli {

std::string timed_text(const core::TimedResult& result, const Palette& palette);
Json timed_json(const core::TimedResult& result);
Json figures_json(const trace::Figures& figures);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TEXT_TIMED_TEXT_H_
