#include "opkit/core/state/lent_memory.h"

namespace opkit::core {
namespace {

constexpr uint32_t kL1Bytes = 512 * 1024, kL0cBytes = 128 * 1024;

}  // namespace

bool LentObserver::admit(Core& core, const Footprint& f) {
  static constexpr opk_matmul_v1 kNothing{};
  Footprint told;
  told.name = f.name;
  told.kind = InstructionKind::kMatmul;
  told.pipe = OPK_PIPE_S;
  told.instruction = &kNothing;
  told.pc = f.pc;
  for (uint32_t i = 0; i < f.access_count; ++i) {
    if (f.access[i].memory == OPK_MEM_GM) told.add(f.access[i]);
  }
  return told.access_count == 0 || inner_->admit(core, told);
}

Observer* LentMemory::lend(opk_core& core, Observer* observer) {
  own_l1_ = {core.memory[OPK_MEM_L1], core.memory_size[OPK_MEM_L1]};
  own_l0c_ = {core.memory[OPK_MEM_L0C], core.memory_size[OPK_MEM_L0C]};
  core.memory[OPK_MEM_L1] = l1_.take(kL1Bytes);
  core.memory_size[OPK_MEM_L1] = kL1Bytes;
  core.memory[OPK_MEM_L0C] = l0c_.take(kL0cBytes);
  core.memory_size[OPK_MEM_L0C] = kL0cBytes;
  lent_ = true;
  observer_ = observer;
  if (!observer_) return nullptr;
  watch_.watch_for(observer_);
  return &watch_;
}

Observer* LentMemory::take_back(opk_core& core) {
  put_back(core);
  return observer_;
}

void LentMemory::forget(opk_core& core) {
  if (lent_) put_back(core);
}

void LentMemory::put_back(opk_core& core) {
  core.memory[OPK_MEM_L1] = own_l1_.memory;
  core.memory_size[OPK_MEM_L1] = own_l1_.size;
  core.memory[OPK_MEM_L0C] = own_l0c_.memory;
  core.memory_size[OPK_MEM_L0C] = own_l0c_.size;
  lent_ = false;
}

}  // namespace opkit::core
