// A timed launch as a Chrome trace (trace.json, opens in Perfetto and chrome://tracing): one
// process per core, one row per pipe, on which waits stand with what ends them and where.
#ifndef OPKIT_CALL_TRACE_TRACE_H_
#define OPKIT_CALL_TRACE_TRACE_H_

#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "opkit/core/modes/timed.h"

namespace opkit::trace {

// Counters tell what all cores read from GM and write to it. REQUIRES: the launch was timed with
// TimedOptions::spans. `names` may be empty. `blocks`: whose cores are drawn; empty: all of them.
std::string chrome_trace(const core::TimedResult& result,
                         const std::function<std::string(const void* pc)>& names,
                         const std::set<uint32_t>& blocks = {});

}  // namespace opkit::trace

#endif  // OPKIT_CALL_TRACE_TRACE_H_
