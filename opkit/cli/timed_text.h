// What a Timed launch says: as text, as JSON and as a trace.
#ifndef OPKIT_CLI_TIMED_TEXT_H_
#define OPKIT_CLI_TIMED_TEXT_H_

#include <string>

#include "opkit/cli/console.h"
#include "opkit/core/modes/timed.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::cli {

// The figures for a chip. OPK-CLI-015 for a chip whose figures nobody measured: the Timed
// observer's own are of one chip (docs/timing.md), and others are not guessed from it.
Result<core::TimingRates> rates_for(const SocSpec& soc);

std::string timed_text(const core::TimedResult& result, const Palette& palette);
Json timed_json(const core::TimedResult& result);
// Chrome's trace format: one process per core, one thread per pipe, microseconds. REQUIRES: the
// launch kept spans.
std::string timed_trace(const core::TimedResult& result);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TIMED_TEXT_H_
