#ifndef OPKIT_CORE_STATE_WAIT_H_
#define OPKIT_CORE_STATE_WAIT_H_

#include <cstdint>

#include "opkit/core/state/core_id.h"
#include "opkit/core/state/meetings.h"

namespace opkit::core {

// Says what a suspended core waits for.
struct Wait {
  enum class Kind : uint8_t { kNone, kCrossFlag, kSyncAll, kGmWord, kTurn };
  Kind kind = Kind::kNone;
  uint32_t id = 0;                  // cross flag
  uint64_t round = 0;               // sync_all
  Meeting meeting = Meeting::kAll;  // sync_all
  const int32_t* word = nullptr;    // gm word
  int32_t value = 0;
  const void* pc = nullptr;
};

// Says what a core waits for, and how often it got what it waits for.
struct WaitingCore {
  CoreId core;
  Wait wait;
  uint32_t flags_taken = 0;  // waits for the same cross-core flag that ended
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_WAIT_H_
