#include "opkit/core/modes/timed/without.h"

#include <algorithm>
#include <vector>

namespace opkit::core::timed {
namespace {

bool is_flag(const RecordedEvent& e) {
  return e.type == EventType::kSet || e.type == EventType::kWait;
}
bool is_barrier(const RecordedEvent& e) {
  return e.type == EventType::kBarrier || e.type == EventType::kBarrierAll;
}

}  // namespace

Recording without(const Recording& recording, const void* pc) {
  Recording left = recording;
  const auto here = [&](const RecordedEvent& e) { return recording.sites[e.site].pc == pc; };
  std::vector<bool> dropped(recording.signals);
  for (const CoreRecord& core : recording.cores) {
    for (const RecordedEvent& e : core.events) {
      if (is_flag(e) && here(e)) dropped[e.value] = true;
    }
  }
  for (CoreRecord& core : left.cores) {
    const auto gone = [&](const RecordedEvent& e) {
      return is_flag(e) ? dropped[e.value] : is_barrier(e) && here(e);
    };
    core.events.erase(std::remove_if(core.events.begin(), core.events.end(), gone),
                      core.events.end());
  }
  return left;
}

}  // namespace opkit::core::timed
