// Timed: the observer that says how long a launch takes on the chip. It records what every core
// issues, and when the launch ends it replays all cores together: a clock per pipe, flags and
// queues that carry time, GM and L2 shared by the cores that are resident. All arithmetic is in
// integers, so that results are the same on every machine. docs/timing.md explains the model.
#ifndef OPKIT_CORE_MODES_TIMED_H_
#define OPKIT_CORE_MODES_TIMED_H_

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "opkit/core/state/launch_request.h"
#include "opkit/core/state/observer.h"

namespace opkit::core {

// Classes of vector instructions that cost alike.
enum VectorCostClass : uint8_t {
#define X(id, word) kCost##id,
#include "opkit/abi/vector_costs.inc"
#undef X
  kVectorCosts
};

// The figures of one chip, out of its file (opkit/call/trace/rates.h); nothing has a default.
struct TimingRates {
  uint32_t frequency_mhz = 0;
  uint32_t cube_cores = 0, vector_cores = 0;  // what limits how many blocks are resident
  uint64_t l2_bytes = 0;
  // Banks of UB: bytes of a block; groups; bytes of all banks that stand first in their groups.
  uint32_t bank_block = 0, bank_groups = 0, bank_span = 0;
  // Multiply-adds of one cycle, and elements of K in a fractal, by opk_dtype; float32 behind
  // SetHF32Mode has a rate of its own.
  std::array<uint32_t, 32> cube_products{}, cube_k{};
  uint32_t cube_products_hf32 = 0, cube_m = 0, cube_n = 0;
  uint32_t vector_elements = 0;  // half, per cycle
  // Eighths of a cycle of one repeat, by the width of its widest elements: 1, 2, 4, 8 bytes.
  std::array<std::array<uint32_t, 4>, kVectorCosts> repeat_eighths{};
#define X(name) uint32_t name = 0;
#include "opkit/core/modes/timed_figures.inc"
#undef X
};

struct TimedOptions {
  bool spans = false;              // keep every instruction and every wait, for traces
  uint32_t warm_runs = 0;          // replays before the one that counts: what is in L2 stays there
  std::set<std::string> uncached;  // GM tensors that bypass L2 (CACHE_MODE_DISABLE)
};

// Pipes in the order of the results: S, V, M, MTE1, MTE2, MTE3, FIX.
constexpr size_t kTimedPipes = 7;
const char* timed_pipe_name(size_t pipe);

struct PipeTimes {
  uint64_t busy = 0;                                // cycles with an instruction in execution
  std::array<uint64_t, kTimedPipes> waiting_for{};  // cycles in which it waited for that pipe
  uint64_t waiting_for_cores = 0;  // counts cycles in which it waited for flags of other cores
  uint64_t instructions = 0;
};

// Bytes moved.
struct Traffic {
  uint64_t gm_to_ub = 0, gm_to_l1 = 0, ub_to_gm = 0, l1_to_gm = 0, l0c_to_gm = 0, l0c_to_l1 = 0;
  uint64_t l1_to_l0a = 0, l1_to_l0b = 0, l1_to_other = 0, ub_to_l1 = 0, ub_to_ub = 0;
  uint64_t vector_read = 0, vector_write = 0, scalar = 0;
  uint64_t l2_read_hits = 0, l2_read_misses = 0;  // count requests of 128 bytes
  uint64_t l2_write_hits = 0, l2_write_misses = 0;
  uint64_t hbm_read = 0, hbm_write = 0;
  uint64_t cube_operations = 0, vector_operations = 0;  // multiply-adds count two
  uint64_t bank_conflict_cycles = 0;
  void add(const Traffic& other);
};

// Bytes that copies move between a GM tensor and the cores.
struct TensorTraffic {
  std::string name;
  uint64_t read = 0, written = 0;
};

struct CoreTimes {
  uint32_t block = 0;
  int sub_block = -1;
  uint8_t kind = OPK_CORE_AIV;
  uint64_t start = 0, end = 0;  // cycles since the first block started
  std::array<PipeTimes, kTimedPipes> pipes;
  Traffic traffic;
  uint32_t peak_bytes[OPK_MEM_COUNT] = {};  // given out by TPipe
};

struct InstructionTotals {
  uint64_t count = 0, cycles = 0, bytes = 0;
};

// An instruction in execution; or, when `waits_for` names somebody, a pipe that waits.
struct Span {
  static constexpr uint8_t kNobody = 0xff, kOtherCores = 0xfe;

  uint32_t core;  // index into TimedResult::cores
  uint8_t pipe;
  uint64_t start, end;  // cycles
  const char* name;     // static text
  const void* pc;
  uint64_t bytes = 0;           // that an instruction moves between GM and the core
  uint8_t waits_for = kNobody;  // a pipe, or kOtherCores
  const char* giver = "";       // names what ends a wait; giver_pc tells where that stands
  const void* giver_pc = nullptr;

  bool is_wait() const { return waits_for != kNobody; }
};

struct TimedResult {
  TimingRates rates;
  uint32_t block_dim = 0;
  int32_t task_type = OPK_TASK_AIV_ONLY;
  std::string kernel;
  uint64_t cycles = 0;   // until the last core ends
  uint64_t task_ns = 0;  // includes launch overhead
  std::vector<CoreTimes> cores;
  Traffic traffic;                     // sums up all cores
  std::vector<TensorTraffic> tensors;  // LaunchRequest::gm
  // Sums up instructions by pipe and name.
  std::map<std::pair<size_t, std::string>, InstructionTotals> instructions;
  std::vector<Span> spans;
};

class Timed : public Observer {
 public:
  explicit Timed(const TimingRates& rates, const TimedOptions& options = {});
  ~Timed() override;

  // Returns the times of the last launch.
  const TimedResult& result() const;
  // Returns how many cycles the last launch would have taken without the barrier, or the flag with
  // its partners, that the kernel calls at `pc`.
  uint64_t cycles_without(const void* pc) const;

  bool sees_data() const override { return false; }
  void launch_begins(const LaunchRequest& request) override;
  void core_begins(Core& core) override;
  bool admit(Core& core, const Footprint& footprint) override;
  void flag(Core& core, opk_sync_op op, opk_pipe src, opk_pipe dst, int32_t id,
            const void* pc) override;
  void barrier(Core& core, opk_pipe pipe, const void* pc) override;
  void cross_flag(Core& core, opk_sync_op op, uint32_t mode, opk_pipe pipe, uint32_t id,
                  const void* pc) override;
  void sync_all(Core& core, opk_sync_op op, uint32_t bits, const void* pc) override;
  void gm_word(Core& core, opk_sync_op op, const int32_t* word, const void* pc) override;
  void buffer(Core& core, const opk_buffer_v1& event, const void* pc) override;
  // Ticks of the chip's 50 MHz counter, from a replay of what was issued so far: exact in a launch
  // of one wave, and as slow as everything before it.
  int64_t cycle(Core& core) override;
  void core_ends(Core& core) override;
  void launch_ends() override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_MODES_TIMED_H_
