// Schedule: the steps of an offline model, with a place for every tensor.
#ifndef OPKIT_ATC_COMPILE_SCHEDULE_H_
#define OPKIT_ATC_COMPILE_SCHEDULE_H_

#include <functional>
#include <map>

#include "opkit/atc/compile/candidate.h"
#include "opkit/atc/memory/buffer.h"
#include "opkit/model/file/offline_model.h"

namespace opkit::compile {

struct Schedule {
  model::OfflineModel model;
  memory_plan::Buffers buffers;  // lie in the shared block
  memory_plan::MemoryPlan memory;
  size_t in_place = 0;                 // results that lie where an operand lay
  std::map<size_t, uint32_t> control;  // the step of each node with bodies, which it has not yet
};

// Whether a kernel may write the output where the input lies, which nobody needs afterwards.
using MayWork = std::function<bool(const Candidate& candidate, const InPlace& pair)>;

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_SCHEDULE_H_
