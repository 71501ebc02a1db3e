#include "opkit/core/modes/timed/recorder.h"

#include <algorithm>

#include "opkit/core/state/launch.h"

namespace opkit::core::timed {
namespace {

// GM tensors are placed one behind the other from here on, as far apart as the chip's allocator
// would place them, so that results do not depend on host addresses.
constexpr uint64_t kFirstAddress = uint64_t{1} << 40, kPlace = uint64_t{2} << 20;

uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

void Recorder::begin_launch(const LaunchRequest& request) {
  for (CoreRecord& record : recording_.cores) spare_.push_back(std::move(record));
  recording_.clear();
  known_ = {};
  live_.clear();
  ranges_.clear();
  tensors_.clear();
  site_of_.clear();
  rounds_.clear();
  words_.clear();
  uint64_t next = kFirstAddress;
  for (uint32_t i = 0; i < request.gm_count; ++i) {
    const GmRange& gm = request.gm[i];
    tensors_.push_back({gm.name ? gm.name : ""});
    const bool uncached = options_.uncached.count(tensors_.back().name) > 0;
    ranges_.push_back({gm.base, gm.bytes, next, uncached, i});
    next += round_up(gm.bytes + 1, kPlace);
  }
  std::sort(ranges_.begin(), ranges_.end(),
            [](const Range& a, const Range& b) { return a.base < b.base; });
}

void Recorder::begin_core(Core& core) {
  if (recording_.cores.empty()) {
    cross_.reset({core.launch->request().block_dim, core.launch->vector_lanes(),
                  core.launch->has_cube_lane()});
  }
  core.observer_state = reinterpret_cast<void*>(recording_.cores.size());
  recording_.cores.emplace_back();
  if (!spare_.empty()) {
    recording_.cores.back() = std::move(spare_.back());
    spare_.pop_back();
    recording_.cores.back().clear();
  }
  live_.emplace_back();
  CoreTimes& times = recording_.cores.back().times;
  times.block = core.block;
  times.sub_block = core.lane;
  times.kind = core.kind;
}

void Recorder::end_launch() {
  std::stable_sort(recording_.cores.begin(), recording_.cores.end(),
                   [](const CoreRecord& a, const CoreRecord& b) {
                     return std::pair(a.times.block, a.times.sub_block) <
                            std::pair(b.times.block, b.times.sub_block);
                   });
  // The cube core of a block stands in front of the vector cores that it serves.
  CoreRecord* cube = nullptr;
  for (CoreRecord& record : recording_.cores) {
    if (record.times.sub_block < 0) cube = &record;
    if (record.posts && cube) cube->times.traffic.add(record.served_traffic);
  }
}

void Recorder::end_core(Core& core) {
  std::copy(std::begin(core.allocated), std::end(core.allocated), record_of(core).times.peak_bytes);
  live_of(core) = {};
}

uint32_t Recorder::site(const void* pc, const char* name) {
  KnownSite& known = known_[reinterpret_cast<uintptr_t>(pc) % kKnown];
  if (known.pc != pc || known.name != name || !pc) known = {pc, name, find_site(pc, name)};
  return known.site;
}

uint32_t Recorder::find_site(const void* pc, const char* name) {
  const auto [found, fresh] =
      site_of_.try_emplace({pc, name}, static_cast<uint32_t>(recording_.sites.size()));
  if (fresh) recording_.sites.push_back({pc, name});
  return found->second;
}

uint32_t Recorder::set_signal(Core& core, uint8_t pipe, const void* pc, const char* name) {
  const uint32_t signal = recording_.signals++;
  push(core, EventType::kSet, pipe, rates_.issue_flag, site(pc, name), signal);
  return signal;
}

void Recorder::flag(Core& core, opk_sync_op op, opk_pipe src, opk_pipe dst, int32_t id,
                    const void* pc) {
  const uint8_t from = pipe_index(src), to = pipe_index(dst);
  uint32_t& signal =
      live_of(core)
          .flags[uint32_t{from} << 16 | uint32_t{to} << 12 | (static_cast<uint32_t>(id) & 0xfff)];
  if (op == OPK_SYNC_SET) {
    signal = 1 + set_signal(core, from, pc, "SetFlag");
  } else if (signal) {
    push(core, EventType::kWait, to, rates_.issue_flag, site(pc, "WaitFlag"), signal - 1, 0, from);
    signal = 0;
  }
}

void Recorder::barrier(Core& core, opk_pipe pipe, const void* pc) {
  const uint32_t where = site(pc, "PipeBarrier");
  if (pipe == OPK_PIPE_ALL) {
    return push(core, EventType::kBarrierAll, kScalar, rates_.issue_flag, where, 0);
  }
  const uint8_t p = pipe_index(pipe);
  push(core, EventType::kBarrier, p, rates_.issue_flag, where,
       p != kVector ? 0
                    : rates_.vector_barrier + (live_of(core).reduced ? rates_.reduce_latency : 0));
}

void Recorder::wait_gate(Core& core, Gate gate, uint32_t cycles, const void* pc, const char* name) {
  recording_.gates.push_back(std::move(gate));
  push(core, EventType::kGateWait, kScalar, rates_.issue_flag, site(pc, name),
       static_cast<uint32_t>(recording_.gates.size() - 1), cycles);
}

void Recorder::cross_flag(Core& core, opk_sync_op op, uint32_t mode, opk_pipe pipe, uint32_t id,
                          const void* pc) {
  if (op == OPK_SYNC_SET) {
    cross_.set(core, mode, id, {set_signal(core, pipe_index(pipe), pc, "CrossCoreSetFlag")});
    return;
  }
  Gate gate;
  if (cross_.take(core, id, &gate))
    wait_gate(core, std::move(gate), rates_.cross_flag, pc, "CrossCoreWaitFlag");
}

void Recorder::sync_all(Core& core, opk_sync_op op, Meeting meeting, const void* pc) {
  uint64_t& round = live_of(core).rounds[static_cast<size_t>(meeting)];
  if (op == OPK_SYNC_WAIT) {
    return wait_gate(core, rounds_[{meeting, round}], rates_.sync_all, pc, "SyncAll");
  }
  push(core, EventType::kBarrierAll, kScalar, rates_.issue_flag, site(pc, "SyncAll"), 0);
  rounds_[{meeting, ++round}].push_back(set_signal(core, kScalar, pc, "SyncAll"));
}

void Recorder::gm_word(Core& core, opk_sync_op op, const int32_t* word, const void* pc) {
  if (op == OPK_SYNC_WAIT) {
    return wait_gate(core, words_[word], rates_.cross_flag, pc, "IBWait");
  }
  push(core, EventType::kBarrierAll, kScalar, rates_.issue_flag, site(pc, "IBSet"), 0);
  words_[word] = {set_signal(core, kScalar, pc, "IBSet")};
}

void Recorder::buffer(Core& core, const opk_buffer_v1& b, const void* pc) {
  Live& live = live_of(core);
  if (b.op == OPK_B_INIT && !live.pipe_seen) {
    live.pipe_seen = true;
    push(core, EventType::kRun, kScalar, 0, site(pc, "TPipe"), rates_.pipe_start);
  }
  if (b.op == OPK_B_RESET) live.buffers.clear();
  if (b.op == OPK_B_INIT || b.op == OPK_B_RESET || b.op >= OPK_B_GET) return;
  if (live.buffers.size() <= b.buffer) live.buffers.resize(size_t{b.buffer} + 1);
  const bool forward = b.op == OPK_B_ENQUE || b.op == OPK_B_DEQUE;
  uint32_t& signal = live.buffers[b.buffer][forward ? 0 : 1];
  const uint8_t from = pipe_index(static_cast<opk_pipe>(b.set_src));
  const uint8_t to = pipe_index(static_cast<opk_pipe>(b.set_dst));
  if (b.op == OPK_B_ENQUE || b.op == OPK_B_FREE) {
    signal = 1 + set_signal(core, from, pc, b.op == OPK_B_ENQUE ? "EnQue" : "FreeTensor");
  } else if (signal) {
    push(core, EventType::kWait, to, rates_.issue_flag,
         site(pc, b.op == OPK_B_DEQUE ? "DeQue" : "AllocTensor"), signal - 1, 0, from);
    signal = 0;
  }
}

}  // namespace opkit::core::timed
