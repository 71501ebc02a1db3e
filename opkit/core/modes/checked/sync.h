// Flags and barriers: what they order, whether they pair, whether anything needed them; and what
// cores tell each other.
#ifndef OPKIT_CORE_MODES_CHECKED_SYNC_H_
#define OPKIT_CORE_MODES_CHECKED_SYNC_H_

#include <map>

#include "opkit/core/modes/checked/state.h"
#include "opkit/core/modes/cross_mirror.h"
#include "opkit/core/state/launch.h"

namespace opkit::core::checked {

void track_flag(State& state, CoreState& core, opk_sync_op op, opk_pipe src, opk_pipe dst,
                int32_t id, const void* pc);
void track_barrier(State& state, CoreState& core, opk_pipe pipe, const void* pc);
// Flags that are still up when the kernel ends.
void judge_flags_at_end(State& state, CoreState& core);
// Flags and barriers that ordered nothing in the whole launch.
void judge_needless(State& state);

// Cross-core flags, SyncAll and GM words. Mirrors who is released by whom (CrossCoreSetFlag).
class CrossSync {
 public:
  void reset(const Launch& launch);
  void flag(State& state, CoreState& core, opk_sync_op op, uint32_t mode, opk_pipe pipe,
            uint32_t id, const void* pc);
  void sync_all(State& state, CoreState& core, opk_sync_op op, uint32_t bits, const void* pc);
  void word(CoreState& core, opk_sync_op op, const int32_t* word);
  // Flags that SyncAll owns.
  void judge_ids(State& state) const;
  // Flags that nobody waited for, and sets that never came together. REQUIRES: the launch came to
  // its end.
  void judge_left(State& state) const;

 private:
  // A set, or several that came together: what was done before, and the last of them.
  struct Set {
    Remote clock;
    FindingPlace at;
  };
  struct JoinSets {
    void operator()(Set& into, const Set& from) const {
      into = {join(into.clock, from.clock), from.at};
    }
  };

  void judge_blocks(State& state, const CoreState& core, const char* name, const void* pc) const;

  const Launch* launch_ = nullptr;
  CrossMirror<Set, JoinSets> flags_;
  std::map<uint32_t, FindingPlace> first_use_;  // holds the first use of each id
  // Holds the first SyncAll by whether AIVs alone meet in it; the soft form needs no flags.
  std::map<uint32_t, FindingPlace> first_sync_all_;
  std::map<std::pair<Meeting, uint64_t>, Remote> rounds_;
  std::map<const int32_t*, Remote> words_;
};

}  // namespace opkit::core::checked

#endif  // OPKIT_CORE_MODES_CHECKED_SYNC_H_
