// A timed launch as a Chrome trace (trace.json, opens in Perfetto and chrome://tracing): one
// process per core, one row per pipe.
#ifndef OPKIT_TRACE_TRACE_H_
#define OPKIT_TRACE_TRACE_H_

#include <functional>
#include <string>

#include "opkit/core/modes/timed.h"

namespace opkit::trace {

// REQUIRES: the launch was timed with TimedOptions::spans. `names` may be empty.
std::string chrome_trace(const core::TimedResult& result,
                         const std::function<std::string(const void* pc)>& names);

}  // namespace opkit::trace

#endif  // OPKIT_TRACE_TRACE_H_
