// What Checked knows while a launch runs: per core and for all cores together.
#ifndef OPKIT_CORE_MODES_CHECKED_STATE_H_
#define OPKIT_CORE_MODES_CHECKED_STATE_H_

#include <array>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "opkit/core/modes/checked/clocks.h"
#include "opkit/core/modes/checked/findings.h"
#include "opkit/core/modes/checked/shadow.h"
#include "opkit/core/modes/checked/unset_bytes.h"
#include "opkit/core/state/core.h"

namespace opkit::core::checked {

// A place in the kernel that executes an instruction. Those of a library call share its place.
struct Site {
  const void* pc;
  const char* name;
  const char* call;  // names the library call that it belongs to, or is nullptr

  bool operator==(const Site& o) const { return pc == o.pc && name == o.name; }
};
struct SiteHash {
  size_t operator()(const Site& s) const {
    return reinterpret_cast<size_t>(s.pc) ^ reinterpret_cast<size_t>(s.name);
  }
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
  const void* last_pc = nullptr;  // is the place of the last operation
  Clock produced, released;
  int8_t full_id = -1, free_id = -1;  // name the flags that EnQue and FreeTensor have set
};

// The ids of one event as TPipe, queues and the kernel use them.
struct EventIds {
  struct Given {  // is what AllocEventID or FetchEventID gave
    int8_t real = -1;
    bool fetched = false;
  };
  struct Holder {
    const void* pc = nullptr;  // EnQue or FreeTensor
    uint16_t op = 0;
  };
  struct Raw {
    const void* pc = nullptr;  // SetFlag, not waited for yet
    bool fetched = false;
  };
  uint8_t taken = 0;           // bits
  std::array<Given, 8> given;  // is indexed by the number that the kernel knows
  std::array<Holder, 8> queue;
  std::array<Raw, 8> raw;
};

// A line of GM in the scalar cache of a core.
struct CachedLine {
  struct Writer {
    const uint8_t* from;
    Party who;
  };
  std::vector<Writer> writers;  // wrote the bytes from `from` on before the line was taken in
  uint64_t own = 0;             // bytes that the core has written since
};
// Bytes of a line that SetValue wrote and that have not left the cache of that core.
struct DirtyLine {
  uint32_t core;
  uint64_t bytes;
  Party who;
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

// Where an instruction first read bytes that nothing had written; or the DataCopyPad that filled
// the last blocks of its rows.
struct UnsetOrigin {
  bool filler = false;
  std::string bytes;  // "bytes 768 to 1024 of UB"
  bool gm = false;
  FindingPlace at;
  FindingPlace near;                // who wrote the bytes in front of them, if anybody did
  std::vector<BufferLine> buffers;  // that they belong to
};

// The rows and columns of a block of C that are unset as a whole, by their origin; 0 = they are
// not.
struct UnsetBlock {
  std::vector<uint32_t> rows, columns;
};

struct CoreState {
  Core* core = nullptr;
  uint32_t index = 0;  // block * 3 + lane + 1
  // After a refused instruction its results are missing, so that reads of them prove nothing.
  bool refused = false;
  CoreClocks clocks;
  std::array<ShadowMap, OPK_MEM_COUNT> local;
  std::vector<uint32_t> occurrences;                    // counts executions of each site
  std::vector<Recent> recent;                           // is indexed by site
  std::vector<BufferState> buffers;                     // is indexed by id, [0] unused
  uint32_t buffers_made = 0;                            // calls of InitBuffer
  std::unordered_map<uint32_t, FlagState> flags;        // is keyed by src, dst, id
  std::unordered_map<const void*, uint32_t> sync_runs;  // executions of a synchronisation site
  std::array<uint64_t, kMeetings> sync_all_rounds{};    // counts rounds of SyncAll by Meeting
  PendingResult pending;
  std::array<EventIds, kSlots * kSlotPitch> event_ids;  // is indexed by src, dst
  std::unordered_map<uint64_t, CachedLine> cached;      // is keyed by address / 64
  std::array<uint64_t, 2> unset_compare{};              // bits of the compare register
  uint32_t compare_origin = 0;
  std::unordered_map<uint64_t, UnsetBlock> unset_blocks;  // is keyed by the Matmul object of each
};

// A GM tensor that cores may write.
struct GmShadow {
  const GmRange* range;
  ShadowMap map;
  bool accumulated = false;  // atomic copies have added to it
  bool was_unset = false;    // some of it, at some time
};

// A store of unset bytes to GM, in words.
struct UnsetStore {
  Party who;
  std::string operands;
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
  std::unordered_map<Site, uint32_t, SiteHash> site_of;
  std::vector<GmShadow> gm;   // is sorted by address
  bool refused = false;       // is true once any core refused
  uint32_t running = 0;       // cores that have not come to their end
  uint64_t used_sync = 0;     // bits of synchronisation sites that ordered something
  uint64_t sole_sync = 0;     // ... and without which it would not be ordered
  uint64_t barrier_sync = 0;  // bits of barriers
  std::vector<SyncSite> sync_sites;
  std::unordered_map<const void*, uint32_t> sync_of_pc;
  std::vector<UnsetOrigin> origins;                            // [0] unused
  std::unordered_map<uint32_t, uint32_t> origin_of;            // holds places in `origins` by site
  std::unordered_map<uint32_t, UnsetStore> unset_stores;       // the first of a site
  std::unordered_map<uint64_t, std::vector<DirtyLine>> dirty;  // is keyed by address / 64
  // Lines that have left the cache: the last writer of each core, by address / 64.
  std::unordered_map<uint64_t, std::vector<DirtyLine>> returned;
  // Notes the unset bytes that the instruction at hand has read.
  UnsetBytes unset_read;
  std::vector<UnsetRun> unset_made;

  uint32_t site(const Site& site);
  Party party(CoreState& core, const void* pc, const char* name, uint8_t slot);
  FindingPlace place(const Party& party) const;
  FindingPlace place(const CoreState& core, const void* pc, std::string instruction) const;
  GmShadow* gm_of(const uint8_t* address);
};

// The shadow of an address of GM or of the core's memories; gm: of its tensor, or nullptr.
struct Spot {
  ShadowMap* map = nullptr;
  uint64_t at = 0;
  GmShadow* gm = nullptr;
};
Spot spot_of(State& state, CoreState& core, const uint8_t* address);

// "V", "MTE2", ... with the instruction's name: "Add on V".
std::string on_pipe(const char* name, uint8_t slot);

}  // namespace opkit::core::checked

#endif  // OPKIT_CORE_MODES_CHECKED_STATE_H_
