// A worker's end in words: what happened, where, and what to do.
#ifndef OPKIT_ISOLATION_WORKER_END_H_
#define OPKIT_ISOLATION_WORKER_END_H_

#include <optional>
#include <string>

#include "opkit/base/debug/source_line.h"
#include "opkit/isolation/worker_process.h"

namespace opkit::isolation {

// What the host knows of the call that a worker was busy with.
struct CallInFlight {
  std::string op;
  const CallPlan* plan = nullptr;  // is the plan of a launch, with its placement
  const Placement* at = nullptr;
  uint64_t inputs_at = 0, outputs_at = 0;  // where the arenas lay in the worker
  bool opening = false;                    // it was asked to load the plugin
};

// Codes: OPK-WORKER-001 it ended before it came to the plugin, -002 a signal, -003 an end without
// an answer, -004 no answer in time, -005 a buffer's bounds were left, or an input was written,
// -006 an answer without form, -007 an exception, -008 endless output, -009 too much memory.
// `line` is the place of the instruction at end.offset.
Error error_of(const WorkerEnd& end, const CallInFlight& call,
               const std::optional<debug::SourceLine>& line);

// "input 'x'", "output 'z' (tensor 2)".
std::string buffer_name(const Port& port, bool output, size_t tensor);

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_WORKER_END_H_
