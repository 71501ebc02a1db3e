// Recorder: turns what a core issues into events.
#ifndef OPKIT_CORE_MODES_TIMED_RECORDER_H_
#define OPKIT_CORE_MODES_TIMED_RECORDER_H_

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <vector>

#include "opkit/core/modes/cross_mirror.h"
#include "opkit/core/modes/timed/bank_conflicts.h"
#include "opkit/core/modes/timed/cube_state.h"
#include "opkit/core/modes/timed/recording.h"
#include "opkit/core/state/core.h"

namespace opkit::core::timed {

inline uint8_t pipe_index(opk_pipe pipe) {
  if (pipe == OPK_PIPE_FIX) return kFix;
  return pipe > OPK_PIPE_MTE3 ? kScalar : static_cast<uint8_t>(pipe);
}

class Recorder {
 public:
  Recorder(const TimingRates& rates, const TimedOptions& options)
      : rates_(rates), options_(options) {}

  void begin_launch(const LaunchRequest& request);
  // Cores in the order of their blocks, whatever order the schedule started them in.
  void end_launch();
  void begin_core(Core& core);
  void end_core(Core& core);
  void instruction(Core& core, const Footprint& footprint);
  void flag(Core& core, opk_sync_op op, opk_pipe src, opk_pipe dst, int32_t id, const void* pc);
  void barrier(Core& core, opk_pipe pipe, const void* pc);
  void cross_flag(Core& core, opk_sync_op op, uint32_t mode, opk_pipe pipe, uint32_t id,
                  const void* pc);
  void sync_all(Core& core, opk_sync_op op, Meeting meeting, const void* pc);
  void gm_word(Core& core, opk_sync_op op, const int32_t* word, const void* pc);
  void buffer(Core& core, const opk_buffer_v1& event, const void* pc);

  const Recording& recording() const { return recording_; }
  // Lists them in the order of the launch's list.
  const std::vector<TensorTraffic>& tensors() const { return tensors_; }

 private:
  friend class CubeWork;
  // What must be remembered of a core while it runs.
  struct Live {
    std::unordered_map<uint32_t, uint32_t> flags;  // src, dst, id -> 1 + signal
    // Holds by id 1 + the signal of EnQue, and of FreeTensor.
    std::vector<std::array<uint32_t, 2>> buffers;
    std::array<uint64_t, kMeetings> rounds{};  // counts rounds of SyncAll by Meeting
    bool pipe_seen = false;
    bool reduced = false;  // the last vector instruction was a reduction
    CubeState cube;
  };
  struct JoinGates {
    void operator()(Gate& into, const Gate& from) const {
      into.insert(into.end(), from.begin(), from.end());
    }
  };
  struct Range {
    const uint8_t* base;
    uint64_t bytes, start;  // start: in the launch's own numbering
    bool uncached;
    uint32_t tensor;  // is a place in tensors_
  };

  size_t index_of(const Core& core) const { return reinterpret_cast<size_t>(core.observer_state); }
  CoreRecord& record_of(const Core& core) { return recording_.cores[index_of(core)]; }
  Live& live_of(const Core& core) { return live_[index_of(core)]; }
  uint32_t site(const void* pc, const char* name);
  uint32_t find_site(const void* pc, const char* name);
  void push(Core& core, EventType type, uint8_t pipe, uint32_t issue, uint32_t site, uint32_t value,
            uint32_t extra = 0, uint8_t from = 0) {
    push(record_of(core).events, type, pipe, issue, site, value, extra, from);
  }
  static void push(std::vector<RecordedEvent>& events, EventType type, uint8_t pipe, uint32_t issue,
                   uint32_t site, uint32_t value, uint32_t extra = 0, uint8_t from = 0) {
    events.push_back(
        {type, pipe, from, static_cast<uint8_t>(std::min(issue, 255u)), site, value, extra});
  }
  void wait_gate(Core& core, Gate gate, uint32_t cycles, const void* pc, const char* name);
  uint32_t set_signal(Core& core, uint8_t pipe, const void* pc, const char* name);

  void vector(Core& core, const Footprint& f);
  void copy(Core& core, const Footprint& f);
  void load(Core& core, const Footprint& f);
  void mmad(Core& core, const Footprint& f);
  void fixpipe(Core& core, const Footprint& f);
  void scalar(Core& core, const Footprint& f);
  void matmul(Core& core, const Footprint& f);
  void transfer(Core& core, const Footprint& f, const Access& gm, uint32_t most_rate,
                uint64_t least_cycles);
  // gm: rows between GM and a core, by `pipe`.
  void transfer(std::vector<RecordedEvent>& events, uint8_t pipe, uint32_t site, const Access& gm,
                uint32_t most_rate, uint64_t least_cycles);
  uint32_t nd2nz_rate(const Access& gm) const {
    return gm.block_pitch % 32 != 0 ? rates_.unaligned_row_read : rates_.nd2nz_read;
  }
  void local_move(Core& core, const Footprint& f, uint64_t cycles);
  Range range_of(const uint8_t* address) const;

  const TimingRates& rates_;
  const TimedOptions& options_;
  Recording recording_;
  std::vector<Live> live_;
  std::vector<Range> ranges_;
  std::vector<TensorTraffic> tensors_;
  std::map<std::pair<const void*, const char*>, uint32_t> site_of_;
  // The last sites, by the low bits of their addresses: loops ask for the same ones.
  struct KnownSite {
    const void* pc = nullptr;
    const char* name = nullptr;
    uint32_t site = 0;
  };
  static constexpr size_t kKnown = 256;
  std::array<KnownSite, kKnown> known_;
  BankConflicts conflicts_;
  std::vector<CoreRecord> spare_;  // keeps records of earlier launches for their memory
  CrossMirror<Gate, JoinGates> cross_;
  std::map<std::pair<Meeting, uint64_t>, Gate> rounds_;
  std::map<const int32_t*, Gate> words_;
};

}  // namespace opkit::core::timed

#endif  // OPKIT_CORE_MODES_TIMED_RECORDER_H_
