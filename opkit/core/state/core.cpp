#include "opkit/core/state/core.h"

#include <sys/mman.h>

#include <new>
#include <utility>

#include "opkit/core/state/launch.h"
#include "opkit/core/state/lent_memory.h"

namespace opkit::core {
namespace {

constexpr size_t kStackBytes = size_t{1} << 20;
constexpr size_t kArenaAlignment = 4096;

size_t round_up(size_t bytes) { return (bytes + kArenaAlignment - 1) & ~(kArenaAlignment - 1); }

// A vector core has no L0, BT and FB, and a cube core has no UB. Beside a cube core a vector core
// fills L1 for its Matmul objects (TSCM): the part that is its own lies here.
bool has_memory(opk_core_kind kind, int memory) {
  if (kind == OPK_CORE_MIX) return true;
  const bool tscm = kind == OPK_CORE_AIV && memory == OPK_MEM_L1;
  return tscm || (memory == OPK_MEM_UB) == (kind == OPK_CORE_AIV);
}

}  // namespace

Core::Core(const opk_soc_v1& soc, opk_core_kind core_kind, const opk_isa_v1& instructions)
    : opk_core{}, fiber(kStackBytes) {
  struct_size = sizeof(opk_core);
  npu_arch = soc.npu_arch;
  arch = soc.arch;
  lacks_calls = arch && !arch->lacks_nothing;
  lib_api_workspace = soc.lib_api_workspace;
  isa = &instructions;
  kind = static_cast<uint8_t>(core_kind);
  map_memories(soc);
}

Core::~Core() { ::munmap(arena_, arena_bytes_); }

void Core::map_memories(const opk_soc_v1& soc) {
  for (int m = OPK_MEM_UB; m < OPK_MEM_COUNT; ++m) {
    if (has_memory(static_cast<opk_core_kind>(kind), m))
      arena_bytes_ += round_up(soc.memory_size[m]) + kArenaAlignment;
  }
  void* mapped = ::mmap(nullptr, arena_bytes_, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  arena_ = static_cast<uint8_t*>(mapped);
  uint8_t* next = arena_;
  for (int m = OPK_MEM_UB; m < OPK_MEM_COUNT; ++m) {
    if (!has_memory(static_cast<opk_core_kind>(kind), m)) continue;
    memory[m] = next;
    memory_size[m] = static_cast<uint32_t>(soc.memory_size[m]);
    next += round_up(soc.memory_size[m]) + kArenaAlignment;
  }
  put_off.attach();
  whole_ub_ = memory_size[OPK_MEM_UB];
  reserved_ub_ = soc.reserved_ub;
  reserved_l1_ = soc.reserved_l1;  // TPipe's; static tensors may lie there
  l1_ = memory[OPK_MEM_L1];
  l1_size_ = memory_size[OPK_MEM_L1];
}

void Core::begin(Launch& owner, uint32_t launch_block, int launch_lane) {
  if (cube.lent) cube.lent->forget(*this);
  launch = &owner;
  additions = &owner.additions();
  observer = owner.request().observer;
  puts_off = !observer || !observer->sees_data();
  block = launch_block;
  lane = launch_lane;
  aborted = false;
  wait = {};
  for (uint64_t& round : sync_rounds) round = 0;
  for (uint32_t& taken : flags_taken) taken = 0;
  for (uint32_t& bytes : allocated) bytes = 0;
  overflow.reset();

  const int lanes = owner.vector_lanes();
  const bool has_l1 = kind != OPK_CORE_AIV || owner.has_cube_lane();
  memory[OPK_MEM_L1] = has_l1 ? l1_ : nullptr;
  memory_size[OPK_MEM_L1] = has_l1 ? l1_size_ : 0;
  // The vendor's framework keeps the last bytes of UB where cube and vector cores work together.
  memory_size[OPK_MEM_UB] = whole_ub_ - (whole_ub_ && owner.has_cube_lane() ? reserved_ub_ : 0);
  block_num = owner.request().block_dim;
  block_idx = lane > 0 || (lane == 0 && lanes == 2)
                  ? launch_block * static_cast<uint32_t>(lanes) + static_cast<uint32_t>(lane)
                  : launch_block;
  sub_block_idx = static_cast<uint16_t>(lane < 0 ? 0 : lane);
  sub_block_num = static_cast<uint16_t>(lanes == 2 ? 2 : 1);
  task_ratio = static_cast<uint8_t>(lane >= 0 && lanes == 2 ? 2 : 1);
  scalar_watch = observer != nullptr;
  observed = !observer ? 0 : observer->forbids_excess() ? OPK_OBSERVED_STRICT : OPK_OBSERVED;
  put_off.clear();
  if (has_l1) cube.clear();
  mask_mode = 0;
  tiling_key = owner.request().tiling_key;
  mask[0] = mask[1] = ~uint64_t{0};
  ctrl = owner.request().keep_inf_nan ? uint64_t{1} << 48 : 0;
  atomic = OPK_ATOMIC_NONE;
  atomic_dtype = OPK_FLOAT32;
  pipe = nullptr;
  system_workspace = owner.request().system_workspace;
  reduce_value = reduce_index = 0;
  deq_scale = 1.0f;
  deq_offset_sign = 0;
  pad_value = load_pad_value = fixpipe_word = 0;
  fixpipe_vector = {};
  fixpipe_nd[0] = 1;
  fixpipe_nd[1] = 0;
  fixpipe_dst_nd = 0;
  hf32 = hf32_trans = 0;
  library = 0;
  call_name = nullptr;
  call_pc = nullptr;
  load_repeat_mode = 0;
  load_repeat_time = 1;
  load_repeat_stride = 0;
  load_boundary = 0;
  gather_mask_count = 0;
}

void Core::refuse(Fault fault) {
  fault.block = block;
  fault.sub_block = lane;
  if (observer && observer->recover(*this, fault)) return;
  launch->record(std::move(fault));
  aborted = true;
  fiber.suspend();
}

void Core::leave() {
  aborted = true;
  fiber.suspend();
}

void Core::wait_for(const Wait& reason) {
  wait = reason;
  launch->core_waits();
  while (!launch->satisfied(seat(), wait)) fiber.suspend();
  wait.kind = Wait::Kind::kNone;
  if (additions->any()) put_off.keep_watch();
}

void Core::settle_additions(const uint8_t* gm, uint64_t bytes) {
  put_off.settle();
  additions->happen(gm, bytes, seat(), atomics);
}

}  // namespace opkit::core
