#include "opkit/core/replay/run_cube.h"

#include "opkit/core/isa/cube/mmad.h"
#include "opkit/core/isa/isa.h"
#include "opkit/core/isa/unchecked.h"
#include "opkit/core/state/core.h"
#include "opkit/core/state/launch.h"

namespace opkit::core {
namespace {

using Kind = ProgramStep::Kind;

// Returns the instruction with the addresses that its operands have in this launch.
template <typename T>
T placed(Core& core, const T& kept, const BytePlace* place) {
  T instruction = kept;
  for_each_operand(instruction, [&](opk_operand& o) {
    if (o.buffer != kHasOperand) return;
    o.buffer = 0;
    o.address = o.memory == OPK_MEM_GM
                    ? gm_address(core, *place++)
                    : core.memory[o.memory] + reinterpret_cast<uint64_t>(o.address);
  });
  return instruction;
}

}  // namespace

uint8_t* gm_address(const Core& core, const BytePlace& place) {
  return const_cast<uint8_t*>(core.launch->request().gm[place.index].base) + place.at;
}

void run_cube(Core& core, const ProgramStep& s, const CubeCalls& calls,
              const std::vector<BytePlace>& places) {
  const BytePlace* place = places.data() + s.n;
  switch (s.kind) {
    case Kind::kCubeCopy: return run_copy(core, placed(core, calls.copies[s.number], place));
    case Kind::kLoad: return run_load(core, placed(core, calls.loads[s.number], place));
    case Kind::kMmad: return compute_mmad(core, placed(core, calls.products[s.number], place));
    case Kind::kFixpipe:
      core.ctrl = s.context.scalar[0];
      return run_fixpipe(core, placed(core, calls.stores[s.number], place));
    case Kind::kMatmul:
      core.ctrl = s.context.scalar[0];
      core.put_off.settle();
      return run_matmul(core, placed(core, calls.blocks[s.number], place));
    case Kind::kFlag:
      core.put_off.settle();
      return exec_cross_flag(core, nullptr, s.op, s.rows, s.times, s.number);
    default: core.put_off.settle(); return exec_sync_all(core, nullptr, s.number);
  }
}

}  // namespace opkit::core
