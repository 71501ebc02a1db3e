// Flags, barriers, cross-core synchronisation. Instructions run in program order, so that flags and
// barriers inside a core change nothing but what observers see; only waits between cores suspend.
#include <string>

#include "opkit/core/isa/arch.h"
#include "opkit/core/isa/isa.h"
#include "opkit/core/state/launch.h"

namespace opkit::core {
namespace {

constexpr uint32_t kFlagIds = 16;  // CrossCoreSetFlag(ISASI): flagId 0 to 15

bool check_flag_id(Core& core, uint32_t sync_op, uint32_t id, const void* pc) {
  if (id < kFlagIds) return true;
  Fault fault;
  fault.code = "EK1502";
  fault.instruction = sync_op == OPK_SYNC_SET ? "CrossCoreSetFlag" : "CrossCoreWaitFlag";
  fault.message = "cross-core flag id " + std::to_string(id) +
                  " does not exist; the chip would take its lowest four bits";
  fault.action = "use ids 0 to 10";
  fault.pc = pc;
  return core.refuse(std::move(fault)), false;
}

// "模式1：AI Core内部，AIV核之间的同步控制" (CrossCoreSetFlag(ISASI)).
bool check_mode(Core& core, uint32_t mode, const void* pc) {
  if (mode != 1 || core.kind != OPK_CORE_AIC) return true;
  Fault fault;
  fault.code = "EK1502";
  fault.instruction = "CrossCoreSetFlag";
  fault.message = "mode 1 is among the vector cores of a block; the cube core has no part in it";
  fault.action = "use mode 2 between the cube core and its vector cores, mode 0 among cube cores";
  fault.pc = pc;
  return core.refuse(std::move(fault)), false;
}

}  // namespace

void exec_flag(opk_core* c, uint32_t sync_op, uint32_t src_pipe, uint32_t dst_pipe, int32_t id) {
  Core& core = Core::of(c);
  if (!core.observer) return;
  core.observer->flag(core, static_cast<opk_sync_op>(sync_op), static_cast<opk_pipe>(src_pipe),
                      static_cast<opk_pipe>(dst_pipe), id, core.place(__builtin_return_address(0)));
}

void exec_barrier(opk_core* c, uint32_t pipe) {
  Core& core = Core::of(c);
  if (core.observer)
    core.observer->barrier(core, static_cast<opk_pipe>(pipe),
                           core.place(__builtin_return_address(0)));
}

void exec_cross_flag(Core& core, const void* pc, uint32_t sync_op, uint32_t mode, uint32_t pipe,
                     uint32_t id) {
  if (!check_flag_id(core, sync_op, id, pc)) return;
  const char* name = sync_op == OPK_SYNC_SET ? "CrossCoreSetFlag" : "CrossCoreWaitFlag";
  if (!arch_has(core, OPK_A_CROSS_FLAG, name, pc)) return;
  if (sync_op == OPK_SYNC_SET && !check_mode(core, mode, pc)) return;
  if (sync_op == OPK_SYNC_SET) {
    if (core.observer)
      core.observer->cross_flag(core, OPK_SYNC_SET, mode, static_cast<opk_pipe>(pipe), id, pc);
    core.release_additions();
    core.launch->set_cross_flag(core.id(), mode, id, pc);
    return;
  }
  Wait wait;
  wait.kind = Wait::Kind::kCrossFlag;
  wait.id = id;
  wait.pc = pc;
  core.wait_for(wait);
  core.launch->take_cross_flag(core.seat(), id);
  ++core.flags_taken[id];
  if (core.observer)
    core.observer->cross_flag(core, OPK_SYNC_WAIT, mode, static_cast<opk_pipe>(pipe), id, pc);
}

void exec_sync_all(Core& core, const void* pc, uint32_t bits) {
  if (!arch_has(core, bits & OPK_SYNC_ALL_SOFT ? OPK_A_SYNC_ALL_GM : OPK_A_SYNC_ALL, "SyncAll", pc))
    return;
  if (core.observer) core.observer->sync_all(core, OPK_SYNC_SET, bits, pc);
  Wait wait;
  wait.kind = Wait::Kind::kSyncAll;
  wait.meeting = meeting_of(core.kind, (bits & OPK_SYNC_ALL_AIV) != 0);
  wait.round = ++core.sync_rounds[static_cast<size_t>(wait.meeting)];
  core.release_additions();
  core.launch->arrive(core.seat(), wait.meeting);
  wait.pc = pc;
  core.wait_for(wait);
  if (core.observer) core.observer->sync_all(core, OPK_SYNC_WAIT, bits, pc);
}

void exec_gm_word(Core& core, const void* pc, uint32_t sync_op, int32_t* word, int32_t value) {
  if (!arch_has(core, OPK_A_GM_FLAGS, "IBSet", pc)) return;
  if (sync_op == OPK_SYNC_SET) {
    if (core.observer) core.observer->gm_word(core, OPK_SYNC_SET, word, pc);
    core.release_additions();
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    core.launch->signal();
    return;
  }
  Wait wait;
  wait.kind = Wait::Kind::kGmWord;
  wait.word = word;
  wait.value = value;
  wait.pc = pc;
  core.wait_for(wait);
  if (core.observer) core.observer->gm_word(core, OPK_SYNC_WAIT, word, pc);
}

void exec_poll(Core& core, const void* pc) {
  if (core.observer) core.observer->polls(core);
  if (core.launch->stopped()) return core.leave();  // who should have written may be gone
  Wait wait;
  wait.kind = Wait::Kind::kTurn;
  wait.pc = pc;
  core.wait_for(wait);
}

}  // namespace opkit::core
