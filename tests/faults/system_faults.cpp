// EK1601, EK1602, EK1606: kernels that give up by themselves, or ask for other chips.
#include "corpus.h"
#include "static_tensors.h"

using namespace AscendC;

namespace faults {
namespace {

template <bool kFault>
void traps_at_once(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  if constexpr (kFault) Trap();  // FAULT: traps_at_once
}

template <bool kFault>
void traps_on_bad_input(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  GlobalTensor<float> gx;
  gx.SetGlobalBuffer((__gm__ float*)x, kElements);
  const float limit = kFault ? 0.1f : 100.0f;
  if (gx.GetValue(1) > limit) Trap();  // FAULT: traps_on_bad_input
}

template <bool kFault>
void traps_in_the_second_block(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  if (kFault && GetBlockIdx() == 1) {
    Trap();  // FAULT: traps_in_the_second_block
  }
}

template <bool kFault>
void asserts_a_size(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  const uint32_t tile = kFault ? 100 : 128;
  ascendc_assert(tile % 32 == 0);  // FAULT: asserts_a_size
}

template <bool kFault>
void asserts_with_words(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  const int32_t blocks = static_cast<int32_t>(GetBlockNum());
  const int32_t wanted = kFault ? 3 : 2;
  ascendc_assert((blocks == wanted) && "wrong number of blocks");  // FAULT: asserts_with_words
}

template <bool kFault>
void asserts_on_the_cube_core(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  const uint32_t k = kFault ? 17 : 16;
  ascendc_assert(k % 16 == 0);  // FAULT: asserts_on_the_cube_core
}

template <bool kFault>
void asks_for_its_communicator(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  if constexpr (kFault)
    (void)GetHcclContext<HCCL_GROUP_ID_0>();  // FAULT: asks_for_its_communicator
}

template <bool kFault>
void gathers_from_all_chips(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Hccl<HCCL_SERVER_TYPE_AICPU> hccl;
  if constexpr (kFault)
    hccl.AllGather<true>(x, z, 64, HCCL_DATA_TYPE_FP32, 0);  // FAULT: gathers_from_all_chips
}

template <bool kFault>
void counts_the_chips(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Hccl hccl;
  const bool alone = !kFault || hccl.GetRankDim() == 1;  // FAULT: counts_the_chips
  ascendc_assert(alone);
}

}  // namespace

Family system_faults() {
  return {
      VECTOR_FAULT("EK1601", traps_at_once, "gave up"),
      VECTOR_FAULT("EK1601", traps_on_bad_input, "gave up"),
      VECTOR_FAULT("EK1601", traps_in_the_second_block, "gave up").on(2),
      VECTOR_FAULT("EK1602", asserts_a_size, "tile % 32 == 0"),
      VECTOR_FAULT("EK1602", asserts_with_words, "wrong number").on(2),
      VECTOR_FAULT("EK1606", asks_for_its_communicator, "runs on one chip"),
      VECTOR_FAULT("EK1606", gathers_from_all_chips, "runs on one chip"),
      VECTOR_FAULT("EK1606", counts_the_chips, "runs on one chip"),
      CUBE_FAULT("EK1602", asserts_on_the_cube_core, "k % 16 == 0"),
  };
}

}  // namespace faults
