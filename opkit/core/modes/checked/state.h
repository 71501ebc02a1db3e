// What Checked knows while a launch runs: per core and for all cores together.
#ifndef OPKIT_CORE_MODES_CHECKED_STATE_H_
#define OPKIT_CORE_MODES_CHECKED_STATE_H_

#include <array>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "opkit/core/core.h"
#include "opkit/core/modes/checked/clocks.h"
#include "opkit/core/modes/checked/findings.h"
#include "opkit/core/modes/checked/shadow.h"

namespace opkit::core::checked {

// A place in the kernel that executes an instruction.
struct Site {
  const void* pc;
  const char* name;
};

// A buffer of TPipe and who holds it.
struct BufferState {
  enum class Hold : uint8_t { kFree, kAllocated, kQueued, kDequeued };
  uint8_t memory = OPK_MEM_UB;
  uint8_t position = 0;  // vendor's TPosition
  uint16_t queue = 0;    // 0: a TBuf
  uint32_t offset = 0, bytes = 0;
  Hold hold = Hold::kFree;
  bool was_used = false;
  uint8_t depth = 0;  // 0: a TBuf
  uint32_t made = 0;  // number of its InitBuffer in the core
  const void* init_pc = nullptr;
  const void* first_use_pc = nullptr;
  const void* last_pc = nullptr;  // of the last operation
  Clock produced, released;
};

struct FlagState {
  bool set = false;
  const void* pc = nullptr;
  Clock clock;
};

// The instruction whose results are examined when the core's next event comes.
struct PendingResult {
  bool active = false;
  Party party;
  std::vector<Access> written;
};

// The operands of the last execution of a site.
struct Recent {
  static constexpr uint32_t kMost = 4;
  uint32_t occurrence = 0;
  uint32_t count = 0;
  std::array<Access, kMost> access;
};

struct CoreState {
  Core* core = nullptr;
  uint32_t index = 0;  // block * 3 + lane + 1
  // After a refused instruction its results are missing, so that reads of them prove nothing.
  bool refused = false;
  CoreClocks clocks;
  std::array<ShadowMap, OPK_MEM_COUNT> local;
  std::vector<uint32_t> occurrences;                    // by site
  std::vector<Recent> recent;                           // by site
  std::vector<BufferState> buffers;                     // by id, [0] unused
  uint32_t buffers_made = 0;                            // calls of InitBuffer
  std::unordered_map<uint32_t, FlagState> flags;        // by src, dst, id
  std::unordered_map<const void*, uint32_t> sync_runs;  // executions of a synchronisation site
  std::array<uint64_t, 2> sync_all_rounds{};
  PendingResult pending;
};

// A GM tensor that cores may write.
struct GmShadow {
  const GmRange* range;
  ShadowMap map;
  bool accumulated = false;  // by atomic copies
};

// A flag or barrier in the source. Flags that pair with each other share one root.
struct SyncSite {
  const void* pc;
  bool is_barrier;
  bool scalar;  // S takes part; raw scalar accesses cannot be seen, so that it may be needed
  uint32_t bit;
  uint32_t root;
  uint32_t pipe;
  uint32_t runs = 0;      // most executions in one core
  uint64_t partners = 0;  // bits of sites that had brought the same order when it ran
};

struct State {
  CheckedOptions options;
  const LaunchRequest* request = nullptr;
  FindingLog log;
  std::vector<Site> sites;
  std::unordered_map<const void*, uint32_t> site_of_pc;
  std::vector<GmShadow> gm;   // by address
  bool refused = false;       // in any core
  uint32_t running = 0;       // cores that have not come to their end
  uint64_t used_sync = 0;     // bits of synchronisation sites that ordered something
  uint64_t barrier_sync = 0;  // bits of barriers
  std::vector<SyncSite> sync_sites;
  std::unordered_map<const void*, uint32_t> sync_of_pc;

  uint32_t site(const void* pc, const char* name);
  Party party(CoreState& core, const void* pc, const char* name, uint8_t slot);
  FindingPlace place(const Party& party) const;
  FindingPlace place(const CoreState& core, const void* pc, std::string instruction) const;
  GmShadow* gm_of(const uint8_t* address);
};

// "V", "MTE2", ... with the instruction's name: "Add on V".
std::string on_pipe(const char* name, uint8_t slot);

}  // namespace opkit::core::checked

#endif  // OPKIT_CORE_MODES_CHECKED_STATE_H_
